"""What the client said in one world, and how much of it was false."""

from __future__ import annotations

from collections import Counter

from attrs import define, field


@define
class Tally:
    """What the client said in one world."""

    messages: int = 0
    said: Counter[str] = field(factory=Counter)
    false: int = 0
    examples: list[str] = field(factory=list)
    """The first few false words."""

    def add(self, said: str, false: bool, example: str) -> None:
        """Count what was said of a message."""
        self.messages += 1
        self.said[said] += 1
        if false:
            self.false += 1
            self.examples = [*self.examples, example][:6]
