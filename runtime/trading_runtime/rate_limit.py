"""The rate limit, as the headers of an answer tell it: the credits that are left, and how long to wait.

The headers are those of the IETF's draft "RateLimit header fields for HTTP", like `ratelimit:
"name";r=1200;t=32` and `ratelimit-policy: "name";q=1250;w=60`, and `Retry-After`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Context, Decimal

from attrs import frozen

from trading_runtime.clock import date_ms

RATE_HEADERS = ("ratelimit", "ratelimit-policy")
"""The headers that tell the budget, and the quota with its window, where the spec names no others."""
_EXACT = Context(prec=28, traps=[])
"""Instead of the caller's, which may round, or raise where a division does not come out even."""
_ITEM = re.compile(r'\s*"[^"]*"((?:\s*;\s*[a-z]+\s*=\s*[0-9]{1,12}(?=\s*(?:[;,]|$)))+)')
_PARAMETER = re.compile(r"([a-z]+)\s*=\s*([0-9]+)")
_SECONDS = re.compile(r"[0-9]+(\.[0-9]+)?([eE][0-9]+)?")


@frozen(kw_only=True)
class RateBudget:
    """The budget of a rate-limit class, in credits, as of one answer."""

    remaining: Decimal
    """Credits that are left."""

    resets_in: int | None
    """Seconds from that answer until the budget is whole again."""

    quota: Decimal | None
    """Credits of a whole window."""

    window: int | None
    """Length of a window, in seconds."""


class RateLimit:
    """What the answers to a client say of the rate limit; parsed when it is asked for."""

    def __init__(self, scale: int, names: tuple[str, str] = RATE_HEADERS) -> None:
        """Take the value of one credit in the headers, and their names."""
        self._scale = Decimal(scale)
        self._names = names
        self.latest: Mapping[str, str] = {}
        """The headers of the latest answer that told the budget."""

    def observe(self, headers: Mapping[str, str]) -> None:
        """Keep the headers of an answer, if it tells the budget."""
        if self._names[0] in headers:
            self.latest = headers

    def budget(self) -> RateBudget | None:
        """The budget as of the latest answer that told it."""
        return self.budget_of(self.latest)

    def budget_of(self, headers: Mapping[str, str]) -> RateBudget | None:
        """The budget as of one answer; None if it does not tell it."""
        budget, policy = (_parameters(headers.get(name)) for name in self._names)
        if "r" not in budget:
            return None
        return RateBudget(
            remaining=_EXACT.divide(Decimal(budget["r"]), self._scale),
            resets_in=budget.get("t"),
            quota=_EXACT.divide(Decimal(policy["q"]), self._scale) if "q" in policy else None,
            window=policy.get("w"),
        )

    def asked_wait(self, headers: Mapping[str, str], now: int, *, is_limited: bool) -> float | None:
        """Seconds that an answer asks to wait; None if it asks for none, or in no known form.

        `Retry-After` takes precedence over the `t` of the header of the budget, which counts only if it refuses
        for now. `now`, in ms, stands in for a missing `Date`.
        """
        text = headers.get("Retry-After", "").strip()
        if _SECONDS.fullmatch(text):
            return float(text)
        until = date_ms(text)
        if until is not None:
            return max(0, until - (date_ms(headers.get("Date")) or now)) / 1000
        return _parameters(headers.get(self._names[0])).get("t") if is_limited else None


def _parameters(header: str | None) -> dict[str, int]:
    """The parameters of the first item of a structured list."""
    item = _ITEM.match(header or "")
    return {name: int(value) for name, value in _PARAMETER.findall(item[1])} if item else {}
