"""What each batch puts on the wire, typed from service-interface.md by hand (operations_table.py)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from tests.generated.operations_table import (
    BY_CLIENT_ID,
    BY_ID,
    EXTRA_ARGUMENTS,
    EXTRAS,
    FULL_STOP,
    LEG,
    LIMIT,
    MARKET,
    NEW_ID,
    NO_ID,
    Fields,
)
from trading_sdk import (
    CancelOrder,
    CancelStopOrder,
    CreateMarketOrder,
    CreateOrder,
    EditOrder,
    PositionTpslConfig,
    SetPositionTpsl,
    Side,
)


class Sent(NamedTuple):
    """An action of a batch on the wire: its type, what it is signed as, its own fields."""

    type: str
    signing_type: str
    fields: Mapping[str, Any]


class BatchCase(NamedTuple):
    """A call that sends a batch, and the actions that it sends."""

    operation: str
    label: str
    arguments: Mapping[str, Any]
    actions: tuple[Sent, ...]


# 4.5 and 4.19: what is sent as a batch, be it of one action.
BATCH_PATH = "/orders/batch"
BATCHED = ("orders.batch", "orders.cancel", "orders.create_market", "orders.set_position_tpsl")

# 4.5 and notes 7 to 10
_CANCEL = Sent("Cancel", "cancel_order", BY_ID)
_TPSL: Fields = {"symbol": "BTC", "side": "ask"}
_EDIT: Fields = {**BY_ID, "price": "1", "amount": "2"}
_TEN = (
    (CreateOrder(**LIMIT), Sent("Create", "create_order", {**LIMIT, **NEW_ID})),
    (CancelOrder(**BY_ID), _CANCEL),
    (CancelOrder(**BY_ID), _CANCEL),
    (EditOrder(**_EDIT), Sent("Edit", "edit_order", _EDIT)),
    (CancelStopOrder(**BY_CLIENT_ID), Sent("CancelStopOrder", "cancel_stop_order", BY_CLIENT_ID)),
    (
        CreateMarketOrder(**MARKET, **EXTRA_ARGUMENTS),
        Sent("CreateMarket", "create_market_order", {**MARKET, **EXTRAS}),
    ),
    (
        SetPositionTpsl(**_TPSL, take_profit=PositionTpslConfig(**FULL_STOP)),
        Sent("SetPositionTpsl", "set_position_tpsl", {**_TPSL, "take_profit": FULL_STOP}),
    ),
    (CreateOrder(**LIMIT, **NO_ID), Sent("Create", "create_order", LIMIT)),
    (CancelOrder(**BY_CLIENT_ID), Sent("Cancel", "cancel_order", BY_CLIENT_ID)),
    (CreateOrder(**LIMIT), Sent("Create", "create_order", {**LIMIT, **NEW_ID})),
)
BATCH_CASES = (
    BatchCase("orders.batch", "minimal", {"actions": [CancelOrder(**BY_ID)]}, (_CANCEL,)),
    BatchCase(
        "orders.batch",
        "maximal",
        {"actions": [model for model, _ in _TEN]},
        tuple(sent for _, sent in _TEN),
    ),
    BatchCase("orders.cancel", "minimal", BY_ID, (_CANCEL,)),
    BatchCase(
        "orders.cancel",
        "by client id",
        BY_CLIENT_ID,
        (Sent("Cancel", "cancel_order", BY_CLIENT_ID),),
    ),
    BatchCase(
        "orders.create_market",
        "minimal",
        MARKET,
        (Sent("CreateMarket", "create_market_order", {**MARKET, **NEW_ID}),),
    ),
    BatchCase(
        "orders.create_market",
        "maximal",
        {**MARKET, **EXTRA_ARGUMENTS},
        (Sent("CreateMarket", "create_market_order", {**MARKET, **EXTRAS}),),
    ),
    BatchCase(
        "orders.set_position_tpsl",
        "minimal",
        {**_TPSL, "stop_loss": LEG},
        (Sent("SetPositionTpsl", "set_position_tpsl", {**_TPSL, "stop_loss": LEG}),),
    ),
    BatchCase(
        "orders.set_position_tpsl",
        "maximal",
        {**_TPSL, "side": Side.ASK, "take_profit": FULL_STOP, "stop_loss": FULL_STOP},
        (
            Sent(
                "SetPositionTpsl",
                "set_position_tpsl",
                {**_TPSL, "take_profit": FULL_STOP, "stop_loss": FULL_STOP},
            ),
        ),
    ),
)
