"""What a user reads in `help()` and in an editor."""

from __future__ import annotations

import ast
import inspect
import re
from itertools import pairwise
from operator import attrgetter
from typing import Any

import attrs

import trading_sdk
from tests.interface import ENUMS
from trading_sdk import Client, Retry
from trading_sdk.operations import API

MODELS = [model for name in trading_sdk.__all__ if attrs.has(model := getattr(trading_sdk, name))]
OURS = [model for model in MODELS if model.__module__ == "trading_sdk.models"]


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
    assert list(section(Retry, "Args")) == [each.name for each in attrs.fields(Retry)]
    assert {each for each in section(Client, "Errors") if not hasattr(trading_sdk, each)} == {
        "TypeError"
    }


def test_the_client_names_the_signing_types_that_are_not_documented() -> None:
    described = section(Client, "Args")["signing_types"]
    everything: dict[str, Any] = {**API.operations, **API.actions}

    for name, method in everything.items():
        is_guess = method.signing_type is not None and method.signing_source != "documented"
        assert (f" {name}," in described or f" {name}." in described) == is_guess, name


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


def test_every_value_of_an_enum_is_in_the_help_of_the_argument() -> None:
    for model in OURS:
        described = under_fields(model)
        for each in attrs.fields(model):
            if each.converter and (found := re.search(r"\b[A-Z]\w+", str(each.type))):
                enum = getattr(trading_sdk, found[0], None)
                values = ENUMS.get(enum.__name__, ()) if isinstance(enum, type) else ()
                assert all(f"`{value}`" in described[each.name] for value in values)
