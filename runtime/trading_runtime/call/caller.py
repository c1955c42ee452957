"""One call, all the way: from a request model to the result or the error that the user sees."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from logging import DEBUG
from time import monotonic
from typing import Any, TypeVar

from attrs import evolve, field, frozen

from trading_runtime.batch import ActionOutcome, BatchResult, batch_body
from trading_runtime.call.countersigned import countersigned_draft, countersigned_request
from trading_runtime.call.draft import Draft, Part, Prepared, batch_draft, secret_fields
from trading_runtime.call.exchange import read, send
from trading_runtime.call.failures import annotate, failed_attempt, name_agent, what_follows
from trading_runtime.call.given import GivenIds
from trading_runtime.call.journal import Journal
from trading_runtime.call.listing import listed
from trading_runtime.call.log import log
from trading_runtime.call.observer import Observer
from trading_runtime.call.retry import NextAttempt, Retry, RetryQuota
from trading_runtime.checks import has_room
from trading_runtime.clock import Clock
from trading_runtime.codec.answers import ActionReader, BatchReader, Reader, ResultReader
from trading_runtime.codec.requests import (
    JSON_BODY,
    body_of,
    identity,
    outside_of_body,
    unstructure,
)
from trading_runtime.config import read_account
from trading_runtime.errors import ApiError, DecodeError, NotSentError, RequestError
from trading_runtime.http.fault import Fault, TransportError
from trading_runtime.http.transport import Request, Transport
from trading_runtime.intent import Intent, Message
from trading_runtime.minted import give, plain_id, told
from trading_runtime.operation import (
    Action,
    BatchOperation,
    CountersignedOperation,
    ListOperation,
    Operation,
)
from trading_runtime.pages import Paginator
from trading_runtime.rate_limit import RateLimit
from trading_runtime.signing.canonical import json_text
from trading_runtime.signing.keys import Signer
from trading_runtime.signing.request import SignedRequest, sign_request

T = TypeVar("T")
R = TypeVar("R", bound=ActionOutcome)
_NO_ENTRY = nullcontext()
_NO_ROOM = "the functions around the call nest so deep that the stack has no room for it"


@frozen(kw_only=True, eq=False, repr=False)
class Caller:
    """Makes the calls of a client: its options, already checked, and the state that its calls share."""

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
    rate_limit: RateLimit
    journal: Journal | None
    observer: Observer = field(factory=Observer, repr=False)
    history_lag: float = 15.0
    """Seconds that the service may take to carry out what it accepted, and its lists to show it."""
    unique_ids: GivenIds | None = None
    """The ids that the user gave, if none is promised to be of two messages."""
    issued: OrderedDict[tuple[str, object], str] = field(factory=OrderedDict, repr=False)
    """The latest ids that the service gave, and their messages. Its steps are atomic: it needs no lock."""

    def call(self, operation: Operation[T], params: object | None = None) -> T:
        """Carry out an operation and return its result."""
        fields = {} if params is None else unstructure(params)
        draft = Draft(operation=operation, parts=[Part(operation, fields, params)])
        del fields  # they may hold a secret, which a traceback must not show
        return self.carry_out(draft, ResultReader(operation))

    def paginate(self, operation: ListOperation[T], query: object) -> Paginator[T]:
        """Iterate over the records of a list, from the page at the cursor of the query on."""
        return listed(self.carry_out, operation, query)

    def countersigned(self, operation: CountersignedOperation[T], other: Signer) -> T:
        """Carry out an operation whose message another key signs, too, and return its result."""
        draft = countersigned_draft(operation, self.account, self.signer, other)
        return self.carry_out(draft, ResultReader(operation))

    def batch(self, operation: BatchOperation[R], actions: Sequence[object]) -> BatchResult[R]:
        """Send several actions in one request, each signed on its own."""
        draft = batch_draft(operation, actions)
        reader = BatchReader(operation, [part.kind.new_id for part in draft.parts])
        return self.carry_out(draft, reader)

    def act(self, operation: BatchOperation[R], model: object) -> R:
        """Send a batch of one action and return its result; a failed one is a BadRequestError."""
        action = operation.batch.actions[type(model)]
        alone = evolve(operation, name=action.name, retry=action.retry)
        return self.carry_out(
            batch_draft(alone, [model], made_here=True), ActionReader(alone, action.new_id)
        )

    def own_account(self, account: str | None) -> str:
        """The account to read: the one given, else the client's."""
        return read_account(account, self.account)

    def sign(self, kind: Operation[Any] | Action, params: object | None) -> SignedRequest:
        """Sign what an operation or action would send now."""
        part = Part(kind, unstructure(params) if params else {})
        if told:  # whoever has the signed message may send it
            account = self.account or ""
            give((account, plain_id(id_)) for id_ in _message(part).given())
        return self._signed(part, self.clock.sign_ms())

    def _signed(self, part: Part, now: int) -> SignedRequest:
        if self.signer is None or self.account is None:
            raise RequestError(f"{part.kind.name} must be signed: give the client a signer")
        fields, kind = part.fields, part.kind
        if isinstance(kind, CountersignedOperation):
            type_ = self.signing_types[kind.name]
            return countersigned_request(part, self.signer, type_, now, self.expiry_window)
        if isinstance(kind, Operation) and (kind.in_url or kind.headers):
            fields = body_of(kind, fields)
        return sign_request(
            fields,
            signing_type=self.signing_types[kind.name],
            signer=self.signer,
            account=self.account,
            timestamp=now,
            expiry_window=self.expiry_window,
        )

    def carry_out(self, draft: Draft, reader: Reader[T]) -> T:
        """Attempt a call until it is answered or must not be repeated.

        A RecursionError after sending would hide what became of it, so there must be room before.
        """
        if self.unique_ids is not None:
            alone = evolve(self, unique_ids=None)
            return self.unique_ids.guard(draft, lambda: alone.carry_out(draft, reader))
        if not has_room():
            raise NotSentError(draft.operation.name, _NO_ROOM)
        deadline, number = monotonic() + self.timeout, 1
        caller, watch = self, None
        if self.observer.on_event is not None or log.isEnabledFor(DEBUG):
            from trading_runtime.call.watch import Watch  # late, for it takes long to import

            watch = Watch(self.transport, self.observer, self.rate_limit, draft)
            caller = evolve(self, transport=watch)
        while True:
            prepared = self._prepared(draft)
            try:
                found = caller._result(draft, prepared, reader, number, deadline)
                if not isinstance(found, NextAttempt):
                    if watch is not None:
                        watch.succeeded()
                    return found
            except Exception:
                raise
            except BaseException:
                # Ctrl-C: nobody gets the outcome, not even that of a call which has just ended.
                if self.journal is not None:
                    self.journal.reopen(prepared.intent)
                raise
            self.quota.spend()
            self.clock.sleep(found.delay)
            number += 1

    def _result(
        self, draft: Draft, prepared: Prepared, reader: Reader[T], number: int, deadline: float
    ) -> T | NextAttempt:
        """The result of an attempt, or when the next one is due. Its journal entry is kept meanwhile.

        Raises:
            TradingError: the attempt failed, and no other one follows.
        """
        with _NO_ENTRY if self.journal is None else self.journal.entry(prepared.intent):
            try:
                return self._attempt(draft, prepared, reader, deadline)
            except (TransportError, ApiError, DecodeError) as error:
                failure = error
            left = deadline - monotonic()
            failed = failed_attempt(draft.operation, failure, number, left, self.retry, self.quota)
            then = what_follows(draft.operation, prepared.intent, failure, failed, self.retry)
            seconds = self.timeout - left
            self.observer.failed(draft, failed, failure, then, seconds=seconds, clock=self.clock)
            if isinstance(then, NextAttempt):
                return then
            raise then

    def _prepared(self, draft: Draft) -> Prepared:
        operation, is_get = draft.operation, draft.operation.method == "GET"
        now = 0 if is_get else self.clock.sign_ms()
        request = self._request(draft, now)
        if is_get or operation.retry == "safe":
            return Prepared(request=request)
        intent = Intent(
            id=draft.id,
            operation=operation.name,
            base_url=self.base_url,
            account=self.account or "",
            timestamp=now,
            expiry_window=self.expiry_window,
            messages=tuple([_message(part) for part in draft.parts]),
            signed=operation.signing_type is not None or isinstance(operation, BatchOperation),
        )
        if told and all(part.earlier is None for part in draft.parts):
            give(intent.given)
        return Prepared(request=request, intent=intent)

    def _request(self, draft: Draft, now: int) -> Request:
        operation, part, body = draft.operation, draft.parts[0], None
        path, headers = operation.path, JSON_BODY
        if operation.in_url or operation.headers or not operation.has_body:
            path, headers = outside_of_body(operation, part.fields)
        if isinstance(operation, BatchOperation):
            actions = [part.kind for part in draft.parts if isinstance(part.kind, Action)]
            bodies = [self._signed(part, now).body for part in draft.parts]
            body = batch_body(operation.batch, actions, bodies)
        elif operation.has_body:
            signed = operation.signing_type is not None
            body = self._signed(part, now).body if signed else body_of(operation, part.fields)
        content = None if body is None else json_text(body).encode()
        # The headers are in no variable: a traceback with local variables would show the API key.
        url = f"{self.base_url}{path}"
        return Request(operation.method, url, {**self.headers, **headers}, content)

    def _attempt(self, draft: Draft, prepared: Prepared, reader: Reader[T], deadline: float) -> T:
        left = deadline - monotonic()
        if left <= 0:
            raise TransportError(Fault.NOT_SENT, "the deadline passed before it was sent")
        sent = self.clock.local_ms()
        response = send(self.transport, prepared.request, left)
        received, headers = self.clock.local_ms(), response.headers
        if "ratelimit" in headers:
            self.rate_limit.latest = headers
        try:
            result = read(draft, reader, response, self.issued)
        except DecodeError:
            # It may be the answer to another request, and that to this one may still come.
            response.hang_up()
            raise
        except ApiError as refusal:
            # A gateway that stands in for the service may have a clock of its own.
            if response.status < 500 and response.body.lstrip().startswith(b"{"):
                self.clock.observe(headers.get("Date"), sent, received, headers.get("Age"))
            annotate(refusal, prepared.intent, response, self.clock, self.rate_limit)
            name_agent(refusal, self.signer)
            raise
        self.clock.observe(headers.get("Date"), sent, received, headers.get("Age"))
        if self.quota.spent:
            self.quota.restore()
        return result


def _message(part: Part) -> Message:
    """What the intent of a call records of a part: its fields without the secret ones."""
    trace = part.kind.trace
    if part.earlier is not None:
        return part.earlier
    id_, minted = identity(part.kind.key, part.fields, part.model)
    model: Any = part.kind.params
    secrets = secret_fields(model) if model else ()
    public = {name: value for name, value in part.fields.items() if name not in secrets}
    return Message(
        name=part.kind.name,
        client_id=id_,
        fields=public,
        minted=minted and not part.shares_id,
        listed=trace is not None and (trace.id or trace.target) is not None and not part.shares_id,
        traced=trace is not None,
        shares_id=part.shares_id,
    )
