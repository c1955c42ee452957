"""Objects that a discriminator tells apart: what a caller may give, and what becomes of answers."""

from __future__ import annotations

import copy
import json
import pickle
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, TypeAlias

import pytest
from attrs import field, frozen
from attrs.exceptions import FrozenInstanceError

from tests.runtime.codec.things import refusal, response, unusable
from tests.runtime.reading import decode
from trading_runtime import Discriminator, RequestError, UnknownObject, to_text, to_union
from trading_runtime.codec.enums import OpenEnum
from trading_runtime.codec.requests import unstructure
from trading_runtime.operation import Operation


class Kind(OpenEnum):
    LIMIT = "limit"
    STOP = "stop"


@frozen(kw_only=True)
class Limit:
    kind: str = field(converter=to_text)
    price: str = field(converter=to_text)


@frozen(kw_only=True)
class Stop:
    what: str = field(converter=to_text, metadata={"json": "kind"})


@frozen
class Filled:
    event: str
    order_id: int


@frozen
class Waiting:
    event: str
    next: Event | None = None


Event: TypeAlias = Annotated[
    Filled | Waiting | UnknownObject, Discriminator("event", {"filled": Filled, "waits": Waiting})
]
EVENT: Operation[Event] = Operation(name="events.last", method="POST", path="/event", result=Event)
EVENTS: Operation[Sequence[Event]] = Operation(
    name="events.all", method="GET", path="/events", result=Sequence[Event]
)
STRANGE = {"event": "split", "parts": [{"size": "1"}], "of": {"key": "hush"}, "at": None}


def to_order(value: Limit | Stop | Mapping[str, Any]) -> Limit | Stop:
    return to_union(value, "kind", {"limit": Limit, "stop": Stop})


@pytest.mark.parametrize(
    ("given", "order"),
    [
        ({"kind": "limit", "price": "1"}, Limit(kind="limit", price="1")),
        ({"kind": Kind.STOP}, Stop(what="stop")),
        (Stop(what="stop"), Stop(what="stop")),
    ],
)
def test_a_request_holds_the_object_that_its_discriminator_names(given: Any, order: Any) -> None:
    assert to_order(given) == order


@pytest.mark.parametrize(
    ("given", "error", "says"),
    [
        ({"price": "1"}, RequestError, "'kind' is missing; it is one of 'limit', 'stop'"),
        ({"kind": "market"}, RequestError, "kind: 'market' is not one of 'limit', 'stop'"),
        ({"kind": None}, RequestError, "kind: None is not one of"),
        (Stop(what="limit"), RequestError, "a Stop whose kind is that of a Limit"),
        (Limit(kind="market", price="1"), RequestError, "kind: 'market' is not one of"),
        ({"kind": "limit"}, RequestError, "'price' is missing; a Limit needs it"),
        ("limit", TypeError, "expected a Limit or Stop, or a mapping with its keys, not 'limit'"),
    ],
)
def test_another_object_is_refused_before_it_is_sent(
    given: Any, error: type[Exception], says: str
) -> None:
    with pytest.raises(error, match=says):
        to_order(given)


def test_an_answer_is_of_the_class_that_it_names() -> None:
    waits = {"event": "waits", "next": {"event": "filled", "order_id": 7}}
    payload = {"success": True, "data": [{"event": "filled", "order_id": 7}, waits]}

    filled = Filled("filled", 7)
    assert decode(EVENTS, response(payload)) == (filled, Waiting("waits", filled))


def test_an_object_of_an_unknown_kind_survives_as_received_and_cannot_be_changed() -> None:
    event = decode(EVENT, response({"success": True, "data": STRANGE}))

    assert isinstance(event, UnknownObject)
    assert (event["event"], event["parts"], dict(event["of"])) == (
        "split",
        ({"size": "1"},),
        {"key": "hush"},
    )
    assert event == STRANGE | {"parts": ({"size": "1"},)} and len(event) == 4
    assert repr(event) == "<UnknownObject with event, parts, of, at>"
    with pytest.raises(TypeError):
        event["event"] = "filled"  # type: ignore[index]
    with pytest.raises(FrozenInstanceError):
        event._items = {}
    assert hash(event) == hash(decode(EVENT, response({"success": True, "data": STRANGE})))
    assert copy.deepcopy(event) == pickle.loads(pickle.dumps(event)) == event
    assert json.loads(json.dumps(unstructure(Waiting("waits", event))))["next"] == STRANGE


def test_numbers_of_an_object_of_an_unknown_kind_are_those_of_python() -> None:
    event: Any = decode(EVENT, response(b'{"data":{"event":"split","parts":[1.50,2e3,7]}}'))

    assert event["parts"] == (1.5, 2000.0, 7)
    assert {type(each) for each in event["parts"]} == {float, int}
    too_large = unusable(EVENT, b'{"data":{"event":"split","parts":[1e400]}}')
    assert too_large.reason == "1e400 is out of range @ $.data"


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        ({"order_id": 7}, "required field missing: event, which tells what it is @ $.data"),
        ({"event": 7}, "expected a string, not an integer @ $.data"),
        ({"event": "filled"}, "required field missing @ $.data.order_id"),
        ([], "expected an object, not a list @ $.data"),
    ],
)
def test_an_answer_that_does_not_say_what_it_is_cannot_be_used(data: Any, reason: str) -> None:
    assert unusable(EVENT, {"success": True, "data": data}).reason == reason


def test_a_refusal_beside_a_field_of_any_of_the_objects_is_not_believed() -> None:
    assert refusal({"success": False, "error": "no"}, 400, EVENT).error == "no"
    for name in ("order_id", "next"):
        assert "but also" in unusable(EVENT, {"success": False, name: 7}).reason
