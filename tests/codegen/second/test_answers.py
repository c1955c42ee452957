"""What a client of the second spec makes of answers: values, pages, refusals, and what cannot be used."""

from __future__ import annotations

import copy
import pickle
from datetime import datetime, timezone
from decimal import Decimal
from typing import Any
from uuid import UUID

import attrs
import pytest

from tests.codegen.second.garden import NOON, PLAN, STRANGE, Garden

ID = "5f0c1f4e-6a0b-4c56-9a3d-0f6b2f9d7a11"
LAYER = ["1.50", "2", "sand", "of a later version"]
READING = {
    "layers": [LAYER, ["1", "2", "clay"]],
    "grid": [["1", "2"], []],
    "fees": {"success": "0.1", "tap": "2"},
    "top": None,
    "depths": ["1", None],
    "soils": ["sand", None, "clay"],
    "notes": {"any": [1]},
}
RAIN = {"t": 1, "T": 2, "from": "1M", "24h-volume": "1.50", "$score": "hidden"}
FLOWED = {"event": "Flowed", "valve": 7}


def told(data: Any) -> dict[str, Any]:
    return {"success": True, "data": data}


def test_times_and_integers_are_received_as_such(garden: Garden) -> None:
    more = {
        "pauses": ["2016-12-31T23:59:60Z"],
        "step": "5",
        "urgencies": [1, 7],
        "contact": "a@b.c",
    }
    garden.answers(told({**PLAN, **more}))
    plan = garden.client.plans.one(name="a")

    assert plan.starts_at == datetime(2027, 1, 31, 12, 0, 0, 123456, NOON.tzinfo)
    assert (plan.ends_at, plan.error) == (None, None)
    assert plan.pauses == (datetime(2017, 1, 1, tzinfo=timezone.utc),)
    assert (plan.number, plan.step, plan.contact) == (7, 5, "a@b.c")
    assert plan.urgency is garden.package.Urgency.HIGH
    assert repr(plan.urgencies) == "(<Urgency.VALUE_1: 1>, 7)"


def test_tuples_lists_and_maps_have_the_type_of_each_part(garden: Garden) -> None:
    garden.answers(told(READING))
    reading = garden.client.readings.now()

    assert reading.layers == ((Decimal("1.50"), 2, garden.package.Soil.SAND), (1, 2, "clay"))
    assert reading.grid == ((1, 2), ())
    assert reading.fees == {"success": Decimal("0.1"), "tap": 2}
    assert (reading.top, reading.depths) == (None, (1, None))
    assert repr(reading.soils) == "(<Soil.SAND: 'sand'>, None, 'clay')"
    assert type(reading.layers) is tuple and attrs.asdict(reading)["fees"]["tap"] == 2

    garden.answers(told({"success": READING, "error": READING}))
    assert list(garden.client.readings.plots()) == ["success", "error"]


def test_a_received_map_is_frozen_hashable_and_equal_to_a_dict(garden: Garden) -> None:
    garden.answers(told(READING))
    first, second = garden.client.readings.now(), garden.client.readings.now()
    fees = first.fees

    assert fees == {"tap": 2, "success": Decimal("0.1")} == dict(fees) and fees is not second.fees
    assert repr(fees) == "FrozenMap({'success': Decimal('0.1'), 'tap': Decimal('2')})"
    assert len(fees) == 2 and "sea" not in fees and fees != {} and fees != first.notes
    assert {fees, second.fees} == {fees}
    with pytest.raises(TypeError):
        fees["tap"] = 3
    with pytest.raises(TypeError):
        del fees["tap"]
    with pytest.raises(AttributeError):
        fees.other = 1
    for copied in (copy.copy(fees), copy.deepcopy(fees), pickle.loads(pickle.dumps(fees))):
        assert (copied, repr(copied)) == (fees, repr(fees))


