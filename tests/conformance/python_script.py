"""A client under a script of the kit: its network, its clock, its ids and its random numbers are given."""

from __future__ import annotations

import base64
import json
import random
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from email.utils import formatdate
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch
from urllib.parse import parse_qs, urlsplit
from uuid import UUID

from attrs import evolve

from tests.conformance.python_values import tagged, value
from tests.doubles.clock import VirtualTime, uses
from trading_runtime import Fault, Request, Response, TransportError
from trading_sdk import Client

NOW = 1_748_970_123_456


class Script:
    """What a client meets: answers one after another, then what lists show; a clock that sleeps move."""

    def __init__(self, command: Mapping[str, Any]) -> None:
        self._time = VirtualTime(value(command.get("now", NOW)))
        self._ahead = value(command.get("ahead", 0))
        self._dated = command.get("date") != "none"
        self._answers = iter(command.get("answers", ()))
        self._ids = iter(command.get("ids", ()))
        self._jitter = value(command.get("jitter", 1.0))
        self._lists = command.get("lists")
        self.requests: list[dict[str, Any]] = []

    @contextmanager
    def at_hand(self, client: Client) -> Iterator[Client]:
        """Give a client this script in the place of the world."""
        self._operations = tuple(client.api.operations.values())
        client._caller = evolve(self._time.hold(client)._caller, transport=self)
        with ExitStack() as stack:
            stack.enter_context(self._time.ruling())
            for module, name in list(uses(random.random)):
                stack.enter_context(patch(f"{module}.{name}", lambda: self._jitter))
            ids = SimpleNamespace(urandom=lambda _: UUID(next(self._ids)).bytes)
            stack.enter_context(patch("trading_runtime.codec.fields.os", ids))
            yield client

    def send(self, request: Request, *, timeout: float) -> Response:
        """Record a request, and answer it: see `Transport`."""
        url = urlsplit(request.url)
        body = None if request.body is None else request.body.decode()
        path = f"{url.path}?{url.query}" if url.query else url.path
        headers = dict(request.headers)
        self.requests.append(
            {"method": request.method, "path": path, "headers": headers, "body": body}
        )
        answer: Any = next(self._answers, None)
        if answer is None and self._lists is not None:
            return self._page(url.path, url.query)
        answer = answer or {"fault": "maybe_sent"}
        takes = value(answer.get("takes", 0))
        if takes > timeout * 1_000:
            self._time.advance(round(timeout * 1_000))
            raise TransportError(Fault.MAYBE_SENT, "the deadline passed")
        self._time.advance(takes)
        if "fault" in answer:
            raise TransportError(Fault[answer["fault"].upper()], "the script says so")
        content = base64.b64decode(answer["body"])
        return Response(value(answer["status"]), answer["headers"], content)

    def close(self) -> None:
        """Nothing is open."""

    def told(self) -> dict[str, Any]:
        """What the client did."""
        return {"requests": self.requests, "slept": tagged(self._time.naps)}

    def _page(self, path: str, query: str) -> Response:
        names = [each.name for each in self._operations if each.path == path]
        shown = (self._lists or {}).get(names[0], {"shown": []})
        service = self._time.now + self._ahead
        seen = [each for each in shown["shown"] if value(each["from"]) <= service]
        records = value(seen[-1]["records"]) if seen else []
        asked = {name: int(each[0]) for name, each in parse_qs(query).items() if name != "account"}
        start = asked.get("cursor", 0)
        end = start + value(shown.get("cap", shown.get("size", len(records))))
        more = end < len(records)
        if "cap" in shown and "limit" in asked:
            more = len(records[start:end]) == asked["limit"]
        page = {"success": True, "data": records[start:end], "has_more": more}
        page["next_cursor"] = str(end) if more else None
        date = {"Date": formatdate(service // 1_000, usegmt=True)} if self._dated else {}
        return Response(200, date, json.dumps(page).encode())
