"""Decode cases that end in an error: refused by the service, or unusable under 200."""

from __future__ import annotations

from tests.spec.vector_cases_base import Case
from tests.spec.vector_cases_decode import decode_case, text, wrapped
from tests.spec.vector_cases_records import ORDER, TRADE

HTML = "<html><body><h1>502 Bad Gateway</h1></body></html>"

# Name, description, operation, body: status 200 and not usable.
UNUSABLE: tuple[tuple[str, str, str, str], ...] = (
    ("unusable-empty", "No body at all.", "orders.create", ""),
    ("unusable-html", "A page of HTML under 200.", "orders.create", HTML),
    ("unusable-html-get", "A page of HTML for a read.", "trades.history", HTML),
    ("unusable-cut-short", "JSON that ends early.", "orders.create", '{"order_id":42'),
    ("unusable-text-behind", "Text after the JSON.", "orders.create", '{"order_id":1}{}'),
    ("unusable-single-quotes", "Not JSON, though close.", "orders.create", "{'order_id':1}"),
    ("unusable-array", "An array for an object.", "orders.create", '[{"order_id":1}]'),
    ("unusable-null", "null for an object.", "orders.create", "null"),
    ("unusable-string", "A string for an object.", "orders.create", '"order_id"'),
    ("unusable-missing-field", "No order_id.", "orders.create", '{"id":1}'),
    (
        "unusable-missing-field-wrapped",
        "No order_id inside the envelope.",
        "orders.create",
        text(wrapped({})),
    ),
    (
        "unusable-missing-field-in-page",
        "One record of a page without its symbol.",
        "trades.history",
        text(
            {
                "success": True,
                "data": [TRADE, {k: v for k, v in TRADE.items() if k != "symbol"}],
                "has_more": False,
            }
        ),
    ),
    ("unusable-null-id", "null is no order_id.", "orders.create", '{"order_id":null}'),
    ("unusable-null-data", "null data for a placed order.", "orders.create", text(wrapped(None))),
    (
        "unusable-null-field-in-page",
        "null where an order's amount must stand.",
        "orders.history",
        text({"success": True, "data": [{**ORDER, "amount": None}], "has_more": False}),
    ),
    ("unusable-text-id", "A string for an integer.", "orders.create", '{"order_id":"1"}'),
    ("unusable-boolean-id", "A boolean for an integer.", "orders.create", '{"order_id":true}'),
    ("unusable-fractional-id", "A fraction for an integer.", "orders.create", '{"order_id":1.5}'),
    (
        "unusable-text-for-boolean",
        "A string for a boolean.",
        "orders.history",
        text({"success": True, "data": [{**ORDER, "reduce_only": "false"}], "has_more": False}),
    ),
    (
        "unusable-page-object",
        "A page whose data is an object.",
        "trades.history",
        text({"success": True, "data": {"items": [TRADE]}, "has_more": False}),
    ),
    (
        "unusable-page-without-data",
        "A page without data.",
        "trades.history",
        '{"success":true,"has_more":false}',
    ),
    (
        "unusable-batch-without-results",
        "A batch answer without its results.",
        "orders.batch",
        text(wrapped({})),
    ),
    (
        "unusable-acknowledged-empty-object",
        "An empty object says neither success nor failure.",
        "orders.cancel_stop",
        "{}",
    ),
    (
        "unusable-acknowledged-other-data",
        "Success with data that nobody expects, where there is nothing to hand over.",
        "orders.cancel_stop",
        '{"success":true,"data":{"order_id":5}}',
    ),
    (
        "unusable-acknowledged-data-alone",
        "An empty data without success says neither.",
        "orders.cancel_stop",
        '{"data":{}}',
    ),
    ("unusable-revoked-lone-null", "It says nothing of success.", "api_keys.revoke", "null"),
    ("unusable-revoked-empty-object", "It says nothing of a key.", "api_keys.revoke", "{}"),
    (
        "unusable-settings-older",
        "An older form of the settings, a list, is not taken for empty settings.",
        "account.settings",
        text(wrapped([{"symbol": "BTC", "isolated": True, "leverage": 5}])),
    ),
    (
        "unusable-acknowledged-error-inside",
        "An error inside a success contradicts it, so nobody can say what happened.",
        "subaccounts.transfer",
        '{"success":true,"data":{"error":"Insufficient balance"},"error":null,"code":null}',
    ),
    (
        "unusable-error-beside-success",
        "An error beside a success contradicts it.",
        "account.update_spot_settings",
        '{"success":true,"error":"Insufficient balance","code":5}',
    ),
    (
        "unusable-failure-with-result",
        "A failure of a POST that holds a whole result contradicts itself.",
        "orders.create",
        '{"success":false,"data":{"order_id":7},"error":"no","code":400}',
    ),
    (
        "unusable-failure-with-results-in-data",
        "A failure of the whole around a success of one action.",
        "orders.batch",
        '{"success":false,"error":"partial",'
        '"data":[{"success":true,"order_id":9},{"success":false,"error":"x"}]}',
    ),
    (
        "unusable-failure-with-ids",
        "A failure that names orders, in the plural.",
        "orders.create",
        '{"success":false,"error":"late","order_ids":[9]}',
    ),
    (
        "unusable-failure-with-state",
        "Only the words of a 2xx refuse it, and a state may say that it was taken.",
        "orders.cancel_stop",
        '{"success":false,"error":"late","status":"queued"}',
    ),
    (
        "unusable-batch-failed-and-all-succeeded",
        "The whole is called a failure, and each action succeeded.",
        "orders.batch",
        '{"success":false,"error":"x","results":[{"success":true,"order_id":9}]}',
    ),
    (
        "unusable-batch-error-beside-results",
        "An error of the whole, which does not say that it failed.",
        "orders.batch",
        '{"error":"x","results":[{"success":true,"order_id":9},{"success":false,"error":"y"}]}',
    ),
    (
        "unusable-batch-failed-action-with-success",
        "An action that failed says success inside.",
        "orders.batch",
        '{"success":true,"data":{"results":'
        '[{"success":false,"error":"x","data":{"success":true,"order_id":9}}]}}',
    ),
    (
        "unusable-two-order-ids",
        "Both forms in one answer, with different ids.",
        "orders.create",
        '{"order_id":102,"data":{"order_id":103}}',
    ),
    (
        "unusable-settings-bare-empty",
        "An object with neither an envelope nor a field of the settings.",
        "account.settings",
        "{}",
    ),
    (
        "unusable-settings-bare-unknown",
        "An answer of somebody else.",
        "account.settings",
        '{"message":"ok"}',
    ),
    (
        "unusable-success-null",
        "A success that is null is neither true nor false.",
        "orders.create",
        '{"success":null,"data":{"order_id":5},"error":null,"code":null}',
    ),
    ("unusable-acknowledged-html", "HTML is no success.", "orders.cancel_stop", HTML),
    ("unusable-nan", "NaN is not JSON.", "orders.create", '{"order_id":NaN}'),
    (
        "unusable-nan-in-unknown-field",
        "NaN makes the whole body unusable, also in a field that would be ignored.",
        "orders.create",
        '{"order_id":1,"queue":NaN}',
    ),
    ("unusable-infinity", "Infinity is not JSON.", "orders.create", '{"order_id":Infinity}'),
    (
        "unusable-infinity-negative",
        "-Infinity is not JSON.",
        "orders.create",
        '{"order_id":-Infinity}',
    ),
)

