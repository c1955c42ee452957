"""A dialect: what the HTTP side of the sandbox asks when it answers a request."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeAlias

import attrs

from trading_runtime import Api, BatchOperation, Operation
from trading_sandbox.engine.checks import market_of
from trading_sandbox.engine.commands import Command
from trading_sandbox.engine.records import Refused, Reply
from trading_sandbox.service import Service
from trading_sandbox.store.records import History
from trading_sandbox.web.commands import Builder
from trading_sandbox.web.refusals import Refusal

Document: TypeAlias = dict[str, Any]
Fields: TypeAlias = Mapping[str, Any]
"""The arguments of a request, the `account` of a signed one included."""
Response: TypeAlias = Callable[[Command | None, Reply], Document]
"""Makes the answer to a command that was executed."""
Read: TypeAlias = Callable[[Service, Fields], Document]
"""Makes the answer of an operation that reads the exchange."""


@attrs.frozen
class Listing:
    """The history that a list operation reads, and its check of symbols."""

    history: History
    check_symbol: Callable[[str], Any] = market_of
    """Refuses a symbol that the list cannot have."""
    filters: frozenset[str] = frozenset({"account", "symbol", "start_time", "end_time"})
    """The parameters by which its records are chosen; others are not modelled."""
    rewritten: tuple[str, str] | None = None
    """A pattern in its stored records, and what is sent in its place; None: all is sent as stored."""


@attrs.frozen(kw_only=True, eq=False)
class Dialect:
    """One way to speak to the exchange.

    The mappings are by the names of operations and batch actions. One that is in none of them is
    not modelled and answered with 501.
    """

    api: Api
    spec: Path
    """The file with the OpenAPI description of the API, as JSON."""
    builders: Mapping[str, Builder]
    """The operations and batch actions that change something."""
    responses: Mapping[str, Response]
    """The answers of the operations among them."""
    reads: Mapping[str, Read]
    lists: Mapping[str, Listing]
    omitted_windows: tuple[Mapping[str, int | None], ...]
    """The windows that the signed header may have where the body has none."""
    refuse: Callable[[Refusal, Operation[Any] | None], tuple[int, Document]]
    """Makes the status and body of a refusal; operation None: no path matched."""
    statuses: Mapping[type[Refused], int]
    """The statuses of what the exchange refuses; 400 for the rest."""

    def has(self, name: str) -> bool:
        """Whether an operation or batch action is modelled, other than a batch."""
        return name in self.builders or name in self.reads or name in self.lists

    @property
    def modelled(self) -> frozenset[str]:
        """The operations and batch actions that this sandbox carries out."""
        each = self.api.operations.items()
        batches = (name for name, operation in each if isinstance(operation, BatchOperation))
        return frozenset((*self.builders, *self.lists, *self.reads, *batches))
