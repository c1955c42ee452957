"""Calls at a socket: what a mutated spec lets send and answer goes over the wire, and what it forbids does not."""

from __future__ import annotations

import atexit
import json
import random
import zlib
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from functools import cache
from itertools import islice
from typing import Any
from urllib.parse import parse_qs, unquote

from attrs import frozen

from codegen import ir
from tests.codegen.in_memory import imported
from tests.codegen.specs import Tree
from tests.doubles.server import Received, Server
from tests.fuzz.agreement import same
from tests.spec_fuzz.compare import arguments, as_text, in_path, is_read, is_typed
from tests.spec_fuzz.values import NoValue, Path, Values
from tests.spec_fuzz.wire_spec import Message, messages, model_of, success_of, with_success
from trading_runtime import (
    DecodeError,
    Keypair,
    OutcomeUnknownError,
    RequestError,
    Retry,
    SigningError,
)

PACKAGE = "fuzzed"
SIGNER = Keypair.from_seed(bytes(range(32)))
REFUSED = (TypeError, RequestError, SigningError)
UNUSABLE = (DecodeError, OutcomeUnknownError)
EACH = 3
"""How many wrong requests, and how many wrong answers, are tried of each right one."""
SERVED: Counter[str] = Counter()
"""What was done in this process, for the report."""


@cache
def service() -> Server:
    """One service for all calls of the process."""
    stack = ExitStack()
    atexit.register(stack.close)
    return stack.enter_context(Server())


def failures(spec: Tree, api: ir.Api, files: dict[str, str], names: list[str]) -> Iterator[str]:
    """What goes wrong with the operations of these ids. `files` is the package without a folder."""
    recorder = service()
    seed = zlib.crc32(json.dumps(spec, sort_keys=True).encode())
    with (
        imported(files, PACKAGE) as package,
        package.Client(recorder.url, signer=SIGNER, retry=Retry(max_attempts=1)) as client,
    ):
        # What two keys sign takes the other signer and no fields of its own.
        called = [each for each in api.operations if each.id in names and not each.countersigned]
        for operation in called:
            values = Values(spec, random.Random(f"{seed} {operation.id}"))
            call = Call(spec, api, operation, values, recorder, package, client)
            try:
                for failure in call.failures():
                    yield f"{operation.id}: {failure} (values of seed {seed})"
            except NoValue:
                SERVED["without a value"] += 1


