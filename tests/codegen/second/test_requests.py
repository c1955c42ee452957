"""What a client of the second spec sends, and what it refuses to send."""

from __future__ import annotations

import json
from datetime import datetime, timezone
from decimal import Decimal
from typing import Any

import hypothesis
import pytest
from hypothesis import strategies as st

from tests.codegen.second.garden import LEAST, NOON, PLAN, Garden, own_fields
from tests.doubles.transport import ScriptedTransport, ok

ID = "5f0c1f4e-6a0b-4c56-9a3d-0f6b2f9d7a11"
ENDLESS: list[Any] = []
ENDLESS.append(ENDLESS)
UTC = datetime(2027, 2, 1, 0, 0, 0, 500, tzinfo=timezone.utc)
SENT: dict[str, list[tuple[Any, Any]]] = {
    # objects and unions of objects; a function is given the package
    "limits": [
        (
            lambda g: g.CreatePlanLimits(least=1, water_type="tap"),
            {"least": "1", "water-type": "tap"},
        ),
        ({"least": "1.50"}, {"least": "1.50"}),
    ],
    "legs": [
        (
            lambda g: [g.CreatePlanLegsItem(plot="a", class_=1), {"plot": "b", "class": 2}],
            [{"plot": "a", "class": 1}, {"plot": "b", "class": 2}],
        )
    ],
    "spare": [({"name": "b"}, {"name": "b"}), (None, None)],
    "trigger": [
        ({"by": "very dry", "share": 5}, {"by": "very dry", "share": "5"}),
        (lambda g: {"by": g.DryTriggerBy.DRY, "share": "1"}, {"by": "dry", "share": "1"}),
    ],
    "stop": [(None, None), ({"by": "dry", "share": "1"}, {"by": "dry", "share": "1"})],
    "others": [
        (
            lambda g: [g.TimeTrigger(by="time", at=NOON), g.DryTrigger(how="dry", share="1.50")],
            [{"by": "time", "at": "2027-01-31T10:00:00Z"}, {"by": "dry", "share": "1.50"}],
        )
    ],
    # tuples, lists and maps
    "range": [(("1.50", None), ["1.50", None])],
    "ladder": [(lambda g: [("1", 2), (Decimal(2), g.Urgency.MINUS_1)], [["1", 2], ["2", -1]])],
    "soils": [(lambda g: ["sand", None, g.Soil.LOAM], ["sand", None, "loam"])],
    "soil": [("loam", "loam"), (None, None)],
    "weights": [({"a": Decimal("0.5"), "b": None}, {"a": "0.5", "b": None})],
    "parts": [
        ({"a": [{"by": "time", "at": NOON}]}, {"a": [{"by": "time", "at": "2027-01-31T10:00:00Z"}]})
    ],
    "settings": [({"a": [1, None, True]}, {"a": [1, None, True]}), (None, None)],
    # decimals and booleans
    "floor": [(1, "1"), (None, None)],
    "ceiling": [("2.50", "2.50"), (None, None)],
    "sticky": [(True, True), (None, None)],
    # times and integers
    "starts_at": [(NOON, "2027-01-31T10:00:00Z")],
    "pauses": [([NOON, UTC], ["2027-01-31T10:00:00Z", "2027-02-01T00:00:00.000500Z"])],
    "checks": [([NOON, 0], [1801389600000, 0])],
    "marks": [({"a": NOON}, {"a": 1801389600000})],
    "expires_at": [(NOON, "1801389600000")],
    "urgency": [(lambda g: g.Urgency.HIGH, 2), (-1, -1)],
    "urgencies": [(lambda g: [1, g.Urgency.HIGH], [1, 2])],
}


@pytest.mark.parametrize(("name", "cases"), SENT.items())
def test_a_value_is_sent_as_the_spec_writes_it(
    garden: Garden, name: str, cases: list[tuple[Any, Any]]
) -> None:
    for each, sent in cases:
        value = each(garden.package) if callable(each) else each

        assert garden.planned(**{name: value})[name] == sent


