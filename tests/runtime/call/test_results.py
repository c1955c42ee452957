"""What a client makes of answers beyond their meaning: words, batches, awaited results, other services.

spec/vectors says what an answer means, and what is refused; test_failures.py has the errors.
"""

from __future__ import annotations

import asyncio
import json
import pickle
from pathlib import Path
from typing import Any

import pytest

from tests.doubles.calls import create, settings
from tests.doubles.orders import ID, OTHER_ID, market_order, order
from tests.doubles.transport import ok, response, scripted
from trading_runtime.errors import ApiError, DecodeError, OutcomeUnknownError
from trading_sdk import Client, CreateOrder

MARKET = market_order(client_order_id=OTHER_ID)
CREATE = CreateOrder(**order(client_order_id=ID))
FAILED = {"success": False, "error": "Order not found"}


def sent(client: Client) -> int:
    transport: Any = client._caller.transport
    return len(transport.sent)


def results(*items: dict[str, Any]) -> dict[str, Any]:
    return {"success": True, "data": {"results": list(items)}, "error": None, "code": None}


# -- words -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("location", "where"),
    [
        ("https://user:canary@elsewhere.example:1/canary?canary", "elsewhere.example"),
        ("/canary", "the same host"),
        ("http://[canary", "a URL that is none"),
    ],
)
def test_the_error_of_a_redirect_names_its_host(location: str, where: str) -> None:
    moved = response(302, b"no", Location=location)
    with scripted(moved) as client, pytest.raises(ApiError) as refused:
        settings(client)
    said = f"account.settings: 302: no (a redirect to {where}, which is not followed)"
    assert str(refused.value) == str(pickle.loads(pickle.dumps(refused.value))) == said


def test_what_a_transport_returns_for_an_answer_leaves_a_change_unknown(tmp_path: Path) -> None:
    found: Any = {"status": 200}
    careless = [lambda _: found] * 2
    with scripted(*careless, journal=tmp_path / "journal") as client:
        with pytest.raises(OutcomeUnknownError, match="returned a dict, not a Response") as caught:
            create(client)
        assert [error.intent for error in client.unsettled()] == [caught.value.intent]
        with pytest.raises(DecodeError, match="returned a dict, not a Response"):
            settings(client)
        client.acknowledge(caught.value)
        assert client.unsettled() == []


# -- batches ---------------------------------------------------------------------------------------


def test_the_failure_of_an_only_action_says_all_that_a_refusal_says() -> None:
    payload = {**results(FAILED), "message": "of this answer alone"}
    budget = {"ratelimit": '"pool";r=1200;t=32', "Retry-After": "7"}
    with scripted(response(200, payload, **budget)) as client:
        with pytest.raises(ApiError) as caught:
            client.orders.create_market(**MARKET)
        error = caught.value
        assert error.rate_budget is not None
        assert error.rate_budget == client.rate_budget
    assert (error.status, error.error, error.code) == (200, "Order not found", None)
    assert json.loads(error.body) == payload
    assert (error.retry_after, error.rate_budget.resets_in) == (7, 32)
    assert error.intent is not None
    assert (error.intent.operation, error.intent.client_ids) == (
        "orders.create_market",
        (OTHER_ID,),
    )
    (message,) = error.intent.messages
    assert (message.name, message.fields["amount"]) == ("orders.create_market", "1")


# -- results ---------------------------------------------------------------------------------------


def test_a_result_that_is_awaited_says_that_the_call_was_carried_out() -> None:
    async def bot() -> list[int | None]:
        # Type checkers flag both.
        placed = await client.orders.create(**order())  # type: ignore[misc]
        (result,) = await client.orders.batch([CREATE])  # type: ignore[misc]
        return [placed.order_id, result.order_id]

    answers = ok({"order_id": 7}), ok(results({"success": True, "order_id": 8}))
    with scripted(*answers) as client:
        with pytest.warns(RuntimeWarning, match="the call was carried out before") as warned:
            assert asyncio.run(bot()) == [7, 8]
        assert sent(client) == 2
    assert [str(each.message).split()[0] for each in warned] == ["OrderPlaced", "BatchResult"]
    assert {each.filename for each in warned} == {__file__}


# -- another service -------------------------------------------------------------------------------
