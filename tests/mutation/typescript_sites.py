"""Every small change of an operator, a constant or a statement in a module of the TypeScript port.

There is no parser of TypeScript here: the formatter keeps the layout, so lines and words are enough.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from tests.mutation.sites import Site

_FUNCTION = re.compile(
    r"^(?: {2})?(?:export )?(?:static |async |get |private )*(?:function )?\*?(#?\w+)(?:<.*>)?\(.*"
)
_NOT_A_FUNCTION = frozenset({"if", "for", "while", "switch", "return", "throw", "super", "catch"})
_CHANGES = (
    (re.compile(r" === "), " !== "),
    (re.compile(r" !== "), " === "),
    (re.compile(r" < "), " <= "),
    (re.compile(r" <= "), " < "),
    (re.compile(r" > "), " >= "),
    (re.compile(r" >= "), " > "),
    (re.compile(r" \+ "), " - "),
    (re.compile(r" - "), " + "),
    (re.compile(r" && "), " || "),
    (re.compile(r" \|\| "), " && "),
    (re.compile(r" \?\? .*?(?=[,;)])"), ""),
    (re.compile(r"\btrue\b"), "false"),
    (re.compile(r"\bfalse\b"), "true"),
    (re.compile(r"(?<=[( ])!(?=[\w(#])"), ""),
    (re.compile(r"(?<=\breturn )[^;]+(?=;$)"), "undefined"),
    (re.compile(r"(?<=[( \[])\d+(?=[,;)\] ])"), "12345"),
)
_CALL = re.compile(r"^ +((?:this\.|await )?[\w.#]+\(.*\);)$")
_THROW = re.compile(r"^ +(throw .*;)$")
_TEXT = re.compile(r'"[^"]*"|`[^`]*`|//.*')


def sites(source: str) -> list[Site]:
    """All changes of the module, from top to bottom."""
    return [site for name, lines in _functions(source) for site in _of_function(name, lines)]


def apply(site: Site, source: str) -> str:
    """The text of the module with this change; LookupError if the text is not there."""
    lines = source.splitlines()
    starts = [number for number, name in _starts(lines) if name == site.function]
    for number in (start + site.line for start in starts):
        line = lines[number] if number < len(lines) else ""
        if line[site.column :].startswith(site.before):
            end = site.column + len(site.before)
            lines[number] = line[: site.column] + site.after + line[end:]
            return "\n".join(lines) + "\n"
    raise LookupError(f"{site.function} does not have {site.before!r} in line {site.line}")


def _starts(lines: list[str]) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(lines):
        found = _FUNCTION.match(line)
        if found and found[1] not in _NOT_A_FUNCTION and not line.rstrip().endswith(";"):
            yield number, found[1]


def _functions(source: str) -> Iterator[tuple[str, list[str]]]:
    lines = source.splitlines()
    starts = [*_starts(lines)]
    for index, (number, name) in enumerate(starts):
        end = starts[index + 1][0] if index + 1 < len(starts) else len(lines)
        yield name, lines[number:end]


def _of_function(name: str, lines: list[str]) -> Iterator[Site]:
    indent = len(lines[0]) - len(lines[0].lstrip())
    for number, line in enumerate(lines[1:], start=1):
        if line.strip() in {"}", "};"} and len(line) - len(line.lstrip()) <= indent:
            return
        if line.lstrip().startswith(("*", "/*", "//")):
            continue
        # Texts are looked at by people: what stands in them is left alone.
        bare = _TEXT.sub(lambda found: "_" * len(found[0]), line)
        for pattern, after in _CHANGES:
            for match in pattern.finditer(bare):
                before = line[match.start() : match.end()]
                yield Site(name, number, match.start(), before, after)
        for statement in (_CALL, _THROW):
            whole = statement.match(bare)
            if whole:
                before = line[whole.start(1) : whole.end(1)]
                yield Site(name, number, whole.start(1), before, ";")