NAIVE = "has no time zone; give an aware datetime, like datetime.now(timezone.utc)"
NOT_SENT: list[tuple[str, Any, str]] = [
    ("starts_at", datetime(2027, 1, 31, 12), f".starts_at: datetime.datetime(2027, 1, 31, 12, 0) {NAIVE}"),
    ("starts_at", "2027-01-31T12:00:00Z", ".starts_at: expected an aware datetime, not '2027-01-31T12:00:00Z' (str)"),
    ("checks", [NOON, 1801389600], ".checks: item 1: 1801389600 is a time in seconds; in ms it is 1801389600000"),
    ("marks", {"a": 1.5}, ".marks: 'a': expected ms since 1970, like time.time_ns() // 1_000_000, or an aware datetime, not 1.5 (float)"),
    ("expires_at", datetime(2027, 1, 31, 10), ".expires_at: datetime.datetime(2027, 1, 31, 10, 0) has no time zone; in UTC it is 1801389600000: give that, or an aware datetime"),
    ("within", NOON, ".within: expected an integer, not datetime.datetime(2027, 1, 31, 12, 0, tzinfo=datetime.tim... (datetime)"),
    ("within", 0, ": within must be at least 1, not 0"),
    ("within", 90_000_001, ": within must be at most 90000000, not 90000001"),
    ("number", 2**63, ".number: an integer of more than 64 bits cannot be sent"),
    ("number", "7", ".number: expected an integer, not '7' (str)"),
    ("step", 2**31, ".step: an integer of more than 32 bits cannot be sent"),
    ("retries", -(2**31) - 1, ".retries: an integer of more than 32 bits cannot be sent"),
    ("urgency", 3, ".urgency: 3 is not one of 1, 2, -1"),
    ("urgency", True, ".urgency: True is not one of 1, 2, -1"),
    ("urgencies", [1, 9], ".urgencies: item 1: 9 is not one of 1, 2, -1"),
    ("name", "far too long", ": name must have at most 8 characters, not 12"),
    ("label", "", ": label must have at least 1 character, not 0"),
    ("label", "midnight", ": label must have at most 5 characters, not 8"),
    ("limits", {}, ".limits: 'least' is missing; a CreatePlanLimits needs it"),
    ("limits", {"least": "1", "water-type": "sea"}, ".limits: CreatePlanLimits.water_type: 'sea' is not one of 'rain', 'tap'"),
    ("legs", [{"plot": "a", "class": 3}], ".legs: item 0: CreatePlanLegsItem.class_: 3 is not one of 1, 2"),
    ("legs", [{"plot": "a", "class": 1}] * 3, ": legs must have at most 2 items, not 3"),
    ("legs", "ab", ".legs: expected a list, not 'ab' (str)"),
    ("range", ["1"], ".range: expected 2 members, not 1"),
    ("range", ["1", 1.5], ".range: item 1: a float like 1.5 is not exact; give a Decimal or a string, like '1.5'"),
    ("range", "12", ".range: expected a list of 2, not '12' (str)"),
    ("ladder", [["1", 3]], ".ladder: item 0: item 1: 3 is not one of 1, 2, -1"),
    ("soils", ["clay"], ".soils: item 0: 'clay' is not one of 'sand', 'loam', 'peat'"),
    ("weights", [], ".weights: expected a mapping, not [] (list)"),
    ("weights", {"a": 0.5}, ".weights: 'a': a float like 0.5 is not exact; give a Decimal or a string, like '0.5'"),
    ("weights", {5: 5}, ".weights: expected a string, not 5 (int)"),
    ("settings", {"a": [0.5]}, ".settings: 'a': item 0: a float like 0.5 is not exact; give a string, like '0.5'"),
    ("settings", ENDLESS, ".settings: it is nested too deep, or contains itself"),
    ("settings", {1: 1}, ".settings: expected a string, not 1 (int)"),
    ("settings", {1}, ".settings: expected parsed JSON, not {1} (set)"),
    ("settings", [2**63], ".settings: item 0: an integer of more than 64 bits cannot be sent"),
    ("trigger", {"share": "1"}, ".trigger: 'by' is missing; it is one of 'dry', 'very dry', 'time'"),
    ("trigger", {"by": "wet"}, ".trigger: by: 'wet' is not one of 'dry', 'very dry', 'time'"),
    ("trigger", {"by": 1}, ".trigger: by: 1 is not one of 'dry', 'very dry', 'time'"),
    ("trigger", {"by": "dry"}, ".trigger: 'share' is missing; a DryTrigger needs it"),
    ("trigger", "dry", ".trigger: expected a DryTrigger or TimeTrigger, or a mapping with its keys, not 'dry' (str)"),
    ("trigger", lambda g: g.TimeTrigger(by="dry", at=NOON), ".trigger: a TimeTrigger whose by is that of a DryTrigger"),
    ("trigger", lambda g: g.TimeTrigger(by="wet", at=NOON), ".trigger: by: 'wet' is not one of 'dry', 'very dry', 'time'"),
    ("others", [{"by": "time", "at": 1}], ".others: item 0: TimeTrigger.at: expected an aware datetime, not 1 (int)"),
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


def test_parameters_beside_a_signed_body_are_sent_and_not_signed(garden: Garden) -> None:
    garden.answers((201, {"success": True, "data": PLAN}))
    given = {**LEAST, "dry": True, "idempotency_key": ID}
    explained = garden.client.explain("plans.create", **given)
    garden.client.plans.create(**given)

    request = garden.sent()
    assert (request.path, request.query) == ("/v2/plans", "dry=true")
    assert dict(request.headers)["Idempotency-Key"] == ID
    assert own_fields(request.json, "create_plan").keys() == LEAST.keys()
    assert json.loads(explained.canonical)["data"].keys() == LEAST.keys()
    assert explained.body.keys() == request.json.keys()


@pytest.mark.parametrize(
    ("method", "given", "told"),
    [
        ("due", {"since": NOON, "plots": []}, "plots: an empty list cannot stand in a query; leave it out"),
        ("due", {"since": NOON, "plots": ["a"] * 4}, "PlansQuery: plots must have at most 3 items, not 4"),
        ("one", {"name": ".."}, "name: '..' cannot be a part of a path"),
        *(
            ("one", {"name": "a", "x_trace_id": text}, "x_trace_id: a header takes printable ASCII without spaces around it")
            for text in ("", " k", "k\r\nX-Evil: 1", "k\u00fc")
        ),
    ],
)  # fmt: skip
def test_what_cannot_be_a_parameter_is_refused(
    garden: Garden, method: str, given: dict[str, Any], told: str
) -> None:
    assert garden.refusal(lambda: getattr(garden.client.plans, method)(**given)) == told


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"lasts": 5}, "note must be given if lasts is given"),
        ({"soil": "sand"}, "lasts and note must be given if soil is 'sand'"),
        ({"soil": "sand", "note": "n"}, "lasts must be given if soil is 'sand'"),
    ],
)
def test_a_field_that_another_one_demands_must_be_given(
    garden: Garden, given: dict[str, Any], told: str
) -> None:
    def replace() -> None:
        garden.client.plans.replace(name="a", amount=1, **given)

    assert garden.refusal(replace) == f"ReplacePlan: {told}"


