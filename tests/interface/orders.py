"""Orders and trades: sections 4.1 to 4.5, 4.7, 4.9 and 4.19; notes 7 to 10.

An order's amount is in tokens by section 2.1.
"""

from __future__ import annotations

from tests.interface import records, samples
from tests.interface.model import Change, Field, Limit, Trace, observed, rows
from tests.interface.operation import BATCH_PATH, Operation

# 2.1: an order shows its client id, which the user gave or the SDK made (4.1, 4.2, note 9). An id may
# be used again, so what else it shows of the message must agree: price and amount where it has them.
_HISTORY = ("orders.history",)
_MARKET = {"symbol": "symbol", "side": "side"}


def _placed(**more: str) -> Trace:
    return Trace(lists=_HISTORY, id="client_order_id", agrees={**_MARKET, **more})


# 4.4, 4.5: the order that is named is cancelled, and nothing takes its place.
_NAMED = Change(
    names={"order_id": "order_id", "client_order_id": "client_order_id"},
    becomes={"order_status": "cancelled"},
    changed_at="updated_at",
    parent={"stop_parent_order_id": "order_id"},
)
_CANCELLED = Trace(lists=_HISTORY, agrees={"symbol": "symbol"}, change=_NAMED)
# 3, 4.3: the original is cancelled; the new order has its side and client id, and a price of its own.
_EDITED = Trace(
    lists=_HISTORY,
    agrees={"symbol": "symbol", "initial_price": "price", "amount": "amount"},
    change=Change(
        names=_NAMED.names,
        becomes=_NAMED.becomes,
        changed_at=_NAMED.changed_at,
        inherits=("symbol", "side", "client_order_id"),
    ),
)
_BARE = {"400": records.BARE_ERROR}
_TPSL = {"symbol": "BTC", "side": "ask"}

