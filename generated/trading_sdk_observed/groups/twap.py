# Do not edit: written by `python -m codegen generate` from spec/openapi.yaml and overlays.

"""`client.twap`: Orders that are carried out in parts over a time (TWAP).

What is marked is not in the interface document: (observed) was seen on the live service in
several places, (assumed) was seen once, is contradicted, or chosen by us.
"""

from __future__ import annotations

from typing import Any

from trading_runtime import UNSET, DecimalLike, Group, IntegerLike, Paginator, Unset, UUIDLike
from trading_sdk_observed.models import (
    CancelTwapOrder,
    CreateTwapOrder,
    OpenTwapOrdersQuery,
    SideLike,
    TwapOrder,
    TwapOrderHistoryByIdQuery,
    TwapOrderHistoryQuery,
)
from trading_sdk_observed.operations import (
    TWAP_CANCEL,
    TWAP_CREATE,
    TWAP_HISTORY,
    TWAP_HISTORY_BY_ID,
    TWAP_LIST,
)


class Twap(Group):
    """Orders that are carried out in parts over a time (TWAP).

    Every method may also raise the errors that `Client` lists.
    """

    def create(
        self,
        *,
        symbol: str,
        amount: DecimalLike,
        side: SideLike,
        slippage_percent: DecimalLike,
        reduce_only: bool,
        duration_in_seconds: IntegerLike,
        client_order_id: UUIDLike | Unset | None = UNSET,
    ) -> Any:
        """Place an order that is carried out in parts over a time.

        `POST /api/v1/orders/twap/create`, signed as `create_twap_order` (assumed). (assumed)

        Args:
            symbol: Trading pair symbol.
            amount: Amount of the whole order. Unit: token.
            side: Whether to buy (`bid`) or to sell (`ask`).
            slippage_percent: How far from the current price each part may fill. Unit: percent.
            reduce_only: Whether the order may only reduce a position.
            duration_in_seconds: How long the order is carried out. Unit: s.
            client_order_id: Client order id. A new random one unless given; None sends none.

        `CreateTwapOrder` says more of the arguments.

        Returns:
            Parsed JSON; no client reads it, so its form is not known.

        Raises:
            ApiError: The service refused, with status 400 or 422.
            OutcomeUnknownError: It may have been executed, and `client.reconcile` cannot tell;
                check before you repeat it.
        """
        return self._caller.call(
            TWAP_CREATE,
            CreateTwapOrder(
                symbol=symbol,
                amount=amount,
                side=side,
                slippage_percent=slippage_percent,
                reduce_only=reduce_only,
                duration_in_seconds=duration_in_seconds,
                client_order_id=client_order_id,
            ),
        )

    def cancel(
        self,
        *,
        symbol: str,
        order_id: IntegerLike | None = None,
        client_order_id: UUIDLike | None = None,
    ) -> Any:
        """Cancel a TWAP order.

        `POST /api/v1/orders/twap/cancel`, signed as `cancel_twap_order` (assumed). (assumed)

        Args:
            symbol: Trading pair symbol.
            order_id: Id of the order; required if there is no client_order_id.
            client_order_id: Client order id; required if there is no order_id.

        `CancelTwapOrder` says more of the arguments.

        Returns:
            Parsed JSON; no client reads it, so its form is not known.

        Raises:
            ApiError: The service refused, with status 400 or 422.
            OutcomeUnknownError: It may have been executed; it can safely be sent again.
        """
        return self._caller.call(
            TWAP_CANCEL,
            CancelTwapOrder(symbol=symbol, order_id=order_id, client_order_id=client_order_id),
        )

    def list(self, *, account: str | None = None) -> tuple[TwapOrder, ...]:
        """List the open TWAP orders of an account.

        `GET /api/v1/orders/twap`. (observed)

        Args:
            account: Wallet address of the account to read. The client's own unless given.

        `OpenTwapOrdersQuery` says more of the arguments.

        Returns:
            The open TWAP orders.

        Raises:
            ApiError: The service refused, with status 400, 422 or 500.
        """
        return self._caller.call(
            TWAP_LIST, OpenTwapOrdersQuery(account=self._caller.own_account(account))
        )

    def history(
        self,
        *,
        account: str | None = None,
        limit: IntegerLike | None = None,
        cursor: str | Unset = UNSET,
    ) -> Paginator[TwapOrder]:
        """List the TWAP orders of an account.

        `GET /api/v1/orders/twap/history`. (observed)

        Args:
            account: Wallet address of the account to read. The client's own unless given.
            limit: Records per page; the service chooses when it is omitted.
            cursor: Cursor of the page to start from, as `next_cursor` returned it.

        `TwapOrderHistoryQuery` says more of the arguments.

        Returns:
            The records. Iterating over them fetches page after page.

        Raises:
            RequestError: At once: an argument is wrong.
            ApiError: On iteration: the service refused, with status 400, 422 or 500.
            PaginationError: On iteration: the service contradicts itself about the next page.
        """
        return self._caller.paginate(
            TWAP_HISTORY,
            TwapOrderHistoryQuery(
                account=self._caller.own_account(account), limit=limit, cursor=cursor
            ),
        )

    def history_by_id(self, *, order_id: IntegerLike) -> tuple[TwapOrder, ...]:
        """List what happened to one TWAP order.

        `GET /api/v1/orders/twap/history_by_id`. (observed)

        Args:
            order_id: Id of the order.

        `TwapOrderHistoryByIdQuery` says more of the arguments.

        Returns:
            The events of the TWAP order.

        Raises:
            ApiError: The service refused, with status 400, 422 or 500.
        """
        return self._caller.call(TWAP_HISTORY_BY_ID, TwapOrderHistoryByIdQuery(order_id=order_id))