def test_an_action_that_is_called_alone_has_the_errors_of_the_action(garden: Garden) -> None:
    with pytest.raises(TypeError, match=r"^OpenValve\.valve: ") as alone_error:
        garden.client.valves.open(valve="1")
    with pytest.raises(TypeError) as action_error:
        garden.package.OpenValve(valve="1")

    # The header beside the fields renames nothing.
    assert str(alone_error.value) == str(action_error.value)


def test_a_message_is_sent_again_to_the_same_place_under_the_same_key(garden: Garden) -> None:
    garden.answers((500, None), (409, {"error": {"message": "Duplicate Idempotency-Key"}}))
    with pytest.raises(garden.package.OutcomeUnknownError) as caught:
        garden.client.plans.create(**LEAST)

    assert garden.client.resend(caught.value).state == "executed"
    first, again = garden.service.taken()
    assert (first.path, dict(first.headers)["Idempotency-Key"]) == (
        again.path,
        dict(again.headers)["Idempotency-Key"],
    )


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


def test_a_server_is_chosen_by_its_name_and_its_path_is_a_prefix_of_all_paths(
    garden: Garden,
) -> None:
    far = ScriptedTransport(ok([]))
    with garden.package.Client("trial", transport=far) as client:
        assert repr(client) == "Client('https://trial.example/garden', account=None)"
        client.plans.due(since=NOON)
    assert far.sent[0].url.startswith("https://trial.example/garden/v2/plans?since=2027")
    named = garden.package.Client.from_env({"TRADING_BASE_URL": "main"})
    assert repr(named) == "Client('https://garden.example', account=None)"
    assert garden.refusal(lambda: garden.package.Client("mains")) == (
        "base URL: it is neither a URL nor a server; those are main, trial; did you mean 'main'?"
    )
