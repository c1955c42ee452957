"""Batches: what may be sent as one, and what its results say."""

from __future__ import annotations

from typing import Any, cast

import pytest
from attrs import frozen

from tests.doubles.orders import HERE, order
from tests.doubles.signer import KEY
from tests.doubles.transport import ScriptedTransport, ok
from trading_runtime.batch import BatchResult, batch_body, checked_actions
from trading_runtime.errors import BatchError, RequestError
from trading_runtime.operation import Action, Batch
from trading_sdk import CancelOrder, Client, CreateOrder, CreateOrderDict


@frozen
class Turn:
    by: int


@frozen
class Sharpen(Turn):
    pass


@frozen
class Outcome:
    success: bool
    error: str | None = None


def action(name: str, model: type[Any]) -> Action:
    return Action(
        name=name, type=name.title(), signing_type=name, signing_source="documented", params=model
    )


TURN = action("turn", Turn)
BATCH = Batch(field="steps", max_items=3, actions={Turn: TURN})
GOOD = Outcome(True)


def checked(*models: object) -> list[tuple[Action, Any]]:
    return checked_actions("things.batch", BATCH, models)


@pytest.mark.parametrize("count", [0, 4, 11])
def test_none_or_too_many_are_refused(count: int) -> None:
    with pytest.raises(RequestError) as caught:
        checked(*[Turn(1)] * count)
    assert str(caught.value) == f"things.batch: a batch holds 1 to 3 actions, not {count}"


@pytest.mark.parametrize("wrong", [Sharpen(1), [("by", 1)], None, Turn])
def test_what_is_no_action_is_refused_by_its_place(wrong: object) -> None:
    with pytest.raises(RequestError) as caught:
        checked(Turn(1), wrong)
    expected = f"things.batch: action 1 is a {type(wrong).__name__}, not one of Turn"
    assert str(caught.value) == expected


def test_an_action_of_another_package_is_told_apart() -> None:
    elsewhere = type("Turn", (), {"__module__": "elsewhere.models"})()
    with pytest.raises(RequestError) as caught:
        checked(elsewhere)
    assert str(caught.value) == (
        f"things.batch: action 0 is a Turn of elsewhere.models; give that of {Turn.__module__}"
    )


def test_every_action_of_a_body_has_a_payload() -> None:
    with pytest.raises(ValueError, match="shorter"):
        batch_body(BATCH, [TURN, TURN], [{"by": 2}])


def test_a_result_is_a_fixed_sequence_of_one_result_per_action() -> None:
    given = [GOOD, Outcome(False, "no"), GOOD]
    result = BatchResult("things.batch", given)
    given.clear()
    assert len(result) == 3
    assert list(result) == [GOOD, Outcome(False, "no"), GOOD]
    assert result[1] == Outcome(False, "no")
    assert result[-1] is GOOD
    assert list(result[1:]) == [Outcome(False, "no"), GOOD]
    assert GOOD in result
    assert repr(result).startswith("BatchResult([Outcome(success=True, error=None), ")


@pytest.mark.parametrize("results", [[], [GOOD], [Outcome(False)]])
def test_a_result_has_no_truth_value(results: list[Outcome]) -> None:
    result = BatchResult("things.batch", results)
    with pytest.raises(TypeError, match="look at each result, or call raise_on_failure"):
        bool(result)


def test_nothing_is_raised_where_every_action_succeeded() -> None:
    BatchResult("things.batch", [GOOD, GOOD]).raise_on_failure()


def test_raising_names_each_failed_action_with_the_words_of_the_service() -> None:
    result = BatchResult("things.batch", [Outcome(False, "too\nlate"), GOOD, Outcome(False)])
    with pytest.raises(BatchError) as caught:
        result.raise_on_failure()
    assert caught.value.failures == {0: "too\nlate", 2: "no reason given"}
    assert caught.value.count == 3
    assert str(caught.value) == (
        "things.batch: 2 of 3 actions failed: [0] too late; [2] no reason given"
    )


# -- actions as on the wire ------------------------------------------------------------------------


def test_a_mapping_stands_for_its_model() -> None:
    results = [{"success": True, "order_id": number} for number in (1, 2)]
    fields = cast(CreateOrderDict, order())
    service = ScriptedTransport(ok({"results": results}))
    with Client(HERE, signer=KEY, transport=service) as client:
        client.orders.batch(
            [{"type": "Create", "data": fields}, {"type": "Create", "data": CreateOrder(**order())}]
        )
    first, second = (each["data"] for each in service.bodies[0]["actions"])
    assert first["client_order_id"] != second["client_order_id"]


@pytest.mark.parametrize(
    ("wrong", "error", "says"),
    [
        ({"type": "Create"}, RequestError, "'data' is missing; an action has 'type' and 'data'"),
        ({"type": "Create", **order()}, RequestError, "unknown key 'symbol'; an action has"),
        ({"type": "create", "data": order()}, RequestError, "type 'create' is not one of 'Create'"),
        ({"type": None, "data": order()}, RequestError, "type None is not one of 'Create'"),
        (
            {"type": "Create", "data": {**order(), "pric": 1}},
            RequestError,
            "unknown key 'pric'; a Cr",
        ),
        (
            {"type": "Create", "data": {**order(), "price": 1.5}},
            TypeError,
            "CreateOrder.price: a float",
        ),
        (
            {"type": "Create", "data": {**order(), "signature": "x"}},
            RequestError,
            "unknown key 'signature'; a CreateOrder has ",
        ),
    ],
)
def test_a_wrong_mapping_is_refused_by_its_place_and_key(
    wrong: Any, error: type[Exception], says: str
) -> None:
    actions: list[Any] = [CancelOrder(symbol="BTC", order_id=1), wrong]
    with (
        Client(HERE, signer=KEY, transport=ScriptedTransport()) as client,
        pytest.raises(error, match=f"^orders.batch: action 1: {says}"),
    ):
        client.orders.batch(actions)


def test_what_explain_returned_is_no_action() -> None:
    with Client(HERE, signer=KEY, transport=ScriptedTransport()) as client:
        signed: Any = client.explain("orders.create", **order())
        with pytest.raises(RequestError, match="action 0 is a SignedRequest, not one of Create"):
            client.orders.batch([signed])
