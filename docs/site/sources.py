"""The sources of the site in one folder: docs/, and the pages that stand elsewhere in the repository."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
README = ROOT / "README.md"
"""What leads to it leads to the first page of the site."""
ELSEWHERE = {
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "RELEASING.md": "releasing.md",
    "SECURITY.md": "security.md",
    "conformance/README.md": "conformance.md",
    "conformance/second/README.md": "second-spec.md",
    "examples/README.md": "examples.md",
    "generated/trading_sdk/METHODS.md": "methods.md",
    "generated/trading_sdk_observed/METHODS.md": "methods-observed.md",
    "generated/trading_sdk_observed/STREAMS.md": "streams-observed.md",
    "ports/typescript/README.md": "typescript.md",
    "spec/README.md": "spec.md",
    "spec/vectors/README.md": "vectors.md",
    "spec/vectors/rules.md": "rules.md",
}
"""Where a page that is not below docs/ stands in the site."""
FILES = "files"
"""The folder of files that pages link to and that are no pages, such as the examples."""
LINK = re.compile(r"(?<=\]\()(?!\w+:)([^)\s#]+)")
FENCE = re.compile(r"(^ *```.*?^ *```$)", re.DOTALL | re.MULTILINE)


def gather(folder: Path) -> None:
    """Write the sources of the site into an empty folder."""
    places = dict(pages())
    for source, place in places.items():
        write(folder / place, relinked(source.read_text("utf-8"), source, folder, places))
    for other in (DOCS / "conf.py", DOCS / "scorer.js", *DOCS.glob("_static/*")):
        copy(other, folder / other.relative_to(DOCS))


def pages() -> Iterator[tuple[Path, str]]:
    """The pages of the repository, and where they stand in the site."""
    for page in sorted(DOCS.rglob("*.md")):
        yield page, page.relative_to(DOCS).as_posix()
    for path, place in ELSEWHERE.items():
        yield ROOT / path, place


def relinked(text: str, source: Path, folder: Path, places: dict[Path, str]) -> str:
    """The text of a page whose links lead where the linked pages and files stand in the site.

    A link to nowhere stays as it is, and Sphinx refuses it.
    """
    here = Path(places[source]).parent

    def moved(link: re.Match[str]) -> str:
        target = Path(os.path.normpath(source.parent / link[1]))
        place = "index.md" if target == README else places.get(target)
        if place is None and target.is_file() and target.is_relative_to(ROOT):
            place = f"{FILES}/{target.relative_to(ROOT).as_posix()}"
            copy(target, folder / place)
        return link[1] if place is None else os.path.relpath(place, here)

    # Every second part is a fence: code, in which no link is meant.
    parts = FENCE.split(text)
    parts[::2] = [LINK.sub(moved, part) for part in parts[::2]]
    return "".join(parts)


def copy(source: Path, target: Path) -> None:
    """Copy a file, and make its folder."""
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(source.read_bytes())


def write(target: Path, text: str) -> None:
    """Write a file, and make its folder."""
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text, encoding="utf-8")
