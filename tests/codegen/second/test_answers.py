"""What a client of the second spec makes of answers: values, pages, refusals, and what cannot be used."""

from __future__ import annotations

from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest

from tests.codegen.second.garden import PLAN, Garden

ID = "5f0c1f4e-6a0b-4c56-9a3d-0f6b2f9d7a11"
LAYER = ["1.50", "2", "sand", "of a later version"]
READING = {
    "layers": [LAYER, ["1", "2", "clay"]],
    "grid": [["1", "2"], []],
    "top": None,
    "depths": ["1", None],
    "soils": ["sand", None, "clay"],
    "notes": {"any": [1]},
}
RAIN = {"t": 1, "T": 2, "span": "1M", "volume": "1.50", "score": "hidden"}


def told(data: Any) -> dict[str, Any]:
    return {"success": True, "data": data}


def test_times_and_words_are_received_as_such(garden: Garden) -> None:
    garden.answers(told({**PLAN, "urgencies": ["low", "lost"], "contact": "a@b.c"}))
    plan = garden.client.plans.one(name="a")

    assert (plan.starts_at, plan.ends_at, plan.error) == (1801389600123, None, None)
    assert (plan.number, plan.contact) == (7, "a@b.c")
    assert plan.urgency is garden.package.Urgency.HIGH
    assert plan.urgencies == ("low", "lost")
    assert [each.is_known for each in plan.urgencies] == [True, False]


def test_tuples_and_lists_have_the_type_of_each_part(garden: Garden) -> None:
    garden.answers(told(READING))
    reading = garden.client.readings.now()

    assert reading.layers == ((Decimal("1.50"), 2, garden.package.Soil.SAND), (1, 2, "clay"))
    assert reading.grid == ((1, 2), ())
    assert (reading.top, reading.depths) == (None, (1, None))
    assert reading.soils == ("sand", None, "clay")
    assert type(reading.layers) is tuple and garden.package.to_dict(reading)["notes"] == {
        "any": [1]
    }


def test_objects_in_a_list_have_their_class(garden: Garden) -> None:
    steps = [{"at": PLAN["starts_at"], "urgency": word} for word in ("high", "lost")]
    garden.answers(told({"done": "1.5", "steps": steps}))
    progress = garden.client.plans.progress(number=7)

    assert garden.sent().path == "/v2/plans/7/progress"
    words = [each.urgency for each in progress.steps]
    assert (progress.done, words) == (Decimal("1.5"), [garden.package.Urgency.HIGH, "lost"])


def test_names_in_code_stand_for_those_of_json(garden: Garden) -> None:
    garden.answers(told([RAIN, {**RAIN, "following": ID}]), told([]))
    rain = garden.client.readings.rain(
        from_=1, count=2, interval=garden.package.Interval.VALUE_7D
    ).to_list()

    first, second = rain
    assert (first.t, first.T, first.span) == (1, 2, garden.package.Interval.ONE_MONTH)
    assert (first.volume, second.following) == (Decimal("1.50"), UUID(ID))
    assert "hidden" not in repr(first)


# -- what cannot be used ----------------------------------------------------------------------

PLANS: list[tuple[dict[str, Any], str]] = [
    ({"starts_at": "2027-01-31"}, "Expected int, got str @ $.data.starts_at"),
    ({"number": "7", "urgency": 1}, "Expected int, got str @ $.data.number"),
]
READINGS: list[tuple[dict[str, Any], str]] = [
    ({"layers": [LAYER, ["1", "2"]]}, "Expected array of length 3 @ $.data.layers[1]"),
    ({"layers": [["1", "x", "sand"]]}, "'x' is not a decimal @ $.data.layers[0][1]"),
    ({"layers": {}}, "Expected array, got object @ $.data.layers"),
    ({"depths": ["1", True]}, "Expected decimal | null, got bool @ $.data.depths[1]"),
]


def test_what_cannot_be_read_is_told_with_its_place(garden: Garden) -> None:
    client = garden.client
    for change, reason in PLANS:
        assert (
            garden.unusable(lambda: client.plans.one(name="a"), told({**PLAN, **change})) == reason
        )
    for change, reason in READINGS:
        assert garden.unusable(client.readings.now, told({**READING, **change})) == reason


# -- refusals ---------------------------------------------------------------------------------


def test_the_rate_limit_is_read_from_the_headers_that_the_spec_names(garden: Garden) -> None:
    headers = {
        "X_Budget": '"c";r=0;t=0',
        "X_Budget_Policy": '"c";q=125;w=60',
        "ratelimit": '"c";r=9',
    }
    garden.service.will_answer({"error": "slower"}, 429, **headers)
    with pytest.raises(garden.package.RateLimitError) as caught:
        garden.client.valves.one(name="a")

    budget = garden.client.rate_budget
    assert (budget.remaining, budget.resets_in, budget.quota, budget.window) == (0, 0, 125, 60)
    assert (caught.value.rate_budget, caught.value.retry_after) == (budget, 0)


def test_help_tells_of_any_status(garden: Garden) -> None:
    assert "with status any 4xx or any other" in garden.client.plans.change.__doc__


@pytest.mark.parametrize(
    "answer",
    [
        (400, {"error": "Full", "number": 7}),
        (400, {"error": "Full", "success": True}),
        (200, {"success": False, "title": "Full"}),
    ],
)
def test_a_refusal_that_holds_a_result_is_not_believed(garden: Garden, answer: Any) -> None:
    garden.answers(answer)

    with pytest.raises(garden.package.OutcomeUnknownError):
        garden.client.plans.replace(name="a", amount=1)
