"""Values that only the second spec takes, as Python gives them."""

from __future__ import annotations

from datetime import datetime, timezone
from typing import Any

import hypothesis
import pytest
from hypothesis import strategies as st

from tests.conformance import second

NOON = datetime(2027, 1, 31, 10, tzinfo=timezone.utc)
LEAST: dict[str, Any] = {
    "name": "night",
    "note": "",
    "limits": {"least": "1"},
    "soils": [],
    "floor": None,
    "starts_at": NOON,
    "number": 7,
    "urgency": "low",
}
"""The least that a plan needs."""
ENDLESS: list[Any] = []
ENDLESS.append(ENDLESS)


def test_models_members_and_times_are_sent_as_the_spec_writes_them() -> None:
    package = second.package()
    plan = package.CreatePlan(
        **{
            **LEAST,
            "limits": package.Limits(least=1, water_type="tap"),
            "legs": [package.Leg(plot="a", class_=1), {"plot": "b", "class": 2}],
            "soils": ["sand", None, package.Soil.LOAM],
            "checks": [NOON, 0],
            "urgencies": ["low", package.Urgency.HIGHEST],
        }
    )

    sent = package.to_dict(plan)

    assert sent["limits"] == {"least": "1", "water-type": "tap"}
    assert sent["legs"] == [{"plot": "a", "class": 1}, {"plot": "b", "class": 2}]
    assert (sent["soils"], sent["urgencies"]) == (["sand", None, "loam"], ["low", "!"])
    assert (sent["starts_at"], sent["checks"]) == (1801389600000, [1801389600000, 0])


@pytest.mark.parametrize(
    ("name", "given", "told"),
    [
        ("checks", [NOON, 1801389600], "item 1: 1801389600 is a time in seconds; in ms it is "),
        ("urgency", True, "True is not one of 'low', 'high', '!'"),
        ("legs", [{"plot": "a", "class": 3}], "item 0: Leg: class_ must be at most 2, not 3"),
        ("legs", "ab", "expected a list, not 'ab' (str)"),
        ("soils", ["clay"], "item 0: 'clay' is not one of 'sand', 'loam', 'peat'"),
        ("settings", {"a": [0.5]}, "'a': item 0: a float like 0.5 is not exact; give a string"),
        ("settings", ENDLESS, "it is nested too deep, or contains itself"),
        ("settings", {1: 1}, "expected a string, not 1 (int)"),
        ("settings", {1}, "expected parsed JSON, not {1} (set)"),
        ("settings", [2**63], "item 0: an integer of more than 64 bits cannot be sent"),
    ],
)
def test_what_cannot_be_sent_is_refused_with_its_place(name: str, given: Any, told: str) -> None:
    package = second.package()
    with pytest.raises((package.RequestError, TypeError)) as caught:
        package.CreatePlan(**{**LEAST, name: given})

    assert str(caught.value).startswith(f"CreatePlan.{name}: {told}")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@hypothesis.given(value=JSON)
def test_parsed_json_is_sent_as_it_is_given_and_kept_as_a_copy(value: Any) -> None:
    package = second.package()
    settings = {"list": [value]}
    plan = package.CreatePlan(**LEAST, settings=settings)
    settings["list"] = []

    assert package.to_dict(plan)["settings"] == {"list": [value]}
