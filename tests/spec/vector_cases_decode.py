"""Decode cases that end in a value: envelopes, pages, open enums, exact numbers."""

from __future__ import annotations

import json

from tests.spec.vector_cases_base import COUNTING, Case, Json
from tests.spec.vector_cases_records import EXACT, ORDER, RECEIPT, SETTINGS, SUBACCOUNT, TRADE

# Operation id to the name of what it yields.
RESULTS = {
    "orders.create": "order_placed",
    "orders.edit": "order_placed",
    "orders.cancel_stop": "acknowledged",
    "orders.batch": "batch_results",
    "orders.history": "order_page",
    "trades.history": "trade_page",
    "spot.withdraw": "withdrawal_receipt",
    "account.settings": "account_settings",
    "account.update_spot_settings": "acknowledged",
    "vaults.add_max_leverage": "acknowledged",
    "subaccounts.list": "subaccounts",
    "subaccounts.transfer": "acknowledged",
    "api_keys.create": "api_key",
    "api_keys.revoke": "revoked_api_key",
    "account.set_auto_lend_disabled": "acknowledged",
    "vaults.remove_max_leverage": "acknowledged",
    "vaults.remove_blacklist": "acknowledged",
}


def text(value: Json) -> str:
    return json.dumps(value, separators=(",", ":"))


def wrapped(data: Json, success: bool = True) -> Case:
    return {"success": success, "data": data, "error": None, "code": None}


def page(items: list[Json], next_cursor: str | None) -> tuple[str, Json]:
    """The body of a page, and the value it is read as."""
    tail: Case = {"next_cursor": next_cursor, "has_more": next_cursor is not None}
    return text({"success": True, "data": items, **tail}), {"items": items, **tail}


def decode_case(
    name: str, description: str, operation: str, status: int, body: str, expect: Json
) -> Case:
    return {
        "name": name,
        "kind": "decode",
        "description": description,
        "given": {
            "operation": operation,
            "result": RESULTS[operation],
            "status": status,
            "body": body,
        },
        "expect": expect,
    }


def order_placed(name: str, description: str, body: str, order_id: int = 42069) -> Case:
    expect: Case = {"value": {"order_id": order_id}}
    return decode_case(name, description, "orders.create", 200, body, expect)


def decoded(name: str, description: str, operation: str, body: str, value: Json) -> Case:
    return decode_case(name, description, operation, 200, body, {"value": value})


def paged(
    name: str, description: str, operation: str, items: list[Json], cursor: str | None = None
) -> Case:
    return decoded(name, description, operation, *page(items, cursor))


PLACED = (
    order_placed("order-placed-bare", "The documented bare object.", '{"order_id":42069}'),
    order_placed(
        "order-placed-wrapped",
        "The envelope is taken off although the operation documents a bare object.",
        text(wrapped({"order_id": 42069})),
    ),
    order_placed(
        "order-placed-wrapped-short",
        "An envelope without error and code.",
        '{"success":true,"data":{"order_id":42069}}',
    ),
    order_placed(
        "order-placed-white-space",
        "White space around and inside the JSON means nothing.",
        '\r\n { "order_id" :\t42069 } \n',
    ),
    order_placed(
        "order-placed-unknown-fields",
        "Unknown fields are ignored, whatever they hold.",
        '{"order_id":42069,"queue":{"position":[1.5,null]},"orderId":"x"}',
    ),
    order_placed(
        "order-placed-duplicate-key",
        "Of duplicate keys the last one wins.",
        '{"order_id":1,"order_id":42069}',
    ),
    order_placed(
        "order-placed-integer-beyond-double",
        "An id beyond 2^53 is not rounded.",
        '{"order_id":9007199254740993}',
        9007199254740993,
    ),
    order_placed(
        "order-placed-bare-and-wrapped",
        "Both forms in one answer, as clients that read only one of them need.",
        text({"order_id": 42069, **wrapped({"order_id": 42069})}),
    ),
    decoded(
        "order-placed-edit",
        "An edit yields the id of the new order.",
        "orders.edit",
        '{"order_id":42070}',
        {"order_id": 42070},
    ),
)

PAGES = (
    paged(
        "order-page-last",
        "The last page: nullable fields are null, and the optional price is left out.",
        "orders.history",
        [ORDER],
    ),
    paged(
        "order-page-with-price",
        "An order that carries the optional price.",
        "orders.history",
        [{**ORDER, "price": "100000.5"}],
    ),
    paged(
        "order-page-unknown-enum-values",
        "Values that no enum knows survive as they are.",
        "orders.history",
        [{**ORDER, "order_status": "queued", "order_type": "iceberg", "reason": "tick_changed"}],
    ),
    paged(
        "trade-page-more",
        "A page with a cursor, which is text to be passed back unchanged.",
        "trades.history",
        [TRADE, {**TRADE, "history_id": 19329800, "side": "open_short"}],
        cursor="1111Hyd74+/=",
    ),
    paged("trade-page-empty", "No items and no cursor.", "trades.history", []),
    decoded(
        "trade-page-without-cursor-field",
        "The last page may leave next_cursor out.",
        "trades.history",
        text({"success": True, "data": [TRADE], "has_more": False}),
        {"items": [TRADE], "has_more": False},
    ),
    paged(
        "trade-page-exact-decimals",
        "Decimals keep every digit, more than any float holds.",
        "trades.history",
        [{**TRADE, **EXACT}],
    ),
    paged(
        "trade-page-unknown-cause",
        "A cause that no enum knows survives as it is.",
        "trades.history",
        [{**TRADE, "cause": "maintenance"}],
    ),
)

