"""Every operation that faults are tried on, and how to tell the result of its call."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, get_args

from attrs import frozen

from tests.faults.calls import PAGES, PREPARE, Pages, Prepare, prepared
from tests.generated.results import RESULTS
from tests.interface import METHODS, PAGINATED, Operation
from trading_sandbox.web.dialects.documented import MODELLED
from trading_sdk import ActionResult

Kind = Literal["GET", "signed read", "idempotent POST", "POST without id", "POST with id"]
KINDS: tuple[Kind, ...] = get_args(Kind)


@frozen(kw_only=True)
class Subject:
    """An operation, or a batch action that has a method of its own."""

    name: str
    prepare: Prepare
    right: Callable[[Any], bool]
    """Whether a result is that of the call."""
    pages: Pages | None = None
    """The paginator of a list operation, one record a page, at least three pages."""

    @property
    def operation(self) -> Operation:
        return METHODS[self.name]

    @property
    def sent_as(self) -> str:
        """The operation that the service sees."""
        return self.operation.sent_as

    @property
    def kind(self) -> Kind:
        """The column of the fault matrix; apart are what is signed and what may follow a 429."""
        return "GET" if self.operation.verb == "GET" else _KIND_OF[self.operation.retry]

    @property
    def reads(self) -> bool:
        return self.kind in ("GET", "signed read")

    @property
    def lists(self) -> bool:
        return self.name in PAGINATED


_KIND_OF: Mapping[str, Kind] = {
    "safe": "signed read",
    "idempotent": "idempotent POST",
    "never": "POST without id",
    "by-key": "POST with id",
}

# -- the table ------------------------------------------------------------------------------


def _all_done(results: Sequence[ActionResult]) -> bool:
    return [each.success for each in results] == [True, True]


def _a_key(result: Any) -> bool:
    return len(result.api_key) > 20


def _is_action_result(result: Any) -> bool:
    return isinstance(result, ActionResult)


_RIGHT: Mapping[str, Callable[[Any], bool]] = {
    "orders.batch": _all_done,
    "api_keys.create": _a_key,
    "api_keys.list": lambda result: "api_keys" in result,
}
"""Where the type of the result does not tell enough."""


def _right(operation: Operation) -> Callable[[Any], bool]:
    """Whether a result is of the type that a caller gets of this operation.

    A list has one record if its call was prepared, or if it is a page; any other has some.
    """
    if operation.name in _RIGHT:
        return _RIGHT[operation.name]
    if not operation.endpoint:
        return _is_action_result
    known = RESULTS[operation.name]
    if isinstance(known, list | tuple):
        is_alone, expected = operation.name in PAGES.keys() | PREPARE, {type(known[0])}
        return lambda result: (
            {type(each) for each in result} == expected and (len(result) == 1 or not is_alone)
        )
    return lambda result: type(result) is type(known)


SUBJECTS: Mapping[str, Subject] = {
    name: Subject(name=name, prepare=prepared(each), right=_right(each), pages=PAGES.get(name))
    for name, each in METHODS.items()
    if name in MODELLED
}
"""Every operation that the sandbox carries out, and the actions that only a batch has; by name."""
