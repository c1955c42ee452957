"""One call of every operation that the sandbox knows, with arguments that it refuses if it can."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import attrgetter
from typing import Any

from tests.interface import OPERATIONS, Operation
from trading_sandbox.web.dialects.documented import MODELLED
from trading_sdk import CancelOrder, Client, Paginator

Call = Callable[[Client], Any]
_WRONG: Mapping[str, Any] = {
    "symbol": "DOGE",
    **dict.fromkeys(("lake", "to_account"), "1" * 32),  # nobody has a key of it
    "order_id": 1,
    "api_key": "wrong",
    "cursor": "wrong",
    "actions": [CancelOrder(symbol="BTC", order_id=1)],
}
"""By the name of an argument: what no sandbox has."""


def _names(operation: Operation) -> set[str]:
    return {row.name for row in operation.arguments}


def _wrong(operation: Operation) -> Call:
    known, arguments = _names(operation), dict(operation.least)
    for name in (*arguments, "cursor"):
        if name in known & _WRONG.keys():
            arguments[name] = _WRONG[name]

    def call(client: Client) -> Any:
        """Call it, and fetch all pages of a list."""
        result = attrgetter(operation.name)(client)(**arguments)
        return list(result) if isinstance(result, Paginator) else result

    return call


KNOWN = {name: each for name, each in OPERATIONS.items() if name in MODELLED}
"""What is not known is answered with 501, for which tests/sandbox/test_new_operations.py has a test."""

WRONG: Mapping[str, Call] = {name: _wrong(each) for name, each in KNOWN.items()}
"""By the name of the operation."""

TAKE_ANYTHING = {name for name, each in KNOWN.items() if not _names(each) & _WRONG.keys()}
TAKE_ANYTHING |= {"orders.batch"}
"""Operations that do not fail as a whole, whatever an open account gives them."""

EMPTY_ANSWERS = {
    *("subaccounts.transfer", "api_keys.revoke", "vaults.remove_blacklist"),
    *("vaults.add_max_leverage", "vaults.remove_max_leverage"),
}
"""The live dialect answers them with an empty object, where the document shows more (field note 28)."""