OPERATIONS = (
    Operation(  # 4.1
        name="orders.create",
        endpoint="POST /orders/create",
        action="Create",
        signing_type="create_order",
        retry="by-key",
        key="client_order_id",
        statuses="200 400 500",
        request=(
            *rows("""symbol string, price decimal, amount decimal token, side Side, tif TimeInForce,
                reduce_only boolean, client_order_id? uuid"""),
            *(*records.LEGS, records.BUILDER_CODE),
        ),
        result=records.PLACED,
        returns="OrderPlaced",
        errors=_BARE,
        prose="200 ms",
        trace=_placed(initial_price="price", amount="amount"),
        samples={"minimal": samples.LIMIT, "maximal": {**samples.LIMIT, **samples.EXTRAS}},
    ),
    Operation(  # 4.2
        name="orders.create_stop",
        endpoint="POST /orders/stop/create",
        signing_type="create_stop_order",
        retry="by-key",
        key="stop_order.client_order_id",
        statuses="200 400 500",
        request=(
            *rows("symbol string, side Side, reduce_only boolean"),
            *(Field("stop_order", "object", fields=records.STOP_ORDER), records.BUILDER_CODE),
        ),
        result=records.PLACED,
        returns="OrderPlaced",
        errors=_BARE,
        trace=_placed(),
        samples={
            "minimal": {**samples.ORDER, "stop_order": samples.LEG},
            "maximal": {**samples.ORDER, "stop_order": samples.FULL_STOP, **samples.CODE},
        },
    ),
    Operation(  # 4.3
        name="orders.edit",
        endpoint="POST /orders/edit",
        action="Edit",
        signing_type="edit_order",
        retry="never",
        statuses="200 400 500",
        request=rows(f"symbol string, price decimal, amount decimal token, {records.IDS}"),
        exactly_one="order_id client_order_id",
        result=records.PLACED,
        returns="OrderPlaced",
        errors={"400": records.EDIT_ERROR},
        trace=_EDITED,
        samples={
            "minimal": {**samples.BY_ID, "price": "100001", "amount": "0.2"},
            "by client id": {**samples.BY_CLIENT_ID, "price": "100002", "amount": "0.200"},
        },
    ),
    Operation(  # 4.4
        name="orders.cancel_stop",
        endpoint="POST /orders/stop/cancel",
        action="CancelStopOrder",
        signing_type="cancel_stop_order",
        retry="idempotent",
        statuses="200 400 500",
        request=rows(f"symbol string, {records.IDS}"),
        at_least_one="order_id client_order_id",  # unlike 4.3, it does not forbid both
        result=records.DONE,
        errors=_BARE,
        trace=_CANCELLED,
        samples={**samples.EITHER_ID, "by both": {**samples.BY_ID, **samples.BY_CLIENT_ID}},
    ),
    Operation(  # 4.5: each action is signed on its own
        name="orders.batch",
        endpoint=f"POST {BATCH_PATH}",
        retry="never",
        statuses="200 400 500",
        request=(Field("actions", "array", limit=Limit(maximum=10)),),
        result=records.wrapped(Field("results", "array", fields=records.ACTION_RESULT)),
        errors=_BARE,
        prose="200 ms",
        samples={"minimal": {"actions": [{"type": "Cancel", "data": samples.BY_ID}]}},
        batch_answer=samples.RESULTS,
    ),
    Operation(  # 4.7
        name="orders.history",
        endpoint="GET /orders/history",
        retry="safe",
        statuses="200 400 401 500",
        query=rows(f"account string, {records.PAGE}"),
        result=records.page(records.ORDER),
        returns="Order[]",
        samples={"minimal": samples.OWN, "maximal": samples.PAGE},
    ),
    Operation(  # 4.9; its cursor is passed back as received (2.10), so it is a string here as well
        name="trades.history",
        endpoint="GET /trades/history",
        retry="safe",
        statuses="200 400 401 500",
        query=rows(f"""account string, symbol? string, start_time? integer ms,
            end_time? integer ms, {records.PAGE} type:assumed"""),
        result=records.page(records.TRADE),
        returns="Trade[]",
        samples={
            "minimal": samples.OWN,
            "maximal": {
                **samples.PAGE,
                "symbol": "BTC",
                "start_time": 1748970123456,
                "end_time": 1748970123457,
            },
        },
    ),
)

ONLY_IN_BATCHES = (
    Operation(
        name="orders.cancel",
        action="Cancel",
        signing_type="cancel_order",
        source="observed",
        retry="idempotent",
        request=rows(f"symbol string required:observed, {records.IDS} observed"),
        exactly_one="order_id client_order_id",
        trace=_CANCELLED,
        samples=samples.EITHER_ID,
    ),
    Operation(
        name="orders.create_market",
        action="CreateMarket",
        signing_type="create_market_order",
        source="observed",
        retry="by-key",
        key="client_order_id",
        request=(
            # Shown without a word on what is required (4.5); note 8 says it.
            *rows("symbol string required:observed, amount decimal token required:observed"),
            *rows(
                "side Side required:observed, slippage_percent decimal percent required:observed"
            ),
            *rows("reduce_only boolean required:observed, client_order_id? uuid observed"),
            *(leg._replace(source="observed") for leg in (*records.LEGS, records.BUILDER_CODE)),
        ),
        trace=_placed(amount="amount"),
        samples={"minimal": samples.MARKET, "maximal": {**samples.MARKET, **samples.EXTRAS}},
    ),
    Operation(
        name="orders.set_position_tpsl",
        action="SetPositionTpsl",
        signing_type="set_position_tpsl",
        source="observed",
        retry="never",
        request=observed(*rows("symbol string, side Side"), *records.POSITION_LEGS),
        at_least_one="take_profit stop_loss",
        samples={
            "minimal": {**_TPSL, "stop_loss": samples.LEG},
            "maximal": {
                **_TPSL,
                "take_profit": samples.FULL_STOP,
                "stop_loss": samples.FULL_STOP,
            },
        },
    ),
)
