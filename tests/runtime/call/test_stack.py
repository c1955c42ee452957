"""Calls made where Python's stack is nearly full: a RecursionError says that nothing was sent."""

from __future__ import annotations

import operator
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.doubles.calls import batch, create, history, lend, withdraw
from tests.doubles.signer import KEY
from tests.doubles.transport import Answer, ScriptedTransport, response
from trading_sdk import (
    ApiError,
    Client,
    DecodeError,
    NoResponseError,
    NotSentError,
    OutcomeUnknownError,
    Retry,
    SigningError,
)

NESTED = b"[" * 90 + b"]" * 90
ANSWERS: dict[str, Answer] = {
    # A refusal is not believed where it says success, which only who has read it knows.
    "executed": response(400, b'{"success": true, "error": "no", "data": %b}' % NESTED),
    "refused": response(400, b'{"error": "no"}'),
    "not JSON": response(200, b"<html>"),
    "nested": response(200, b'{"success": true, "data": {"api_keys": %b}}' % NESTED),
    "none": lambda _: RecursionError("the transport has no room"),
}
NOTHING_SENT = (NotSentError, SigningError, RecursionError)


@pytest.fixture(autouse=True)
def no_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no journal wait for the disk: there are thousands of calls.

    What stands in for `os.fsync` takes as much of the stack: none.
    """
    monkeypatch.setattr(os, "fsync", operator.index)


def at(depth: int, call: Callable[[], object]) -> object:
    return at(depth - 1, call) if depth > 0 else call()


def depths() -> Iterator[int]:
    """How deep to go before a call, from far above the end of the stack to its last function."""
    left, frame = sys.getrecursionlimit(), sys._getframe()
    while frame.f_back is not None:
        left, frame = left - 1, frame.f_back
    yield from range(left - 400, left - 100, 30)
    yield from range(left - 100, left)


def outcomes(answer: Answer, call: Callable[[Client], Any], path: Path) -> list[Any]:
    """What a call returns or raises at each depth where it was sent, which the journal shows, too."""
    found: list[Any] = []
    transport = ScriptedTransport(then=answer)
    retry = Retry(max_attempts=1)
    with Client(
        "http://127.0.0.1:1", signer=KEY, transport=transport, retry=retry, journal=path
    ) as client:
        for depth in depths():
            result = None
            transport.sent.clear()
            try:
                result = at(depth, lambda: call(client))
            except Exception as error:
                result = error
            if transport.sent:
                found.append(result)
            else:
                assert isinstance(result, NOTHING_SENT), repr(result)
        unknown = [each.intent.id for each in found if isinstance(each, OutcomeUnknownError)]
        assert [each.intent.id for each in client.unsettled()] == unknown
    assert len(found) > 15
    return found


@pytest.mark.parametrize("call", [create, batch, lend, withdraw], ids=lambda call: call.__name__)
def test_a_change_that_may_have_been_sent_is_unknown_however_full_the_stack(
    call: Callable[[Client], Any], tmp_path: Path
) -> None:
    for name, answer in ANSWERS.items():
        kinds = {type(each) for each in outcomes(answer, call, tmp_path / name)}
        known = {each for each in kinds if issubclass(each, ApiError)}
        assert kinds - known <= {OutcomeUnknownError}
        assert bool(known) == (name == "refused")


def keys(client: Client) -> object:
    return client.api_keys.list()


@pytest.mark.parametrize("call", [history, keys])
def test_a_read_fails_as_any_other_however_full_the_stack(
    call: Callable[[Client], Any], tmp_path: Path
) -> None:
    for name, answer in ANSWERS.items():
        for each in outcomes(answer, call, tmp_path / name):
            assert not isinstance(each, Exception) or isinstance(
                each, (ApiError, DecodeError, NoResponseError)
            )
