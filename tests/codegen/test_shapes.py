"""Every shape that a field may have goes over a socket and comes back, in requests and in answers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.codegen.test_changed_spec import Used, run, signed

PLAN = {
    "starts_at": "2027-01-31T12:00:00.1234567+02:00",
    "ends_at": None,
    "pauses": ["2016-12-31T23:59:60Z"],
    "sequence": "9223372036854775807",
    "step": "5",
    "urgency": 2,
    "others": [1, 7],
    "contact": "a@b.example",
}
SOLD = {"event": "Sold", "legs": [{"size": "1.5"}], "secret": "hush"}
EVENTS: list[dict[str, Any]] = [
    {"event": "Placed", "order_id": 7},
    {"event": "Paused", "until": "2027-01-31T12:00:00Z"},
    SOLD,
    {"event": "Placed", "order_id": 8, "before": {"event": "Placed", "order_id": 7}},
    {"event": "Placed", "order_id": 9, "before": SOLD},
]
ANSWERS: dict[str, list[Any]] = {
    "/api/v2/plans/create": [{"success": True, "data": PLAN}] * 3,
    "/api/v2/plans/events": [
        {"success": True, "data": EVENTS[:3], "has_more": True, "next_cursor": "2"},
        {"success": True, "data": EVENTS[3:], "has_more": False},
    ],
    "/api/v2/plans/events/last": [
        EVENTS[0],
        {"success": True, "data": {**EVENTS[1], "event": 7}},
        {"success": True, "data": {"order_id": 7}},
        {"success": True, "data": [EVENTS[0]]},
        {"success": True, "data": {**EVENTS[0], "before": {"event": "Paused"}}},
    ],
    "/api/v2/plans/7/progress": [
        {
            "success": True,
            "data": {
                "done": "1.5",
                "steps": [{"at": PLAN["starts_at"], "state": s} for s in ("failed", "lost")],
            },
        }
    ],
    "/api/v2/plans": [
        {"success": True, "data": [PLAN, {**PLAN, "urgency": 7}, PLAN, PLAN]},
        *(
            {"success": True, "data": [{**PLAN, **change}]}
            for change in (
                {"starts_at": "2027-01-31T12:00:00"},
                {"starts_at": "2027-02-30T12:00:00Z"},
                {"sequence": 7},
                {"sequence": "9223372036854775808", "urgency": "1"},
            )
        ),
    ],
}


@pytest.fixture(scope="module")
def used(generated: Path) -> Used:
    """What a user of the package saw, and what arrived at the service."""
    return run("use_shapes.py", generated, ANSWERS)


def test_the_docs_tell_what_a_type_does_not(generated: Path) -> None:
    methods = (generated / "trading_sdk" / "groups" / "plans.py").read_text("utf-8")
    models = (generated / "trading_sdk" / "models.py").read_text("utf-8")

    for text in (
        "starts_at: When it starts. With a time zone.",
        "sequence: Its sequence number. A text in JSON.",
        "range: Where it is active. Holds: Least price (quote per token), Greatest price",
        "ladder: Its steps. Each holds: Price (quote per token), How urgent.",
        "contact: Whom to tell. Format: email. At most 20 characters.",
    ):
        assert text in methods
    assert '"""A condition that is waited for.\n\nTold apart by `by`.\n"""' in models
    assert '"""What starts it.' not in models.split("Trigger: TypeAlias")[1]


def test_times_and_integers_are_sent_as_the_spec_writes_them(used: Used) -> None:
    made, *_ = [each.body for each in used[1] if each.path == "/api/v2/plans/create"]
    sent = signed(made, "create_plan")
    asked, *_ = [each.query for each in used[1] if each.path == "/api/v2/plans"]

    assert {name: sent[name] for name in (*PLAN.keys() & sent.keys(), "retries")} == {
        "starts_at": "2027-01-31T10:00:00Z",
        "ends_at": None,
        "pauses": ["2027-01-31T10:00:00Z", "2027-02-01T00:00:00.000500Z"],
        "sequence": "9223372036854775807",
        "step": "5",
        "retries": -1,
        "urgency": 2,
        "contact": "a@b.example",
    }
    since = {"since": "2027-01-31T10:00:00Z"}
    assert asked == {**since, "after": "7", "urgency": "-1", "sort-by": "end"}


