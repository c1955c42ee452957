"""A process of the soak of the client: many threads that trade, each with calls of its own.

It begins with what the process before it left: the calls that its ledgers began and did not end, of
which the journals of its clients list those that may have been sent.
"""

from __future__ import annotations

import sys
import traceback
from functools import partial
from multiprocessing.connection import Connection
from operator import attrgetter
from threading import Lock

from tests.soak.leaks import in_threads
from tests.soak.ledger import Ledger, Past, State, read_past
from tests.soak.plan import Call, calls_of, mark_of
from tests.soak.settling import Settling
from tests.soak.trouble import EXPIRY_WINDOW, TIMEOUT
from tests.soak.world import World, persistently
from trading_sandbox import RemoteSandbox
from trading_sdk import (
    ApiError,
    Client,
    Keypair,
    NotSentError,
    OutcomeUnknownError,
)


class Trader:
    """All threads of one process."""

    def __init__(self, world: World, life: int, events: int) -> None:
        self._world = world
        self._inject = RemoteSandbox(world.url).faults.inject
        self._past: Past = read_past(world.folder)
        self._ledger = Ledger(world.folder, life, events)
        self._lock = Lock()
        self._clients: dict[int, Client] = {}
        self._left: dict[str, list[OutcomeUnknownError]] = {}
        """What the journals listed when the process began, by its marks."""
        self._failed = False

    def run(self) -> bool:
        """Make all calls that are left; return whether every thread came to its end."""
        self._list()
        in_threads(range(self._world.threads), self._trade)
        for client in self._clients.values():
            client.close()
        return not self._failed

    def _list(self) -> None:
        """Write down what the journals of the last process list."""
        for account in range(len(self._world.owners)):
            if not self._world.journal(account).exists():
                continue
            for error in self._client(account).unsettled():
                for message in error.intent.messages:
                    mark = mark_of(account, message.name, message.client_id, message.fields)
                    self._left.setdefault(mark, []).append(error)
        self._ledger.listed(sorted(self._left))

    def _trade(self, thread: int) -> None:
        world = self._world
        try:
            for call in calls_of(world.seed, thread, world.threads, world.calls):
                if self._failed:
                    return
                self._go_on(call)
        except BaseException:
            self._failed = True
            traceback.print_exc(file=sys.stderr)

    def _go_on(self, call: Call) -> None:
        left = self._left.get(call.moves[0].mark, [])
        if self._past.is_over(call):
            # Its end was written down, and not marked in the journal any more.
            for error in left:
                self._client(call.account).acknowledge(error)
        elif self._past.is_open(call):
            self._settling(call).after_a_kill(list(left))
        else:
            for trouble in call.troubles:
                inject = partial(self._inject, trouble.operation, trouble.kind, **trouble.options)
                # `connect_refused` shuts the controls out as well.
                persistently(inject, RuntimeError)
            self._make(call)

    def _make(self, call: Call) -> None:
        self._ledger.sending(call)
        ends: list[State]
        refusal: ApiError | None = None
        try:
            ends = self._sent(call)
        except NotSentError:
            ends = ["not sent"] * len(call.moves)
        except ApiError as error:
            ends, refusal = ["refused"] * len(call.moves), error
        except OutcomeUnknownError as error:
            self._ledger.unknown(call)
            listed = {each.intent.id for each in self._client(call.account).unsettled()}
            assert error.intent.id in listed, error
            self._settling(call).after(error)
            return
        self._ledger.ended(zip(call.moves, ends, strict=True))
        if refusal is not None:
            self._settling(call).check_refused(refusal)

    def _sent(self, call: Call) -> list[State]:
        client = self._client(call.account)
        if call.batch:
            models = Client.api.actions
            actions = [models[move.name].params(**move.arguments) for move in call.moves]
            results = client.orders.batch(actions)
            return ["executed" if each.success else "refused" for each in results]
        (move,) = call.moves
        arguments = dict(move.arguments)
        if move.name == "subaccounts.transfer":
            arguments["to_account"] = self._world.owners[call.account].sub
        attrgetter(move.name)(client)(**arguments)
        return ["executed"]

    def _settling(self, call: Call) -> Settling:
        return Settling(self._client(call.account), self._ledger, call)

    def _client(self, account: int) -> Client:
        with self._lock:
            if account not in self._clients:
                world = self._world
                self._clients[account] = Client(
                    world.url,
                    signer=Keypair.from_base58(world.owners[account].key),
                    timeout=TIMEOUT,
                    expiry_window=EXPIRY_WINDOW,
                    journal=world.journal(account),
                    history_lag=1,
                )
            return self._clients[account]


def live(world: World, life: int, events: Connection) -> None:
    """Be the nth process of a run; its exit status says whether it came to the end."""
    sys.exit(not Trader(world, life, events.fileno()).run())
