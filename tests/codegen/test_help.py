"""What a user reads in `help()` and in an editor."""

from __future__ import annotations

import inspect
import re
from typing import Any

import attrs

import trading_sdk
from trading_sdk import Client, Retry
from trading_sdk.operations import API


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
