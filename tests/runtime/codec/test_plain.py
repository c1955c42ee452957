"""Models as plain data: what json.dumps takes and a table shows; how they are shown, compared and hashed."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest
from attrs import field, frozen

from tests.trees import everything
from trading_runtime import (
    UNSET,
    BatchResult,
    HiddenJson,
    OpenEnum,
    Page,
    Paginator,
    Settlement,
    Unset,
    to_decimal,
    to_dict,
    to_integer,
)
from trading_runtime.codec.json_types import hidden

ID = UUID("5f0c1f4e-6a0b-4c56-9a3d-0f6b2f9d7a11")


class Side(OpenEnum):
    BID = "bid"


@frozen
class Leg:
    price: Decimal = field(converter=to_decimal)
    class_: int = field(default=1, converter=to_integer, metadata={"json": "class"})


@frozen(kw_only=True)
class Record:
    side: Side = Side.BID
    amount: Decimal = Decimal("1E-8")
    id: UUID = ID
    created_at: int = 1_759_233_999_188
    done: bool = False
    note: str | None = None
    disabled: bool | Unset | None = UNSET
    legs: tuple[Leg, ...] = (Leg(Decimal("1.50")), Leg(Decimal(2), 2))
    any: object = None
    key: str = field(default="secret", repr=False)


PLAIN: dict[str, Any] = {
    "side": "bid",
    "amount": "0.00000001",
    "id": "5f0c1f4e-6a0b-4c56-9a3d-0f6b2f9d7a11",
    "created_at": 1_759_233_999_188,
    "done": False,
    "note": None,
    "legs": [{"price": "1.50", "class": 1}, {"price": "2", "class": 2}],
    "any": None,
    "key": "secret",
}


@frozen
class Result:
    success: bool
    error: str | None


def test_a_model_is_plain_data_at_every_depth() -> None:
    made = to_dict(Record())

    assert made == PLAIN
    assert json.loads(json.dumps(made)) == PLAIN
    assert {type(each) for each in everything(made)} == {dict, list, str, int, bool, type(None)}


def test_pages_batches_and_settlements_are_plain_data_too() -> None:
    leg, plain = Leg(Decimal(1)), [{"price": "1", "class": 1}]
    results = BatchResult("orders.batch", [Result(False, "full")])
    settled = Settlement(operation="o", client_id=None, state="executed", reason="", records=(leg,))

    assert to_dict(Page([leg], "c1", True)) == {
        "items": plain,
        "next_cursor": "c1",
        "has_more": True,
    }
    assert to_dict(results) == {"results": [{"success": False, "error": "full"}]}
    assert to_dict(settled)["records"] == plain


def test_parsed_json_stays_hidden() -> None:
    made = to_dict(Record(any=hidden({"api_key": ["canary"]})))

    assert isinstance(made["any"], HiddenJson)
    assert "canary" not in repr(made)
    assert json.loads(json.dumps(made))["any"] == {"api_key": ["canary"]}


def test_what_is_no_model_is_refused_with_the_way_for_several() -> None:
    pages: Paginator[Leg] = Paginator(lambda _: Page([], None, False))
    for value in (None, 5, "text", [Leg(Decimal(1))], (), object(), Record, pages):
        with pytest.raises(
            TypeError, match=r"^expected a model; of several records map\(to_dict, records\), not "
        ):
            to_dict(value)
