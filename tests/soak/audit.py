"""Holds what the processes believed against what the sandbox did, and the journals against both."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

from attrs import Factory, define

from tests.soak import truth
from tests.soak.ledger import Past
from tests.soak.plan import Call, Move, mark_of
from tests.soak.truth import Shown
from tests.soak.world import SOL, USDC, World
from trading_sandbox import RemoteSandbox
from trading_sandbox.engine.views import AccountView
from trading_sdk import Client, Keypair, Trade

_ROUNDING = Decimal("0.0001")
"""What averages that were rounded may add up to, in USDC."""


@define
class Journals:
    """What the journals must hold, checked at every kill."""

    world: World
    never_sent: set[str] = Factory(set)
    """Marks of moves that a process meant to make, and that no journal had when it was killed."""

    _known_open: set[str] = Factory(set)
    _expected: set[str] | None = None
    _checked: int = 0

    def after_kill(self, past: Past, calls: Iterable[Call]) -> None:
        """Look at the journals of a process that was killed."""
        self.check_listings(past)
        began, still_open = self._read()
        marks = {m.mark for call in calls if past.is_open(call) for m in call.moves}
        self.never_sent |= marks - self._known_open - began
        self._known_open |= marks
        self._expected = still_open

    def check_listings(self, past: Past) -> None:
        """Each process must have listed exactly what the one before it left open."""
        for listed in past.listed[self._checked :]:
            if listed is not None and self._expected is not None:
                assert listed == self._expected, (listed, self._expected)
            self._checked += 1

    def _read(self) -> tuple[set[str], set[str]]:
        """The marks of what began, and of what did not end."""
        began: set[str] = set()
        still_open: set[str] = set()
        for account in range(len(self.world.owners)):
            file = self.world.journal(account)
            left: dict[str, set[str]] = {}
            for line in file.read_bytes().split(b"\n")[:-1] if file.exists() else ():
                entry = json.loads(line)
                if "ended" in entry:
                    left.pop(entry["ended"], None)
                    continue
                intent = entry["began"]
                marks = {_mark(account, message) for message in intent["messages"]}
                left[intent["id"]] = marks
                began |= marks
            still_open.update(*left.values())
        return began, still_open


def _mark(account: int, message: Mapping[str, Any]) -> str:
    return mark_of(account, message["name"], message["client_id"], message["fields"])


@define
class Findings:
    """What an audit found."""

    operations: int = 0
    executed: int = 0
    doubled: list[str] = Factory(list)
    unreported: list[str] = Factory(list)
    """What was carried out and believed not to be, or the other way round, or not accounted for."""

    money: list[str] = Factory(list)
    """What does not add up."""

    @property
    def faultless(self) -> bool:
        """Whether everything is accounted for."""
        return not (self.doubled or self.unreported or self.money)


def audit(
    world: World, sandbox: RemoteSandbox, calls: Iterable[Call], past: Past, never_sent: set[str]
) -> Findings:
    """Account for every move, and for the money."""
    moves: list[list[Move]] = [[] for _ in world.owners]
    for call in calls:
        moves[call.account].extend(call.moves)
    found, traded = Findings(), list[Trade]()
    mains = [sandbox.account(owner.address) for owner in world.owners]
    subs = [sandbox.account(owner.sub) for owner in world.owners]
    for account, owner in enumerate(world.owners):
        key = Keypair.from_base58(owner.key)
        journal = world.journal(account)
        with Client(world.url, signer=key, journal=journal) as client:
            left = client.unsettled()
            found.unreported += [f"still in the journal: {error}" for error in left]
            shown = truth.shown(client)
            for move in moves[account]:
                _account_for(found, move, shown, past, never_sent)
            _look_for_strangers(found, moves[account], shown)
            traded += client.trades.history(limit=1_000)
        withdrawn = sum(shown.withdrawals.elements())
        if mains[account].spot["SOL"] != SOL - withdrawn:
            found.money.append(f"{mains[account].spot} after withdrawals of {withdrawn}: {owner}")
    found.money += _money_problems(mains, subs, traded)
    return found


def _money_problems(
    mains: Sequence[AccountView], subs: Sequence[AccountView], trades: Sequence[Trade]
) -> Iterator[str]:
    """What does not add up of accounts that trade with nobody but each other, and of their subaccounts."""
    positions = [each for view in mains for each in view.positions.values()]
    if size := sum(each.size for each in positions):
        yield f"the positions of all accounts add up to {size} BTC"
    balance = sum((each.balance for each in (*mains, *subs)), Decimal(0))
    pnl = sum(each.pnl for each in trades)
    earned = balance + sum(each.fee for each in trades) - USDC * len(mains)
    # Funding, should an hour end meanwhile, is paid by one account to another as well.
    kept = earned + sum(each.unrealised for each in positions)
    if abs(kept) > _ROUNDING:
        yield f"balances, open profits and fees differ from deposits by {kept} USDC"
    if abs(earned - pnl) > _ROUNDING:
        yield f"balances differ from deposits, fees and profits by {earned - pnl} USDC"


def _account_for(
    found: Findings, move: Move, shown: Shown, past: Past, never_sent: set[str]
) -> None:
    times = truth.times(move, shown)
    endings = past.endings.get(move.key, [])
    found.executed += times > 0
    if times > 1:
        found.doubled.append(f"{times} times: {move}")
    if len(endings) != 1:
        found.unreported.append(f"{len(endings)} endings: {move} {endings}")
        return
    (end,) = endings
    found.operations += 1
    if (times > 0) != (end == "executed"):
        found.unreported.append(f"believed {end}, executed {times} times: {move}")
    if times and move.mark in never_sent:
        found.unreported.append(f"executed, and in no journal before it was sent: {move}")


def _look_for_strangers(found: Findings, moves: list[Move], shown: Shown) -> None:
    """Everything that the account shows must have been planned."""
    ids = {move.id for move in moves}
    amounts = {Decimal(m.arguments["amount"]) for m in moves if m.name == "spot.withdraw"}
    found.unreported += [f"never asked for: {o}" for i, o in shown.orders.items() if i not in ids]
    found.unreported += [f"never asked for: {a} SOL" for a in shown.withdrawals if a not in amounts]
