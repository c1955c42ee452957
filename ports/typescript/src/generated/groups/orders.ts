// Do not edit: written by `python -m codegen generate` from spec/openapi.yaml.

import type { BatchResult, CallOptions, Paginator } from "../../runtime/index.js";
import { Group } from "../../runtime/index.js";
import type {
  ActionResult,
  CancelOrder,
  CancelStopOrder,
  CreateMarketOrder,
  CreateOrder,
  CreateStopOrder,
  EditOrder,
  Order,
  OrderHistoryQuery,
  OrderPlaced,
  SetPositionTpsl,
} from "../models.js";
import {
  ORDERS_BATCH,
  ORDERS_CANCEL_STOP,
  ORDERS_CREATE,
  ORDERS_CREATE_STOP,
  ORDERS_EDIT,
  ORDERS_HISTORY,
} from "../operations.js";

/** One action of a batch, with its arguments. */
export type OrdersBatchAction =
  | { readonly type: "Create"; readonly data: CreateOrder }
  | { readonly type: "Edit"; readonly data: EditOrder }
  | { readonly type: "CancelStopOrder"; readonly data: CancelStopOrder }
  | { readonly type: "CreateMarket"; readonly data: CreateMarketOrder }
  | { readonly type: "Cancel"; readonly data: CancelOrder }
  | { readonly type: "SetPositionTpsl"; readonly data: SetPositionTpsl };

/**
 * `client.orders`: Order entry, edits, cancels, batches and the order history.
 *
 * Every method may also throw the errors that `Client` lists.
 */
export class Orders extends Group {
  /**
   * Place a limit order, with an optional take-profit and stop-loss.
   *
   * Orders with tif `GTC` or `IOC` are delayed by about 200 ms; `ALO` and `TOB` are not. The order
   * id that is returned does not tell the outcome: an `ALO` order that would cross is rejected
   * (observed), for example. The order history tells it.
   *
   * `POST /api/v1/orders/create`, signed as `create_order`. Section 4.1.
   *
   * @returns The id of a new order.
   * @throws {@link ApiError} The service refused, with status 400.
   * @throws {@link OutcomeUnknownError} It may have been executed: `client.reconcile(error)` looks
   *   for it.
   */
  create(request: CreateOrder, options?: CallOptions): Promise<OrderPlaced> {
    return this._caller.call(ORDERS_CREATE, request, options);
  }

  /**
   * Place a stop order.
   *
   * `POST /api/v1/orders/stop/create`, signed as `create_stop_order`. Section 4.2.
   *
   * @returns The id of a new order.
   * @throws {@link ApiError} The service refused, with status 400.
   * @throws {@link OutcomeUnknownError} It may have been executed: `client.reconcile(error)` looks
   *   for it.
   */
  createStop(request: CreateStopOrder, options?: CallOptions): Promise<OrderPlaced> {
    return this._caller.call(ORDERS_CREATE_STOP, request, options);
  }

  /**
   * Replace the price and amount of an order.
   *
   * The original order is cancelled and a new one takes its place with the same side, reduce-only
   * flag and client order id, time in force `ALO` and a new order id, which is returned. If the new
   * price would cross, the new order is rejected and the original is gone (assumed). The taker
   * delay does not apply.
   *
   * `POST /api/v1/orders/edit`, signed as `edit_order`. Sections 3 and 4.3.
   *
   * @returns The id of a new order.
   * @throws {@link ApiError} The service refused, with status 400.
   * @throws {@link OutcomeUnknownError} It may have been executed: `client.reconcile(error)` looks
   *   for it.
   */
  edit(request: EditOrder, options?: CallOptions): Promise<OrderPlaced> {
    return this._caller.call(ORDERS_EDIT, request, options);
  }

  /**
   * Cancel a stop order.
   *
   * `POST /api/v1/orders/stop/cancel`, signed as `cancel_stop_order`. Section 4.4.
   *
   * @throws {@link ApiError} The service refused, with status 400.
   * @throws {@link OutcomeUnknownError} It may have been executed: `client.reconcile(error)` looks
   *   for it.
   */
  cancelStop(request: CancelStopOrder, options?: CallOptions): Promise<void> {
    return this._caller.call(ORDERS_CANCEL_STOP, request, options);
  }

