"""Ctrl-C in every line of a call: what may have been executed is listed, in this process and the next."""

from __future__ import annotations

import gc
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

import trading_runtime
import trading_runtime.call.events  # an import that is interrupted is of no interest here
import trading_sdk
from tests.doubles.calls import Call, cancel
from tests.doubles.orders import HERE, order
from tests.doubles.signer import KEY
from tests.doubles.transport import Answer, ScriptedTransport, ok, refusal
from trading_runtime import Fault, TransportError
from trading_runtime.call import journal as journals
from trading_sdk import Client, Retry, TradingError

OURS = tuple(os.path.dirname(str(each.__file__)) for each in (trading_runtime, trading_sdk))


def create(client: Client) -> object:
    return client.orders.create(**order())


def batch(client: Client) -> object:
    return client.orders.batch([trading_sdk.CreateOrder(**order())])


def revoke(client: Client) -> None:
    client.api_keys.revoke(api_key="key")


ANSWERS: dict[str, Answer] = {
    "executed": ok({"order_id": 1}),
    "batch": ok({"results": [{"success": True, "order_id": 1, "error": None}]}),
    "revoked": ok({"success": True, "data": None}),
    "lost": lambda _: TransportError(Fault.MAYBE_SENT, "no answer came"),
    "refused": refusal(400),
    "not sent": lambda _: TransportError(Fault.NOT_SENT, "cannot connect"),
}
EXECUTED = ("executed", "batch", "revoked", "lost")


class Interrupt:
    """Raises KeyboardInterrupt at one line of our files, counted from the first one of the call."""

    def __init__(self, number: int) -> None:
        self._left = number
        self.where = ""

    def __call__(self, frame: FrameType, event: str, argument: Any) -> Any:
        if not frame.f_code.co_filename.startswith(OURS):
            return None
        if event == "line" and not self.where:
            self._left -= 1
            if not self._left:
                self.where = f"{frame.f_code.co_filename}:{frame.f_lineno}"
                raise KeyboardInterrupt
        return self


def interrupted(call: Call, client: Client, number: int) -> tuple[str, bool]:
    """Make a call that is interrupted at its line of this number; return which one it was, and whether a result came.

    C code that asks an object for an attribute drops an interrupt of that moment: the call goes on.
    """
    interrupt, before = Interrupt(number), sys.gettrace()
    gc.disable()  # an exception in a __del__ interrupts nothing
    sys.settrace(interrupt)
    has_result = False
    try:
        call(client)
        has_result = True
    except (KeyboardInterrupt, TradingError):
        pass
    finally:
        sys.settrace(before)
        gc.enable()
    return interrupt.where, has_result


def listed(client: Client) -> int:
    return len(client.unsettled())


REWRITTEN, WATCHED = {"large": 1}, {"on_event": str}
"""A journal that is rewritten after each line; a client that tells its events."""


# Python 3.13 tells where C code dropped an interrupt.
@pytest.mark.filterwarnings("ignore:Exception ignored in PyObject_HasAttr")
@pytest.mark.parametrize(
    ("call", "answer", "options"),
    [
        (create, "executed", {}),
        (create, "lost", {}),
        (create, "not sent", {}),
        (batch, "batch", {}),
        (cancel, "batch", {}),
        (revoke, "revoked", {}),
        *((create, answer, REWRITTEN | WATCHED) for answer in ("executed", "refused")),
        (create, "lost", WATCHED),
    ],
)
def test_a_call_that_is_interrupted_in_any_line_is_listed_if_it_may_have_been_executed(
    call: Call,
    answer: str,
    options: dict[str, Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(journals, "_LARGE", options.get("large", journals._LARGE))
    monkeypatch.setattr(os, "fsync", lambda _: None)  # there are thousands
    # A tracer that raises in an except block leaves its exception behind, in this thread alone.
    with ThreadPoolExecutor(1) as thread:
        thread.submit(
            interrupt_every_line, call, answer, options.get("on_event"), tmp_path / "journal"
        ).result()


def interrupt_every_line(call: Call, answer: str, on_event: Any, path: Path) -> None:
    number = 1
    while True:
        transport = ScriptedTransport(ANSWERS[answer])
        options: dict[str, Any] = {"signer": KEY, "journal": path, "retry": Retry(max_attempts=1)}
        client = Client(HERE, transport=transport, on_event=on_event, **options)
        where, has_result = interrupted(call, client, number)
        if not where:
            break
        found = listed(client)
        client.close()
        with Client(HERE, **options) as after:
            assert listed(after) == found, where
        is_executed = transport.sent and answer in EXECUTED and not has_result
        assert found == 1 or not is_executed, where
        path.unlink(missing_ok=True)
        number += 1
    assert number > 150


@pytest.mark.parametrize("kept", [True, False])
def test_a_call_that_is_interrupted_while_it_waits_is_listed_if_there_is_a_journal(
    kept: bool, tmp_path: Path
) -> None:
    transport = ScriptedTransport(then=KeyboardInterrupt())
    journal = tmp_path / "journal" if kept else None
    with Client(HERE, signer=KEY, journal=journal, transport=transport) as client:
        with pytest.raises(KeyboardInterrupt):
            create(client)
        with pytest.raises(KeyboardInterrupt):
            client.account.settings()
        assert not kept or listed(client) == 1
