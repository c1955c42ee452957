"""Which words of two versions differ, and whether each difference is expected. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fnmatch import fnmatchcase

from attrs import frozen

SILENT = "not played"
"""Where only one of the versions has a word."""
FALSE = "which is false"
"""The end of a word that the truth of a world contradicts."""


@frozen
class Difference:
    """A word that is another one than in 0.2.0."""

    where: str
    before: str
    after: str

    def __str__(self) -> str:
        return f"{self.where}\n    - {self.before}\n    + {self.after}"


@frozen(kw_only=True)
class Expected:
    """Differences that a belief brings about; all but the belief are globs."""

    belief: str
    where: str
    before: str = "*"
    after: str = "*"

    def admits(self, found: Difference) -> bool:
        """Whether it is about a difference. A false word is never expected."""
        return not found.after.endswith(FALSE) and all(
            fnmatchcase(word, glob)
            for word, glob in (
                (found.where, self.where),
                (found.before, self.before),
                (found.after, self.after),
            )
        )


def differences(before: Mapping[str, str], after: Mapping[str, str]) -> list[Difference]:
    """Each word that differs."""
    pairs = (
        (where, before.get(where, SILENT), after.get(where, SILENT))
        for where in {**before, **after}
    )
    return [Difference(*each) for each in pairs if each[1] != each[2]]


def judged(
    found: Iterable[Difference], expected: Iterable[Expected]
) -> tuple[list[str], list[str]]:
    """The differences that a belief explains, and the problems: those that none does, and rows about nothing."""
    found, expected = list(found), list(expected)
    beliefs = {each: [row for row in expected if row.admits(each)] for each in found}
    explained = [f"{rows[0].belief}: {each}" for each, rows in beliefs.items() if rows]
    problems = [f"UNEXPECTED {each}" for each, rows in beliefs.items() if not rows]
    met = {row for rows in beliefs.values() for row in rows}
    return explained, problems + [f"NOTHING MATCHES {row}" for row in expected if row not in met]
