"""One call of every operation that the sandbox knows, with arguments that it refuses if it can."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import attrgetter
from typing import Any

from tests.interface import OPERATIONS, Operation
from trading_sandbox.web.dialects.documented import MODELLED
from trading_sdk import CancelOrder, Client, Paginator

NOBODY = "11111111111111111111111111111111"
"""An address that nobody has a key of."""

Call = Callable[[Client], Any]

_WRONG: Mapping[str, Any] = {
    "symbol": "DOGE",
    "lake": NOBODY,
    "to_account": NOBODY,
    "order_id": 1,
    "api_key": "wrong",
    "cursor": "wrong",
    "actions": [CancelOrder(symbol="BTC", order_id=1)],
}
"""By the name of an argument: what no sandbox has."""


def call(client: Client, name: str, **arguments: Any) -> Any:
    """Call an operation by its name, and fetch all pages of a list."""
    result = attrgetter(name)(client)(**arguments)
    return list(result) if isinstance(result, Paginator) else result


def _names(operation: Operation) -> set[str]:
    return {row.name for row in operation.arguments}


def _wrong(operation: Operation) -> Call:
    known = _names(operation)
    arguments = dict(operation.least)
    for name in (*arguments, "cursor"):
        if name in known & _WRONG.keys():
            arguments[name] = _WRONG[name]
    return lambda client: call(client, operation.name, **arguments)


KNOWN = {name: each for name, each in OPERATIONS.items() if name in MODELLED}
"""What is not known is answered with 501, for which tests/sandbox/test_new_operations.py has a test."""

WRONG: Mapping[str, Call] = {name: _wrong(each) for name, each in KNOWN.items()}
"""By the name of the operation."""

TAKE_ANYTHING = {name for name, each in KNOWN.items() if not _names(each) & _WRONG.keys()}
TAKE_ANYTHING |= {"orders.batch"}
"""Operations that do not fail as a whole, whatever an open account gives them."""

ALWAYS_TAKEN = {name for name in TAKE_ANYTHING if KNOWN[name].verb == "GET"}
"""There are no arguments that the SDK would send and the service refuse, of any account."""

REFUSED = sorted({name for name, each in KNOWN.items() if "400" in each.statuses} - ALWAYS_TAKEN)
"""The document lists a 400 for them, and there are arguments that bring it about."""

EMPTY_ANSWERS = {
    *("subaccounts.transfer", "api_keys.revoke", "vaults.remove_blacklist"),
    *("vaults.add_max_leverage", "vaults.remove_max_leverage"),
}
"""The live dialect answers them with an empty object, where the document shows more (field note 28)."""
