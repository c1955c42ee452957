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
    Page,
    Paginator,
    Settlement,
    Unset,
    to_decimal,
    to_dict,
)
from trading_runtime.codec.json_types import hidden

ID = UUID("5f0c1f4e-6a0b-4c56-9a3d-0f6b2f9d7a11")


@frozen
class Leg:
    price: Decimal = field(converter=to_decimal)


@frozen(kw_only=True)
class Record:
    """Fields of which the second spec has none: tests/codegen/second sends those that it has."""

    amount: Decimal = Decimal("1E-8")
    id: UUID = ID
    note: str | None = None
    disabled: bool | Unset | None = UNSET
    legs: tuple[Leg, ...] = (Leg(Decimal("1.50")),)
    any: object = None
    key: str = field(default="secret", repr=False)


PLAIN: dict[str, Any] = {
    "amount": "0.00000001",
    "id": str(ID),
    "note": None,
    "legs": [{"price": "1.50"}],
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
    assert {type(each) for each in everything(made)} == {dict, list, str, type(None)}


def test_pages_batches_and_settlements_are_plain_data_too() -> None:
    leg, plain = Leg(Decimal(1)), [{"price": "1"}]
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
