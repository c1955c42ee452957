"""What each call and each batch sends: the samples of tests/interface, and Python's ways to write them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any, NamedTuple
from uuid import UUID

from tests.interface import METHODS, OPERATIONS, Json, Operation, samples
from tests.interface.samples import BY_CLIENT_ID, BY_ID, EXTRAS, FULL_STOP, LIMIT, MARKET
from trading_sdk import (
    CancelOrder,
    CancelStopOrder,
    CreateMarketOrder,
    CreateOrder,
    EditOrder,
    PositionTpslConfig,
    SetPositionTpsl,
    Side,
    StopOrderConfig,
    TimeInForce,
    TpslConfig,
    TriggerPriceType,
)

ACCOUNT = "<the client's account>"
"""Stands for the address that the client reads unless it is given another one."""

MINTED = "<a new UUID>"
"""Stands for an id that nobody gave."""

BATCH = "orders.batch"


class Case(NamedTuple):
    """A call, and the own fields and the parameters that it sends."""

    operation: str
    label: str
    arguments: Mapping[str, Any]
    fields: Mapping[str, Any]


class Sent(NamedTuple):
    """An action of a batch on the wire, by its name on the client, with its own fields."""

    operation: str
    fields: Mapping[str, Any]


class BatchCase(NamedTuple):
    """A call that sends a batch, and the actions that it sends."""

    operation: str
    label: str
    arguments: Mapping[str, Any]
    actions: tuple[Sent, ...]


def with_key(path: str, fields: Json, id_: object, *, new: bool = False) -> Json:
    """The fields with an id at a path; one that is there stays if a `new` one is offered."""
    first, _, rest = path.partition(".")
    if rest:
        return {**fields, first: with_key(rest, fields[first], id_, new=new)}
    return {**fields, first: fields.get(first, id_) if new else id_}


def sent(operation: Operation, fields: Json) -> Json:
    """What a call with these arguments sends."""
    if operation.verb == "GET":
        own = {"account": ACCOUNT} if any(r.name == "account" for r in operation.query) else {}
        return {**own, **{name: str(value) for name, value in fields.items()}}
    return with_key(operation.key, fields, MINTED, new=True) if operation.key else fields


def ways(operation: Operation) -> Iterator[tuple[str, Json, Json]]:
    """Each way to call an operation with the values of the wire: label, arguments, what is sent."""
    for label, fields in operation.samples.items():
        yield label, fields, sent(operation, fields)
    if operation.key:
        yield "without an id", with_key(operation.key, operation.least, None), operation.least


# An exponent is what str() gives for the first, a float is what the second does not fit into.
SMALL, SMALL_TEXT = Decimal("1E-8"), "0.00000001"
LARGE = "123456789012345678901234567890.50"
_SMALL_STOP, _SMALL_STOP_SENT = {**FULL_STOP, "amount": SMALL}, {**FULL_STOP, "amount": SMALL_TEXT}
_LEG = TpslConfig(
    stop_price="120000.0",
    limit_price=119990,
    client_order_id=UUID(samples.ID_B),
    trigger_price_type=TriggerPriceType.LAST_TRADE_PRICE,
)
_TYPED_LIMIT = {"take_profit": _LEG, "side": Side.ASK, "tif": TimeInForce.GTC, "price": SMALL}
_TEN_TO_20 = {"symbol": "SOL", "amount": 10**20, "idempotency_key": samples.ID_A.upper()}
_ODD = {"symbol": "../a%2f\r\n\0#?", "limit": 1, "cursor": "9"}
_STOP = {**samples.ORDER, **samples.CODE}
TYPED = (
    Case(
        *("orders.create", "typed", {**LIMIT, **EXTRAS, **_TYPED_LIMIT}),
        {**LIMIT, **EXTRAS, "side": "ask", "tif": "GTC", "price": SMALL_TEXT},
    ),
    Case(
        *("orders.create_stop", "typed", {**_STOP, "stop_order": StopOrderConfig(**_SMALL_STOP)}),
        {**_STOP, "stop_order": _SMALL_STOP_SENT},
    ),
    Case(
        *("orders.edit", "typed", {**BY_ID, "price": 100001, "amount": LARGE}),
        {**BY_ID, "price": "100001", "amount": LARGE},
    ),
    Case(
        *("spot.withdraw", "an integer, and capital letters", _TEN_TO_20),
        {"symbol": "SOL", "amount": "1" + "0" * 20, "idempotency_key": samples.ID_A},
    ),
    Case("funding.history", "an odd symbol", _ODD, {**_ODD, "limit": "1"}),
    Case(
        "vaults.add_max_leverage",
        "a tuple, and an integer",
        {"lake": samples.LAKE, "symbols": (), "max_leverage": 5},
        {"lake": samples.LAKE, "symbols": [], "max_leverage": "5"},
    ),
)

CASES = (
    *(
        Case(name, *way)
        for name, operation in OPERATIONS.items()
        if name != BATCH
        for way in ways(operation)
    ),
    *TYPED,
)

_TPSL: Json = {"symbol": "BTC", "side": "ask"}
_EDIT: Json = {**BY_ID, "price": "1", "amount": "2"}
_CANCEL = Sent("orders.cancel", BY_ID)
_NEW = with_key("client_order_id", LIMIT, MINTED)
_TYPED_EXTRAS: Mapping[str, Any] = {**EXTRAS, "take_profit": _LEG}
MARKET_SENT = {**MARKET, **EXTRAS}
_TEN = (
    (CreateOrder(**LIMIT), Sent("orders.create", _NEW)),
    *[(CancelOrder(**BY_ID), _CANCEL)] * 2,
    (EditOrder(**_EDIT), Sent("orders.edit", _EDIT)),
    (CancelStopOrder(**BY_CLIENT_ID), Sent("orders.cancel_stop", BY_CLIENT_ID)),
    (CreateMarketOrder(**MARKET, **_TYPED_EXTRAS), Sent("orders.create_market", MARKET_SENT)),
    (
        SetPositionTpsl(**_TPSL, take_profit=PositionTpslConfig(**_SMALL_STOP)),
        Sent("orders.set_position_tpsl", {**_TPSL, "take_profit": _SMALL_STOP_SENT}),
    ),
    (CreateOrder(**LIMIT, client_order_id=None), Sent("orders.create", LIMIT)),
    (CancelOrder(**BY_CLIENT_ID), Sent("orders.cancel", BY_CLIENT_ID)),
    (CreateOrder(**LIMIT), Sent("orders.create", _NEW)),
)
BATCH_CASES = (
    BatchCase(BATCH, "minimal", {"actions": [CancelOrder(**BY_ID)]}, (_CANCEL,)),
    BatchCase(
        BATCH,
        "maximal",
        {"actions": [model for model, _ in _TEN]},
        tuple(action for _, action in _TEN),
    ),
    *(
        BatchCase(name, label, arguments, (Sent(name, fields),))
        for name, operation in METHODS.items()
        if not operation.endpoint
        for label, arguments, fields in ways(operation)
    ),
)
