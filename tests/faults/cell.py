"""One cell of the matrix: a fault against an operation, made, met and checked."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import requests
from attrs import define, field, frozen

from tests.doubles.server import Server
from tests.faults import checks
from tests.faults.calls import Call, Scene
from tests.faults.checks import Ended, Secrets, Unpunctual
from tests.faults.dialling import Authorities, BlackHole, Place, dialled, secured, trap
from tests.faults.rows import (
    ATTEMPTS,
    Before,
    Dialled,
    Injected,
    Redirected,
    Row,
    Secured,
    Story,
)
from tests.faults.subjects import Subject
from tests.interface import METHODS
from trading_runtime.call.retry import Retry
from trading_sandbox import Sandbox
from trading_sdk import Client, Keypair, OutcomeUnknownError, Signer, new_session

RICH = "1000000"


@frozen(kw_only=True)
class Bench:
    """What all cells of a process share."""

    sandbox: Sandbox
    authorities: Authorities
    black_hole: BlackHole
    printed: Callable[[], str]
    """What was written to stdout and stderr since the last time, and all that was logged."""
    secrets: Secrets = field(factory=Secrets)
    sessions: list[requests.Session] = field(factory=list)
    """Those of the clients of a cell, which do not close them."""

    @property
    def port(self) -> int:
        return urlsplit(self.sandbox.url).port or 0

    @contextmanager
    def scene(self) -> Iterator[Scene]:
        """An exchange that was just opened, and two accounts on it."""
        self.sandbox.reset()
        self.secrets.clear()
        trader = self.sandbox.create_account(RICH, spot={"SOL": "50"})
        somebody = self.sandbox.create_account(RICH)
        with self.client(trader) as hand, self.client(somebody) as other:
            yield Scene(self.sandbox, trader, hand, other)

    def client(self, signer: Signer, place: Place | None = None, **options: Any) -> Client:
        url = place.url if place else self.sandbox.url
        if place and place.ca_file:
            options["session"] = self._session(place.ca_file)
        # The sandbox shows at once what it did.
        return Client(url, signer=signer, history_lag=1, **options)

    def _session(self, ca_file: Path) -> requests.Session:
        """A session like the client's own, with these CAs."""
        session = new_session()
        session.verify = str(ca_file)
        self.sessions.append(session)
        return session

    def note_keys(self, scene: Scene, subject: Subject) -> None:
        """An operation on API keys must not show them either."""
        if subject.name.startswith("api_keys."):
            self.secrets.texts.update(scene.hand.api_keys.list()["api_keys"])

    def observed(self, trader: Keypair, row: Row, key: str, place: Place) -> Client:
        """The client whose call meets the fault; all that it must not show is a secret."""
        self.secrets.texts.add(key)
        options = {"expiry_window": row.settles} if row.settles else {}
        return self.client(
            self.secrets.signing(trader),
            place,
            api_key=key,
            timeout=row.timeout,
            retry=Retry(max_attempts=ATTEMPTS, base_delay=0.01),
            **options,
            **row.client,
        )


@define
class Watched:
    """A cell that is under way."""

    bench: Bench
    row: Row
    subject: Subject
    scene: Scene
    call: Call
    client: Client
    api_key: str
    place: Place
    errors: list[BaseException | None] = field(factory=list)
    """Those that a caller saw."""

    def ended(self, call: Callable[[], Any]) -> Ended:
        end = checks.ended(call)
        self.errors.append(end.error)
        return end


@contextmanager
def watched(bench: Bench, row: Row, subject: Subject) -> Iterator[Watched]:
    """Set a cell up; at its end every fault was used up, no secret was seen, no socket is left."""
    with bench.scene() as scene, _place(bench, row) as place:
        call, key = subject.prepare(scene), scene.hand.api_keys.create().api_key
        scene.other.account.settings()
        before = checks.sockets()
        with bench.observed(scene.trader, row, key, place) as client:
            cell = Watched(bench, row, subject, scene, call, client, key, place)
            bench.note_keys(scene, subject)
            yield cell
            checks.check_used_up(bench.sandbox)
            bench.note_keys(scene, subject)
        while bench.sessions:
            bench.sessions.pop().close()
        checks.check_sockets(before, (bench.port, urlsplit(place.url).port or 0))
        shown = [text for error in cell.errors for text in checks.outputs_of(error)]
        bench.secrets.check([*shown, bench.printed()])


