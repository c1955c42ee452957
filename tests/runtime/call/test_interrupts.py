"""Ctrl-C in every line of a call: what may have been executed is listed, in this process and the next."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

import trading_runtime
import trading_runtime.call.watch  # an import that is interrupted is of no interest here
import trading_sdk
from trading_runtime import Fault, Request, Response, TransportError
from trading_runtime.call import journal as journals
from trading_sdk import Client, Keypair, Retry, TradingError

OURS = tuple(os.path.dirname(str(each.__file__)) for each in (trading_runtime, trading_sdk))
KEY = Keypair(b"\x01" * 32)
ORDER: dict[str, Any] = {
    "symbol": "BTC",
    "side": "bid",
    "price": "1",
    "amount": "1",
    "tif": "ALO",
    "reduce_only": False,
}
Call = Callable[[Client], object]


def create(client: Client) -> object:
    return client.orders.create(**ORDER)


def batch(client: Client) -> object:
    return client.orders.batch([trading_sdk.CreateOrder(**ORDER)])


def cancel(client: Client) -> object:
    return client.orders.cancel(symbol="BTC", order_id=1)


def revoke(client: Client) -> None:
    client.api_keys.revoke(api_key="key")


ANSWERS: dict[str, Response | TransportError] = {
    "executed": Response(200, {}, b'{"order_id": 1}'),
    "batch": Response(200, {}, b'{"results": [{"success": true, "order_id": 1, "error": null}]}'),
    "revoked": Response(200, {}, b'{"success": true, "data": null}'),
    "lost": TransportError(Fault.MAYBE_SENT, "no answer came"),
    "refused": Response(400, {}, b'{"error": "no"}'),
    "not sent": TransportError(Fault.NOT_SENT, "cannot connect"),
}
EXECUTED = ("executed", "batch", "revoked", "lost")


class Answering:
    """A transport that remembers whether it was asked to send."""

    def __init__(self, answer: Response | TransportError) -> None:
        self._answer = answer
        self.asked = False

    def send(self, request: Request, *, timeout: float) -> Response:
        self.asked = True
        if isinstance(self._answer, TransportError):
            raise TransportError(self._answer.fault, self._answer.reason)
        return self._answer

    def close(self) -> None: ...


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


def interrupted(call: Call, client: Client, number: int) -> str:
    """Make a call that is interrupted at its line of this number; return which one it was."""
    interrupt, before = Interrupt(number), sys.gettrace()
    gc.disable()  # an exception in a __del__ interrupts nothing
    sys.settrace(interrupt)
    try:
        call(client)
    except (KeyboardInterrupt, TradingError):
        pass
    finally:
        sys.settrace(before)
        gc.enable()
    return interrupt.where


def listed(client: Client) -> int:
    return len(client.unsettled())


@pytest.mark.parametrize(
    ("large", "on_event"),
    [(journals._LARGE, None), (1, None), (journals._LARGE, str)],
    ids=["short", "rewritten", "watched"],
)
@pytest.mark.parametrize(
    ("call", "answer"),
    [
        (create, "executed"),
        (create, "lost"),
        (create, "refused"),
        (create, "not sent"),
        (batch, "batch"),
        (cancel, "batch"),
        (revoke, "revoked"),
    ],
)
def test_a_call_that_is_interrupted_in_any_line_is_listed_if_it_may_have_been_executed(
    call: Call,
    answer: str,
    large: int,
    on_event: Any,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(journals, "_LARGE", large)
    monkeypatch.setattr(os, "fsync", lambda _: None)  # there are thousands
    # A tracer that raises in an except block leaves its exception behind, in this thread alone.
    with ThreadPoolExecutor(1) as thread:
        thread.submit(interrupt_every_line, call, answer, on_event, tmp_path / "journal").result()


def interrupt_every_line(call: Call, answer: str, on_event: Any, path: Path) -> None:
    number = 1
    while True:
        transport = Answering(ANSWERS[answer])
        options: dict[str, Any] = {"signer": KEY, "journal": path, "retry": Retry(max_attempts=1)}
        client = Client("http://127.0.0.1:9", transport=transport, on_event=on_event, **options)
        where = interrupted(call, client, number)
        if not where:
            break
        found = listed(client)
        client.close()
        with Client("http://127.0.0.1:9", **options) as after:
            assert listed(after) == found, where
        assert found == 1 or not (transport.asked and answer in EXECUTED), where
        path.unlink(missing_ok=True)
        number += 1
    assert number > 150


@pytest.mark.parametrize("kept", [True, False])
def test_a_call_that_is_interrupted_while_it_waits_is_listed_if_there_is_a_journal(
    kept: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def wait(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    transport = Answering(ANSWERS["executed"])
    monkeypatch.setattr(transport, "send", wait)
    journal = tmp_path / "journal" if kept else None
    with Client("http://127.0.0.1:9", signer=KEY, journal=journal, transport=transport) as client:
        with pytest.raises(KeyboardInterrupt):
            create(client)
        with pytest.raises(KeyboardInterrupt):
            client.account.settings()
        assert not kept or listed(client) == 1
