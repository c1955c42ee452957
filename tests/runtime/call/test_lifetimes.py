"""How long an error lives: bots run with the garbage collector off, and an error holds the answer it tells of."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.doubles.calls import batch, create, history, withdraw
from tests.doubles.signer import KEY
from tests.doubles.transport import Answer, ScriptedTransport, response
from trading_runtime import Fault, TransportError
from trading_sdk import (
    ApiError,
    BatchError,
    Client,
    DecodeError,
    NoResponseError,
    NotSentError,
    OutcomeUnknownError,
    PaginationError,
    RequestError,
    Retry,
)

REFUSED = response(400, b'{"error": "no", "code": 400}')
NO = b'{"success": false, "error": "no"}'
FAILED = b'{"success": true, "data": {"results": [%b, %b]}}' % (NO, NO)
CONTRADICTION = b'{"success": true, "data": [], "has_more": true, "next_cursor": null}'


def failing(fault: Fault) -> Callable[[Any], Any]:
    def answer(_: Any) -> Any:
        raise TransportError(fault, "no answer came")

    return answer


def failed_batch(client: Client) -> None:
    results: Any = batch(client)
    results.raise_on_failure()


CASES: list[tuple[type[Exception], Callable[[Client], object], Answer]] = [
    (ApiError, create, REFUSED),
    (ApiError, history, response(503, b"<html>")),
    (OutcomeUnknownError, create, failing(Fault.MAYBE_SENT)),
    (OutcomeUnknownError, withdraw, response(200, b"<html>")),
    (NotSentError, create, failing(Fault.NOT_SENT)),
    (NoResponseError, history, failing(Fault.MAYBE_SENT)),
    (DecodeError, history, response(200, b'{"success": true, "data": 5, "has_more": false}')),
    (PaginationError, history, response(200, CONTRADICTION)),
    (BatchError, failed_batch, response(200, FAILED)),
    (RequestError, lambda client: client.orders.batch([]), REFUSED),
]


@pytest.fixture(autouse=True)
def no_collector() -> Iterator[None]:
    gc.disable()
    yield
    gc.enable()


@pytest.mark.parametrize(("kind", "call", "answer"), CASES)
@pytest.mark.parametrize("watched", [False, True])
def test_no_error_outlives_the_block_that_handles_it(
    kind: type[Exception], call: Callable[[Client], object], answer: Answer, watched: bool
) -> None:
    transport = ScriptedTransport(answer)
    options: dict[str, Any] = {"on_event": lambda event: None} if watched else {}
    retry = Retry(max_attempts=1)
    with Client(
        "http://127.0.0.1:9", signer=KEY, transport=transport, retry=retry, **options
    ) as client:
        try:
            call(client)
        except Exception as error:
            assert isinstance(error, kind)
            alive = weakref.ref(error)
        else:
            pytest.fail("it did not raise")
        assert alive() is None
