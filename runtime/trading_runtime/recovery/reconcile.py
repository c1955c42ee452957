"""Finds out from the service's histories what became of a call. It sends nothing again.

A message that no history shows may still be accepted until it expires, and a history may show it later
than that. So `reconcile` reads the histories, waits until both are over, and reads them twice more.
Whatever rests on the absence of a record comes from those two readings.
"""

from __future__ import annotations

from math import inf

from attrs import evolve, frozen

from trading_runtime.call.caller import Caller
from trading_runtime.call.failures import is_duplicate, is_refusal, with_intent
from trading_runtime.call.lookup import MAX_AGE_MS
from trading_runtime.errors import ApiError, OutcomeUnknownError, RequestError
from trading_runtime.intent import Intent, Message
from trading_runtime.minted import shared, unknown
from trading_runtime.operation import Api
from trading_runtime.recovery.conclusion import (
    Conclusion,
    Kind,
    combined,
    conclude_refused,
    is_unlisted,
)
from trading_runtime.recovery.evidence import MAX_UNSEEN_SKEW_MS, Evidence, Search
from trading_runtime.recovery.lists import Lists
from trading_runtime.recovery.settlement import Settlement

LEEWAY_MS = 1_000
"""How far times of this machine and of the service may differ beyond their measured skew."""
_MAX_ROUNDS = 10
"""Who cannot settle in so many rounds of readings has clocks or caches that cannot be relied on."""


def reconcile(
    caller: Caller, api: Api, error: OutcomeUnknownError | ApiError, timeout: float | None
) -> tuple[Settlement, ...]:
    """What became of each message of a call, in their order.

    Raises:
        RequestError: the call was another account's, or another service's, or changed nothing.
        NotSentError, NoResponseError, ApiError, DecodeError, PaginationError: the histories cannot
            be read.
    """
    intent = intent_of(caller, error)
    kinds = tuple(_kind_of(api, each) for each in intent.messages)
    reconciliation = _Reconciliation(caller, intent, kinds, Lists(caller, api, intent))
    duplicate = _is_unlisted_duplicate(error, reconciliation)
    if duplicate or is_refusal(error):
        return reconciliation.settle_refused(duplicate=duplicate)
    return reconciliation.settle(timeout)


def intent_of(caller: Caller, error: OutcomeUnknownError | ApiError) -> Intent:
    """The intent of a call, in which an id counts as minted if it is certainly of one message."""
    intent = with_intent(error).intent
    if intent is None:
        raise RequestError(
            f"{error.operation}: it changed nothing, so there is nothing to reconcile"
        )
    if (intent.base_url, intent.account) != (caller.base_url, caller.account):
        raise RequestError(
            f"{intent.operation} was sent to {intent.base_url} for {intent.account}: reconcile it "
            f"with a client of that service and account"
        )
    unknown.update(intent.uses)
    twice = {id_ for *_, id_ in shared.intersection(intent.uses)}
    messages = [
        evolve(each, minted=(each.minted or caller.unique_ids) and each.client_id not in twice)
        for each in intent.messages
    ]
    return evolve(intent, messages=tuple(messages))


def _kind_of(api: Api, message: Message) -> Kind:
    kind = api.operations.get(message.name) or api.actions.get(message.name)
    if kind is None:
        raise RequestError(f"{message.name} is no operation of this service")
    return kind