  /**
   * Send up to ten order actions in one request.
   *
   * Each action is signed on its own, the batch as a whole is not. Actions run in the order given
   * and are not interleaved with other users' orders. A failing action does not stop the next. All
   * signatures must be valid for the batch to be processed. The delay of about 200 ms applies when
   * the batch holds a market order or a limit order with tif `GTC` or `IOC`.
   *
   * The SDK refuses two orders with the same client order id in one batch unless a cancel of it
   * stands between them (assumed). If the outcome of such a batch is unknown, it stays unknown for
   * every action that names the id.
   *
   * `POST /api/v1/orders/batch`. Section 4.5.
   *
   * @returns One result per action, in the order of the actions (assumed).
   * @throws {@link ApiError} The service refused, with status 400.
   * @throws {@link OutcomeUnknownError} It may have been executed: `client.reconcile(error)` looks
   *   for it.
   */
  batch(
    actions: readonly OrdersBatchAction[],
    options?: CallOptions,
  ): Promise<BatchResult<ActionResult>> {
    return this._caller.batch(ORDERS_BATCH, actions, options);
  }

  /**
   * List the orders of an account.
   *
   * `GET /api/v1/orders/history`. Section 4.7.
   *
   * @returns The records. Iterating over them fetches page after page.
   * @throws {@link RequestError} At once: an argument is wrong.
   * @throws {@link ApiError} On iteration: the service refused, with status 400, 401 or 500.
   * @throws {@link PaginationError} On iteration: the service contradicts itself about the next
   *   page.
   */
  history(request: OrderHistoryQuery = {}, options?: CallOptions): Paginator<Order> {
    return this._caller.paginate(ORDERS_HISTORY, request, options);
  }

  /**
   * Place a market order.
   *
   * The interface document shows it only as a batch action, with the fields up to `reduce_only`.
   *
   * `POST /api/v1/orders/batch`, as a batch of one `CreateMarket` action, signed as
   * `create_market_order` (observed). Section 4.5.
   *
   * @returns The result of the action. A failed action is raised.
   * @throws {@link ApiError} The service refused, with status 400, or the action failed.
   * @throws {@link OutcomeUnknownError} It may have been executed: `client.reconcile(error)` looks
   *   for it.
   */
  createMarket(request: CreateMarketOrder, options?: CallOptions): Promise<ActionResult> {
    return this._caller.act(ORDERS_BATCH, "CreateMarket", request, options);
  }

  /**
   * Cancel an order.
   *
   * The interface document shows it only as a batch action, with symbol and order_id.
   *
   * `POST /api/v1/orders/batch`, as a batch of one `Cancel` action, signed as `cancel_order`
   * (observed). Section 4.5.
   *
   * @returns The result of the action. A failed action is raised.
   * @throws {@link ApiError} The service refused, with status 400, or the action failed.
   * @throws {@link OutcomeUnknownError} It may have been executed: `client.reconcile(error)` looks
   *   for it.
   */
  cancel(request: CancelOrder, options?: CallOptions): Promise<ActionResult> {
    return this._caller.act(ORDERS_BATCH, "Cancel", request, options);
  }

  /**
   * Set the take-profit and stop-loss of a position.
   *
   * The interface document names it only as a batch action and shows no field.
   *
   * `POST /api/v1/orders/batch`, as a batch of one `SetPositionTpsl` action, signed as
   * `set_position_tpsl` (observed). Section 4.5.
   *
   * @returns The result of the action. A failed action is raised.
   * @throws {@link ApiError} The service refused, with status 400, or the action failed.
   * @throws {@link OutcomeUnknownError} It may have been executed, and `client.reconcile` cannot
   *   tell; check before you repeat it.
   */
  setPositionTpsl(request: SetPositionTpsl, options?: CallOptions): Promise<ActionResult> {
    return this._caller.act(ORDERS_BATCH, "SetPositionTpsl", request, options);
  }
}