def run(bench: Bench, row: Row, subject: Subject) -> None:
    """Make the fault, call, and hold the cell against the six checks."""
    with watched(bench, row, subject) as cell:
        with _injected(bench, row, subject, cell.client) as after:
            end = cell.ended(lambda: cell.call(cell.client))
        check_end(cell, end, after)
        if cell.place.met is None:
            check_afterwards(row, subject, cell.client, end)
        else:
            checks.check_met(cell.place.met, row.expected(subject))


def check_end(cell: Watched, end: Ended, after: int) -> None:
    """How the call ended, and what the service made of it."""
    expected = cell.row.expected(cell.subject)
    checks.check_outcome(cell.subject, expected, end)
    checks.check_time(cell.row, end)
    checks.check_used_up(cell.bench.sandbox)
    executed = expected.error is None or cell.row.carried_out
    checks.check_executed(cell.scene, cell.subject, after, int(executed))


@contextmanager
def _place(bench: Bench, row: Row) -> Iterator[Place]:
    """Where the client of a cell is sent to."""
    plan = row.way.plan if isinstance(row.way, Dialled | Story) else None
    if plan is not None:
        with dialled(plan, bench.port, bench.black_hole.port) as place:
            yield place
    elif isinstance(row.way, Secured):
        with secured(row.way.play, bench.authorities) as place:
            yield place
    else:
        yield Place(bench.sandbox.url)


@contextmanager
def _injected(bench: Bench, row: Row, subject: Subject, client: Client) -> Iterator[int]:
    """Script the fault; yield how many requests the service had before the call."""
    faults, way, meets = bench.sandbox.faults, row.way, row.expected(subject).meets or 1
    with ExitStack() as servers:
        if isinstance(way, Injected):
            spoiled: dict[str, Any] = (
                {"field": way.fields[subject.name]} if subject.name in way.fields else {}
            )
            faults.inject(subject.sent_as, way.kind, meets, **way.options, **spoiled)
        elif isinstance(way, Redirected):
            elsewhere = servers.enter_context(trap())
            location = way.base.format(port=elsewhere.port) + METHODS["orders.create"].path
            servers.callback(lambda: _nobody_came(elsewhere))
            faults.inject(subject.sent_as, "redirect", meets, status=way.status, location=location)
        elif isinstance(way, Before):
            faults.inject("funding.history", way.kind, **way.options)
            check_next(client)
            if way.clock:
                faults.inject(subject.sent_as, way.kind, **way.options)
            time.sleep(way.pause)
        yield len(bench.sandbox.requests)


def _nobody_came(server: Server) -> None:
    assert server.connections == 0, "an answer led the client elsewhere"


def check_next(client: Client) -> None:
    """The next call on the same connection, if it is still there, gets its own answer."""
    records = next(iter(client.funding.history(symbol="ETH", limit=3).pages())).items
    if [record.oracle_price < 10_000 for record in records] != [True] * 3:
        # A surplus answer that comes only when the next request is on its way is taken for its own.
        raise Unpunctual("the next call got the answer to another one")


def check_afterwards(row: Row, subject: Subject, client: Client, end: Ended) -> None:
    """The same client goes on, and can find out what became of the call."""
    check_next(client)
    if isinstance(row.way, Injected) and row.way.kind == "delay_answer" and end.error:
        # Now the late answer is there, too.
        time.sleep(row.way.options["seconds"] - row.timeout)
        check_next(client)
    if isinstance(end.error, OutcomeUnknownError):
        timeout = None if row.settles else 0
        settlements = client.reconcile(end.error, timeout=timeout)
        states = checks.expected_states(subject, executed=row.carried_out, waited=bool(row.settles))
        checks.check_states(settlements, states)
