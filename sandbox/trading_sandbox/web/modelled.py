"""Which operations this sandbox models, read from the tables that it answers by."""

from __future__ import annotations

from trading_runtime.operation import BatchOperation
from trading_sandbox.web.commands import BUILDERS
from trading_sandbox.web.lists import LISTS
from trading_sdk.operations import API


def modelled_operations() -> list[str]:
    """Return the names of the modelled operations; a batch also names its modelled actions."""
    names: list[str] = []
    for operation in API.operations.values():
        if isinstance(operation, BatchOperation):
            actions = operation.batch.actions.values()
            types = [action.type for action in actions if action.name in BUILDERS]
            names.append(f"{operation.name} ({', '.join(types)})")
        elif operation.name in BUILDERS or operation.name in LISTS:
            names.append(operation.name)
    return names
