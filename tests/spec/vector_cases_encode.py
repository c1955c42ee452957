"""Encode cases that end in a request: every operation, ids, decimals, queries, agents, headers.

The expected bodies are written by hand from what the interface document shows, and signed by `solders`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tests.interface import API_KEY_HEADER, METHODS, Operation, samples
from tests.spec.vector_cases_base import (
    COUNTING,
    RFC_1,
    RFC_2,
    TIMESTAMP,
    WINDOW,
    Case,
    Json,
    Key,
    canonical_text,
    flat_body,
)
from trading_sandbox.web.dialects.documented import MODELLED

HERE = "http://127.0.0.1:9"
ID = samples.ID_A
OWNER = COUNTING
JSON_BODY = {"Content-Type": "application/json"}
LIMIT: dict[str, Any] = dict(samples.LIMIT)
"""A limit order, as it is given and as it is sent, but for its id."""


def client(key: Key | None = OWNER, **options: Any) -> dict[str, Any]:
    """The options of a client."""
    signer = {} if key is None else {"private_key": key.text}
    return {"base_url": HERE, **signer, **options}


def given(operation: str, arguments: Json, **more: Any) -> dict[str, Any]:
    """The command of a call."""
    return {
        "client": more.pop("client", client()),
        "now": TIMESTAMP,
        "ids": more.pop("ids", [ID]),
        "operation": operation,
        "arguments": arguments,
        **more,
    }


def signed_data(
    operation: Operation,
    data: Mapping[str, Any],
    *,
    key: Key = OWNER,
    account: str | None = None,
    window: int = WINDOW,
    now: int = TIMESTAMP,
    signing_type: str | None = None,
) -> Case:
    """Own fields with what the body carries beside them."""
    type_ = signing_type or operation.signing_type or ""
    canonical = canonical_text(type_, data, now, window)
    agent = None if account is None else key.address
    return flat_body(key, account or key.address, agent, canonical, (now, window), data)


def request_of(name: str, data: Mapping[str, Any], **how: Any) -> dict[str, Any]:
    """The request that an operation makes with these own fields, or these parameters."""
    operation = METHODS[name]
    if operation.verb == "GET":
        own = {"account": how.get("account") or OWNER.address}
        owned = own if any(row.name == "account" for row in operation.query) else {}
        query = [[name, str(value)] for name, value in {**owned, **data}.items()]
        return {"method": "GET", "path": operation.path, "query": query, "body": None}
    body: Case = signed_data(operation, data, **how)
    if not operation.endpoint:
        body = {"actions": [{"type": operation.action, "data": body}]}
    return {"method": "POST", "path": operation.path, "headers": JSON_BODY, "body": body}


def encode_case(
    name: str, rule: str, description: str, call: Mapping[str, Any], request: Mapping[str, Any]
) -> Case:
    """A call that makes a request."""
    expect = {"result": dict(request)}
    head = {"name": name, "kind": "encode", "description": description, "rule": rule}
    return {**head, "given": dict(call), "expect": expect}


def order_case(
    name: str, rule: str, description: str, more: Mapping[str, Any], sent: Mapping[str, Any]
) -> Case:
    """A limit order with these arguments beside the usual ones, and what of it is sent."""
    arguments = {**LIMIT, **more}
    request = request_of("orders.create", sent)
    return encode_case(name, rule, description, given("orders.create", arguments), request)


WITH_ID = {**LIMIT, "client_order_id": ID}

# -- every operation -------------------------------------------------------------------------------


def every_operation() -> list[Case]:
    """Every operation and action, with the fewest fields and with the most."""
    cases = []
    # An operation that the sandbox does not know has no case yet: nothing could be said of its result.
    known = (each for each in METHODS.values() if each.sent_as in MODELLED)
    for operation in known:
        if operation.name == "orders.batch":
            continue
        for label, fields in operation.samples.items():
            sent = _with_id(operation, fields)
            how = {"account": fields["account"]} if "account" in fields else {}
            plain = {name: each for name, each in sent.items() if name != "account"}
            request = request_of(operation.name, plain if how else sent, **how)
            name = f"{operation.name}-{label}".replace(".", "-").replace("_", "-").replace(" ", "-")
            words = f"{operation.name} with the sample '{label}'."
            call = given(operation.name, dict(fields))
            cases.append(encode_case(name.lower(), "encode-operation", words, call, request))
    return cases


def _with_id(operation: Operation, fields: Mapping[str, Any]) -> dict[str, Any]:
    if operation.key is None:
        return dict(fields)
    outer, _, inner = operation.key.partition(".")
    if inner:
        return {**fields, outer: {inner: ID, **fields[outer]}}
    return {outer: ID, **fields}


# -- ids -------------------------------------------------------------------------------------------

_STOP = {**samples.ORDER, "stop_order": {"stop_price": "90000"}}
_UPPER = ID.upper()
IDS = (
    order_case(
        "id-unset",
        "encode-minted-id",
        "An id that is not given is made, also where the SDK's word for not given is given.",
        {"client_order_id": {"$unset": True}},
        WITH_ID,
    ),
    order_case(
        "id-null",
        "encode-no-id",
        "null asks for no id: none is made, and none is sent.",
        {"client_order_id": None},
        LIMIT,
    ),
    order_case(
        "id-given",
        "encode-given-id",
        "An id that is given is sent, and none is made.",
        {"client_order_id": samples.ID_C},
        {**LIMIT, "client_order_id": samples.ID_C},
    ),
    order_case(
        "id-upper-case",
        "encode-uuid",
        "A UUID is sent in small letters, however it was given.",
        {"client_order_id": _UPPER},
        WITH_ID,
    ),
    encode_case(
        "id-nested-null",
        "encode-no-id",
        "null asks for no id inside of a nested object, too.",
        given(
            "orders.create_stop",
            {**_STOP, "stop_order": {"stop_price": "90000", "client_order_id": None}},
        ),
        request_of("orders.create_stop", _STOP),
    ),
    encode_case(
        "id-only-where-it-is-made",
        "encode-minted-id",
        "Legs of an order have no id of their own unless it is given.",
        given("orders.create", {**LIMIT, "take_profit": {"stop_price": "120000"}}),
        request_of("orders.create", {**WITH_ID, "take_profit": {"stop_price": "120000"}}),
    ),
    encode_case(
        "ids-in-a-batch",
        "encode-minted-id",
        "Each action of a batch has an id of its own, in their order.",
        given(
            "orders.batch",
            {
                "actions": [
                    {"type": "Create", "arguments": LIMIT},
                    {"type": "CreateMarket", "arguments": dict(samples.MARKET)},
                ]
            },
            ids=[samples.ID_B, samples.ID_C],
        ),
        {
            "method": "POST",
            "path": METHODS["orders.batch"].path,
            "headers": JSON_BODY,
            "body": {
                "actions": [
                    {
                        "type": "Create",
                        "data": signed_data(
                            METHODS["orders.create"], {**LIMIT, "client_order_id": samples.ID_B}
                        ),
                    },
                    {
                        "type": "CreateMarket",
                        "data": signed_data(
                            METHODS["orders.create_market"],
                            {**samples.MARKET, "client_order_id": samples.ID_C},
                        ),
                    },
                ]
            },
        },
    ),
)

# -- what is sent ----------------------------------------------------------------------------------


def _amount(name: str, rule: str, description: str, value: Any, text: str) -> Case:
    sent = {**WITH_ID, "amount": text}
    return order_case(f"amount-{name}", rule, description, {"amount": value}, sent)


_TEXT, _DIGITS = "encode-decimal-text", "encode-decimal-digits"
DECIMALS = (
    _amount("zeros-kept", _TEXT, "A text keeps its digits.", "1.500", "1.500"),
    _amount("minus-zero", _TEXT, "-0 is a plain decimal, sent as given.", "-0", "-0"),
    _amount("negative", _TEXT, "A sign is sent as given.", "-0.5", "-0.5"),
    _amount("small", _TEXT, "A small text.", "0.00000001", "0.00000001"),
    _amount(
        "typed", _TEXT, "A decimal of the language keeps its zeros.", {"$decimal": "1.50"}, "1.50"
    ),
    _amount(
        "typed-small",
        _TEXT,
        "A decimal of the language is written plainly, never with an exponent.",
        {"$decimal": "0.00000001"},
        "0.00000001",
    ),
    _amount("integer", _TEXT, "An integer.", 5, "5"),
    _amount("integer-beyond-double", _TEXT, "An integer beyond 2^53.", 2**53 + 1, str(2**53 + 1)),
    _amount("100-characters", _DIGITS, "A text of a hundred characters.", "9" * 100, "9" * 100),
    _amount(
        "many-digits",
        _DIGITS,
        "More digits than any double has.",
        "123456789012345678901234567890.50",
        "123456789012345678901234567890.50",
    ),
)

NULLS = (
    order_case(
        "null-is-omitted",
        "encode-null-omitted",
        "null for an argument that is not nullable means: not given.",
        {"builder_code": None, "take_profit": None, "stop_loss": None},
        WITH_ID,
    ),
    encode_case(
        "null-is-sent",
        "encode-null-sent",
        "Where null has a meaning it is sent.",
        given("account.set_auto_lend_disabled", {"disabled": None}),
        request_of("account.set_auto_lend_disabled", {"disabled": None}),
    ),
    encode_case(
        "unset-is-not-sent",
        "encode-null-sent",
        "Where null has a meaning, the SDK's word for not given sends nothing.",
        given("account.set_auto_lend_disabled", {"disabled": {"$unset": True}}),
        request_of("account.set_auto_lend_disabled", {}),
    ),
    encode_case(
        "default-not-sent",
        "encode-default",
        "A default of the service is its own: a limit that is not given is not sent.",
        given("funding.history", {"symbol": "BTC"}),
        request_of("funding.history", {"symbol": "BTC"}),
    ),
    order_case(
        "default-nested-not-sent",
        "encode-default",
        "The default of trigger_price_type is not sent.",
        {"stop_loss": {"stop_price": "1"}},
        {**WITH_ID, "stop_loss": {"stop_price": "1"}},
    ),
    encode_case(
        "at-least-one-of-both",
        "encode-at-least-one",
        "Where at least one id is needed, both may be given.",
        given("orders.cancel_stop", {**samples.BY_ID, **samples.BY_CLIENT_ID}),
        request_of("orders.cancel_stop", {**samples.BY_ID, **samples.BY_CLIENT_ID}),
    ),
    order_case(
        "pattern-shortest",
        "encode-pattern",
        "Three characters are the fewest of a builder code.",
        {"builder_code": "aB3"},
        {**WITH_ID, "builder_code": "aB3"},
    ),
)

NUMBERS = tuple(
    encode_case(
        f"order-id-{name}",
        rule,
        description,
        given("orders.cancel", {"symbol": "BTC", "order_id": value}),
        request_of("orders.cancel", {"symbol": "BTC", "order_id": value}),
    )
    for name, rule, value, description in (
        ("largest", "encode-int64", 2**63 - 1, "The largest integer of 64 bits is sent exactly."),
        ("least", "encode-minimum", 1, "1 is the least order id."),
    )
)

# -- queries ---------------------------------------------------------------------------------------


def _query(name: str, description: str, symbol: str) -> Case:
    return encode_case(
        f"query-{name}",
        "encode-query",
        description,
        given("trades.history", {"symbol": symbol}),
        request_of("trades.history", {"symbol": symbol}),
    )


_TIMES = {"start_time": TIMESTAMP, "end_time": TIMESTAMP + 1}
QUERIES = (
    _query("separators", "What separates parameters is escaped.", "a&b=c;d#e?f"),
    _query("space-and-plus", "A space and a plus are told apart.", "a b+c"),
    _query("percent", "A percent sign is escaped, and escaped text is not unescaped.", "100%25"),
    _query("slashes", "Slashes, colons and quotes.", "//a:b@c/\"d'"),
    _query(
        "non-ascii", "Text outside ASCII is UTF-8, in percent signs.", "caf\u00e9 \u20ac \U0001f680"
    ),
    _query("control", "Control characters are escaped.", "a\r\nb\x00c"),
    _query("dots", "Dots are text.", "../.."),
    encode_case(
        "query-cursor",
        "encode-cursor",
        "A cursor is passed back unchanged.",
        given("orders.history", {"cursor": "a+b/c=d &e"}),
        request_of("orders.history", {"cursor": "a+b/c=d &e"}),
    ),
    encode_case(
        "query-times",
        "encode-times",
        "Times are sent in ms.",
        given("trades.history", _TIMES),
        request_of("trades.history", _TIMES),
    ),
    {
        **encode_case(
            "query-times-typed",
            "encode-times",
            "An instant of the language is sent in ms.",
            given("trades.history", {"start_time": {"$time": str(TIMESTAMP)}}),
            request_of("trades.history", {"start_time": TIMESTAMP}),
        ),
        "features": ["times"],
    },
    encode_case(
        "query-times-largest",
        "encode-times",
        "The largest ones that may be ms.",
        given("trades.history", {"end_time": 10**14 - 1}),
        request_of("trades.history", {"end_time": 10**14 - 1}),
    ),
    encode_case(
        "query-limit-largest",
        "encode-maximum",
        "The largest page that is documented.",
        given("funding.history", {"symbol": "BTC", "limit": 4000}),
        request_of("funding.history", {"symbol": "BTC", "limit": 4000}),
    ),
)

# -- accounts, agents, keys ------------------------------------------------------------------------

_AGENT = client(RFC_1, account=OWNER.address)
_BUDGET = "0123456789abcdefApiKey"
_SET = {"disabled": True}
CLIENTS = (
    encode_case(
        "agent",
        "encode-agent",
        "An account other than the signer's makes the signer an agent wallet.",
        given("account.set_auto_lend_disabled", _SET, client=_AGENT),
        request_of("account.set_auto_lend_disabled", _SET, key=RFC_1, account=OWNER.address),
    ),
    encode_case(
        "agent-own-account",
        "encode-agent",
        "The signer's own address as account makes no agent.",
        given("account.set_auto_lend_disabled", _SET, client=client(account=OWNER.address)),
        request_of("account.set_auto_lend_disabled", _SET),
    ),
    encode_case(
        "agent-reads",
        "encode-account",
        "What an agent reads is the account's.",
        given("orders.history", {}, client=_AGENT),
        request_of("orders.history", {}),
    ),
    encode_case(
        "account-without-signer",
        "encode-account",
        "A client without a signer reads for its account.",
        given("account.settings", {}, client=client(None, account=RFC_2.address)),
        request_of("account.settings", {}, account=RFC_2.address),
    ),
    encode_case(
        "account-given",
        "encode-account",
        "An account that is given is read instead of the client's.",
        given("account.settings", {"account": RFC_2.address}),
        request_of("account.settings", {}, account=RFC_2.address),
    ),
    encode_case(
        "api-key-header",
        "encode-api-key",
        "The API key stands in its header, and nowhere else.",
        given("account.settings", {}, client=client(api_key=_BUDGET)),
        {**request_of("account.settings", {}), "headers": {API_KEY_HEADER: _BUDGET}},
    ),
    encode_case(
        "api-key-header-signed",
        "encode-api-key",
        "The API key stands in its header of a signed request, too.",
        given("account.set_auto_lend_disabled", _SET, client=client(api_key=_BUDGET)),
        {
            **request_of("account.set_auto_lend_disabled", _SET),
            "headers": {**JSON_BODY, API_KEY_HEADER: _BUDGET},
        },
    ),
    encode_case(
        "api-key-absent",
        "encode-api-key",
        "Without an API key there is no such header.",
        given("account.settings", {}),
        {**request_of("account.settings", {}), "without": [API_KEY_HEADER]},
    ),
    encode_case(
        "window",
        "encode-window",
        "The expiry window of the client is signed and sent.",
        given("account.set_auto_lend_disabled", _SET, client=client(expiry_window=100)),
        request_of("account.set_auto_lend_disabled", _SET, window=100),
    ),
    encode_case(
        "signing-type-replaced",
        "encode-signing-type",
        "A signing type that is not documented can be replaced.",
        given(
            "subaccounts.transfer",
            {"to_account": samples.OTHER, "amount": "1"},
            client=client(signing_types={"subaccounts.transfer": "subaccount_transfer"}),
        ),
        request_of(
            "subaccounts.transfer",
            {"to_account": samples.OTHER, "amount": "1"},
            signing_type="subaccount_transfer",
        ),
    ),
    encode_case(
        "base-url-with-path",
        "encode-base-url",
        "A base URL may have a path, with or without a slash at its end.",
        given("account.settings", {}, client=client(base_url=f"{HERE}/proxy/")),
        {
            **request_of("account.settings", {}),
            "path": f"/proxy{METHODS['account.settings'].path}",
        },
    ),
)

CASES: tuple[Case, ...] = (
    *every_operation(),
    *IDS,
    *DECIMALS,
    *NULLS,
    *NUMBERS,
    *QUERIES,
    *CLIENTS,
)
