"""One call, all the way: from a request model to the result or the error that its caller sees."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from random import random
from time import monotonic
from typing import Any, TypeVar

from attrs import evolve, field, fields, frozen

from trading_runtime import options, wire
from trading_runtime.batch import (
    ActionOutcome,
    BatchResult,
    batch_body,
    checked_actions,
    checked_results,
    refuse_repeated,
)
from trading_runtime.clock import Clock
from trading_runtime.errors import ApiError, DecodeError, RequestError, api_error
from trading_runtime.intents import Intent, Message, client_id, new_id
from trading_runtime.journal import Journal, entry
from trading_runtime.keys import Signer
from trading_runtime.operation import Action, BatchOperation, ListOperation, Operation
from trading_runtime.outcome import Failure, error_of, fault_of
from trading_runtime.pagination import Page, Paginator
from trading_runtime.rates import Rates, asked_wait
from trading_runtime.retry import Again, Failed, Fault, Retry, Verdict, decide
from trading_runtime.retry_budget import RetryBudget
from trading_runtime.signing import SignedRequest, sign_request
from trading_runtime.transport import Request, Response, Transport, TransportFailure

Op = TypeVar("Op", bound=Operation[Any])
T = TypeVar("T")
R = TypeVar("R", bound=ActionOutcome)


@frozen(kw_only=True)
class Prepared:
    """A request that is ready to be sent, and what it is about to change."""

    request: Request = field(repr=False)

    intent: Intent | None = None
    """None of a read."""


@frozen(kw_only=True)
class Caller:
    """Makes the calls of a client: its options, already checked, and the state its calls share."""

    base_url: str
    signer: Signer | None
    account: str | None
    headers: Mapping[str, str]
    expiry_window: int
    timeout: float
    signing_types: Mapping[str, str] = field(repr=False)
    transport: Transport
    retry: Retry
    budget: RetryBudget
    clock: Clock
    rates: Rates
    journal: Journal | None

    def call(self, operation: Operation[T], params: object | None = None) -> T:
        """Carry out an operation and return its result."""
        if operation.method == "GET":
            prepared = self._get(operation, _data(params))
            return self._carry_out(operation, lambda: prepared, wire.decode)
        id_ = new_id()
        # Taken apart within: a traceback of the call must not show what may be secret of it.
        return self._carry_out(
            operation, lambda: self._post(operation, _data(params), id_), wire.decode
        )

    def paginate(self, operation: ListOperation[T], query: object) -> Paginator[T]:
        """Iterate over the records of a list, from the page at the cursor of the query on."""
        name, fields = operation.pagination.cursor, wire.unstructure(query)

        def fetch(cursor: str | None) -> Page[T]:
            prepared = self._get(operation, {**fields, name: cursor} if cursor else fields)
            return self._carry_out(operation, lambda: prepared, wire.decode_page)

        return Paginator(fetch, fields.pop(name, None), operation=operation.name)

    def batch(self, operation: BatchOperation[R], actions: Sequence[object]) -> BatchResult[R]:
        """Send several actions in one request, each signed on its own."""

        def decode(operation: BatchOperation[R], response: Response) -> BatchResult[R]:
            return _results(operation, response, len(actions))

        return self._send_batch(operation, actions, decode)

    def act(self, operation: BatchOperation[R], model: object) -> R:
        """Send a batch of one action and return its result; a failed one is an ApiError."""
        action = operation.batch.actions[type(model)]

        def decode(operation: BatchOperation[R], response: Response) -> R:
            (result,) = _results(operation, response, 1)
            if result.success:
                return result
            words = result.error or "no reason given"
            raise api_error(operation.name, response.status, None, words, response.body)

        alone = evolve(operation, name=action.name, retry=action.retry)
        return self._send_batch(alone, [model], decode)

    def own_account(self, account: str | None) -> str:
        """The account to read: the one given, else the client's."""
        found = self.account if account is None else options.address("account", account)
        if found is None:
            raise RequestError("account is missing: give account=..., or give the client one")
        return found

    def sign(self, what: Operation[Any] | Action, params: object | None) -> SignedRequest:
        """Sign what an operation or action would send now."""
        return self._signed(what, _data(params), self.clock.sign_ms())

    def _signed(
        self, what: Operation[Any] | Action, data: Mapping[str, Any], now: int
    ) -> SignedRequest:
        if self.signer is None or self.account is None:
            raise RequestError(f"{what.name} must be signed: give the client a signer")
        return sign_request(
            data,
            signing_type=self.signing_types[what.name],
            signer=self.signer,
            account=self.account,
            timestamp=now,
            expiry_window=self.expiry_window,
        )

    # -- one request --------------------------------------------------------------------------

    def _get(self, operation: Operation[Any], fields: Mapping[str, Any]) -> Prepared:
        url = f"{self.base_url}{operation.path}{wire.query(fields)}"
        return Prepared(request=Request("GET", url, self.headers, None))

    def _post(self, operation: Operation[Any], data: Mapping[str, Any], id_: str) -> Prepared:
        now = self.clock.sign_ms()
        content = self._signed(operation, data, now).content
        return self._prepared(operation, content, id_, now, (_message(operation, data),))

    def _send_batch(
        self,
        operation: BatchOperation[R],
        actions: Sequence[object],
        decode: Callable[[BatchOperation[R], Response], T],
    ) -> T:
        pairs, id_ = checked_actions(operation.name, operation.batch, actions), new_id()
        parts = [(action, _data(model)) for action, model in pairs]
        # Before anything is signed: no signature that is good for a while stands in a traceback.
        refuse_repeated(operation.name, [client_id(action.key, data) for action, data in parts])
        return self._carry_out(operation, lambda: self._post_batch(operation, parts, id_), decode)

    def _post_batch(
        self,
        operation: BatchOperation[Any],
        parts: Sequence[tuple[Action, Mapping[str, Any]]],
        id_: str,
    ) -> Prepared:
        now = self.clock.sign_ms()
        signed = [(action, self._signed(action, data, now).content) for action, data in parts]
        messages = tuple(_message(action, data) for action, data in parts)
        return self._prepared(operation, batch_body(operation.batch, signed), id_, now, messages)

    def _prepared(
        self,
        operation: Operation[Any],
        content: str,
        id_: str,
        now: int,
        messages: tuple[Message, ...],
    ) -> Prepared:
        headers = {**self.headers, "Content-Type": "application/json"}
        url = f"{self.base_url}{operation.path}"
        request = Request("POST", url, headers, content.encode())
        if operation.retry == "safe":
            return Prepared(request=request)
        intent = Intent(
            id=id_,
            operation=operation.name,
            base_url=self.base_url,
            account=self.account or "",
            timestamp=now,
            expiry_window=self.expiry_window,
            messages=messages,
        )
        return Prepared(request=request, intent=intent)

    def _carry_out(
        self, operation: Op, prepare: Callable[[], Prepared], decode: Callable[[Op, Response], T]
    ) -> T:
        """Attempt a call, signed anew each time, until it is answered or must not be repeated."""
        ends, attempt = monotonic() + self.timeout, 1
        wire.structuring()  # before anything is sent: to fail afterwards would hide the outcome
        while True:
            prepared = prepare()
            with entry(self.journal, prepared.intent):
                try:
                    return self._attempt(operation, prepared, decode, ends)
                except (TransportFailure, ApiError, DecodeError) as error:
                    failure = error
                step = self._step(operation, failure, attempt, ends)
                if isinstance(step, Verdict):
                    raise error_of(operation, prepared.intent, failure, step)
            self.budget.spend()
            self.clock.sleep(step.after)
            attempt += 1

    def _attempt(
        self,
        operation: Op,
        prepared: Prepared,
        decode: Callable[[Op, Response], T],
        ends: float,
    ) -> T:
        left = ends - monotonic()
        if left <= 0:
            raise TransportFailure(Fault.NOT_SENT, "the time was up before it was sent")
        sent = self.clock.local_ms()
        response = self.transport.send(prepared.request, timeout=left)
        self.clock.observe(response.headers.get("Date"), sent, self.clock.local_ms())
        self.rates.observe(response.headers)
        try:
            result = decode(operation, response)
        except ApiError as refusal:
            self._annotate(refusal, prepared.intent, response)
            raise
        self.budget.earn()
        return result

    def _step(
        self, operation: Operation[Any], failure: Failure, attempt: int, ends: float
    ) -> Again | Verdict:
        failed = Failed(
            fault=fault_of(failure),
            word=operation.retry,
            attempt=attempt,
            left=ends - monotonic(),
            budget=self.budget.tokens,
            asked=failure.retry_after if isinstance(failure, ApiError) else None,
        )
        return decide(failed, self.retry, random())

    def _annotate(self, refusal: ApiError, intent: Intent | None, response: Response) -> None:
        """Put into a refusal what only its answer and this client's clock can tell."""
        now = self.clock.local_ms()
        refusal.intent = intent
        refusal.rate_budget = self.rates.told_by(response.headers)
        refusal.retry_after = asked_wait(response.status, response.headers, now)
        if intent is not None and response.status in (400, 401):
            refusal.clock_hint = self.clock.hint(intent.timestamp, intent.accepted_until)


def _data(params: object | None) -> Mapping[str, Any]:
    return {} if params is None else wire.unstructure(params)


def _message(what: Operation[Any] | Action, data: Mapping[str, Any]) -> Message:
    model: Any = what.params
    secrets = _secrets(model)
    public = {name: value for name, value in data.items() if name not in secrets}
    return Message(name=what.name, client_id=client_id(what.key, data), fields=public)


@cache
def _secrets(model: Any) -> frozenset[str]:
    """The fields of a request model that are secret, which its repr leaves out."""
    return frozenset(each.name for each in fields(model) if not each.repr) if model else frozenset()


def _results(operation: BatchOperation[R], response: Response, count: int) -> BatchResult[R]:
    results = wire.decode_batch(operation, response)
    try:
        return checked_results(operation.name, results, count)
    except ValueError as error:
        reason = str(error)
    raise DecodeError(operation.name, reason, response.body, response.status)


class Group:
    """Operations that stand together on a client, like `client.orders`."""

    __slots__ = ("_caller",)

    def __init__(self, caller: Caller) -> None:
        self._caller = caller