@frozen
class _Reconciliation:
    """A call that is being reconciled: its messages, and the means to look them up."""

    caller: Caller
    intent: Intent
    kinds: tuple[Kind, ...]
    """The operation or action of each message."""
    lists: Lists

    def settle(self, timeout: float | None) -> tuple[Settlement, ...]:
        """Settle messages that the service may have accepted, or may still accept."""
        self.lists.learn_skew([kind.trace for kind in self.kinds])
        evidence, left_open = list(map(_evidence, self._search())), ""
        if self._is_open(evidence):
            evidence, left_open = self._look_later(evidence, inf if timeout is None else timeout)
        conclusion = Conclusion(self.caller.history_lag, left_open)
        found = zip(self.intent.messages, self.kinds, evidence, strict=True)
        return tuple(conclusion.of(*each) for each in found)

    def settle_refused(self, *, duplicate: bool) -> tuple[Settlement, ...]:
        """Settle messages that the service refused: at most an earlier message was executed."""
        with_ids = [each.trace if each.trace and each.trace.id else None for each in self.kinds]
        searches = self.lists.search(with_ids, since=0)
        found = zip(self.intent.messages, map(_evidence, searches), strict=True)
        return tuple(conclude_refused(*each, duplicate=duplicate) for each in found)

    def _is_open(self, evidence: list[Evidence | None]) -> bool:
        """Whether a later look may change what becomes of any message."""
        return any(
            each is not None and not each.settled and not is_unlisted(kind)
            for kind, each in zip(self.kinds, evidence, strict=True)
        )

    def _due(self, evidence: list[Evidence | None]) -> int:
        """When absence has a meaning, by the service's clock: then lists show all that was done."""
        until = self.intent.accepted_until
        open_ = (each for each in evidence if each is not None and not each.settled)
        # A change may be another message's, and later than this one can be. No time is believed blindly.
        latest = until + MAX_UNSEEN_SKEW_MS
        done = [until if each.happened is None else min(latest, each.happened) for each in open_]
        return max(done, default=until) + round(self.caller.history_lag * 1_000)

    def _look_later(
        self, first: list[Evidence | None], timeout: float
    ) -> tuple[list[Evidence | None], str]:
        """Look twice once absence has a meaning; the evidence, and why it has none nevertheless."""
        clock, age, evidence, problem = self.caller.clock, 0, first, ""
        deadline = clock.monotonic() + timeout
        for _ in range(_MAX_ROUNDS):
            time_left = max(0.0, deadline - clock.monotonic())
            in_time = clock.wait_until(self._due(evidence) + age, time_left)
            self.lists.take_age()
            began, steps = clock.look(), clock.steps
            # Twice: a list that changes while it is read may hide a record from one reading.
            readings = zip(evidence, self._search(), self._search(), strict=True)
            evidence = [_judged(*each) for each in readings]
            clock.look()
            age, dated = self.lists.take_age(), clock.dated_at >= began
            still = clock.steps == steps
            # The answers may have shown that the service's clock was set meanwhile.
            late = in_time and clock.wait_until(self._due(evidence) + age, 0)
            if (late and dated and still) or not self._is_open(evidence):
                return evidence, ""
            problem = "" if dated else "no answer told the service's time, and "
            if not still:
                problem = "this machine's clock was set meanwhile, and "
            if not in_time or age > MAX_AGE_MS:
                break
        until = f"the service can accept it until {self.intent.accepted_until} ms"
        return evidence, f"; {problem}{until}"

    def _search(self) -> list[Search | None]:
        """Read the lists for each message; None where no list shows its operation."""
        since = self.caller.clock.earliest_service_time(self.intent.timestamp) - LEEWAY_MS
        return self.lists.search([kind.trace for kind in self.kinds], since)


def _evidence(search: Search | None) -> Evidence | None:
    return search.evidence() if search else None


def _judged(first: Evidence | None, second: Search | None, third: Search | None) -> Evidence | None:
    """The evidence of a first look, and of two later ones, each for itself and both together."""
    if second is None or third is None:
        return None
    both = second.joined(third)
    return combined(first, second.evidence(), third.evidence(), both.evidence())


def _is_unlisted_duplicate(
    error: OutcomeUnknownError | ApiError, reconciliation: _Reconciliation
) -> bool:
    """Whether the service said that an idempotency key, which no list shows, was used before."""
    if not is_duplicate(error):
        return False
    # Of a batch it does not say which key was used before.
    kinds, keys = reconciliation.kinds, reconciliation.intent.client_ids
    trace = kinds[0].trace if len(kinds) == 1 else None
    return trace is not None and trace.id is None and keys[0] is not None
