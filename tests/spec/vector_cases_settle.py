"""Settle cases: what `reconcile` says of a message whose outcome is unknown, from what the lists show and when.

The rules stand in docs/recovery.md, "How `reconcile` finds out". No two cases share an id, because an SDK remembers
in a process which ids it has met.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from email.utils import formatdate
from typing import Any
from uuid import UUID

from tests.interface import METHODS, samples
from tests.spec.vector_cases_base import COUNTING, RFC_1, TIMESTAMP, WINDOW, Case
from tests.spec.vector_cases_encode import HERE, client

T = TIMESTAMP
SECOND = 1_000
HISTORY = "orders.history"
BID = {"symbol": "BTC", "side": "bid", "price": "100", "amount": "1"}


def own_id(case: str) -> str:
    """An id that no other case has."""
    return str(UUID(bytes=hashlib.sha256(case.encode()).digest()[:16], version=4))


def order(at: int, **fields: Any) -> dict[str, Any]:
    """A record of the order history, with the values of `BID`."""
    return {
        "order_id": 1,
        "client_order_id": None,
        "symbol": "BTC",
        "side": "bid",
        "price": "100",
        "initial_price": "100",
        "average_filled_price": "0",
        "amount": "1",
        "filled_amount": "0",
        "order_status": "open",
        "order_type": "limit",
        "stop_price": None,
        "stop_parent_order_id": None,
        "reduce_only": False,
        "reason": None,
        "created_at": at,
        "updated_at": at,
        **fields,
    }


def cancelled(at: int, since: int, **fields: Any) -> dict[str, Any]:
    """An order that was cancelled at a time."""
    return order(at, order_status="cancelled", updated_at=since, **fields)


def message(
    client_id: str | None, name: str = "orders.create", *, minted: bool = True, **fields: Any
) -> dict[str, Any]:
    """A message of an error that was written down."""
    told = {"name": name, "client_id": client_id, "fields": {**BID, **fields}}
    return {**told, "minted": minted, "listed": True}


def cancel(**fields: Any) -> dict[str, Any]:
    """A cancel of an order."""
    plain = {"symbol": "BTC", **fields}
    return {**message(None, "orders.cancel", minted=False), "fields": plain}


def edit(**fields: Any) -> dict[str, Any]:
    """An edit of an order to the price 101 and the amount 2."""
    plain = {"symbol": "BTC", "price": "101", "amount": "2", **fields}
    return {**message(None, "orders.edit", minted=False), "fields": plain}


def written(*messages: Mapping[str, Any], **more: Any) -> dict[str, Any]:
    """The error of a call as another process wrote it down."""
    status, reason = more.pop("status", None), more.pop("reason", "the connection was reset")
    (first, *more_messages) = messages
    intent = {
        "version": 1,
        "id": "8f3e8a3d5f7e4b0c9a1d2e3f4a5b6c7d",
        "operation": "orders.batch" if more_messages else first["name"],
        "base_url": HERE,
        "account": COUNTING.address,
        "timestamp": T,
        "expiry_window": WINDOW,
        "messages": [dict(each) for each in messages],
        "signed": True,
        **more,
    }
    return {"reason": reason, "status": status, "intent": intent}


def shown(*records: Any, since: int = 0, **pages: int) -> dict[str, Any]:
    """A list that shows these records, from a time of the service on.

    Args:
        pages: `size`: how many a page holds, whatever is asked. `cap`: the same, and a page that was asked
            for with a limit says that there is more only if it holds as many as that.
    """
    return {"shown": [{"from": since, "records": list(records)}], **pages}


def settle_case(
    name: str,
    rule: str,
    description: str,
    error: Any,
    settlements: Sequence[tuple[Mapping[str, Any], str, Sequence[Any]]] | str,
    *,
    after: int = 1_000,
    lists: Mapping[str, Any] | None = None,
    timeout: int | None = None,
    waited: tuple[int, int] | None = None,
    requests: Any = None,
    features: Sequence[str] = (),
    **given: Any,
) -> Case:
    """An error, what the lists show, and what is said; `after` is when, in ms since signing."""
    expect: dict[str, Any] = {"error": {"class": settlements}}
    if not isinstance(settlements, str):
        expect = {"settlements": [_settlement(*each) for each in settlements]}
    if waited is not None:
        expect["waited"] = list(waited)
    if requests is not None:
        expect["requests"] = requests
    return {
        "name": f"settle-{name}",
        "kind": "settle",
        "description": description,
        "rule": rule,
        **({"features": list(features)} if features else {}),
        "given": {
            "client": client(),
            "now": T + after,
            "error": error,
            "timeout": None if timeout is None else {"$float": str(timeout)},
            "lists": {**(lists or {})},
            **given,
        },
        "expect": expect,
    }


def _settlement(sent: Mapping[str, Any], state: str, records: Sequence[Any]) -> dict[str, Any]:
    told = {"operation": sent["name"], "client_id": sent["client_id"], "state": state}
    return {**told, "records": list(records)}


DONE, NOT, OPEN = "executed", "not executed", "unsettled"


def _one(
    name: str,
    rule: str,
    words: str,
    sent: Mapping[str, Any],
    state: str,
    records: Sequence[Any],
    **more: Any,
) -> Case:
    """One message, and what is said of it."""
    error = written(sent, **more.pop("intent", {}))
    return settle_case(name, rule, words, error, [(sent, state, records)], **more)


def _created(name: str, rule: str, words: str, state: str, **more: Any) -> Case:
    """An order of which one record is shown, with its id."""
    changes, minted = more.pop("record", {}), more.pop("minted", True)
    sent = message(own_id(name), minted=minted)
    record = order(T + 500, client_order_id=own_id(name), **changes)
    more["lists"] = {HISTORY: shown(record, since=more.pop("since", 0))}
    return _one(name, rule, words, sent, state, [record], **more)


def _absent(name: str, rule: str, words: str, state: str = NOT, **more: Any) -> Case:
    """An order that no list shows."""
    return _one(name, rule, words, message(own_id(name)), state, [], **more)


# -- an order, by its id ---------------------------------------------------------------------------

_GIVEN, _ABSENT = "settle-given-id", "settle-absence"
_UNIQUE: dict[str, Any] = {"client": client(unique_ids=True), "features": ["unique-ids"]}
_OLD = {
    key: each
    for key, each in message(own_id("old-version")).items()
    if key not in ("minted", "listed")
}
CREATES = (
    _created("shown", "settle-id", "An id that the SDK made settles an order at once.", DONE, waited=(0, 0), requests=1),
    _created("shown-filled", "settle-id", "What became of the order does not matter.", DONE, record={"order_status": "filled", "filled_amount": "1"}),
    _created("shown-rejected", "settle-id", "A rejected order was accepted, too.", DONE, record={"order_status": "rejected", "reason": "post_only_rejected"}),
    _created("shown-equal-numbers", "settle-id", "Numbers are compared as numbers.", DONE, record={"amount": "1.00", "initial_price": "100.0"}),
    _created("shown-before-signing", "settle-id", "Whatever the clocks say.", DONE, record={"created_at": T - 120_000, "updated_at": T - 120_000}),
    _created("shown-late", "settle-id", "It is shown when the message can no longer be accepted.", DONE, since=T + 40_000, waited=(39, 50)),
    _created("shown-after-expiry", "settle-id", "It is shown within history_lag after that.", DONE, since=T + 44_000, waited=(43, 50)),
    _created("other-price", "settle-rounded", "Its id, with another price: the service rounded it.", DONE, record={"initial_price": "101"}, requests=1),
    _created("other-amount", "settle-rounded", "Its id, with another price and amount.", DONE, record={"initial_price": "101", "amount": "0.5"}),
    _created("other-price-given", _GIVEN, "A given id, with another price.", OPEN, minted=False, record={"initial_price": "101"}),
    _created("unknown-status", "settle-id", "Nor does a status that nobody knows.", DONE, record={"order_status": "parked"}),
    _created("other-side", "settle-other-values", "Its id, on the other side.", OPEN, record={"side": "ask"}),
    _created("other-symbol", "settle-other-values", "Its id, in another market.", OPEN, record={"symbol": "ETH"}),
    _created("price-after-reprice", "settle-id", "The initial price counts, not the one after it was re-priced.", DONE, record={"price": "99"}),
    _created("given", _GIVEN, "An id that the caller gave may be another message's.", OPEN, minted=False),
    _created("given-and-unique", _GIVEN, "With the promise unique_ids it settles the order.", DONE, minted=False, **_UNIQUE),
    _one("old-version", _GIVEN, "Older versions do not say who made an id: it counts as given.", _OLD, OPEN, [order(T, client_order_id=own_id("old-version"))], lists={HISTORY: shown(order(T, client_order_id=own_id("old-version")))}),
    _one("no-id", "settle-no-id", "An order without an id cannot be told from others.", message(None), OPEN, [], lists={HISTORY: shown(order(T + 500))}),
    _one("second-page", "settle-to-the-end", "A list is read to its end.", message(own_id("second-page")), DONE, [order(T + 500, client_order_id=own_id("second-page"))], lists={HISTORY: shown(order(T + 9, order_id=9), order(T + 500, client_order_id=own_id("second-page")), size=1)}, requests=2),
    _one("stop", "settle-id", "A stop order has neither price nor amount to compare.", {**message(own_id("stop"), "orders.create_stop"), "fields": {"symbol": "BTC", "side": "bid", "stop_order": {"stop_price": "9", "client_order_id": own_id("stop")}}}, DONE, [order(T, client_order_id=own_id("stop"), amount="7")], lists={HISTORY: shown(order(T, client_order_id=own_id("stop"), amount="7"))}),
    _one("market", "settle-id", "A market order has no price to compare.", {**message(own_id("market"), "orders.create_market"), "fields": {"symbol": "BTC", "side": "bid", "amount": "1"}}, DONE, [order(T, client_order_id=own_id("market"), initial_price="7")], lists={HISTORY: shown(order(T, client_order_id=own_id("market"), initial_price="7"))}),
)  # fmt: skip

_ELSE = {HISTORY: shown(order(T + 500, client_order_id=own_id("anybody else's")))}
ABSENCE = (
    _absent("absent", _ABSENT, "Nothing shows it until it is expired, and history_lag more: not executed.", waited=(44, 50)),
    _absent("absent-others", _ABSENT, "Orders with other ids are others'.", lists=_ELSE, waited=(44, 50)),
    _absent("absent-long-ago", _ABSENT, "It has expired long ago: there is nothing to wait for.", after=120_000, waited=(0, 0), requests=3),
    _absent("absent-short-window", _ABSENT, "A short window makes it quicker.", waited=(15, 21), intent={"expiry_window": 1_000}),
    _absent("absent-short-lag", _ABSENT, "So does a short history_lag.", waited=(30, 36), client=client(history_lag={"$float": "1"})),
    _absent("absent-timeout", "settle-timeout", "Without time to wait it stays open.", OPEN, timeout=10, waited=(0, 10)),
    _absent("absent-no-timeout", "settle-timeout", "Without any.", OPEN, timeout=0, waited=(0, 0)),
    _absent("absent-undated", "settle-undated", "No answer tells the service's time: absence tells nothing.", OPEN, date="none"),
    _absent("absent-undated-long-ago", "settle-undated", "Not even long after it has expired.", OPEN, date="none", after=3_600_000),
    _absent("absent-service-behind", "settle-both-clocks", "The service's clock is a minute behind: it accepts the message for longer.", ahead=-60_000, waited=(104, 110)),
    _absent("absent-service-ahead", "settle-both-clocks", "It seems a minute ahead: this machine's clock counts, too.", ahead=60_000, waited=(44, 50)),
    _absent("absent-service-far-behind", "settle-both-clocks", "A service that seems hours behind tells wrong dates.", OPEN, ahead=-7_200_000, timeout=60),
)  # fmt: skip

# -- cancels and edits -----------------------------------------------------------------------------

_BEFORE, _AFTER = T - 60_000, T + 500
_MINE = own_id("an order that is cancelled or edited")
_OPEN_ORDER = order(_BEFORE, order_id=7, client_order_id=_MINE)
_GONE = cancelled(_BEFORE, _AFTER, order_id=7, client_order_id=_MINE)
_GONE_BEFORE = cancelled(_BEFORE, T - 10_000, order_id=7, client_order_id=_MINE)
_NEW = order(
    _AFTER, order_id=8, client_order_id=_MINE, initial_price="101", price="101", amount="2"
)
_ELSEWHERE = {**_NEW, "order_id": 9, "symbol": "ETH"}
_NEW_LATER = {**_NEW, "created_at": _AFTER + 200}
_NEW_GONE = {**_NEW, "order_status": "cancelled", "updated_at": _AFTER + 300}
_AMENDED = {**_NEW, "created_at": _BEFORE}
_LATER = cancelled(_AFTER + 100, _AFTER + 200, order_id=9, client_order_id=_MINE)
_GONE_LATER = cancelled(_BEFORE, T + 3_600_000, order_id=7, client_order_id=_MINE)
_UNKNOWN = {**_OPEN_ORDER, "order_status": "canceled", "updated_at": _AFTER}
_IN_PLACE = {**_NEW, "order_id": 7, "created_at": _BEFORE, "updated_at": _BEFORE}
_TOUCHED = {**_OPEN_ORDER, "updated_at": _AFTER}
_REPRICED = {**_IN_PLACE, "initial_price": "100"}
_REPLACED = {HISTORY: shown(_GONE, _NEW)}
_REPLACED_LATER = {HISTORY: shown(_GONE, _NEW_LATER)}
CHANGES = (
    _one("cancel", "settle-cancel", "The order was cancelled after signing, and two readings say so.", cancel(order_id=7), DONE, [_GONE], lists={HISTORY: shown(_GONE)}, waited=(14, 50)),
    _one("cancel-by-client-id", "settle-cancel", "The order is named by its client id.", cancel(client_order_id=_MINE), DONE, [_GONE], lists={HISTORY: shown(_GONE)}),
    _one("cancel-open", "settle-cancel", "The order is still open when the cancel can no longer be accepted.", cancel(order_id=7), NOT, [_OPEN_ORDER], lists={HISTORY: shown(_OPEN_ORDER)}, waited=(44, 50)),
    _one("cancel-before", "settle-cancel", "It was cancelled before.", cancel(order_id=7), OPEN, [_GONE_BEFORE], lists={HISTORY: shown(_GONE_BEFORE)}),
    _one("cancel-replaced", "settle-cancel", "It was replaced: an edit cancels in the same way.", cancel(order_id=7), OPEN, [_NEW], lists=_REPLACED),
    _one("cancel-unknown", "settle-cancel", "No list shows the order.", cancel(order_id=7), OPEN, []),
    _one("cancel-other-symbol", "settle-cancel", "Another order has the id in its place.", cancel(order_id=9), OPEN, [], lists={HISTORY: shown(_GONE)}),
    _one("cancel-unknown-status", "settle-unknown-status", "The order has a status that the client does not know.", cancel(order_id=7), OPEN, [_UNKNOWN], lists={HISTORY: shown(_UNKNOWN)}),
    _one("cancel-reused-id", "settle-reused-name", "The id was given again, to a later order, and that one was cancelled.", cancel(client_order_id=_MINE), OPEN, [_OPEN_ORDER, _LATER], lists={HISTORY: shown(_OPEN_ORDER, _LATER)}),
    _one("cancel-reused-id-closed", "settle-reused-name", "The earlier order was cancelled long before.", cancel(client_order_id=_MINE), OPEN, [_GONE_BEFORE, _LATER], lists={HISTORY: shown(_GONE_BEFORE, _LATER)}),
    _one("cancel-of-a-replacement", "settle-cancel", "An edit replaced the order in the same ms, and the new one was cancelled.", cancel(client_order_id=_MINE), DONE, [_NEW_GONE], lists={HISTORY: shown(_GONE, _NEW_GONE)}),
    _one("cancel-replaced-odd-time", "settle-cancel", "The order that took its place has its creation time, and is open.", cancel(order_id=7), OPEN, [_AMENDED], lists={HISTORY: shown(_GONE, _AMENDED)}),
    _one("cancel-seen-once", "settle-cancel", "One look showed that it was cancelled, and all later ones that it is open.", cancel(order_id=7), OPEN, [], lists={HISTORY: {"shown": [*shown(_GONE)["shown"], *shown(_OPEN_ORDER, since=T + 10_000)["shown"]]}}),
    _one("cancel-future", "settle-cancel", "The times of the list are an hour ahead: the change was made before it was seen.", cancel(order_id=7), DONE, [_GONE_LATER], lists={HISTORY: shown(_GONE_LATER)}, waited=(14, 50)),
    _one("edit-unknown-status", "settle-unknown-status", "Nor does it show that an order was not replaced.", edit(order_id=7), OPEN, [_UNKNOWN], lists={HISTORY: shown(_UNKNOWN)}),
    _one("edit-in-place", "settle-edit", "The order itself has the new values.", edit(order_id=7), OPEN, [_IN_PLACE], lists={HISTORY: shown(_IN_PLACE)}),
    _one("edit-in-place-initial-price", "settle-edit", "It keeps its initial price.", edit(order_id=7), OPEN, [_REPRICED], lists={HISTORY: shown(_REPRICED)}),
    _one("edit-touched", "settle-edit", "The order was touched: after an edit in place another one may have changed its values.", edit(order_id=7), OPEN, [_TOUCHED], lists={HISTORY: shown(_TOUCHED)}),
    _one("edit", "settle-edit", "Its replacement has the new values and came in the same ms.", edit(client_order_id=_MINE), DONE, [_NEW], lists=_REPLACED),
    _one("edit-by-order-id", "settle-edit", "The order is named by its id.", edit(order_id=7), DONE, [_NEW], lists=_REPLACED),
    _one("edit-later", "settle-edit", "The replacement came later: it may be another message's.", edit(order_id=7), OPEN, [_NEW_LATER], lists=_REPLACED_LATER),
    _one("edit-later-and-unique", "settle-edit", "With the promise unique_ids it is its own.", edit(order_id=7), DONE, [_NEW_LATER], lists=_REPLACED_LATER, **_UNIQUE),
    _one("edit-open", "settle-edit", "The order is still open when the edit can no longer be accepted.", edit(order_id=7), NOT, [_OPEN_ORDER], lists={HISTORY: shown(_OPEN_ORDER)}, waited=(44, 50)),
    _one("edit-other-values", "settle-edit", "The replacement has other values.", edit(order_id=7), OPEN, [{**_NEW, "initial_price": "102"}], lists={HISTORY: shown(_GONE, {**_NEW, "initial_price": "102"})}),
    _one("edit-other-market", "settle-edit", "A new order of another market, with the new price and amount, is none that replaced it.", edit(order_id=7), DONE, [_NEW], lists={HISTORY: shown(_GONE, _ELSEWHERE, _NEW)}),
    _one("edit-only-other-market", "settle-edit", "Nor if it is the only one: nobody knows by what the order was ended.", edit(client_order_id=_MINE), OPEN, [_GONE, _ELSEWHERE], lists={HISTORY: shown(_GONE, _ELSEWHERE)}),
    _one("edit-unknown", "settle-edit", "No list shows the order.", edit(order_id=7), OPEN, []),
)  # fmt: skip

# -- what no list settles --------------------------------------------------------------------------

_KEY = own_id("a withdrawal")
_SOL = {"symbol": "SOL", "amount": "1.5"}


def _withdrawal(minted: bool = True) -> dict[str, Any]:
    return {
        **message(_KEY, "spot.withdraw", minted=minted),
        "fields": {**_SOL, "idempotency_key": _KEY},
        "listed": False,
    }


def _sent_out(amount: str, at: int = _AFTER) -> dict[str, Any]:
    return {
        "symbol": "SOL",
        "amount": amount,
        "batch_nonce": 3,
        "transaction_id": "t",
        "created_at": at,
    }


_USED = f"409 (code 409): Duplicate idempotency_key: {_KEY} was used for withdrawal 3"
_LAKE = {"lake": samples.LAKE, "symbols": ["BTC"]}
UNLISTED = (
    _one("withdrawal", "settle-withdrawal", "No list shows idempotency keys: those that it may be are told.", _withdrawal(), OPEN, [_sent_out("1.49")], lists={"spot.withdrawal_history": shown(_sent_out("1.49"), _sent_out("1.6"), {**_sent_out("1"), "symbol": "BTC"})}),
    settle_case("withdrawal-duplicate", "settle-duplicate", "A 409 that says duplicate of the key which the SDK made: an earlier message was accepted.", written(_withdrawal(), status=409, reason=_USED), [(_withdrawal(), DONE, [])], requests=0),
    settle_case("withdrawal-duplicate-given", "settle-duplicate", "The caller gave the key: it may be another message's.", written(_withdrawal(False), status=409, reason=_USED), [(_withdrawal(False), OPEN, [])], requests=0),
    *(
        settle_case(f"withdrawal-conflict-{name}", "settle-duplicate", "A 409 with any other words settles nothing.", written(_withdrawal(), status=409, reason=f"409: {words}"), [(_withdrawal(), OPEN, [])], requests=0)
        for name, words in (
            ("in-progress", "a request with this idempotency_key is in progress"),
            ("duplicate-in-progress", "Duplicate idempotency_key: the first request is in progress"),
            ("used", f"idempotency_key {_KEY} was used before"),
        )
    ),
    settle_case("withdrawal-duplicate-words", "settle-duplicate", "The words of the document alone.", written(_withdrawal(), status=409, reason="409: Duplicate idempotency key"), [(_withdrawal(), DONE, [])], requests=0),
    settle_case("withdrawal-duplicate-unnamed", "settle-duplicate", "A 409 that does not name the key may be about anything.", written(_withdrawal(), status=409, reason="409: conflict"), [(_withdrawal(), OPEN, [])], requests=0),
    _one("transfer", "settle-unlisted", "No list shows a transfer.", {**message(None, "subaccounts.transfer", minted=False), "fields": {"to_account": samples.OTHER, "amount": "1"}}, OPEN, [], requests=0, waited=(0, 0)),
    _one("vault", "settle-unlisted", "Nor the limits of a vault.", {**message(None, "vaults.remove_blacklist", minted=False), "fields": _LAKE}, OPEN, [], requests=0, waited=(0, 0)),
)  # fmt: skip

# -- several messages, reading, refusals -----------------------------------------------------------

_FIRST, _SECOND = message(own_id("first of a batch")), message(own_id("second of a batch"))
_SHOWN = order(_AFTER, client_order_id=own_id("first of a batch"))
_READ = message(own_id("read again"))
_READ_SHOWN = {HISTORY: shown(order(_AFTER, client_order_id=own_id("read again")))}


def _asked(limit: str = "") -> dict[str, Any]:
    query = [["account", COUNTING.address], *([["limit", limit]] if limit else [])]
    return {"method": "GET", "path": METHODS[HISTORY].path, "query": query}


def _told(page: Mapping[str, Any], age: int | None = None) -> dict[str, Any]:
    """A page with a `Date`, which a cache may have kept for some seconds."""
    headers = {"Date": formatdate((T + 50_000) // 1000, usegmt=True)}
    return {
        "status": 200,
        "json": page,
        "headers": headers if age is None else {**headers, "Age": str(age)},
    }


_NOTHING = {"success": True, "data": [], "has_more": False}
_CROWD = [
    order(_BEFORE, order_id=number, client_order_id=own_id(str(number))) for number in range(1, 5)
]
_BROKEN = {**_CROWD[0], "created_at": None, "client_order_id": ""}
_NAMELESS = {**_CROWD[0], "created_at": None, "client_order_id": 5}
_MAYBE = {"fault": "maybe_sent"}
_FOR_ONE = [(_READ, DONE, [order(_AFTER, client_order_id=own_id("read again"))])]
OTHERS = (
    settle_case("batch", "settle-batch", "Each action of a batch is settled on its own.", written(_FIRST, _SECOND, cancel(order_id=7)), [(_FIRST, DONE, [_SHOWN]), (_SECOND, NOT, []), (cancel(order_id=7), DONE, [_GONE])], lists={HISTORY: shown(_SHOWN, _GONE)}),
    settle_case("page-read-again", "settle-reading", "A page that fails is read again.", written(_READ), _FOR_ONE, lists=_READ_SHOWN, answers=[_MAYBE, _MAYBE]),
    settle_case("page-without-success", "settle-reading", "A page that does not say success shows nothing, and least of all that there is nothing.", written(_READ), "decode", lists=_READ_SHOWN, answers=[_told({"data": [], "has_more": False})] * 5, after=120_000),
    settle_case("page-part", "settle-reading", "Nor does a 206, a part of a page.", written(_READ), "decode", lists=_READ_SHOWN, answers=[{**_told(_NOTHING), "status": 206}] * 5, after=120_000),
    settle_case("page-part-once", "settle-reading", "It is read again.", written(_READ), _FOR_ONE, lists=_READ_SHOWN, answers=[{**_told(_NOTHING), "status": 206}]),
    settle_case("page-of-a-cache", "settle-age", "Pages that a cache gave count as old as they say: what they do not show was looked for too early.", written(_READ), [(_READ, NOT, [])], answers=[_told(_NOTHING, 100)] * 2, after=50_000, waited=(90, 110)),
    settle_case("page-of-a-cache-once", "settle-age", "A look at such a page counts as one of long ago, so two more are needed.", written(_READ), [(_READ, NOT, [])], answers=[_told(_NOTHING, 100)], after=50_000, requests=4),
    settle_case("page-capped", "settle-capped-page", "A page that is cut short, of a service that says for this that there is no more.", written(_READ), _FOR_ONE, lists={HISTORY: shown(*_CROWD, order(_AFTER, client_order_id=own_id("read again")), cap=2)}, after=120_000),
    settle_case("page-short", "settle-capped-page", "The only page is shorter than asked: it is read once more, without a size.", written(_READ), [(_READ, NOT, [])], lists={HISTORY: shown(*_CROWD)}, after=120_000, requests=[_asked("1000"), _asked("1000"), _asked()]),
    settle_case("record-unreadable", "settle-unreadable-record", "An old record that cannot be read, and has another id.", written(_READ), [(_READ, NOT, [])], lists={HISTORY: shown(_BROKEN, *_CROWD[1:])}, after=120_000),
    settle_case("record-unreadable-beside-own", "settle-unreadable-record", "It hides no other record.", written(_READ), _FOR_ONE, lists={HISTORY: shown(_BROKEN, order(_AFTER, client_order_id=own_id("read again")))}),
    settle_case("record-unreadable-perhaps-own", "settle-unreadable-record", "Its id cannot be read: it may be the message's own.", written(_READ), [(_READ, OPEN, [])], lists={HISTORY: shown(_NAMELESS)}, after=120_000),
    settle_case("record-unreadable-settled", "settle-unreadable-record", "So it may be, but another record is the message's own.", written(_READ), _FOR_ONE, lists={HISTORY: shown(_NAMELESS, order(_AFTER, client_order_id=own_id("read again")))}),
    settle_case("record-unreadable-perhaps-target", "settle-unreadable-record", "The same of an order that was to be cancelled, and of one that may have replaced it.", written(cancel(order_id=7)), [(cancel(order_id=7), OPEN, [_GONE])], lists={HISTORY: shown(_GONE, _BROKEN)}, after=120_000),
    settle_case("record-unreadable-other-spelling", "settle-unreadable-record", "Its own id, spelled in another way.", written(_READ), [(_READ, OPEN, [])], lists={HISTORY: shown({**_BROKEN, "client_order_id": own_id("read again").replace("-", "")})}, after=120_000),
    settle_case("record-unreadable-too-old", "settle-unreadable-record", "What was changed hours ago for the last time replaced nothing since.", written(cancel(order_id=7)), [(cancel(order_id=7), DONE, [_GONE])], lists={HISTORY: shown(_GONE, {**_BROKEN, "updated_at": T - 7_200_000})}, after=120_000),
    settle_case("record-unreadable-old-target", "settle-unreadable-record", "It may be the order itself, which has its id.", written(cancel(order_id=7)), [(cancel(order_id=7), OPEN, [_GONE])], lists={HISTORY: shown(_GONE, {**_BROKEN, "order_id": 7, "updated_at": T - 7_200_000})}, after=120_000),
    settle_case("page-accepted", "settle-reading", "A 202 says that the page is still to come: it shows nothing.", written(_READ), "decode", lists=_READ_SHOWN, answers=[{**_told(_NOTHING), "status": 202}] * 5, after=120_000),
    settle_case("page-fails-five-times", "settle-reading", "Five times, then reconcile fails.", written(_READ), "no_response", lists=_READ_SHOWN, answers=[_MAYBE] * 5),
    settle_case("large-page-refused", "settle-reading", "A page size that is refused is asked for no more.", written(_READ), _FOR_ONE, lists=_READ_SHOWN, answers=[{"status": 400, "json": {"error": "limit", "code": 400}}], requests=[_asked("1000"), _asked()]),
    settle_case("list-forbidden", "settle-reading", "A list that may not be read ends it.", written(_READ), "api", lists=_READ_SHOWN, answers=[{"status": 403, "json": {"error": "no", "code": 403}}]),
    settle_case("rate-limit-waited-out", "settle-rate-limit", "A 429 is waited out.", written(_READ), _FOR_ONE, lists=_READ_SHOWN, answers=[{"status": 429, "headers": {"Retry-After": "30"}, "json": {"error": "later"}}], waited=(30, 31)),
    settle_case("rate-limit-beyond-timeout", "settle-rate-limit", "As long as the timeout allows.", written(_READ), [(_READ, OPEN, [])], lists=_READ_SHOWN, answers=[{"status": 429, "headers": {"Retry-After": "30"}, "json": {"error": "later"}}], timeout=10, waited=(0, 10)),
    settle_case("another-account", "settle-own", "A call for another account.", written(_READ, account=RFC_1.address), "request", requests=0),
    settle_case("another-service", "settle-own", "A call to another service.", written(_READ, base_url="https://elsewhere.example"), "request", requests=0),
    settle_case("unknown-operation", "settle-own", "An operation that there is not.", written({**_READ, "name": "orders.make"}), "request", requests=0),
    settle_case("not-json", "settle-written", "A text that is not the JSON of an error.", "{", "request"),
    settle_case("not-an-error", "settle-written", "JSON of something else.", '{"reason": "x", "status": null, "intent": []}', "request"),
    settle_case("later-version", "settle-written", "The JSON of a later version.", written(_READ, version=2), "request"),
    settle_case("no-messages", "settle-written", "An intent without messages.", written(_READ, messages=[]), "request"),
)  # fmt: skip

CASES: tuple[Case, ...] = (*CREATES, *ABSENCE, *CHANGES, *UNLISTED, *OTHERS)