@frozen
class Call:
    """One operation of a package, and the service that it calls."""

    spec: Tree
    api: ir.Api
    operation: ir.Operation
    values: Values
    recorder: Server
    package: Any
    client: Any

    def failures(self) -> Iterator[str]:
        """What goes wrong with one request, one answer, and some wrong ones."""
        message = messages(self.spec, self.operation.id, self.values)
        status, schema = success_of(self.spec, self.operation.id)
        answer = self._answer(message, schema)
        result = self._called(message, status, answer)
        taken = self.recorder.taken()
        SERVED["requests"] += 1
        if isinstance(result, Exception) and not taken:
            yield f"{message.fields!r} is right, and was refused: {result!r}"
            return
        problem = self._not_sent(taken[0], message) if len(taken) == 1 else f"{len(taken)} requests"
        if problem:
            yield f"{message.fields or message.actions!r} was sent as {taken!r} ({problem})"
            return
        SERVED["answers"] += 1
        wanted = self._wanted(answer)
        if isinstance(result, Exception) or not is_read(result, wanted):
            yield f"{answer!r} was read as {result!r}, not as {wanted!r}"
            return
        has_schema = self.operation.result and not self.operation.outcome
        if has_schema and not is_typed(result, self._result_schema(schema), self.values):
            yield f"{answer!r} was read as {result!r}, of another type"
            return
        yield from self._wrong_requests(message, status, answer)
        yield from self._wrong_answers(message, status, schema)

    # -- what is right ------------------------------------------------------------------------

    def _answer(self, message: Message, schema: Any) -> Any:
        """An answer to a message: with success, and with what the result repeats of the message."""
        if schema is None:
            return None
        for _ in range(20):
            answer = self.values.right(schema)
            with_success(answer, self.operation, message, self.values)
            if self.values.is_right(answer, schema) and self._is_whole(answer):
                return answer
        raise NoValue(repr(schema))

    def _is_whole(self, answer: Any) -> bool:
        """Whether a batch has results."""
        return self.operation.batch is None or bool(self._wanted(answer))

    def _called(self, message: Message, status: int, answer: Any) -> Any:
        """What the call returns, or the error that it raises."""
        body = b"" if answer is None else json.dumps(answer).encode()
        self.recorder.will_answer(body, status)
        group = getattr(self.client, self.operation.group)
        try:
            method = getattr(group, self.operation.method)
            return self._collected(method(**self._arguments(message)))
        except Exception as error:
            return error

    def _arguments(self, message: Message) -> dict[str, Any]:
        if self.operation.batch is None:
            return arguments(self.api, self.operation.params, message.fields)
        actions = [
            getattr(self.package, model)(**arguments(self.api, model, fields))
            for model, fields in ((model_of(schema), each) for schema, each in message.actions)
        ]
        return {self.operation.batch.field: actions}

    def _collected(self, result: Any) -> Any:
        """A result; of a list, the records of its first page."""
        if self.operation.pagination:
            (page,) = islice(result.pages(), 1)
            return page.items
        return list(result) if self.operation.batch else result

    def _not_sent(self, request: Received, message: Message) -> str | None:
        """What of a message did not arrive as it was meant."""
        path, left = in_path(self.operation.path, message.fields)
        if unquote(request.path) != path:
            return f"path {request.path!r}"
        body = json.loads(request.body) if request.body else {}
        if self.operation.batch:
            sent = [
                {k: v for k, v in each["data"].items() if k not in message.signed}
                for each in body[self.operation.batch.field]
            ]
            return None if same(sent, [fields for _, fields in message.actions]) else "actions"
        query = parse_qs(request.query, keep_blank_values=True)
        asked = {name: left.pop(name) for name, place in message.places.items() if name in left}
        if not same(query, {name: _texts(value) for name, value in asked.items()}):
            return f"query {query!r}"
        own = {name: value for name, value in body.items() if name not in message.signed}
        return None if same(own, left) else f"body {own!r}"

    def _wanted(self, answer: Any) -> Any:
        """What the call should return."""
        for name in self.operation.result.at if self.operation.result else ():
            answer = answer[name]
        result = answer if self.operation.result else None
        return {**(result or {}), "success": True} if self.operation.outcome else result

    def _result_schema(self, schema: Any) -> Any:
        """The schema of what the call should return."""
        for name in self.operation.result.at if self.operation.result else ():
            schema = self.values.plain(schema)["properties"][name]
        return schema

    # -- what is wrong ------------------------------------------------------------------------

    def _wrong_requests(self, message: Message, status: int, answer: Any) -> Iterator[str]:
        for wrong in islice(message.wrong(self.values), EACH):
            found = self._called(wrong, status, answer)
            SERVED["wrong requests"] += 1
            if self.recorder.taken() or not isinstance(found, REFUSED):
                yield f"{wrong.fields or wrong.actions!r} is wrong, and ended with {found!r}"

    def _wrong_answers(self, message: Message, status: int, schema: Any) -> Iterator[str]:
        if schema is None or self.operation.ignores_data:
            return
        below: Path = self.operation.result.at if self.operation.result else ("success",)
        for _ in range(EACH):
            answer = self._answer(message, schema)
            for wrong in islice(self.values.wrong(answer, schema, below, sent=False), 1):
                found = self._called(message, status, wrong)
                self.recorder.taken()
                SERVED["wrong answers"] += 1
                if not isinstance(found, UNUSABLE):
                    yield f"{wrong!r} is no answer, and ended with {found!r}"


def _texts(value: Any) -> list[str]:
    return [as_text(each) for each in value] if isinstance(value, list) else [as_text(value)]
