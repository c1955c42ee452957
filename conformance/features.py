"""The features that a port may declare as missing. README.md says what lacks without each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

FEATURES: Mapping[str, str] = {
    "float": "a fraction cannot be given for money or integers, or 1.0 cannot be told from 1",
    "half-surrogates": "a text cannot hold half of a surrogate pair",
    "wrong-types": "the compiler refuses a value of another type",
    "times": "instants are given in ms alone",
    "explain": "there is no explain",
    "journal": "nothing is written to disk before it is sent",
    "resend": "there is no resend",
    "server-clock": "it signs by this machine's clock alone",
    "reasons": "a refusal does not tell its reason",
    "rate-budget": "the client does not tell the rate budget",
    "clock-skew": "the client does not tell the skew",
    "not-sent": "it cannot be told whether a request has left this machine",
    "reused-connections": "a surplus answer on a kept connection is not noticed",
    "answer-limits": "the length of an answer is not bounded",
}

UNSEEN = frozenset(
    {"reasons", "rate-budget", "clock-skew", "not-sent", "reused-connections", "answer-limits"}
)
"""Those that no command shows.

A program cannot know that a case needs them, so the kit leaves the case out.
"""


def unseen(needed: Iterable[str], declared: Iterable[str]) -> str | None:
    """A feature that a case needs and no command shows, if the program declared it as missing."""
    return next((name for name in needed if name in UNSEEN and name in declared), None)
