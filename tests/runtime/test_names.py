"""Names that are not there: the nearest one is named, in any case, and no value is shown."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from attrs import evolve

from tests.doubles.orders import order
from trading_runtime import BaseClient, Group, RequestError
from trading_runtime.checks import did_you_mean, nearest, refuse_unknown
from trading_runtime.http.urls import check_base_url
from trading_sdk import Client, CreateOrder, Keypair, Retry, to_dict
from trading_sdk.groups.orders import Orders

URL = "http://127.0.0.1:8787"
SECRET = "5KaWUF2sVb8TnUSJ9i4YsZkCwEXpRq7hLmDgNo3vBtQyPe1fHjAxWzMrUc6GdS2k"


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("BID", "bid"),
        ("bidd", "bid"),
        ("zzz", None),
        ("", None),
        (7, None),
        ("time_out", "timeout"),
    ],
)
def test_a_name_is_near_if_most_of_its_letters_are_there(name: object, found: str | None) -> None:
    known = ["bid", "ask", "timeout"]
    assert nearest(name, known) == found
    assert did_you_mean(name, known) == (f"; did you mean {found!r}?" if found else "")


def test_an_option_that_there_is_not_is_named_without_its_value() -> None:
    with pytest.raises(TypeError) as far:
        refuse_unknown("Thing", {"zzz": SECRET}, ["size", "age"], {"weight": "size=..."})
    with pytest.raises(TypeError) as meant:
        refuse_unknown("Thing", {"weight": SECRET}, ["size", "age"], {"weight": "size=..."})
    assert str(far.value) == "Thing has no option 'zzz'; it has size, age"
    assert str(meant.value) == "Thing has no option 'weight'; write size=..."


@pytest.mark.parametrize(
    ("option", "words"),
    [
        ("verify", "write transport=RequestsTransport(ca_file=...)"),
        ("private_key", "write signer=Keypair.from_base58(...)"),
        ("time_out", "did you mean 'timeout'?"),
        ("zzz", "it has signer, account, api_key, expiry_window, timeout, retry, clock, journal"),
    ],
)
def test_a_client_names_the_option_that_was_meant(option: str, words: str) -> None:
    wrong: Any = {option: SECRET}
    for make in (partial(Client, URL), partial(Client.from_env, {"TRADING_BASE_URL": URL})):
        with pytest.raises(TypeError) as caught:
            make(**wrong)
        assert str(caught.value).startswith(f"Client has no option {option!r}; {words}")
        assert SECRET not in str(caught.value)


@pytest.mark.parametrize(
    ("option", "words"),
    [
        ("attempts", "; did you mean 'max_attempts'?"),
        ("max_retries", "; write max_attempts=..., which counts the first one, too"),
        ("zzz", "; it has max_attempts, base_delay, max_delay, max_retry_after, quota"),
    ],
)
def test_a_retry_names_the_option_that_was_meant(option: str, words: str) -> None:
    wrong: Any = {option: 3}
    with pytest.raises(TypeError) as caught:
        Retry(**wrong)
    assert str(caught.value) == f"Retry has no option {option!r}{words}"
    assert evolve(Retry(max_attempts=2), quota=1) == Retry(max_attempts=2, quota=1)


def test_with_options_names_its_own_options() -> None:
    wrong: Any = {"zzz": 1}
    with Client(URL) as client, pytest.raises(TypeError) as caught:
        client.with_options(**wrong)
    assert str(caught.value).endswith("it has timeout, expiry_window, retry, api_key")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("order", "'Client' object has no attribute 'order'; did you mean 'orders'?"),
        ("create_order", "… did you mean 'orders.create'?"),
        ("orders_create", "… did you mean 'orders.create'?"),
        ("subaccount_transfer", "… did you mean 'subaccounts.transfer'?"),
        ("zzz", "… it has account, account_address, acknowledge, api, "),
        ("_zzz", "'Client' object has no attribute '_zzz'"),
    ],
)
def test_a_client_names_the_group_or_method_that_was_meant(name: str, words: str) -> None:
    with Client(URL) as client, pytest.raises(AttributeError) as caught:
        getattr(client, name)
    begin, _, end = words.partition("… ")
    assert str(caught.value).startswith(begin) and end in str(caught.value)
    assert not hasattr(client, name)


def test_a_client_of_no_api_and_a_group_of_none_have_no_such_name_either() -> None:
    class Bare(BaseClient):
        pass

    for owner in (Bare.__new__(Bare), Group.__new__(Group), Orders.__new__(Orders)):
        assert not hasattr(owner, "zzz")
        assert not hasattr(owner, "_caller")


def test_a_group_names_the_method_that_was_meant() -> None:
    with Client(URL) as client, pytest.raises(AttributeError) as caught:
        _ = client.orders.creat  # type: ignore[attr-defined]
    assert str(caught.value) == ("'Orders' object has no attribute 'creat'; did you mean 'create'?")
    with pytest.raises(TypeError, match="a group belongs to a client"):
        client.orders.__reduce__()


@pytest.mark.parametrize(
    ("text", "scheme"),
    [
        ("127.0.0.1:8787", "http"),
        ("localhost", "http"),
        ("exchange.example:443", "https"),
        ("exchange.example:https", None),
        (SECRET, None),
        ("user:password", None),
        ("", None),
    ],
)
def test_a_host_alone_is_told_its_scheme_and_nothing_is_repeated(
    text: str, scheme: str | None
) -> None:
    with pytest.raises(RequestError) as caught:
        check_base_url(text)
    assert (f"write {scheme}:// before it;" in str(caught.value)) == (scheme is not None)
    assert ":8787" not in str(caught.value) and "exchange.example" not in str(caught.value)
    assert SECRET not in str(caught.value) and "password" not in str(caught.value)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"tif": None}, "'tif' is missing; a CreateOrder needs it: one of 'GTC', 'IOC', 'ALO'"),
        ({"price": None}, "'price' is missing; a CreateOrder needs it"),
        ({"symbl": "BTC"}, "builder_code; did you mean 'symbol'?"),
        ({"zzz": "BTC"}, "builder_code"),
        ({"tif": "gtc"}, "'TOB'; did you mean 'GTC'?"),
        ({"tif": "FOK"}, "'TOB'"),
        ({"side": 7}, "CreateOrder.side: 7 is not one of 'bid', 'ask'"),
    ],
)
def test_a_mapping_is_told_which_key_and_which_values(changes: dict[str, Any], words: str) -> None:
    given = {name: value for name, value in order(**changes).items() if value is not None}
    with Client(URL, signer=Keypair.generate()) as client, pytest.raises(RequestError) as caught:
        client.explain("orders.create", **given)
    assert words in str(caught.value)
    missing = changes == {"price": None} or "zzz" in changes or changes.get("tif") == "FOK"
    assert not missing or str(caught.value).endswith(words)


def test_an_operation_and_an_action_that_there_are_not() -> None:
    wrong: Any = {"type": "cancel", "data": {}}
    with Client(URL, signer=Keypair.generate()) as client:
        with pytest.raises(RequestError, match=r"did you mean 'orders\.create'\?$"):
            client.explain("orders.creat")
        with pytest.raises(RequestError, match=r"did you mean 'Cancel'\?$"):
            client.orders.batch([wrong])
        with pytest.raises(RequestError, match=r"did you mean 'orders\.cancel'\?$"):
            Client(URL, signing_types={"orders.cancl": "cancel"})


def test_a_list_that_was_not_fetched_is_neither_true_nor_false() -> None:
    with Client(URL, account=Keypair.generate().address) as client:
        orders = client.orders.history()
    with pytest.raises(TypeError, match=r"look at first\(\) or to_list\(\)"):
        bool(orders)


def test_an_order_as_a_mapping_is_still_an_order() -> None:
    assert to_dict(CreateOrder(**order(client_order_id=None)))["tif"] == "ALO"


def test_an_argument_a_key_and_a_cursor_that_there_are_not_are_told_what_was_meant() -> None:
    wrong: Any = {"symbol": "BTC"}
    nothing: Any = {"cursor": None}
    model: Any = CreateOrder(**order())
    with Client(URL, account=Keypair.generate().address) as client:
        with pytest.raises(TypeError, match=r"'symbol'; it has account, .*; filter the records"):
            client.orders.history(**wrong)
        with pytest.raises(TypeError, match="the list was read to its end"):
            client.orders.history(**nothing)
    with pytest.raises(TypeError, match=r"attributes, not keys: write \.side; to_dict"):
        model["side"]
    with pytest.raises(TypeError, match="attributes, not keys: it has symbol, "):
        model["zzz"]


def test_a_value_with_quotes_of_the_environment_is_refused_without_it() -> None:
    with pytest.raises(RequestError) as caught:
        Client.from_env({"TRADING_BASE_URL": URL, "TRADING_PRIVATE_KEY": f'"{SECRET}"'})
    assert "TRADING_PRIVATE_KEY has quotes around its value" in str(caught.value)
    assert SECRET not in str(caught.value)
