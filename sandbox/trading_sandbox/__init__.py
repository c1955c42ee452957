"""A local exchange that speaks the interface of the trading service, for tests and first steps.

    from trading_sandbox import Sandbox
    from trading_sdk import Client

    with Sandbox() as sandbox, Client(sandbox.url, signer=sandbox.create_account()) as client:
        client.orders.create(symbol="BTC", side="bid", price="99000",
                             amount="0.01", tif="ALO", reduce_only=False)

It serves `orders.create`, `orders.edit`, `orders.batch` (Create, Edit, CreateMarket, Cancel),
`orders.history`, `trades.history` and `funding.history`. Every other operation is verified and
decoded, then answered 501; so is an order with take_profit or stop_loss. There are no funding
payments and no liquidations, and nobody trades but the accounts that you create.

What the interface document leaves open, this sandbox answers as follows.

| Topic | Choice |
|---|---|
| Markets | BTC, ETH as observed; SOL tick 0.01, lot 0.01, leverage 20. Mark prices 100000, 3500, 150 |
| Wrong tick, lot, size | 400 and no order, where the live service was seen to answer 500 |
| Limits of numbers | below 10^12, 20 decimals at most, written without exponent or sign |
| Minimum order | 10 USD at the limit price, for market orders at the current price; not if reduce-only |
| Current price | the mid price, or the mark price while a side of the book is empty |
| Refused orders | get no id and no record. An ALO order that would cross does: 200, then `rejected` |
| Reasons | IOC and market remainders `expired`; a reduce-only order without position `force_cancel` |
| Market order | price and initial_price are its slippage bound, rounded inwards to the tick |
| TOB | price is the new price, initial_price the given one; below the lowest tick it is rejected |
| Reduce-only | refused without an opposite position; fills up to the position; then cancelled |
| Edit | checked before the original is cancelled; the new amount is counted from zero filled |
| Margin | size x entry price / leverage, cross, plus that of open orders (the larger side); the fee too |
| client_order_id | unique among the open orders of an account, free again afterwards |
| Trades | entry_price is the execution price, as section 2.2 says, and so is price, the latest one |
| | of the symbol. Turning a position around is two records. Taker is `fulfill_taker` |
| Rounding | balances, fees and pnl are exact; averages and parts of a position round to 8 decimals |
| Replay | a signed message is accepted again until it expires |
| Timestamps | at most 30 s in the future |
| expiry_window | when absent from the body, the header may name the default 30000 or leave it out |
| Agent wallets | none can be bound yet, so all are refused |
| Failed signature | 401; on the order endpoints, which list no 401, 400. The words go on after those seen |
| Unknown account | signed: 400 (fund one with `create_account`). Lists: empty |
| Unknown fields | ignored, though the signature covers them. Duplicate JSON keys: 400 |
| Batch | a wrong shape or signature anywhere: 400 for the whole. Actions may be of several accounts |
| Lists | newest first, at most 4000 a page. Filters are kept in the cursor and cannot change |
| Funding | hourly since 2025-01-01 from the seed alone; next_funding_rate is exactly the next rate |
| Other statuses | 404 path, 405 method, 413 body over 256 KiB, 400 foreign Host, in the common envelope |
"""

from importlib.util import find_spec

if find_spec("starlette") is None or find_spec("uvicorn") is None:
    raise ModuleNotFoundError(
        "the sandbox needs starlette and uvicorn: "
        "python -m pip install 'trading-service-sdk[sandbox]'"
    )

from trading_sandbox.engine.records import Refused
from trading_sandbox.sandbox import Sandbox
from trading_sandbox.web.log import LoggedRequest

__all__ = ["LoggedRequest", "Refused", "Sandbox"]
