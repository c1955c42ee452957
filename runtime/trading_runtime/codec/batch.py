"""Batches: wrapping actions, and the results that come back in their order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Generic, NoReturn, Protocol, TypeVar, cast, overload

import attrs

from trading_runtime.checks import did_you_mean
from trading_runtime.codec.fields import located_error
from trading_runtime.codec.json_types import plain_value
from trading_runtime.codec.models import Synchronous
from trading_runtime.codec.requests import client_id, to_model
from trading_runtime.errors import ApiError, BatchError, Code, RequestError
from trading_runtime.intent import Intent
from trading_runtime.operation import Action, Batch, Kind


class ActionOutcome(Protocol):
    """What every result of an action has."""

    @property
    def success(self) -> bool: ...

    @property
    def error(self) -> str | None: ...


R = TypeVar("R", bound=ActionOutcome)
NO_REASON = "no reason given"


class BatchResult(Synchronous, Sequence[R], Generic[R]):
    """One result per action, in the order of the actions.

    A batch may succeed in part, so it has no truth value as a whole: look at each result, or call
    `raise_on_failure()`.
    """

    __slots__ = ("_codes", "_intent", "_operation", "_reasons", "_refusals", "_results")

    def __init__(
        self,
        operation: str,
        results: Sequence[R],
        reasons: Sequence[str | None] | None = None,
        codes: Sequence[Code] | None = None,
    ) -> None:
        self._operation = operation
        self._results = tuple(results)
        self._reasons = tuple(reasons or [None] * len(self._results))
        self._codes = tuple(codes or [None] * len(self._results))
        self._refusals: Mapping[int, ApiError] = {}
        self._intent: Intent | None = None

    @overload
    def __getitem__(self, index: int) -> R: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[R]: ...
    def __getitem__(self, index: int | slice) -> R | Sequence[R]:
        return self._results[index]

    def __len__(self) -> int:
        return len(self._results)

    def __iter__(self) -> Iterator[R]:
        return iter(self._results)

    def __repr__(self) -> str:
        return f"BatchResult({list(self._results)!r})"

    def __bool__(self) -> NoReturn:
        raise TypeError(
            "a batch may succeed in part: look at each result, or call raise_on_failure()"
        )

    @property
    def reasons(self) -> tuple[str | None, ...]:
        """Why each action failed, as `ApiError.reason` says it; None where it did not, or is not known."""
        return self._reasons

    @property
    def codes(self) -> tuple[Code, ...]:
        """The code of each action that failed, as `ApiError.code` has it; None where there is none."""
        return self._codes

    @property
    def unclear(self) -> tuple[int, ...]:
        """The actions that may have been executed although they failed: `client.reconcile(result)` finds out.

        A hop may have sent the batch twice; then an action is refused as a duplicate of its own id.
        """
        return () if (failure := self.failure) is None else failure.unclear

    @property
    def failure(self) -> BatchError | None:
        """What `raise_on_failure` raises, made anew; None if no action failed."""
        failures = {
            index: result.error or NO_REASON
            for index, result in enumerate(self._results)
            if not result.success
        }
        if not failures:
            return None
        reasons, count = dict(enumerate(self._reasons)), len(self._results)
        failure = BatchError(self._operation, failures, count, reasons, self._refusals)
        failure.intent = self._intent
        return failure

    def raise_on_failure(self) -> None:
        """Raise if any action failed.

        Raises:
            BatchError: names each failed action by its index, with the error text of the service.
        """
        if failure := self.failure:
            try:
                raise failure
            finally:
                del failure  # its traceback holds this frame

    def explain(self, refusals: Mapping[int, ApiError], intent: Intent | None) -> None:
        """Take in the refusal of each action that failed, and what was sent."""
        self._refusals, self._intent = refusals, intent


@plain_value.register(BatchResult)
def _plain(batch: BatchResult[Any]) -> dict[str, Any]:
    return {"results": [plain_value(each) for each in batch]}


def checked_actions(
    operation: str, batch: Batch, actions: Sequence[object]
) -> list[tuple[Action, Any]]:
    """The model of each action of a batch, with its kind.

    Raises:
        RequestError: there are no actions, or too many, or one is not of a known kind.
        TypeError: it is not a list.
    """
    if isinstance(actions, str) or not isinstance(actions, Sequence):
        raise TypeError(f"{operation}: actions must be a list, not a {type(actions).__name__}")
    if not 1 <= len(actions) <= batch.max_items:
        raise RequestError(
            f"{operation}: a batch holds 1 to {batch.max_items} actions, not {len(actions)}"
        )
    pairs = []
    for index, given in enumerate(actions):
        where = f"{operation}: action {index}"
        if isinstance(given, Mapping):
            given = _model_of(where, batch, given)
        action = batch.actions.get(type(given))
        if action is None:
            raise RequestError(f"{where} is a {_no_action(type(given), batch)}")
        pairs.append((action, given))
    return pairs


def _no_action(kind: type, batch: Batch) -> str:
    """A class that is no action, and what would be one."""
    known = {model.__name__: model.__module__ for model in batch.actions}
    if kind.__name__ in known:
        return f"{kind.__name__} of {kind.__module__}; give that of {known[kind.__name__]}"
    return f"{kind.__name__}, not one of {', '.join(known)}"


def _model_of(where: str, batch: Batch, given: Mapping[str, Any]) -> Any:
    """The model of an action that is given as on the wire, `{"type": ..., "data": {...}}`."""
    if unknown := [key for key in given if key not in ("type", "data")]:
        raise RequestError(f"{where}: unknown key {unknown[0]!r}; an action has 'type' and 'data'")
    if missing := [key for key in ("type", "data") if key not in given]:
        raise RequestError(f"{where}: {missing[0]!r} is missing; an action has 'type' and 'data'")
    models = {action.type: model for model, action in batch.actions.items()}
    model = models.get(given["type"]) if isinstance(given["type"], str) else None
    if model is None:
        raise RequestError(
            f"{where}: type {given['type']!r} is not one of {', '.join(map(repr, models))}"
            f"{did_you_mean(given['type'], models)}"
        )
    try:
        return to_model(model, given["data"])
    except (TypeError, RequestError) as error:
        raise located_error(where, error) from None


def shared_ids(operation: str, actions: Sequence[tuple[Kind, Mapping[str, Any]]]) -> set[str]:
    """The client order ids that two actions of a batch have, each with a cancel of it between them.

    Histories cannot tell such actions apart.

    Raises:
        RequestError: two have the same id, and no cancel of it stands between them.
    """
    latest: dict[str, int] = {}
    ended: set[Any] = set()
    shared: set[str] = set()
    for index, (action, fields) in enumerate(actions):
        if (id_ := client_id(action.key, fields)) is not None:
            if id_ in latest and id_ not in ended:
                raise RequestError(
                    f"{operation}: actions {latest[id_]} and {index} have the same id, {id_}, "
                    f"and no cancel of it stands between them"
                )
            if id_ in latest:
                shared.add(id_)
            latest[id_] = index
            ended.discard(id_)
        target = action.trace and action.trace.target
        if target and not target.inherits:  # an edit replaces its order: the id stays in use
            ended.update(fields.get(name) for name in target.names.values())
    return shared


def batch_body(
    batch: Batch, actions: Sequence[Action], bodies: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    """The body of a batch: each action's type, with its own complete signed body."""
    signed = zip(actions, bodies, strict=True)
    return {batch.field: [{"type": action.type, "data": body} for action, body in signed]}


def as_outcome(outcome: type[R], found: object | None) -> R:
    """The result of an action that succeeded as an operation of its own, with what that returned."""
    told: Any = () if found is None else attrs.fields(cast(Any, type(found)))
    made: Any = outcome
    return cast(R, made(success=True, **{each.name: getattr(found, each.name) for each in told}))
