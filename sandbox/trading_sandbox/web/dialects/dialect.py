"""A dialect: what the HTTP side of the sandbox asks when it answers a request."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any

import attrs

from trading_runtime import Api, BatchOperation, Operation
from trading_sandbox.engine.checks import market_of
from trading_sandbox.engine.records import Refused
from trading_sandbox.store.records import History
from trading_sandbox.web.commands import Builder
from trading_sandbox.web.refusals import Refusal
from trading_sandbox.web.responses import Answer, Document, LongAnswer


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
    answers: Mapping[str, Answer]
    """How operations are answered: those that change something, and those that read."""
    long_answers: Mapping[str, LongAnswer]
    """How operations are answered that read much."""
    lists: Mapping[str, Listing]
    channels: Collection[str]
    """The channels of the websocket; none: there is no websocket."""
    not_for_agents: str
    """How the names of operations begin that an agent wallet cannot sign."""
    open_to_pages: bool
    """Whether web pages of other sites may read what needs no signature."""
    approves_builders: bool
    """Whether a builder code is refused unless the account has approved it."""
    credits: tuple[Decimal, Decimal]
    """The rate limits that there may be: credits in 60 s without an API key, and with one."""
    omitted_windows: tuple[Mapping[str, int | None], ...]
    """The windows that the signed header may have where the body has none."""
    refuse: Callable[[Refusal, Operation[Any] | None], tuple[int, Document]]
    """Makes the status and body of a refusal; operation None: no path matched."""
    refusal_of: Callable[[Refused, Operation[Any]], Refusal]
    """Gives what the exchange refuses its status and code."""

    def has(self, name: str) -> bool:
        """Whether an operation is modelled, other than a batch."""
        return any(name in ways for ways in (self.answers, self.long_answers, self.lists))

    @property
    def modelled(self) -> frozenset[str]:
        """The operations and batch actions that this sandbox carries out."""
        methods = {**self.api.operations, **self.api.actions}
        return frozenset(
            name
            for name, each in methods.items()
            if self.has(name) or name in self.builders or isinstance(each, BatchOperation)
        )
