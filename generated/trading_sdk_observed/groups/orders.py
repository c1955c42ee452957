# Do not edit: written by `python -m codegen generate` from spec/openapi.yaml and overlays.

"""`client.orders`: Order entry, edits, cancels, batches and the order history.

What is marked is not in the interface document: (observed) was seen on the live service in
several places, (assumed) was seen once, is contradicted, or chosen by us.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from trading_runtime import (
    UNSET,
    BatchResult,
    DecimalLike,
    Group,
    IntegerLike,
    Paginator,
    Unset,
    UUIDLike,
    as_outcome,
)
from trading_sdk_observed.models import (
    ActionResult,
    CancelAllOrders,
    CancelOrder,
    CancelStopOrder,
    CreateMarketOrder,
    CreateOrder,
    CreateStopOrder,
    EditOrder,
    OpenOrder,
    OpenOrdersQuery,
    Order,
    OrderEvent,
    OrderHistoryByIdQuery,
    OrderHistoryQuery,
    OrderPlaced,
    OrdersCancelled,
    PositionTpslConfigLike,
    SetPositionTpsl,
    SideLike,
    StopOrderConfigLike,
    TimeInForceLike,
    TpslConfigLike,
)
from trading_sdk_observed.operations import (
    ORDERS_BATCH,
    ORDERS_CANCEL,
    ORDERS_CANCEL_ALL,
    ORDERS_CANCEL_STOP,
    ORDERS_CREATE,
    ORDERS_CREATE_MARKET,
    ORDERS_CREATE_STOP,
    ORDERS_EDIT,
    ORDERS_HISTORY,
    ORDERS_HISTORY_BY_ID,
    ORDERS_LIST,
    ORDERS_SET_POSITION_TPSL,
)

if TYPE_CHECKING:
    from trading_sdk_observed.mappings import OrdersBatchAction
else:  # Their classes are made when a user imports them.
    OrdersBatchAction = Mapping[str, Any]


class Orders(Group):
    """Order entry, edits, cancels, batches and the order history.

    Every method may also raise the errors that `Client` lists.
    """

    def create(
        self,
        *,
        symbol: str,
        price: DecimalLike,
        amount: DecimalLike,
        side: SideLike,
        tif: TimeInForceLike,
        reduce_only: bool,
        client_order_id: UUIDLike | Unset | None = UNSET,
        take_profit: TpslConfigLike | None = None,
        stop_loss: TpslConfigLike | None = None,
        builder_code: str | None = None,
    ) -> OrderPlaced:
        """Place a limit order, with an optional take-profit and stop-loss.

        Orders with tif `GTC` or `IOC` are delayed by about 200 ms; `ALO` and `TOB` are not. The
        order id that is returned does not tell the outcome: an `ALO` order that would cross is
        rejected (observed), for example. The order history tells it.

        `POST /api/v1/orders/create`, signed as `create_order`. Section 4.1.

        Args:
            symbol: Trading pair symbol.
            price: Order price, a multiple of the market's tick size (observed).
            amount: Order amount, a multiple of the market's lot size (observed). Unit: token.
            side: Whether to buy (`bid`) or to sell (`ask`).
            tif: Time in force. One of `GTC`, `IOC`, `ALO`, `TOB`.
            reduce_only: Whether the order may only reduce a position.
            client_order_id: Client order id. A new random one unless given; None sends none.
            take_profit: Take-profit to attach. A `TpslConfig`, or a mapping of its fields.
            stop_loss: Stop-loss to attach. A `TpslConfig`, or a mapping of its fields.
            builder_code: Builder program code.

        `CreateOrder` says more of the arguments.

        Returns:
            The id of a new order.

        Raises:
            ApiError: The service refused, with status 400 or 422.
            OutcomeUnknownError: It may have been executed: `client.reconcile(error)` looks for it.
        """
        return self._caller.call(
            ORDERS_CREATE,
            CreateOrder(
                symbol=symbol,
                price=price,
                amount=amount,
                side=side,
                tif=tif,
                reduce_only=reduce_only,
                client_order_id=client_order_id,
                take_profit=take_profit,
                stop_loss=stop_loss,
                builder_code=builder_code,
            ),
        )

    def create_stop(
        self,
        *,
        symbol: str,
        side: SideLike,
        reduce_only: bool,
        stop_order: StopOrderConfigLike,
        builder_code: str | None = None,
    ) -> OrderPlaced:
        """Place a stop order.

        `POST /api/v1/orders/stop/create`, signed as `create_stop_order`. Section 4.2.

        Args:
            symbol: Trading pair symbol.
            side: Whether to buy (`bid`) or to sell (`ask`).
            reduce_only: Whether the order may only reduce a position.
            stop_order: Trigger, limit and size of the order.
            builder_code: Builder program code.

        `CreateStopOrder` says more of the arguments.

        Returns:
            The id of a new order.

        Raises:
            ApiError: The service refused, with status 400 or 422.
            OutcomeUnknownError: It may have been executed: `client.reconcile(error)` looks for it.
        """
        return self._caller.call(
            ORDERS_CREATE_STOP,
            CreateStopOrder(
                symbol=symbol,
                side=side,
                reduce_only=reduce_only,
                stop_order=stop_order,
                builder_code=builder_code,
            ),
        )

    def edit(
        self,
        *,
        symbol: str,
        price: DecimalLike,
        amount: DecimalLike,
        order_id: IntegerLike | None = None,
        client_order_id: UUIDLike | None = None,
    ) -> OrderPlaced:
        """Replace the price and amount of an order.

        The original order is cancelled and a new one takes its place with the same side,
        reduce-only flag and client order id, time in force `ALO` and a new order id, which is
        returned. If the new price would cross, the new order is rejected and the original is
        gone (assumed). The taker delay does not apply.

        `POST /api/v1/orders/edit`, signed as `edit_order`. Sections 3 and 4.3.

        Args:
            symbol: Trading pair symbol.
            price: New price, a multiple of the market's tick size (observed).
            amount: New amount, a multiple of the market's lot size (observed). Unit: token.
            order_id: System id of the order; required if there is no client_order_id.
            client_order_id: Client order id; required if there is no order_id.

        `EditOrder` says more of the arguments.

        Returns:
            The id of a new order.

        Raises:
            ApiError: The service refused, with status 400 or 422.
            OutcomeUnknownError: It may have been executed: `client.reconcile(error)` looks for it.
        """
        return self._caller.call(
            ORDERS_EDIT,
            EditOrder(
                symbol=symbol,
                price=price,
                amount=amount,
                order_id=order_id,
                client_order_id=client_order_id,
            ),
        )

    def cancel_stop(
        self,
        *,
        symbol: str,
        order_id: IntegerLike | None = None,
        client_order_id: UUIDLike | None = None,
    ) -> None:
        """Cancel a stop order.

        `POST /api/v1/orders/stop/cancel`, signed as `cancel_stop_order`. Section 4.4.

        Args:
            symbol: Trading pair symbol.
            order_id: System id of the order; required if there is no client_order_id.
            client_order_id: Client order id; required if there is no order_id.

        `CancelStopOrder` says more of the arguments.

        Raises:
            ApiError: The service refused, with status 400 or 422.
            OutcomeUnknownError: It may have been executed: `client.reconcile(error)` looks for it.
        """
        return self._caller.call(
            ORDERS_CANCEL_STOP,
            CancelStopOrder(symbol=symbol, order_id=order_id, client_order_id=client_order_id),
        )

    def batch(
        self,
        actions: Sequence[
            CreateOrder
            | CreateMarketOrder
            | CancelOrder
            | EditOrder
            | SetPositionTpsl
            | CancelStopOrder
            | OrdersBatchAction
        ],
    ) -> BatchResult[ActionResult]:
        """Send up to ten order actions in one request.

        Each action is signed on its own, the batch as a whole is not. Actions run in the order
        given and are not interleaved with other users' orders. A failing action does not stop
        the next. All signatures must be valid for the batch to be processed. The delay of about
        200 ms applies when the batch holds a market order or a limit order with tif `GTC` or
        `IOC`.

        The SDK refuses two orders with the same client order id in one batch unless a cancel of
        it stands between them (assumed). If the outcome of such a batch is unknown, it stays
        unknown for every action that names the id.

        `POST /api/v1/orders/batch`. Section 4.5.

        Args:
            actions: 1 to 10 actions, each one of CreateOrder, CreateMarketOrder, CancelOrder,
                EditOrder, SetPositionTpsl, CancelStopOrder; or a mapping with its `type` and
                `data`, as on the wire.

        Returns:
            One result per action, in the order of the actions (assumed).

        Raises:
            ApiError: The service refused, with status 400 or 422.
            OutcomeUnknownError: It may have been executed: `client.reconcile(error)` looks for it.
        """
        return self._caller.batch(ORDERS_BATCH, actions)

    def history(
        self,
        *,
        account: str | None = None,
        limit: IntegerLike | None = None,
        cursor: str | Unset = UNSET,
    ) -> Paginator[Order]:
        """List the orders of an account.

        `GET /api/v1/orders/history`. Section 4.7.

        Args:
            account: Wallet address of the account to read. The client's own unless given.
            limit: Records per page.
            cursor: Cursor of the page to start from, as `next_cursor` returned it.

        `OrderHistoryQuery` says more of the arguments.

        Returns:
            The records. Iterating over them fetches page after page.

        Raises:
            RequestError: At once: an argument is wrong.
            ApiError: On iteration: the service refused, with status 400, 401, 422 or 500.
            PaginationError: On iteration: the service contradicts itself about the next page.
        """
        return self._caller.paginate(
            ORDERS_HISTORY,
            OrderHistoryQuery(
                account=self._caller.own_account(account), limit=limit, cursor=cursor
            ),
        )

    def create_market(
        self,
        *,
        symbol: str,
        amount: DecimalLike,
        side: SideLike,
        slippage_percent: DecimalLike,
        reduce_only: bool,
        client_order_id: UUIDLike | Unset | None = UNSET,
        take_profit: TpslConfigLike | None = None,
        stop_loss: TpslConfigLike | None = None,
        builder_code: str | None = None,
    ) -> ActionResult:
        """Place a market order.

        The order id that is returned does not tell the outcome; the order history does.

        `POST /api/v1/orders/create_market`, signed as `create_market_order` (observed).
        (observed)

        Args:
            symbol: Trading pair symbol.
            amount: Order amount, a multiple of the market's lot size (observed). Unit: token.
            side: Whether to buy (`bid`) or to sell (`ask`).
            slippage_percent: How far from the current price the order may fill (assumed); "0.5" is
                0.5 % (observed).
            reduce_only: Whether the order may only reduce a position.
            client_order_id: Client order id. A new random one unless given; None sends none.
            take_profit: Take-profit to attach. A `TpslConfig`, or a mapping of its fields.
            stop_loss: Stop-loss to attach. A `TpslConfig`, or a mapping of its fields.
            builder_code: Builder program code.

        `CreateMarketOrder` says more of the arguments.

        Returns:
            The result of the action, of the type that a batch has. A failed action is raised.

        Raises:
            ApiError: The service refused, with status 400 or 422.
            OutcomeUnknownError: It may have been executed: `client.reconcile(error)` looks for it.
        """
        return as_outcome(
            ActionResult,
            self._caller.call(
                ORDERS_CREATE_MARKET,
                CreateMarketOrder(
                    symbol=symbol,
                    amount=amount,
                    side=side,
                    slippage_percent=slippage_percent,
                    reduce_only=reduce_only,
                    client_order_id=client_order_id,
                    take_profit=take_profit,
                    stop_loss=stop_loss,
                    builder_code=builder_code,
                ),
            ),
        )

    def cancel(
        self,
        *,
        symbol: str,
        order_id: IntegerLike | None = None,
        client_order_id: UUIDLike | None = None,
    ) -> ActionResult:
        """Cancel an order.

        `POST /api/v1/orders/cancel`, signed as `cancel_order` (observed). (observed)

        Args:
            symbol: Trading pair symbol.
            order_id: System id of the order; required if there is no client_order_id.
            client_order_id: Client order id; required if there is no order_id.

        `CancelOrder` says more of the arguments.

        Returns:
            The result of the action, of the type that a batch has. A failed action is raised.

        Raises:
            ApiError: The service refused, with status 400 or 422.
            OutcomeUnknownError: It may have been executed: `client.reconcile(error)` looks for it.
        """
        return as_outcome(
            ActionResult,
            self._caller.call(
                ORDERS_CANCEL,
                CancelOrder(symbol=symbol, order_id=order_id, client_order_id=client_order_id),
            ),
        )

    def cancel_all(
        self, *, all_symbols: bool, exclude_reduce_only: bool, symbol: str | None = None
    ) -> OrdersCancelled:
        """Cancel the orders of a market, or of all markets.

        Sent again later, it also cancels the orders that were placed in between.

        `POST /api/v1/orders/cancel_all`, signed as `cancel_all_orders` (observed). (observed)

        Args:
            all_symbols: Whether to cancel in every market.
            exclude_reduce_only: Whether reduce-only orders stay.
            symbol: Trading pair symbol; required if `all_symbols` is false.

        `CancelAllOrders` says more of the arguments.

        Returns:
            How many orders were cancelled.

        Raises:
            ApiError: The service refused, with status 400 or 422.
            OutcomeUnknownError: It may have been executed, and `client.reconcile` cannot tell;
                check before you repeat it.
        """
        return self._caller.call(
            ORDERS_CANCEL_ALL,
            CancelAllOrders(
                all_symbols=all_symbols, exclude_reduce_only=exclude_reduce_only, symbol=symbol
            ),
        )

    def set_position_tpsl(
        self,
        *,
        symbol: str,
        side: SideLike,
        take_profit: PositionTpslConfigLike | None = None,
        stop_loss: PositionTpslConfigLike | None = None,
    ) -> ActionResult:
        """Set the take-profit and stop-loss of a position.

        `POST /api/v1/positions/tpsl`, signed as `set_position_tpsl` (observed). (observed)

        Args:
            symbol: Trading pair symbol.
            side: Side of the closing order. One of `bid`, `ask`.
            take_profit: Take-profit of the position; at least one of the two is given.
            stop_loss: Stop-loss of the position; at least one of the two is given.

        `SetPositionTpsl` says more of the arguments.

        Returns:
            The result of the action, of the type that a batch has. A failed action is raised.

        Raises:
            ApiError: The service refused, with status 400, 401 or 422.
            OutcomeUnknownError: It may have been executed, and `client.reconcile` cannot tell;
                check before you repeat it.
        """
        return as_outcome(
            ActionResult,
            self._caller.call(
                ORDERS_SET_POSITION_TPSL,
                SetPositionTpsl(
                    symbol=symbol, side=side, take_profit=take_profit, stop_loss=stop_loss
                ),
            ),
        )

    def list(
        self, *, account: str | None = None, symbol: str | None = None
    ) -> tuple[OpenOrder, ...]:
        """List the open orders of an account.

        `GET /api/v1/orders`. (observed)

        Args:
            account: Wallet address of the account to read. The client's own unless given.
            symbol: Only records of this trading pair.

        `OpenOrdersQuery` says more of the arguments.

        Returns:
            The open orders.

        Raises:
            ApiError: The service refused, with status 400, 422 or 500.
        """
        return self._caller.call(
            ORDERS_LIST, OpenOrdersQuery(account=self._caller.own_account(account), symbol=symbol)
        )

    def history_by_id(self, *, order_id: IntegerLike) -> tuple[OrderEvent, ...]:
        """List what happened to one order.

        `GET /api/v1/orders/history_by_id`. (observed)

        Args:
            order_id: Id of the order.

        `OrderHistoryByIdQuery` says more of the arguments.

        Returns:
            The events of the order.

        Raises:
            ApiError: The service refused, with status 400, 404, 422 or 500.
        """
        return self._caller.call(ORDERS_HISTORY_BY_ID, OrderHistoryByIdQuery(order_id=order_id))
