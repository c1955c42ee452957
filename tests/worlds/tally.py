"""What the client said in one world, and how much of it was false."""

from __future__ import annotations

from collections import Counter

from attrs import define, field

_CUTS = ("; ", " until ", ": ")


@define
class Tally:
    """What the client said in one world."""

    messages: int = 0
    said: Counter[str] = field(factory=Counter)
    false: Counter[str] = field(factory=Counter)
    reasons: Counter[str] = field(factory=Counter)
    """Why it left messages unsettled."""
    examples: list[str] = field(factory=list)

    def add(self, what: str, said: str, reason: str, false: bool, example: str) -> None:
        """Count what was said of a message."""
        self.messages += 1
        self.said[said] += 1
        if said not in ("executed", "not executed"):
            self.reasons[_short(reason)] += 1
        if false:
            self.false[f"{what}: {said}"] += 1
            self.examples[5:] = []
            self.examples.append(example)


def _short(reason: str) -> str:
    for cut in _CUTS:
        reason = reason.partition(cut)[0]
    return reason
