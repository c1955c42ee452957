"""Whatever is sent, correctly signed or not, the answer is a refusal and never a failure."""

from __future__ import annotations

import json
from typing import Any

import pytest
import requests
from hypothesis import given, settings, strategies as st

from tests.interface import ACTIONS, READS, SIGNED, SIGNED_FIELDS
from tests.sandbox.raw import CREATE, RawClient, limit_order
from trading_sandbox import Sandbox
from trading_sandbox.web.dialects.documented import MODELLED

ascii_text = st.text(st.characters(max_codepoint=127), max_size=12)
values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | ascii_text
    | st.sampled_from(
        ["0", "1", "-1", "1e9", "NaN", "9" * 40, "0." + "0" * 25 + "1", "BTC", "IOC"]
    ),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["stop_price", "limit_price"]) | ascii_text, inner)
    ),
    max_leaves=6,
)
orders = st.dictionaries(
    st.sampled_from([*limit_order(), "client_order_id", "order_id", "take_profit", "builder_code"]),
    values,
).map(lambda changes: limit_order(**changes))
everything = st.dictionaries(
    st.sampled_from(sorted({row.name for each in SIGNED.values() for row in each.request})),
    values,
)
signed_fields = st.dictionaries(
    st.sampled_from([row.name for row in SIGNED_FIELDS]), values, max_size=2
)
quickly = settings(max_examples=100)


@pytest.fixture(scope="module")
def user(shared: Sandbox) -> RawClient:
    return RawClient(shared.url, shared.create_account("1000000").export_base58())


def check(response: requests.Response, *others: int) -> None:
    assert response.status_code in (200, 400, *others)
    assert isinstance(response.json(), dict)


@quickly
@given(data=orders, name=st.sampled_from(["orders.create", "orders.edit"]))
def test_signed_nonsense(user: RawClient, data: dict[str, Any], name: str) -> None:
    check(user.call(name, **data))


@quickly
@given(data=everything, name=st.sampled_from(sorted(SIGNED.keys() & MODELLED)))
def test_signed_nonsense_everywhere(user: RawClient, data: dict[str, Any], name: str) -> None:
    check(user.call(name, **data), 401, 403, 409)


@quickly
@given(kind=st.sampled_from(sorted(ACTIONS)), data=orders)
def test_signed_nonsense_in_a_batch(user: RawClient, kind: str, data: dict[str, Any]) -> None:
    check(user.batch(user.action(kind, data)))


@quickly
@given(changes=signed_fields)
def test_nonsense_in_the_fields_of_the_signature(user: RawClient, changes: dict[str, Any]) -> None:
    check(user.post(CREATE, {**user.body("create_order", limit_order()), **changes}))


@quickly
@given(body=st.binary(max_size=60) | values.map(lambda value: json.dumps(value).encode()))
def test_any_body(user: RawClient, body: bytes) -> None:
    headers = {"content-type": "application/json"}
    check(requests.post(user.url + CREATE, data=body, headers=headers, timeout=10))


@quickly
@given(
    name=st.sampled_from(sorted(READS.keys() & MODELLED)),
    query=st.dictionaries(
        st.sampled_from(sorted({row.name for each in READS.values() for row in each.query})),
        st.text(max_size=20) | st.sampled_from(["BTC", "1", "0", "4000", "W10"]),
    ),
)
def test_any_query(user: RawClient, name: str, query: dict[str, str]) -> None:
    check(user.call(name, **{"account": user.address, **query}))
