"""A model of the service: a transport that carries messages out, and knows what it did.

It differs from the sandbox in whatever the traits of its world say. Messages travel: whether and when
one arrives is told before it is sent (`fate`), and its sender never gets an answer to it.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from email.utils import formatdate
from itertools import count
from random import Random
from typing import Any, Literal
from urllib.parse import parse_qs, urlsplit

from attrs import define, evolve, field, frozen

from tests.doubles.clock import EndlessError, VirtualTime
from tests.doubles.orders import HERE
from tests.doubles.signer import ScriptedSigner
from tests.worlds.engine import DUPLICATE, EXPIRED, USED_KEY, Engine, signed
from tests.worlds.traits import World
from trading_runtime.http.fault import Fault, TransportError
from trading_runtime.http.transport import Request, Response
from trading_sdk import Client

RTT = 20
"""How long a request and its answer take together, in ms."""
STOPS = ("Insufficient margin", "slow down", "Invalid message: it expired")
"""With what a gateway may refuse a copy."""
_GATEWAY = {"Insufficient margin": 400, "slow down": 429, EXPIRED: 401}
_SIGNATURES = count(1)
MAX_REQUESTS = 2_000
"""Who reads more pages of so short histories will never end."""


@frozen
class Fate:
    """What becomes of the next message."""

    after: int | None
    """How late it arrives, in ms; None if it never does, or not by itself."""
    queue: int = 0
    lag: int = 0
    copy_after: int | None = None
    """How late a copy of it arrives, which a hop made; None if there is none."""
    answers: Literal["none", "first", "second"] = "none"
    """Which of the two is answered."""
    stopped: str | None = None
    """With what words a gateway refuses one of the two, which the engine then never sees."""


@define
class _Copy:
    """One arrival of a message, and what it was answered."""

    told: Sequence[int | str] | None = None
    stopped: str | None = None


@define
class Service:
    """The service, as its gateway shows it."""

    world: World
    random: Random
    time: VirtualTime = field(factory=lambda: VirtualTime(most_slept=7_200))
    """Who sleeps for longer in one call of `reconcile` will never end."""
    engine: Engine = field(init=False)
    fate: Fate | None = None
    """Of the next message; None if it is answered."""
    read: int = 0
    spent: list[int] = field(factory=list)
    """When the pages of the last minute were read."""
    asked: set[str] = field(factory=set)
    hidden: set[int | None] = field(factory=set)
    """The records that were left out when they should have been shown last."""
    cached: dict[str, tuple[int, bytes]] = field(factory=dict)
    caching: int | None = None
    """How long pages are cached from now on, if not for as long as the world says."""
    last: list[str] = field(factory=list)
    """The signature of each action of the latest message."""
    held: tuple[str, dict[str, Any]] = ("", {})
    """The path and body of the latest message."""
    wrong: list[int] = field(factory=list)
    """By how much the latest two `Date`s were wrong, in ms."""

    def __attrs_post_init__(self) -> None:
        """Make an engine without history."""
        self.engine = Engine(self.time, self.world, max_lag=self.world.lag)

    def client(self, **options: Any) -> Client:
        """A client that goes by its time; its signatures are all different, and cheap."""
        signer = ScriptedSigner(signs=lambda _: next(_SIGNATURES).to_bytes(64, "big"))
        return self.time.hold(Client(HERE, signer=signer, transport=self, **options))

    def send(self, request: Request, *, timeout: float) -> Response:
        """Carry out a message, now or later, or show a page."""
        self.time.advance(RTT // 2)
        if request.method == "GET":
            response = self._page(request)
            self.time.advance(RTT // 2)
            return response
        message = json.loads(request.body or b"")
        path = urlsplit(request.url).path.removeprefix("/api/v1/")
        self.last, self.held = [each["signature"] for each in signed(message)], (path, message)
        if self.fate is None:
            return self._answer(path, message, self.engine.carry_out(path, message, lag=0))
        fate = self.fate
        if fate.copy_after is not None:
            return self._repeated(fate, path, message)
        self._send_off(fate, path, message)
        if self.world.refuses:
            self.time.advance(RTT // 2)
            return Response(400, self._dated(), b'{"error": "no", "code": 400}')
        if self.world.dates == "1970 on errors":
            self.time.advance(RTT // 2)
            return Response(503, {"Date": formatdate(0, usegmt=True)}, b"<html>no</html>")
        raise TransportError(Fault.MAYBE_SENT, "the connection was reset")

    def cache_all(self) -> None:
        """Begin to cache the first page of every list that was asked for before."""
        for url in self.asked:
            self.cached[url] = (self.time.now, self._made(url))

    def close(self) -> None:
        """Do nothing: there are no connections."""

    # -- messages ------------------------------------------------------------------------------

    def _repeated(self, fate: Fate, path: str, message: dict[str, Any]) -> Response:
        """Let two copies of a message arrive, and hand out the answer to one of them."""
        stops = [None, fate.stopped] if self.random.random() < 0.5 else [fate.stopped, None]
        copies = [_Copy(stopped=each) for each in stops]
        for copy, after in zip(copies, (fate.after, fate.copy_after), strict=True):
            self._send_off(evolve(fate, after=after), path, message, copy)
        if fate.answers == "none":
            raise TransportError(Fault.MAYBE_SENT, "the connection was reset")
        answered = copies[fate.answers == "second"]
        while answered.told is None:
            self.time.advance(10)
        self.time.advance(RTT // 2)
        return self._answer(path, message, answered.told)

    def _answer(self, path: str, message: dict[str, Any], told: Sequence[int | str]) -> Response:
        words = [each for each in told if isinstance(each, str)]
        if "actions" in message and not any(each in _GATEWAY for each in words):
            results = [
                {"success": False, "error": each}
                if isinstance(each, str)
                else {"success": True, "order_id": each}
                for each in told
            ]
            content = {"success": not words, "data": {"results": results}}
            return Response(200, self._dated(), json.dumps(content).encode())
        if words:
            status, code = self._status(words[0])
            refusal = {"success": False, "error": words[0], "code": code}
            return Response(status, self._dated(), json.dumps(refusal).encode())
        body: dict[str, Any] = {"order_id": told[0]}
        if "withdraw" in path:
            amount = message["amount"]
            receipt = {"symbol": "SOL", "batch_nonce": 1, "requested_amount": amount}
            body = {"success": True, "data": {**receipt, "fee_amount": "0"}}
        return Response(200, self._dated(), json.dumps(body).encode())

    def _status(self, words: str) -> tuple[int, int]:
        """The status and the code of a refusal: the service may tell a duplicate in several ways."""
        if words in _GATEWAY:
            return _GATEWAY[words], 1
        if words in (DUPLICATE, USED_KEY):
            return self.random.choice(((400, 400), (422, 422), (409, 409), (200, 409), (400, 409)))
        return 400, 400

    def _send_off(
        self, fate: Fate, path: str, message: dict[str, Any], copy: _Copy | None = None
    ) -> None:
        if fate.after is None:
            return
        copy = copy or _Copy()
        parts = len(signed(message))

        def arrive() -> None:
            if copy.stopped is not None:
                copy.told = [copy.stopped] * parts
            elif self.engine.arrive(message):
                self.time.at(self.time.now + fate.queue, execute)
            else:
                copy.told = [EXPIRED] * parts

        def execute() -> None:
            copy.told = self.engine.carry_out(path, message, lag=fate.lag)

        self.time.at(self.time.now + fate.after, arrive)

    # -- pages ---------------------------------------------------------------------------------

    def _page(self, request: Request) -> Response:
        self.read += 1
        self.asked.add(request.url)
        if self.read > MAX_REQUESTS:
            raise EndlessError(f"it read {self.read} pages")
        if (refusal := self._refusal(request.url)) is not None:
            return refusal
        asked = {name.lower(): value for name, value in request.headers.items()}
        ask_anew = "no-cache" in asked.get("cache-control", "") and self.world.cache_obeys
        made, body = self.cached.get(request.url, (0, b""))
        age, span = self.time.now - made, self.caching or self.world.cache
        if ask_anew or age >= span:
            age, body = 0, self._made(request.url)
            self.cached[request.url] = (self.time.now, body)
        tells = age and self.world.cache_tells
        headers = self._dated(back=age if self.world.cache_tells else 0)
        return Response(200, {**headers, "Age": str(age // 1_000)} if tells else headers, body)

    def _refusal(self, url: str) -> Response | None:
        """An answer that is no page."""
        world, now, words = self.world, self.time.now, b'{"error": "no", "code": 1}'
        self.spent = [each for each in self.spent if now - each < 60_000]
        if world.credits is not None and len(self.spent) >= world.credits:
            left = 60 - (now - self.spent[0]) // 1_000
            budget = {"ratelimit": f'"credits";r=0;t={left}'}
            return Response(429, {**self._dated(), **budget}, words)
        self.spent.append(now)
        if self.random.random() < world.fails:
            if self.random.random() < 0.5:
                raise TransportError(Fault.MAYBE_SENT, "the connection was reset")
            return Response(200, self._dated(), b"<html>later</html>")
        if world.limit == "refused" and "limit=" in url:
            return Response(400, self._dated(), words)
        return None

    def _size(self, query: dict[str, list[str]]) -> int:
        asked = query.get("limit")
        if asked is None or self.world.limit == "ignored":
            return self.world.page
        return min(int(asked[0]), self.world.largest)

    def _made(self, url: str) -> bytes:
        split = urlsplit(url)
        path, query = split.path.removeprefix("/api/v1/"), parse_qs(split.query)
        start = int(query.get("cursor", ["0"])[0])
        if self.world.empty_pages and start == 0 and "cursor" not in query:
            return _envelope([], "0")
        records = self.engine.listed(path)
        end = start + self._size(query)
        shown = [each for each in records[start:end] if not self._is_hidden(each)]
        if self.world.unreadable:
            shown = [_broken(each) if _is_old(each) else each for each in shown]
        more = end < len(records)
        if self.world.ends_early and "limit" in query:
            more = len(records[start:end]) == int(query["limit"][0])
        return _envelope(shown, str(end) if more else None)

    def _is_hidden(self, record: dict[str, Any]) -> bool:
        """Whether an answer leaves a record out, which it never does twice running."""
        number = record.get("order_id", record.get("batch_nonce"))
        if number in self.hidden:
            self.hidden.discard(number)
            return False
        if self.random.random() < self.world.hides:
            self.hidden.add(number)
        return number in self.hidden

    def _dated(self, back: int = 0) -> dict[str, str]:
        world, now = self.world, self.time.service_ms() - back
        if world.dates == "missing":
            return {}
        if world.dates == "stale":
            now -= now % world.staleness
        return {"Date": formatdate((now + self._error()) // 1_000, usegmt=True)}

    def _error(self) -> int:
        """By how much a `Date` is wrong, never three times in a row by the same."""
        error = 0
        if self.world.dates == "wrong at times" and self.random.random() < 0.25:
            error = self.random.choice((-3_600_000, -60_000, 60_000, 3_600_000))
        error = 0 if self.wrong == [error] * 2 else error
        self.wrong = [*self.wrong[-1:], error]
        return error


def _is_old(record: dict[str, Any]) -> bool:
    return str(record.get("client_order_id")).startswith("00000000-0000-4000-9000")


def _broken(record: dict[str, Any]) -> dict[str, Any]:
    """A record as an older version of the service wrote it."""
    return {**record, "created_at": None, "client_order_id": ""}


def _envelope(records: list[dict[str, Any]], following: str | None) -> bytes:
    content = {
        "success": True,
        "data": records,
        "next_cursor": following,
        "has_more": following is not None,
    }
    return json.dumps(content).encode()