def test_an_object_written_out_in_an_answer_has_a_class_of_its_own(garden: Garden) -> None:
    steps = [{"at": PLAN["starts_at"], "state": state} for state in ("failed", "lost")]
    garden.answers(told({"done": "1.5", "steps": steps}))
    progress = garden.client.plans.progress(number=7)

    assert garden.sent().path == "/v2/plans/7/progress"
    state = garden.package.ProgressResultStepsItemState.FAILED
    assert (progress.done, [each.state for each in progress.steps]) == (
        Decimal("1.5"),
        [state, "lost"],
    )


def test_an_object_of_a_union_has_the_class_that_it_names(garden: Garden) -> None:
    flowed, paused = garden.package.Flowed, garden.package.Paused
    garden.answers({**FLOWED, "before": {"event": "Paused", "until": "2027-01-31T12:00:00Z"}})
    event = garden.client.plans.last_event()

    until = datetime(2027, 1, 31, 12, tzinfo=timezone.utc)
    assert event == flowed(event="Flowed", valve=7, before=paused(event="Paused", until=until))


def test_an_object_of_an_unknown_kind_survives_as_received_and_cannot_be_changed(
    garden: Garden,
) -> None:
    garden.answers({**FLOWED, "before": STRANGE})
    event, same = (garden.client.plans.last_event().before for _ in range(2))

    assert isinstance(event, garden.package.UnknownObject)
    assert event == {**STRANGE, "parts": ({"size": "1.5"},)} and len(event) == 4
    assert (event["parts"][0]["size"], dict(event["of"])) == ("1.5", {"key": "hush"})
    assert repr(event) == "<UnknownObject with event, parts, of, at>"
    with pytest.raises(TypeError):
        event["event"] = "Flowed"
    assert hash(event) == hash(same)
    assert copy.deepcopy(event) == pickle.loads(pickle.dumps(event)) == event
    assert garden.package.to_dict(garden.client.plans.last_event())["before"] == STRANGE


def test_numbers_of_an_object_of_an_unknown_kind_are_those_of_python(garden: Garden) -> None:
    garden.answers(b'{"event":"Split","parts":[1.50,2e3,7]}')
    parts = garden.client.plans.last_event()["parts"]

    assert parts == (1.5, 2000.0, 7) and {type(each) for each in parts} == {float, int}
    large = garden.unusable(garden.client.plans.last_event, b'{"event":"Split","parts":[1e400]}')
    assert large == "1e400 is out of range @ $"


def test_names_that_python_cannot_have_stand_for_those_of_json(garden: Garden) -> None:
    garden.answers(told([RAIN, {**RAIN, "next-one": ID}]), told([]))
    rain = garden.client.readings.rain(
        from_=1, count=2, interval=garden.package.Interval.VALUE_7D
    ).to_list()

    first, second = rain
    assert (first.t, first.T, first.from_) == (1, 2, garden.package.Interval.ONE_MONTH)
    assert (first.field_24h_volume, second.following) == (Decimal("1.50"), UUID(ID))
    assert "hidden" not in repr(first)


# -- what cannot be used ----------------------------------------------------------------------

PLANS: list[tuple[dict[str, Any], str]] = [
    ({"starts_at": "2027-01-31T12:00:00"}, "'2027-01-31T12:00:00' is not a date-time of RFC 3339 @ $.data.starts_at"),
    ({"starts_at": "2027-02-30T12:00:00Z"}, "'2027-02-30T12:00:00Z' is no moment that a datetime can be @ $.data.starts_at"),
    ({"number": 7}, "expected a string, not an integer @ $.data.number"),
    (
        {"number": "9223372036854775808", "urgency": "1"},
        "'9223372036854775808' is not an integer of 64 bits @ $.data.number; expected an integer, not a string @ $.data.urgency",
    ),
]  # fmt: skip
READINGS: list[tuple[dict[str, Any], str]] = [
    ({"layers": [LAYER, ["1", "2"]]}, "expected 3 members, not 2 @ $.data.layers[1]"),
    ({"layers": [["1", "x", "sand"]]}, "'x' is not a decimal @ $.data.layers[0][1]"),
    ({"layers": {}}, "expected a list, not an object @ $.data.layers"),
    ({"fees": {"tap": True}}, "expected a string, not a boolean @ $.data.fees['tap']"),
    ({"fees": []}, "expected an object, not a list @ $.data.fees"),
    ({"depths": ["1", True]}, "expected a string, not a boolean @ $.data.depths[1]"),
]
EVENTS: list[tuple[Any, str]] = [
    ({"valve": 7}, "required field missing: event, which tells what it is @ $"),
    ({"event": 7}, "expected a string, not an integer @ $"),
    ({"event": "Flowed"}, "required field missing @ $.valve"),
    ({**FLOWED, "before": {"event": "Paused"}}, "required field missing @ $.before.until"),
    ([FLOWED], "expected an object, not a list @ $"),
]