ACKNOWLEDGED = (
    decoded(
        "acknowledged-bare",
        "Success and nothing beyond it.",
        "orders.cancel_stop",
        '{"success":true}',
        None,
    ),
    decoded(
        "acknowledged-wrapped",
        "Success inside the envelope.",
        "vaults.add_max_leverage",
        text(wrapped({"success": True})),
        None,
    ),
    decoded(
        "acknowledged-transfer",
        "A transfer's inner error field is null on success.",
        "subaccounts.transfer",
        text(wrapped({"success": True, "error": None})),
        None,
    ),
    decoded(
        "acknowledged-null-data",
        "Success with null data, where there is nothing to hand over.",
        "orders.cancel_stop",
        text(wrapped(None)),
        None,
    ),
    *(
        decoded(
            f"acknowledged-empty-data-{operation.replace('.', '-').replace('_', '-')}",
            "Success with an empty object for data, where there is nothing to hand over.",
            operation,
            text(wrapped({})),
            None,
        )
        for operation, result in RESULTS.items()
        if result == "acknowledged"
    ),
    decoded(
        "revoked-key",
        "The key that was revoked, as documented.",
        "api_keys.revoke",
        text({"data": {"api_key": "abcdefgh_3vQB7B6MrGQZaxCuFg4oh"}}),
        {"api_key": "abcdefgh_3vQB7B6MrGQZaxCuFg4oh"},
    ),
    decoded(
        "revoked-key-untold",
        "Success, and data that does not hold the key.",
        "api_keys.revoke",
        text(wrapped({})),
        {"api_key": None},
    ),
    decoded(
        "revoked-key-null",
        "Success, and null for data.",
        "api_keys.revoke",
        text(wrapped(None)),
        None,
    ),
)

OTHERS = (
    decoded(
        "subaccounts-two",
        "The list inside the envelope, in the order given.",
        "subaccounts.list",
        text(
            wrapped({"subaccounts": [SUBACCOUNT, {**SUBACCOUNT, "address": COUNTING.address}]}),
        ),
        [SUBACCOUNT, {**SUBACCOUNT, "address": COUNTING.address}],
    ),
    decoded(
        "subaccounts-none",
        "An account without subaccounts.",
        "subaccounts.list",
        text(wrapped({"subaccounts": []})),
        [],
    ),
    decoded(
        "account-settings-full",
        "Settings with both lists filled; error and code in the sample's place.",
        "account.settings",
        text(wrapped(SETTINGS)),
        SETTINGS,
    ),
    decoded(
        "account-settings-lists-absent",
        "A null setting is a value, and either list may be absent.",
        "account.settings",
        '{"success":true,"data":{"auto_lend_disabled":null}}',
        {"auto_lend_disabled": None},
    ),
    decoded(
        "account-settings-empty-data",
        "Nothing differs from the default; the envelope shows that it is an answer.",
        "account.settings",
        '{"success":true,"data":{}}',
        {},
    ),
    decoded(
        "withdrawal-receipt",
        "A withdrawal accepted.",
        "spot.withdraw",
        text({"success": True, "data": RECEIPT}),
        RECEIPT,
    ),
    decoded(
        "batch-results-mixed",
        "One result for each action, in order; a failed action does not fail the batch.",
        "orders.batch",
        '{"success":true,"data":{"results":[{"success":true,"order_id":470506,"error":null},'
        '{"success":false,"error":"Order not found"},{"success":true}]},"error":null,"code":null}',
        [
            {"success": True, "order_id": 470506, "error": None},
            {"success": False, "error": "Order not found"},
            {"success": True},
        ],
    ),
    decoded(
        "batch-results-in-a-failed-batch",
        "Results are told although the envelope calls the whole a failure, because one of them is.",
        "orders.batch",
        '{"success":false,"data":{"results":[{"success":true,"order_id":470507,"error":null},'
        '{"success":false,"error":"Order not found"}]},"error":"1 of 2 failed","code":null}',
        [
            {"success": True, "order_id": 470507, "error": None},
            {"success": False, "error": "Order not found"},
        ],
    ),
    decoded(
        "api-key-created",
        "An envelope that holds data alone.",
        "api_keys.create",
        '{"data":{"api_key":"AbCdEfGh_2VfUX1kcVgDnUyZ7xLqNbP"}}',
        {"api_key": "AbCdEfGh_2VfUX1kcVgDnUyZ7xLqNbP"},
    ),
)

CASES = PLACED + PAGES + ACKNOWLEDGED + OTHERS
