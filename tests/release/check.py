"""Whether the version and CHANGELOG.md say what changed since the last release. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from attrs import frozen

from codegen.changes.compare import Change
from codegen.changes.diff import Level, level, next_version


@frozen
class Breakage:
    """A change that breaks somebody: what it is of, and what became of it."""

    name: str
    text: str


def problems(
    released: str, version: str, changelog: str, spec: Sequence[Change], api: Sequence[Breakage]
) -> Iterator[str]:
    """What a release of this version would keep from its users.

    Args:
        released: the version of the last release.
        version: the version of this tree; `0.2.0.dev0` is on its way to 0.2.0.
        changelog: the text of CHANGELOG.md.
        spec: the changes of the spec since the release.
        api: what broke in the Python API of the packages since then.
    """
    raised = Level.MAJOR if api else level(spec)
    needed = next_version(released, raised)
    final = re.sub(r"\.dev\d+$", "", version)
    if _numbers(final) < _numbers(needed):
        yield f"the version is {version}: after {released}, with what changed, at least {needed}"
    if raised is None:
        return
    section = newest_section(changelog)
    if not section:
        yield "the spec changed, and the first section of CHANGELOG.md is empty"
    broken = [Breakage(each.place, each.text) for each in spec if each.is_breaking]
    for each in [*broken, *api]:
        if not all(re.search(rf"\b{re.escape(word)}\b", section) for word in _words(each.name)):
            yield f"{each.name}: {each.text}; the first section of CHANGELOG.md does not name it"


def newest_section(changelog: str) -> str:
    """The text below the first heading of a version."""
    return changelog.split("\n## ")[1].partition("\n")[2].strip()


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("."))


def _words(name: str) -> list[str]:
    return re.findall(r"[\w-]+", name)
