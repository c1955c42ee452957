"""What a user reads in `help()` and in an editor."""

from __future__ import annotations

import ast
import inspect
import pydoc
import re
from collections.abc import Sequence
from itertools import pairwise
from operator import attrgetter
from pathlib import Path
from typing import Any

import attrs
import pytest

import trading_sdk
import trading_sdk_observed
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


def under_fields(model: type[Any]) -> dict[str, str]:
    """What stands under each field of a model."""
    (class_,) = ast.parse(inspect.getsource(model)).body
    assert isinstance(class_, ast.ClassDef)
    return {
        each.target.id: " ".join(text.value.value.split())
        for each, text in pairwise(class_.body)
        if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name)
        if isinstance(text, ast.Expr) and isinstance(text.value, ast.Constant)
        if isinstance(text.value.value, str)
    }


def test_a_field_is_described_under_it_and_nowhere_else_in_its_class() -> None:
    for model in OURS:
        described = under_fields(model)
        assert described.keys() == {field.name for field in attrs.fields(model)}
        assert not section(model, "Args") | section(model, "Attributes"), model
    assert under_fields(trading_sdk.CreateOrder)["price"] == (
        "Order price, a multiple of the market's tick size (observed). Unit: quote per token (observed)."
    )


def test_a_method_has_a_line_for_each_argument_and_names_the_model_that_says_more() -> None:
    with Client("http://127.0.0.1:1") as client:
        for name, called in {**API.operations, **API.actions}.items():
            text = inspect.getdoc(attrgetter(name)(client)) or ""
            if called.params is None or "=" not in str(inspect.signature(attrgetter(name)(client))):
                continue
            fields = under_fields(called.params)
            lines = section(attrgetter(name)(client), "Args")
            assert lines.keys() == fields.keys(), name
            assert f"`{called.params.__name__}` says more of the arguments." in text
            for argument, line in lines.items():
                is_one_sentence = fields[argument].startswith(line)
                assert is_one_sentence or f"    {argument}: {line}" in text.splitlines(), argument
                assert line.split(".")[0] == fields[argument].split(".")[0]


@pytest.mark.parametrize("package", [trading_sdk, trading_sdk_observed])
def test_a_module_with_marks_says_once_what_they_mean(package: Any) -> None:
    for path in Path(package.__file__).parent.rglob("*.py"):
        if path.parent.name == "groups" or path.stem == "models":
            doc, _, rest = path.read_text("utf-8").partition('"""\n\nfrom')
            is_marked = "(observed)" in rest or "(assumed)" in rest
            assert ("What is marked is not" in doc) == is_marked, path
            assert "interface document;" not in rest


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
            "a multiple of the market's tick size (observed).",
        ),
        ("orders.create", "amount", "lot size (observed). Unit: token."),
        ("orders.create", "side", "Whether to buy (`bid`) or to sell (`ask`)."),
        (
            "orders.create",
            "stop_loss",
            "A `TpslConfig`, or a mapping of its fields.",
        ),
        ("trades.history", "start_time", "which is included (assumed). Unit: ms."),
    ],
)
def test_help_of_an_argument_tells_what_it_takes(method: str, argument: str, told: str) -> None:
    with Client("http://127.0.0.1:1") as client:
        described = section(attrgetter(method)(client), "Args")

    assert described[argument].endswith(told)


def test_every_value_of_an_enum_is_in_the_help_of_the_argument() -> None:
    for model in OURS:
        described = under_fields(model)
        for each in attrs.fields(model):
            if each.converter and (found := re.search(r"\b[A-Z]\w+", str(each.type))):
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