# Name, description, operation, status, body, code, message.
REFUSALS: tuple[tuple[str, str, str, int, str, int | str | None, str | None], ...] = (
    (
        "refused-under-200",
        "success false is an error, whatever the status says.",
        "orders.cancel_stop",
        200,
        '{"success":false,"error":"Stop order not found","code":404}',
        404,
        "Stop order not found",
    ),
    (
        "refused-under-200-wrapped",
        "success false in the whole envelope, for an operation that documents a bare object.",
        "orders.create",
        200,
        '{"success":false,"data":null,"error":"Insufficient balance","code":5}',
        5,
        "Insufficient balance",
    ),
    (
        "refused-under-200-superset",
        "Both forms of a refusal in one answer: the field of the result is null.",
        "orders.create",
        200,
        '{"order_id":null,"success":false,"data":null,"error":"Invalid price","code":400}',
        400,
        "Invalid price",
    ),
    (
        "refused-under-200-gateway-code",
        "The code is a status of a gateway that gave up: the outcome is unknown.",
        "orders.create",
        200,
        '{"success":false,"data":null,"error":"gateway timeout","code":504}',
        504,
        "gateway timeout",
    ),
    (
        "refused-under-200-page",
        "success false for a read.",
        "trades.history",
        200,
        '{"success":false,"data":null,"error":"Invalid cursor","code":null}',
        None,
        "Invalid cursor",
    ),
    (
        "refused-inside-data",
        "success false inside data, in an envelope that says success.",
        "vaults.add_max_leverage",
        200,
        text(wrapped({"success": False})),
        None,
        None,
    ),
    (
        "refused-inside-data-with-error",
        "The inner error text is the one to report.",
        "subaccounts.transfer",
        200,
        text(wrapped({"success": False, "error": "Insufficient balance"})),
        None,
        "Insufficient balance",
    ),
    (
        "refused-400-error-and-code",
        "The shape of the order endpoints.",
        "orders.create",
        400,
        '{"error":"Invalid price","code":400}',
        400,
        "Invalid price",
    ),
    (
        "refused-400-text-code",
        "A code that is a text is handed over as received.",
        "orders.create",
        400,
        '{"error":"Invalid price","code":"E_PRICE"}',
        "E_PRICE",
        "Invalid price",
    ),
    (
        "refused-400-edit",
        "The shape of edit order.",
        "orders.edit",
        400,
        '{"success":false,"error":"Order not found","code":400}',
        400,
        "Order not found",
    ),
    (
        "refused-400-transfer",
        "A code that is not the status.",
        "subaccounts.transfer",
        400,
        '{"success":false,"data":null,"error":"Insufficient balance: 0","code":5}',
        5,
        "Insufficient balance: 0",
    ),
    (
        "refused-401-null-code",
        "The whole envelope with a null code.",
        "subaccounts.list",
        401,
        '{"success":false,"data":null,"error":"Verification failed","code":null}',
        None,
        "Verification failed",
    ),
    (
        "refused-400-html",
        "HTML under 400 is still the service's refusal, and no decode error.",
        "orders.create",
        400,
        HTML,
        None,
        None,
    ),
    ("refused-403-empty", "No body at all.", "vaults.add_max_leverage", 403, "", None, None),
    (
        "refused-404-array",
        "JSON of a shape nobody expects.",
        "account.settings",
        404,
        '["not","found"]',
        None,
        None,
    ),
    (
        "refused-409-withdrawal",
        "A duplicate idempotency key.",
        "spot.withdraw",
        409,
        '{"error":"Duplicate idempotency key","code":409}',
        409,
        "Duplicate idempotency key",
    ),
    (
        "refused-422-non-ascii-message",
        "The service's words are kept, also outside ASCII.",
        "orders.create",
        422,
        '{"error":"Ordre refus\\u00e9: \u20ac","code":7}',
        7,
        "Ordre refus\u00e9: \u20ac",
    ),
    (
        "refused-429",
        "Too many requests.",
        "trades.history",
        429,
        '{"error":"Rate limit exceeded","code":429}',
        429,
        "Rate limit exceeded",
    ),
    (
        "refused-500-html-get",
        "A read answered with 500.",
        "account.settings",
        500,
        HTML,
        None,
        None,
    ),
    (
        "refused-503-post",
        "A state-changing call answered with 503: the outcome is unknown.",
        "account.update_spot_settings",
        503,
        '{"error":"Service unavailable","code":503}',
        503,
        "Service unavailable",
    ),
)


def unusable_case(name: str, description: str, operation: str, body: str) -> Case:
    expect: Case = {"error": "decode", "status": 200}
    return decode_case(name, description, operation, 200, body, expect)


def refusal_case(
    name: str,
    description: str,
    operation: str,
    status: int,
    body: str,
    code: int | str | None,
    message: str | None,
) -> Case:
    expect: Case = {"error": "api", "status": status, "code": code, "message": message}
    return decode_case(name, description, operation, status, body, expect)


CASES = (
    *(unusable_case(*row) for row in UNUSABLE),
    *(refusal_case(*row) for row in REFUSALS),
)
