"""Names in code, by the rule of spec/README.md: what a language with such names makes of those of a spec.

`x-name` and `x-enum-names` of the spec stand in place of them.
"""

from __future__ import annotations

import keyword
import re


def snake(name: str) -> str:
    """`TimeInForce` -> `time_in_force`."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def attribute_name(name: str) -> str:
    """`from` -> `from_`, `24h-volume` -> `field_24h_volume`. An identifier stays as it is."""
    plain = re.sub("[^A-Za-z0-9_]", "_", name)
    if not plain[:1].isalpha():
        plain = f"field_{plain.lstrip('_')}"
    return f"{plain}_" if keyword.iskeyword(plain) else plain


def member_name(value: str) -> str:
    """`lastTrade` -> `LAST_TRADE`, `post-only` -> `POST_ONLY`, `1m` -> `VALUE_1M`."""
    plain = re.sub("[^A-Za-z0-9_]", "_", snake(value)).upper()
    return plain if plain[:1].isalpha() else f"VALUE_{plain.lstrip('_')}"


def pascal(name: str) -> str:
    """`api_keys` -> `ApiKeys`."""
    return "".join(part[:1].upper() + part[1:] for part in name.split("_"))


def constant(group: str, method: str) -> str:
    """`orders`, `create` -> `ORDERS_CREATE`."""
    return f"{group}_{method}".upper()


def mapping_name(model: str) -> str:
    """`TpslConfig` -> `TpslConfigDict`: the type of the mapping that may be given in its place."""
    return f"{model}Dict"


def action_name(model: str) -> str:
    """`CancelOrder` -> `CancelOrderAction`: the type of the mapping that holds it as an action of a batch."""
    return f"{model}Action"


def batch_name(group: str, method: str) -> str:
    """`orders.batch` -> `OrdersBatchAction`: the type of every mapping that it takes as an action."""
    return f"{pascal(group)}{pascal(method)}Action"
