"""One call, all the way: prepared, signed, attempted, read, and decided what follows a failure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from functools import partial
from logging import DEBUG, ERROR
from random import random
from time import monotonic
from typing import Any, TypeVar

from attrs import evolve, field, frozen

from trading_runtime.call.events import (
    Event,
    tell_answered,
    tell_ended,
    tell_failed,
    tell_sent,
)
from trading_runtime.call.failures import annotate, error_of, explain, note_duplicate
from trading_runtime.call.journal import Journal
from trading_runtime.call.message import Call, batch_call, page_call, single_call
from trading_runtime.call.retry import (
    FailedAttempt,
    NextAttempt,
    Raise,
    Retry,
    RetryQuota,
    Stop,
    decide,
)
from trading_runtime.clock import Clock
from trading_runtime.codec.answers import ActionReader, Reader, ResultReader
from trading_runtime.codec.batch import ActionOutcome, BatchResult, batch_body
from trading_runtime.codec.pages import Page, Paginator
from trading_runtime.codec.requests import JSON_BODY, body_of, path_and_query, unstructure
from trading_runtime.errors import (
    ApiError,
    DecodeError,
    NotSentError,
    RequestError,
    TradingError,
)
from trading_runtime.http.fault import Failure, Fault, TransportError, fault_of
from trading_runtime.http.transport import Request, Response, Transport
from trading_runtime.intent import Intent
from trading_runtime.log import log, note
from trading_runtime.operation import (
    Action,
    BatchOperation,
    CountersignedOperation,
    Kind,
    ListOperation,
    Operation,
)
from trading_runtime.rate_limit import RateLimit
from trading_runtime.signing.canonical import json_bytes
from trading_runtime.signing.keys import Signer, checked_address, checked_signer
from trading_runtime.signing.request import SignedRequest, countersign, sign_request

T = TypeVar("T")
R = TypeVar("R", bound=ActionOutcome)
_NO_ENTRY = nullcontext()


@frozen(kw_only=True, eq=False, repr=False)
class Caller:
    """Makes the calls of a client: its options, already checked, and the state that its calls share.

    `carry_out` is what each call passes; the methods after it are its steps, in their order.
    """

    base_url: str
    signer: Signer | None
    account: str | None
    headers: Mapping[str, str]
    expiry_window: int
    timeout: float
    signing_types: Mapping[str, str] = field(repr=False)
    transport: Transport
    retry: Retry
    quota: RetryQuota = field(factory=RetryQuota)
    clock: Clock
    time_source: Operation[Any] | None = None
    """What tells the service's time before the first message is signed; None to sign by any clock."""
    rate_limit: RateLimit
    journal: Journal | None
    on_event: Callable[[Event], object] | None = field(default=None, repr=False)
    check: Callable[[Any], object] | None = field(default=None, repr=False)
    """Looks at each model of a change before it is signed, and raises to refuse it."""
    history_lag: float = 15.0
    """Seconds that the service may take to carry out what it accepted, and its lists to show it."""

    # -- the calls that generated methods make ------------------------------------------------

    def call(self, operation: Operation[T], params: object | None = None) -> T:
        """Carry out an operation and return its result."""
        if operation.retry != "safe":
            self._look_at(params)
        # The fields are in no variable: they may hold a secret, which a traceback must not show.
        reader: Reader[T] = ResultReader(operation)
        return self.carry_out(
            single_call(operation, {} if params is None else unstructure(params), reader, params)
        )

    def paginate(self, operation: ListOperation[T], query: object) -> Paginator[T]:
        """Iterate over the records of a list, from the page at the cursor of the query on."""
        start = unstructure(query).get(operation.pagination.cursor)
        return Paginator(
            partial(self._page, operation, query),
            None if start is None else str(start),
            operation=operation.name,
        )

    def _page(self, operation: ListOperation[T], query: object, cursor: str | None) -> Page[T]:
        return self.carry_out(page_call(operation, query, cursor))

    def batch(self, operation: BatchOperation[R], actions: Sequence[object]) -> BatchResult[R]:
        """Send several actions in one request, each signed on its own."""
        return self.carry_out(batch_call(operation, actions, self._look_at))

    def act(self, operation: BatchOperation[R], model: object) -> R:
        """Send a batch of one action and return its result; a failed one is a BadRequestError."""
        self._look_at(model)
        action = operation.batch.actions[type(model)]
        alone = evolve(operation, name=action.name, retry=action.retry)
        reader = ActionReader(alone, action)
        return self.carry_out(single_call(alone, unstructure(model), reader, model, kind=action))

    def _look_at(self, model: object) -> None:
        if self.check is not None and model is not None:
            self.check(model)

    def countersigned(self, operation: CountersignedOperation[T], other: Signer) -> T:
        """Carry out an operation whose message another key signs, too, and return its result.

        Raises:
            RequestError: the client has not the account's own key, or the other one is no signer.
        """
        account, own = self.account, self.signer
        if account is None or own is None or own.address != account:
            raise RequestError(f"{operation.name}: give the client the account's own key as signer")
        checked_signer(operation.scheme.other.address, other)
        fields = operation.scheme.addresses(account, other.address)
        reader: Reader[T] = ResultReader(operation)
        return self.carry_out(single_call(operation, fields, reader, other_signer=other))

    def own_account(self, account: str | None) -> str:
        """The account to read: the one given, else the client's."""
        found = self.account if account is None else checked_address("account", account)
        if found is None:
            raise RequestError("account is missing: give account=..., or give the client one")
        return found

    def check_own(self, intent: Intent, verb: str) -> None:
        """Refuse what was sent to another service, or for another account."""
        if (intent.base_url, intent.account) != (self.base_url, self.account or ""):
            raise RequestError(
                f"{intent.operation} was sent to {intent.base_url} for {intent.account}: {verb} it "
                f"with a client of that service and account"
            )

    def sign(self, kind: Kind, params: object | None) -> SignedRequest:
        """Sign what an operation or action would send now."""
        fields = {} if params is None else unstructure(params)
        return self._sign(kind, fields, self.clock.sign_ms())

    # -- a call, step by step ------------------------------------------------------------------

    def carry_out(self, call: Call[T]) -> T:
        """Attempt a call until it is answered or must not be repeated."""
        call.began = monotonic()
        call.deadline = call.began + self.timeout
        signs = self.signer is not None and call.operation.method != "GET"
        if self.time_source is not None and signs:
            self._learn_time(self.time_source, call.operation.name)
            call.began = monotonic()
        call.is_observed = self.on_event is not None or log.isEnabledFor(DEBUG)
        while True:
            call.number += 1
            self._prepare(call)
            try:
                found = self._outcome(call)
                if not isinstance(found, NextAttempt):
                    if call.is_observed:
                        tell_ended(self.on_event, call, None)
                    return found
            except Exception:
                raise
            except BaseException:
                # Ctrl-C: nobody gets the outcome, not even that of a call which has just ended.
                if self.journal is not None:
                    self.journal.reopen(call.intent)
                raise
            self.quota.spend()
            self.clock.sleep(found.delay)

    def _learn_time(self, source: Operation[Any], waiting: str) -> None:
        """Read the service's time, unless an answer has told it.

        Raises:
            NotSentError: it is not known, so nothing was signed.
        """
        if self.clock.skew is not None:
            return
        problem = "its answer has no Date"
        fields = {source.account or "": self.account}
        try:
            self.carry_out(single_call(source, fields, ResultReader(source)))
        except TradingError as error:
            # A refusal may have told the time nevertheless.
            problem = str(error)
        if self.clock.skew is None:
            raise NotSentError(waiting, f"{source.name} did not tell the service's time: {problem}")

    def _prepare(self, call: Call[Any]) -> None:
        """Sign the messages of a call anew, with the same ids; make its request and its intent."""
        operation = call.operation
        now = 0 if operation.method == "GET" else self.clock.sign_ms()
        call.response, call.request = None, self._request(call, now)
        if not call.messages:
            return
        call.intent = Intent(
            id=call.id,
            operation=operation.name,
            base_url=self.base_url,
            account=self.account or "",
            timestamp=now,
            expiry_window=self.expiry_window,
            messages=call.messages,
            signed=operation.signing_type is not None or isinstance(operation, BatchOperation),
            skew=self.clock.ahead_of(now),
        )

    def _request(self, call: Call[Any], now: int) -> Request:
        operation, fields, body = call.operation, call.fields[0], None
        path = operation.path
        if operation.in_url or not operation.has_body:
            path = path_and_query(operation, fields)
        if isinstance(operation, BatchOperation):
            actions = [kind for kind in call.kinds if isinstance(kind, Action)]
            pairs = zip(actions, call.fields, strict=True)
            bodies = [self._sign(action, each, now).body for action, each in pairs]
            body = batch_body(operation.batch, actions, bodies)
        elif operation.has_body and operation.signing_type is not None:
            body = self._sign(operation, fields, now, call.other_signer).body
        elif operation.has_body:
            body = body_of(operation, fields)
        content = None if body is None else json_bytes(body)
        headers = JSON_BODY if operation.has_body else {}
        # The API key stands in no variable, which a traceback with local variables would show.
        url = f"{self.base_url}{path}"
        return Request(operation.method, url, {**self.headers, **headers}, content)

    def _sign(
        self,
        kind: Kind,
        fields: Mapping[str, Any],
        now: int,
        other: Signer | None = None,
    ) -> SignedRequest:
        if self.signer is None or self.account is None:
            raise RequestError(f"{kind.name} must be signed: give the client a signer")
        own_type, window = self.signing_types[kind.name], self.expiry_window
        if other is not None and isinstance(kind, CountersignedOperation):
            return countersign(kind.scheme, other, self.signer, own_type, now, window)
        if isinstance(kind, Operation) and kind.in_url:
            fields = body_of(kind, fields)
        return sign_request(
            fields,
            signing_type=own_type,
            signer=self.signer,
            account=self.account,
            timestamp=now,
            expiry_window=window,
        )

    def _outcome(self, call: Call[T]) -> T | NextAttempt:
        """The result of an attempt, or when the next one is due. Its journal entry is kept meanwhile.

        Raises:
            TradingError: the attempt failed, and no other one follows.
        """
        with _NO_ENTRY if self.journal is None else self.journal.entry(call.intent) as entry:
            try:
                found = self._attempt(call)
            except (TransportError, ApiError, DecodeError) as error:
                failure: Failure = error
            except RecursionError:
                # Raw it would hide that the request may have been executed, and its frames hold what was sent.
                failure = _without_room(call)
            else:
                if entry is not None and isinstance(found, BatchResult) and found.unclear:
                    entry.stays_open = True
                return found
            try:
                return self._decide(call, failure)
            finally:
                del failure  # its traceback holds this frame

    def _attempt(self, call: Call[T]) -> T:
        """Send the request of a call, and read its answer."""
        response = call.response = self._send(call)
        headers = response.headers
        self.rate_limit.observe(headers)
        try:
            result = call.reader.read(response.status, response.body, headers.get("Content-Type"))
        except DecodeError:
            # It may be the answer to another request, and that to this one may still come.
            response.hang_up()
            raise
        except ApiError as refusal:
            # A gateway that stands in for the service may have a clock of its own.
            if response.status < 500 and response.body.lstrip().startswith(b"{"):
                self.clock.observe(headers.get("Date"), headers.get("Age"))
            note_duplicate(call.operation, refusal)
            annotate(call, refusal, response, self.clock, self.rate_limit, self.signer)
            raise
        self.clock.observe(headers.get("Date"), headers.get("Age"))
        if isinstance(result, BatchResult):
            explain(call, result, response)
        if self.quota.spent:
            self.quota.restore()
        return result

    def _send(self, call: Call[Any]) -> Response:
        """Send the request of a call and return its answer.

        Raises:
            TransportError: there is no answer that can be read.
        """
        assert call.request is not None
        began = monotonic()
        if began >= call.deadline:
            raise TransportError(Fault.NOT_SENT, "the deadline passed before it was sent")
        if call.is_observed:
            tell_sent(self.on_event, call)
            began = monotonic()
            if began >= call.deadline:
                raise TransportError(Fault.NOT_SENT, "on_event took until the deadline")
        try:
            found: object = self.transport.send(call.request, timeout=call.deadline - began)
        except (TransportError, RecursionError):
            raise
        except Exception as error:
            failure = error
        else:
            if isinstance(found, Response):
                if call.is_observed:
                    budget = self.rate_limit.budget_of(found.headers)
                    tell_answered(self.on_event, call, found, monotonic() - began, budget)
                return found
            problem = f"the transport returned a {type(found).__name__}, not a Response"
            failure = TransportError(Fault.UNUSABLE, problem)
        if call.is_observed and not isinstance(failure, TransportError):
            tell_ended(self.on_event, call, failure)
        try:
            raise failure
        finally:
            del failure  # its traceback holds this frame

    def _decide(self, call: Call[Any], failure: Failure) -> NextAttempt:
        """When the next attempt after a failed one is due.

        Raises:
            TradingError: no other one follows.
        """
        failed = FailedAttempt(
            fault=fault_of(failure),
            retry_class=call.operation.retry,
            number=call.number,
            time_left=call.deadline - monotonic(),
            quota_left=self.quota.left(self.retry.quota),
            retry_after=failure.retry_after if isinstance(failure, ApiError) else None,
        )
        decision = decide(failed, self.retry, random())
        if isinstance(failure, ApiError) and failure.is_duplicate and _has_id(call):
            # A hop may have sent it twice, and this be the answer to the second copy.
            decision = Stop(Raise.UNKNOWN, "not_repeatable")
        then: NextAttempt | TradingError = (
            decision
            if isinstance(decision, NextAttempt)
            else error_of(call.operation, call.intent, failure, decision)
        )
        try:
            tell_failed(self.on_event, call, failed, failure, then)
        except Exception:
            # The error that `then` holds is worth more than an event of it.
            note(ERROR, "the failure of a call cannot be told", exc_info=True)
        if isinstance(then, NextAttempt):
            return then
        try:
            raise then
        finally:
            del then, failure  # its traceback holds this frame


def _has_id(call: Call[Any]) -> bool:
    """Whether a call is of one message, and that has an id."""
    return len(call.messages) == 1 and call.messages[0].client_id is not None


def _without_room(call: Call[Any]) -> Failure:
    """What an attempt ended with where the stack had no room for the transport, or to read the answer."""
    answer = call.response
    if answer is None:
        return TransportError(Fault.MAYBE_SENT, "the stack has no room for the transport")
    problem = "the stack has no room to read it"
    return DecodeError(call.operation.name, problem, answer.body, answer.status)