def test_what_cannot_be_read_is_told_with_its_place(garden: Garden) -> None:
    client = garden.client
    for change, reason in PLANS:
        assert (
            garden.unusable(lambda: client.plans.one(name="a"), told({**PLAN, **change})) == reason
        )
    for change, reason in READINGS:
        assert garden.unusable(client.readings.now, told({**READING, **change})) == reason
    for event, reason in EVENTS:
        assert garden.unusable(client.plans.last_event, event) == reason
    assert (
        garden.unusable(client.readings.plots, told([]))
        == "expected an object, not a list @ $.data"
    )


# -- pages ------------------------------------------------------------------------------------


def test_pages_inside_data_with_integer_cursors_and_no_has_more_are_followed(
    garden: Garden,
) -> None:
    garden.answers(
        told({"events": [FLOWED], "next": 2**60}), told({"events": [STRANGE], "next": None})
    )
    pages = list(garden.client.plans.events().pages())

    assert [each.query for each in garden.service.taken()] == ["", f"after={2**60}"]
    assert [each.next_cursor for each in pages] == [str(2**60), None]
    resumed = garden.client.plans.events(after=pages[0].next_cursor).to_list()
    assert garden.sent().query == f"after={2**60}"
    assert resumed == [STRANGE | {"parts": ({"size": "1.5"},)}]


# -- refusals ---------------------------------------------------------------------------------


PROBLEM = {"type": "https://garden.example/full", "title": "Full", "status": 400}


def test_the_rate_limit_is_read_from_the_headers_that_the_spec_names(garden: Garden) -> None:
    headers = {
        "X_Budget": '"c";r=0;t=0',
        "X_Budget_Policy": '"c";q=125;w=60',
        "ratelimit": '"c";r=9',
    }
    garden.service.will_answer({"error": "slower"}, 429, **headers)
    with pytest.raises(garden.package.RateLimitError) as caught:
        garden.client.plans.last_event()

    budget = garden.client.rate_budget
    assert (budget.remaining, budget.resets_in, budget.quota, budget.window) == (0, 0, 125, 60)
    assert (caught.value.rate_budget, caught.value.retry_after) == (budget, 0)


def test_help_tells_of_any_status(garden: Garden) -> None:
    assert "with status any 4xx or any other" in garden.client.plans.change.__doc__


@pytest.mark.parametrize(
    "answer",
    [
        (400, {**PROBLEM, "number": "7"}),
        (400, {**PROBLEM, "success": True}),
        # A title is a member of refusals by their status alone, and of a plan.
        (200, {"success": False, "title": "Full"}),
    ],
)
def test_a_refusal_that_holds_a_result_is_not_believed(garden: Garden, answer: Any) -> None:
    garden.answers(answer)

    with pytest.raises(garden.package.OutcomeUnknownError):
        garden.client.plans.replace(name="a", amount=1)


def test_a_refusal_beside_a_field_of_any_object_of_a_union_is_not_believed(garden: Garden) -> None:
    garden.answers({"success": False, "error": "no"})
    with pytest.raises(garden.package.ApiError, match="no"):
        garden.client.plans.clear(plot="a")
    for name in ("valve", "until"):
        garden.answers({"success": False, name: 7})
        with pytest.raises(garden.package.OutcomeUnknownError, match="but also"):
            garden.client.plans.clear(plot="a")
