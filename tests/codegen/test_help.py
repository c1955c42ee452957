"""What a user reads in `help()` and in an editor."""

from __future__ import annotations

import inspect
import pydoc
import re
from collections.abc import Sequence
from operator import attrgetter
from typing import Any

import attrs
import pytest

import trading_sdk
from tests.interface import ENUMS
from trading_sdk import Client, Keypair, NotSentError, RequestError, Retry
from trading_sdk.operations import API

MODELS = [model for name in trading_sdk.__all__ if attrs.has(model := getattr(trading_sdk, name))]
OURS = [model for model in MODELS if model.__module__ == "trading_sdk.models"]
GROUPS = sorted({name.partition(".")[0] for name in [*API.operations, *API.actions]})


def shown(thing: Any) -> str:
    """What `help()` prints of a thing."""
    return pydoc.plain(pydoc.render_doc(thing))


def section(thing: Any, title: str) -> dict[str, str]:
    """The names that a section of a docstring describes, each with its description."""
    body = (inspect.getdoc(thing) or "").partition(f"{title}:\n")[2].partition("\n\n")[0]
    items = re.sub(r"\n {8,}", " ", body).splitlines()
    pairs = [item.strip().partition(": ") for item in items]
    return {name: text for name, _, text in pairs}


def test_help_of_the_client_and_of_the_retry_policy_describes_every_argument() -> None:
    # `unknown` takes what is no argument, to name the one that was meant.
    *parameters, unknown = inspect.signature(Client).parameters

    assert list(section(Client, "Args")) == parameters
    assert unknown == "unknown"
    assert "base_url: Where the service is." in shown(Client)
    assert list(section(Retry, "Args")) == [each.name for each in attrs.fields(Retry)]
    assert "1 repeats nothing" in shown(Retry)


def test_help_of_the_client_describes_the_errors_of_every_call() -> None:
    errors = section(Client, "Errors")

    assert {"RequestError", "NotSentError", "ApiError", "OutcomeUnknownError"} <= errors.keys()
    for name in errors.keys() - {"TypeError"}:
        assert issubclass(getattr(trading_sdk, name), trading_sdk.TradingError)


def test_the_client_names_the_signing_types_that_are_not_documented() -> None:
    described = section(Client, "Args")["signing_types"]
    everything: dict[str, Any] = {**API.operations, **API.actions}

    for name, method in everything.items():
        is_guess = method.signing_type is not None and method.signing_source != "documented"
        assert (f" {name}," in described or f" {name}." in described) == is_guess, name


def test_help_of_a_group_tells_where_the_other_errors_are() -> None:
    with Client("http://127.0.0.1:1") as client:
        for group in GROUPS:
            text = inspect.getdoc(type(getattr(client, group))) or ""
            assert "Every method may also raise the errors that `Client` lists." in text


def test_help_of_a_model_describes_every_field_as_an_editor_does() -> None:
    for model in OURS:
        described = section(model, "Args") | section(model, "Attributes")
        assert described.keys() == {field.name for field in attrs.fields(model)}
        source = inspect.getsource(model)
        literals = re.findall(r'^    """(.+?)"""', source, re.DOTALL | re.MULTILINE)
        assert len(literals) == 1 + len(described)
        for said, literal in zip(sorted(described.values()), sorted(literals[1:]), strict=True):
            assert said == " ".join(literal.split()), model


def test_help_of_a_method_tells_where_it_goes() -> None:
    with Client("http://127.0.0.1:1") as client:
        text = shown(client.orders.create)

    assert "`POST /api/v1/orders/create`, signed as `create_order`. Section 4.1." in text


@pytest.mark.parametrize(
    ("method", "argument", "told"),
    [
        ("orders.create", "tif", "One of `GTC`, `IOC`, `ALO`, `TOB`."),
        (
            "orders.create",
            "price",
            "a multiple of the market's tick size (observed). Unit: quote per token (observed).",
        ),
        ("orders.create", "side", "Whether to buy (`bid`) or to sell (`ask`)."),
        (
            "orders.create",
            "stop_loss",
            "A TpslConfig, or a mapping with `stop_price`, perhaps `limit_price`,"
            " `client_order_id`, `trigger_price_type`.",
        ),
        ("trades.history", "start_time", "An integer, or an aware datetime. Unit: ms."),
        ("trades.history", "limit", "Default: 100. At least 1."),
    ],
)
def test_help_of_an_argument_tells_what_it_takes(method: str, argument: str, told: str) -> None:
    with Client("http://127.0.0.1:1") as client:
        described = section(attrgetter(method)(client), "Args")

    assert described[argument].endswith(told)


def test_every_value_of_an_enum_is_in_the_help_of_the_argument() -> None:
    for model in OURS:
        described = section(model, "Args")
        for each in attrs.fields(model):
            if described and (found := re.search(r"\b[A-Z]\w+", str(each.type))):
                enum = getattr(trading_sdk, found[0], None)
                values: Sequence[object] = (
                    ENUMS.get(enum.__name__, []) if isinstance(enum, type) else []
                )
                assert all(f"`{value}`" in described[each.name] for value in values)


def test_a_list_raises_at_once_and_on_iteration_what_its_docstring_says() -> None:
    wrong: Any = 5
    with Client("http://127.0.0.1:1", signer=Keypair.generate(), timeout=0.2) as client:
        unread = client.trades.history()
        with pytest.raises(NotSentError):
            next(iter(unread))
        with pytest.raises(RequestError):
            client.trades.history(symbol="")
        with pytest.raises(TypeError):
            client.trades.history(symbol=wrong)