def test_objects_in_objects_tuples_and_json_are_sent_as_they_are_given(used: Used) -> None:
    first, _, last = [each.body for each in used[1] if each.path == "/api/v2/plans/create"]
    sent, least = signed(first, "create_plan"), signed(last, "create_plan")

    assert {name: value for name, value in sent.items() if name not in PLAN} == {
        "name": "night",
        "note": "quiet",
        "owner": "me",
        "retries": -1,
        "limits": {"lowest": "1", "price-type": "mark"},
        "legs": [{"symbol": "BTC", "class": 1}, {"symbol": "ETH", "class": 2}],
        "range": ["1.50", None],
        "ladder": [["1", 2], ["2", -1]],
        "urgencies": [1, 2],
        "settings": {"price": "1.5", "list": [1, None, True]},
        "texts": {"any": None},
        "checks": [1801389600000, 0],
        "marks": {"first": 1801389600000},
        "expires_at": "1801389600000",
        "linger": 10**9,
    }
    assert least["settings"] is None and "texts" not in least


def test_an_object_of_a_union_is_sent_with_what_tells_it_apart(used: Used) -> None:
    _, second, _ = [each.body for each in used[1] if each.path == "/api/v2/plans/create"]
    sent = signed(second, "create_plan")

    assert sent["trigger"] == {"by": "last price", "price": "5"}
    assert sent["stop"] is None
    assert sent["others"] == [
        {"by": "time", "at": "2027-01-31T10:00:00Z"},
        {"by": "price", "price": "1.50"},
    ]


def test_an_object_of_a_union_has_the_class_that_it_names_and_an_unknown_one_survives(
    used: Used,
) -> None:
    sold = "<UnknownObject with event, legs, secret>: Sold 1.5"

    assert used[0]["events"] == [
        "order 7, before: None",
        "until 12:00",
        sold,
        "order 8, before: order 7, before: None",
        f"order 9, before: {sold}",
    ]
    assert used[0]["last"] == "order 7, before: None"


def test_json_that_is_given_is_copied(used: Used) -> None:
    assert used[0]["kept"] == "{'price': '1.5', 'list': (1, None, True)}"


def test_an_object_written_out_in_an_answer_has_a_class_of_its_own(used: Used) -> None:
    failed = "<ProgressResultStepsItemState.FAILED: 'failed'>"

    assert used[0]["progress"] == ["1.5", failed, "'lost'"]


def test_times_are_received_aware_and_integers_as_integers(used: Used) -> None:
    two_hours = "tzinfo=datetime.timezone(datetime.timedelta(seconds=7200))"

    assert used[0]["plan"] == [
        f"datetime.datetime(2027, 1, 31, 12, 0, 0, 123456, {two_hours})",
        "None",
        "(datetime.datetime(2017, 1, 1, 0, 0, tzinfo=datetime.timezone.utc),)",
    ]
    assert used[0]["numbers"] == ["9223372036854775807", 2**63, "5"]
    assert used[0]["contact"] == "a@b.example"


def test_an_unknown_value_of_an_integer_enum_survives_as_the_integer(used: Used) -> None:
    assert used[0]["urgency"] == ["<Urgency.HIGH: 2>", True, "(<Urgency.VALUE_1: 1>, 7)"]
    assert used[0]["due"] == ["<Urgency.HIGH: 2>", "7", "<Urgency.HIGH: 2>", "<Urgency.HIGH: 2>"]


