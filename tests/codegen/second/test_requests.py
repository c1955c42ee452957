"""What a client of the second spec sends, and what it refuses to send."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import hypothesis
import pytest
from hypothesis import strategies as st

from tests.codegen.second.garden import LEAST, NOON, Garden

ENDLESS: list[Any] = []
ENDLESS.append(ENDLESS)
SENT: dict[str, list[tuple[Any, Any]]] = {
    # objects; a function is given the package
    "limits": [
        (lambda g: g.Limits(least=1, water_type="tap"), {"least": "1", "water-type": "tap"}),
        ({"least": "1.50"}, {"least": "1.50"}),
    ],
    "legs": [
        (
            lambda g: [g.Leg(plot="a", class_=1), {"plot": "b", "class": 2}],
            [{"plot": "a", "class": 1}, {"plot": "b", "class": 2}],
        )
    ],
    "spare": [({"name": "b"}, {"name": "b"}), (None, None)],
    # lists and JSON
    "soils": [(lambda g: ["sand", None, g.Soil.LOAM], ["sand", None, "loam"])],
    "soil": [("loam", "loam"), (None, None)],
    "settings": [({"a": [1, None, True]}, {"a": [1, None, True]}), (None, None)],
    # decimals and booleans
    "floor": [(1, "1"), (None, None)],
    "ceiling": [("2.50", "2.50"), (None, None)],
    "sticky": [(True, True), (None, None)],
    # times and integers
    "starts_at": [(NOON, 1801389600000)],
    "ends_at": [(NOON, 1801389600000), (None, None)],
    "checks": [([NOON, 0], [1801389600000, 0])],
    "urgency": [(lambda g: g.Urgency.HIGHEST, "!"), ("high", "high")],
    "urgencies": [(lambda g: ["low", g.Urgency.HIGH], ["low", "high"])],
}


@pytest.mark.parametrize(("name", "cases"), SENT.items())
def test_a_value_is_sent_as_the_spec_writes_it(
    garden: Garden, name: str, cases: list[tuple[Any, Any]]
) -> None:
    for each, sent in cases:
        value = each(garden.package) if callable(each) else each

        assert garden.planned(**{name: value})[name] == sent


NOT_SENT: list[tuple[str, Any, str]] = [
    ("starts_at", datetime(2027, 1, 31, 10), ".starts_at: datetime.datetime(2027, 1, 31, 10, 0) has no time zone; in UTC it is 1801389600000: give that, or an aware datetime"),
    ("checks", [NOON, 1801389600], ".checks: item 1: 1801389600 is a time in seconds; in ms it is 1801389600000"),
    ("checks", [1.5], ".checks: item 0: expected ms since 1970, like time.time_ns() // 1_000_000, or an aware datetime, not 1.5 (float)"),
    ("within", NOON, ".within: expected an integer, not datetime.datetime(2027, 1, 31, 12, 0, tzinfo=datetime.tim... (datetime)"),
    ("within", 0, ": within must be at least 1, not 0"),
    ("within", 90_000_001, ": within must be at most 90000000, not 90000001"),
    ("number", 2**63, ".number: an integer of more than 64 bits cannot be sent"),
    ("number", "7", ".number: expected an integer, not '7' (str)"),
    ("urgency", "soon", ".urgency: 'soon' is not one of 'low', 'high', '!'"),
    ("urgency", True, ".urgency: True is not one of 'low', 'high', '!'"),
    ("urgencies", ["low", "soon"], ".urgencies: item 1: 'soon' is not one of 'low', 'high', '!'"),
    ("name", "far too long", ": name must have at most 8 characters, not 12"),
    ("label", "", ": label must have at least 1 character, not 0"),
    ("label", "midnight", ": label must have at most 5 characters, not 8"),
    ("limits", {}, ".limits: 'least' is missing; a Limits needs it"),
    ("limits", {"least": "1", "water-type": "sea"}, ".limits: Limits.water_type: 'sea' is not one of 'rain', 'tap'"),
    ("legs", [{"plot": "a", "class": 3}], ".legs: item 0: Leg: class_ must be at most 2, not 3"),
    ("legs", [{"plot": "a", "class": 1}] * 3, ": legs must have at most 2 items, not 3"),
    ("legs", "ab", ".legs: expected a list, not 'ab' (str)"),
    ("soils", ["clay"], ".soils: item 0: 'clay' is not one of 'sand', 'loam', 'peat'"),
    ("settings", {"a": [0.5]}, ".settings: 'a': item 0: a float like 0.5 is not exact; give a string, like '0.5'"),
    ("settings", ENDLESS, ".settings: it is nested too deep, or contains itself"),
    ("settings", {1: 1}, ".settings: expected a string, not 1 (int)"),
    ("settings", {1}, ".settings: expected parsed JSON, not {1} (set)"),
    ("settings", [2**63], ".settings: item 0: an integer of more than 64 bits cannot be sent"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "given", "told"), NOT_SENT)
def test_what_cannot_be_sent_is_refused_with_its_place(
    garden: Garden, name: str, given: Any, told: str
) -> None:
    value = given(garden.package) if callable(given) else given

    said = garden.refusal(lambda: garden.client.plans.create(**{**LEAST, name: value}))

    assert said == f"CreatePlan{told}"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@hypothesis.given(value=JSON)
def test_parsed_json_is_sent_as_it_is_given(package: Any, value: Any) -> None:
    assert package.to_dict(package.CreatePlan(**LEAST, settings=value))["settings"] == value


def test_json_that_is_given_is_copied(garden: Garden) -> None:
    settings: dict[str, Any] = {"list": [1]}
    kept = garden.package.CreatePlan(**LEAST, settings=settings)
    settings["list"] = []

    assert kept.settings == {"list": (1,)}


# -- where a request goes ---------------------------------------------------------------------


def test_an_action_that_is_called_alone_has_the_errors_of_the_action(garden: Garden) -> None:
    with pytest.raises(TypeError, match=r"^OpenValve\.valve: ") as alone_error:
        garden.client.valves.open(valve="1")
    with pytest.raises(TypeError) as action_error:
        garden.package.OpenValve(valve="1")

    assert str(alone_error.value) == str(action_error.value)


def test_a_message_is_sent_again_to_the_same_place_under_the_same_key(garden: Garden) -> None:
    garden.answers((500, None), (409, {"error": "Duplicate plan_id"}))
    with pytest.raises(garden.package.OutcomeUnknownError) as caught:
        garden.client.plans.create(**LEAST)

    assert garden.client.resend(caught.value).state == "executed"
    first, again = garden.service.taken()
    assert (first.path, first.json["plan_id"]) == (again.path, again.json["plan_id"])


def test_whatever_is_no_read_may_have_been_executed(garden: Garden) -> None:
    garden.answers((500, None))
    with pytest.raises(garden.package.OutcomeUnknownError) as caught:
        garden.client.plans.delete(name="a")
    told = str(caught.value)
    assert told.startswith("plans.delete: it may have been executed")
    assert told.endswith("It is not signed, so the service can accept it at any later time.")
    assert len(garden.service.taken()) == 1
    (settled,) = garden.client.reconcile(caught.value)
    assert settled.reason.endswith("it can be sent again: repeating it changes nothing more")
