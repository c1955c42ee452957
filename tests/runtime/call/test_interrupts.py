"""Ctrl-C in every line of a call: what may have been executed is listed, in this process and the next."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import trading_runtime
import trading_runtime.call.events  # an import that is interrupted is of no interest here
import trading_sdk
from tests.doubles.calls import Call, cancel
from tests.doubles.orders import HERE, order
from tests.doubles.signer import KEY
from tests.doubles.transport import Answer, ScriptedTransport, ok, refusal
from tests.runtime.lines import Interrupt
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
        interrupt = Interrupt(number, OURS, KeyboardInterrupt)
        has_result, where = interrupt.during(partial(call, client), TradingError), interrupt.where
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
