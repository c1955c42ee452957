"""Batches: what may be sent as one, and what its results say."""

from __future__ import annotations

from typing import Any

import pytest
from attrs import frozen

from trading_runtime.codec.batch import BatchResult, batch_body, checked_actions
from trading_runtime.errors import BatchError, RequestError
from trading_runtime.operation import Action, Batch


@frozen
class Turn:
    by: int


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


def test_an_action_of_another_package_is_refused_by_its_module() -> None:
    other = type("Turn", (), {"__module__": "other.models"})

    with pytest.raises(RequestError) as caught:
        checked(Turn(1), other())

    assert str(caught.value) == (
        f"things.batch: action 1 is a Turn of other.models; give that of {Turn.__module__}"
    )


def test_every_action_of_a_body_has_a_payload() -> None:
    with pytest.raises(ValueError, match="shorter"):
        batch_body(BATCH, [TURN, TURN], [{"by": 2}])


def test_a_result_is_a_fixed_sequence_of_one_result_per_action() -> None:
    given = [GOOD, Outcome(False, "no"), GOOD]
    result = BatchResult("things.batch", given)
    given.clear()
    assert list(result) == [GOOD, Outcome(False, "no"), GOOD]
    assert result[1] == Outcome(False, "no")
    assert list(result[1:]) == [Outcome(False, "no"), GOOD]
    assert repr(result).startswith("BatchResult([Outcome(success=True, error=None), ")


def test_raising_names_each_failed_action_with_the_words_of_the_service() -> None:
    result = BatchResult("things.batch", [Outcome(False, "too\nlate"), GOOD, Outcome(False)])
    BatchResult("things.batch", [GOOD]).raise_on_failure()
    with pytest.raises(BatchError) as caught:
        result.raise_on_failure()
    assert caught.value.failures == {0: "too\nlate", 2: "no reason given"}
    assert caught.value.count == 3
    assert str(caught.value) == (
        "things.batch: 2 of 3 actions failed: [0] too late; [2] no reason given (if a proxy sent it "
        "twice, its first copy may have been executed: client.reconcile(error) looks)"
    )


# -- actions as on the wire ------------------------------------------------------------------------
