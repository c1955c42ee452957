"""Docstrings as Markdown: what stands before the sections, and each section as rows of name and text."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator, Mapping

from attrs import frozen

SECTION = re.compile(r"^(Args|Errors|Raises|Returns):\n((?:    .*\n?|\n)+)", re.M)
ROW = re.compile(r"^([\w, ]+): (.*)$")


@frozen
class Docstring:
    """A docstring of the form that the generator and the runtime write."""

    text: str
    """Its paragraphs, without the sections."""
    sections: Mapping[str, str]
    """The text of each section, its lines joined to those of its rows."""

    def rows(self, section: str) -> Iterator[tuple[str, str]]:
        """Name and text of each row of a section."""
        for line in self.sections.get(section, "").splitlines():
            row = ROW.match(line)
            if row:
                yield row[1], row[2]


def docstring(documented: object) -> Docstring:
    """The docstring of an object."""
    text = f"{inspect.getdoc(documented) or ''}\n"
    return Docstring(
        SECTION.sub("", text).strip(),
        {title: _joined(body) for title, body in SECTION.findall(text)},
    )


def _joined(body: str) -> str:
    """The lines of a section without its indent, continuations on the line that they continue."""
    return re.sub(r"\n {4,}", " ", inspect.cleandoc(body))
