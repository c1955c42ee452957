"""Whether an answer shows a secret of its command."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from conformance.values import Value

_LEAST = 16
"""A shorter text is no key, and may stand anywhere by chance."""
_SECRETS = {"private_key": "private key", "api_key": "API key"}


def leaked(do: str, members: Mapping[str, Any], answer: Value) -> str | None:
    """What an answer shows that it must not: the name of the secret."""
    client = members.get("client")
    options = client if isinstance(client, Mapping) else {}
    for name, words in _SECRETS.items():
        for secret in (members.get(name), options.get(name)):
            if isinstance(secret, str) and len(secret) >= _LEAST and _shows(answer, secret):
                return words
    return None


def _shows(value: Value, secret: str) -> bool:
    """Whether a text holds the secret; headers are where an API key belongs."""
    if isinstance(value, str):
        return secret in value
    if isinstance(value, Mapping):
        return any(
            secret in name or (name != "headers" and _shows(each, secret))
            for name, each in value.items()
        )
    return isinstance(value, list) and any(_shows(each, secret) for each in value)
