"""One call, all the way: from a request model to the result or the error that its caller sees."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from attrs import evolve, field, frozen

from trading_runtime import options, wire
from trading_runtime.batch import (
    ActionOutcome,
    BatchResult,
    batch_body,
    checked_actions,
    refuse_repeated,
)
from trading_runtime.errors import ApiError, DecodeError, RequestError, api_error
from trading_runtime.keys import Signer
from trading_runtime.operation import Action, BatchOperation, ListOperation, Operation
from trading_runtime.outcome import Prepared, client_id, judge
from trading_runtime.pagination import Page, Paginator
from trading_runtime.signing import SignedRequest, sign_request
from trading_runtime.transport import Request, Response, Transport, TransportFailure

Op = TypeVar("Op", bound=Operation[Any])
T = TypeVar("T")
R = TypeVar("R", bound=ActionOutcome)


@frozen(kw_only=True)
class Caller:
    """Makes the calls of a client. Its fields are the client's options, already checked."""

    base_url: str
    signer: Signer | None
    account: str | None
    headers: Mapping[str, str]
    expiry_window: int
    timeout: float
    signing_types: Mapping[str, str] = field(repr=False)
    transport: Transport

    def call(self, operation: Operation[T], params: object | None = None) -> T:
        """Carry out an operation and return its result."""
        return self._carry_out(operation, self._prepare(operation, params), wire.decode)

    def paginate(self, operation: ListOperation[T], query: object) -> Paginator[T]:
        """Iterate over the records of a list, from the page at the cursor of the query on."""
        name, fields = operation.pagination.cursor, wire.unstructure(query)

        def fetch(cursor: str | None) -> Page[T]:
            prepared = self._get(operation, {**fields, name: cursor} if cursor else fields)
            return self._carry_out(operation, prepared, wire.decode_page)

        return Paginator(fetch, fields.pop(name, None), operation=operation.name)

    def batch(self, operation: BatchOperation[R], actions: Sequence[object]) -> BatchResult[R]:
        """Send several actions in one request, each signed on its own."""
        prepared = self._prepare_batch(operation, actions)

        def decode(operation: BatchOperation[R], response: Response) -> BatchResult[R]:
            results = wire.decode_batch(operation, response)
            if len(results) != len(prepared.client_ids):
                reason = f"{len(results)} results for {len(prepared.client_ids)} actions"
                raise DecodeError(operation.name, reason, response.body, response.status)
            return BatchResult(operation.name, results)

        return self._carry_out(operation, prepared, decode)

    def act(self, operation: BatchOperation[R], model: object) -> R:
        """Send a batch of one action and return its result; a failed one is an ApiError."""
        name = operation.batch.actions[type(model)].name
        (result,) = self.batch(evolve(operation, name=name), [model])
        if result.success:
            return result
        raise api_error(name, 200, None, result.error or "no reason given", b"")

    def own_account(self, account: str | None) -> str:
        """The account to read: the one given, else the client's."""
        found = self.account if account is None else options.address("account", account)
        if found is None:
            raise RequestError("account is missing: give account=..., or give the client one")
        return found

    def sign(
        self, what: Operation[Any] | Action, params: object | None, now: int | None = None
    ) -> SignedRequest:
        """Sign what an operation or action would send, at a time in ms, or now."""
        if self.signer is None or self.account is None:
            raise RequestError(f"{what.name} must be signed: give the client a signer")
        return sign_request(
            wire.unstructure(params) if params is not None else {},
            signing_type=self.signing_types[what.name],
            signer=self.signer,
            account=self.account,
            timestamp=options.now_ms() if now is None else now,
            expiry_window=self.expiry_window,
        )

    # -- one request --------------------------------------------------------------------------

    def _prepare(self, operation: Operation[Any], params: object | None) -> Prepared:
        if operation.method == "GET":
            return self._get(operation, wire.unstructure(params) if params is not None else {})
        now = options.now_ms()
        body = self.sign(operation, params, now).body
        return self._post(operation, body, now, [client_id(operation.key, body)])

    def _prepare_batch(self, operation: BatchOperation[Any], actions: Sequence[object]) -> Prepared:
        now = options.now_ms()
        signed = [
            (action, self.sign(action, model, now).body)
            for action, model in checked_actions(operation.name, operation.batch, actions)
        ]
        ids = [client_id(action.key, body) for action, body in signed]
        refuse_repeated(operation.name, ids)
        return self._post(operation, batch_body(operation.batch, signed), now, ids)

    def _get(self, operation: Operation[Any], fields: Mapping[str, Any]) -> Prepared:
        url = f"{self.base_url}{operation.path}{wire.query(fields)}"
        return Prepared(request=Request("GET", url, self.headers, None))

    def _post(
        self,
        operation: Operation[Any],
        body: Mapping[str, Any],
        now: int,
        client_ids: Sequence[str | None],
    ) -> Prepared:
        content = json.dumps(body, separators=(",", ":")).encode()
        headers = {**self.headers, "Content-Type": "application/json"}
        return Prepared(
            request=Request("POST", f"{self.base_url}{operation.path}", headers, content),
            timestamp=now,
            expiry_window=self.expiry_window,
            client_ids=tuple(client_ids),
        )

    def _carry_out(
        self, operation: Op, prepared: Prepared, decode: Callable[[Op, Response], T]
    ) -> T:
        try:
            response = self.transport.send(prepared.request, timeout=self.timeout)
            return decode(operation, response)
        except (TransportFailure, ApiError, DecodeError) as failure:
            error = judge(operation, prepared, failure)
        raise error


class Group:
    """Operations that stand together on a client, like `client.orders`."""

    __slots__ = ("_caller",)

    def __init__(self, caller: Caller) -> None:
        self._caller = caller