def test_what_cannot_be_sent_is_refused_before_it_is_sent(used: Used) -> None:
    noon = "datetime.datetime(2027, 1, 31, 12, 0, tzinfo=datetime.tim..."
    naive = "datetime.datetime(2027, 1, 31, 12, 0) has no time zone; give an aware datetime"

    assert used[0]["refused"] == [
        f"CreatePlan.starts_at: {naive}, like datetime.now(timezone.utc)",
        "CreatePlan.starts_at: expected an aware datetime, not '2027-01-31T12:00:00Z' (str)",
        "CreatePlan.checks: item 1: 1801389600 is a time in seconds; in ms it is 1801389600000",
        "CreatePlan.marks: 'first': expected ms since 1970, like time.time_ns() // 1_000_000, or an"
        " aware datetime, not 1801389600.5 (float)",
        "CreatePlan.expires_at: datetime.datetime(2027, 1, 31, 10, 0) has no time zone; in UTC it is"
        " 1801389600000: give that, or an aware datetime",
        f"CreatePlan.linger: expected an integer, not {noon} (datetime)",
        "CreatePlan.sequence: an integer of more than 64 bits cannot be sent",
        "CreatePlan.sequence: expected an integer, not '7' (str)",
        "CreatePlan.step: an integer of more than 32 bits cannot be sent",
        "CreatePlan.retries: an integer of more than 32 bits cannot be sent",
        "CreatePlan.urgency: 3 is not one of 1, 2, -1",
        "CreatePlan.urgency: True is not one of 1, 2, -1",
        "CreatePlan: Length of 'name' must be <= 8: 12",
        "CreatePlan.limits: 'lowest' is missing; a CreatePlanLimits needs it",
        "CreatePlan.limits: CreatePlanLimits.price_type: 'first' is not one of 'mark', 'last'",
        "CreatePlan.legs: item 0: CreatePlanLegsItem.class_: 3 is not one of 1, 2",
        "CreatePlan.range: expected 2 members, not 1",
        "CreatePlan.range: item 1: a float like 1.5 is not exact; give a Decimal or a string, like '1.5'",
        "CreatePlan.ladder: item 0: item 1: 3 is not one of 1, 2, -1",
        "CreatePlan.urgencies: item 1: 9 is not one of 1, 2, -1",
        "CreatePlan.settings: 'price': item 0: a float like 0.5 is not exact; give a string, like '0.5'",
        "CreatePlan.settings: it is nested too deep, or contains itself",
        "CreatePlan.settings: expected a string, not 1 (int)",
        "CreatePlan.settings: expected parsed JSON, not {1} (set)",
        "CreatePlan.trigger: 'by' is missing; it is one of 'price', 'last price', 'time'",
        "CreatePlan.trigger: by: 'volume' is not one of 'price', 'last price', 'time'",
        "CreatePlan.trigger: by: 1 is not one of 'price', 'last price', 'time'",
        "CreatePlan.trigger: 'price' is missing; a PriceTrigger needs it",
        "CreatePlan.trigger: expected a PriceTrigger or TimeTrigger, or a mapping with its keys,"
        " not 'price' (str)",
        "CreatePlan.trigger: a TimeTrigger whose by is that of a PriceTrigger",
        "CreatePlan.trigger: by: 'volume' is not one of 'price', 'last price', 'time'",
        "CreatePlan.others: item 0: TimeTrigger.at: expected an aware datetime, not 1 (int)",
    ]


def test_what_cannot_be_read_is_told_with_its_place(used: Used) -> None:
    assert used[0]["unusable"] == [
        "'2027-01-31T12:00:00' is not a date-time of RFC 3339 @ $.data[0].starts_at",
        "'2027-02-30T12:00:00Z' is no moment that a datetime can be @ $.data[0].starts_at",
        "expected a string, not an integer @ $.data[0].sequence",
        "'9223372036854775808' is not an integer of 64 bits @ $.data[0].sequence; "
        "expected an integer, not a string @ $.data[0].urgency",
        "expected a string, not an integer @ $.data",
        "required field missing: event, which tells what it is @ $.data",
        "expected an object, not a list @ $.data",
        "required field missing @ $.data.before.until",
    ]
