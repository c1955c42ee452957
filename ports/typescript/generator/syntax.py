"""How TypeScript is written: names, literals, imports and comments, in the form that Biome gives them.

So no formatter has to run.
"""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Iterable
from typing import Any

WIDTH = 100
QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"')
WORD = re.compile("[A-Za-z_$][A-Za-z0-9_$]*")


# -- names ------------------------------------------------------------------------------------


def camel(name: str) -> str:
    """`create_stop` -> `createStop`. What follows no underscore stays: no two names become one."""
    return re.sub("_([a-z])", lambda found: found[1].upper(), name)


def pascal(name: str) -> str:
    """`api_keys` -> `ApiKeys`."""
    return "".join(part[:1].upper() + part[1:] for part in name.split("_"))


def constant(group: str, method: str) -> str:
    """`orders`, `create` -> `ORDERS_CREATE`."""
    return f"{group}_{method}".upper()


def property_name(name: str) -> str:
    """A name on the wire, as a member of an interface: quoted unless it is an identifier."""
    return name if WORD.fullmatch(name) else json.dumps(name)


# -- literals ---------------------------------------------------------------------------------


class Name(str):
    """An identifier that stands among data as it is."""


def literal(value: Any, *, column: int = 0, indent: int = 0) -> str:
    """A value as a literal: on one line where that has room, else one member a line.

    Args:
        column: Where the literal begins in its line.
        indent: How far the line that it begins in is indented.
    """
    if column + len(flat := _flat(value)) + 1 <= WIDTH and not _breaks(value):
        return flat
    inner = indent + 2
    if isinstance(value, dict):
        lines = [_member(key, each, inner) for key, each in value.items()]
        return "\n".join(["{", *lines, f"{' ' * indent}}}"])
    if isinstance(value, list):
        lines = [f"{' ' * inner}{literal(each, column=inner, indent=inner)}," for each in value]
        return "\n".join(["[", *lines, f"{' ' * indent}]"])
    return flat


def _member(key: str, value: Any, indent: int) -> str:
    name = _key(key)
    text = literal(value, column=indent + len(name) + 2, indent=indent)
    return f"{' ' * indent}{name}: {text},"


def _key(name: str) -> str:
    """A key of an object. Written plainly, `__proto__` would set the prototype of the object."""
    return '["__proto__"]' if name == "__proto__" else property_name(name)


def _breaks(value: Any) -> bool:
    """Whether a formatter writes it on several lines, whatever the room."""
    if isinstance(value, dict):
        return any(map(_breaks, value.values()))
    if not isinstance(value, list):
        return False
    objects = [each for each in value if isinstance(each, dict) and len(each) > 1]
    return any(map(_breaks, value)) or len(objects) == len(value) > 1


def _flat(value: Any) -> str:
    if isinstance(value, dict):
        members = ", ".join(f"{_key(key)}: {_flat(each)}" for key, each in value.items())
        return f"{{ {members} }}" if members else "{}"
    if isinstance(value, list):
        return f"[{', '.join(map(_flat, value))}]"
    return value if isinstance(value, Name) else json.dumps(value)


# -- imports ----------------------------------------------------------------------------------


def words(text: str) -> set[str]:
    """The identifiers in a text. What stands in quotes is none."""
    return set(WORD.findall(QUOTED.sub("", text)))


def import_text(kind: str, names: Iterable[str], module: str, word: str = "import") -> str:
    """An import or an export, or nothing if no name is needed."""
    found = sorted(names, key=_by_name)
    flat = f'{word} {kind}{{ {", ".join(found)} }} from "{module}";'
    if len(flat) <= WIDTH:
        return flat if found else ""
    lines = "".join(f"  {name},\n" for name in found)
    return f'{word} {kind}{{\n{lines}}} from "{module}";'


def _by_name(name: str) -> list[tuple[str, bool]]:
    """The order in which Biome sorts names: a capital stands before its small letter."""
    return [(letter.lower(), letter.islower()) for letter in name]


# -- comments ---------------------------------------------------------------------------------


def comment(text: str, *, indent: int = 0) -> str:
    """Text as a TSDoc comment. Whatever the text holds, it cannot end the comment."""
    width = WIDTH - indent - 3
    blocks = [_wrapped(block, width) for block in re.split(r"\n\s*\n", text.strip())]
    lines = "\n\n".join(blocks).split("\n")
    if len(lines) == 1 and len(lines[0]) + 4 <= width:
        return f"/** {lines[0]} */"
    pad = " " * indent
    return "\n".join(["/**", *(f"{pad} * {line}".rstrip() for line in lines), f"{pad} */"])


def _wrapped(block: str, width: int) -> str:
    """A paragraph. Each tag of it, and what follows, is a paragraph of its own."""
    parts = re.split(r"\n(?=@)", block)
    return "\n".join(_filled(part, width) for part in parts)


def _filled(text: str, width: int) -> str:
    indent = "  " if text.startswith("@") else ""
    plain = _safe(" ".join(text.split()))
    return textwrap.fill(
        plain, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )


def _safe(text: str) -> str:
    text = text.replace("*/", "*\\/")
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def escaped(text: str) -> str:
    """Text of a spec: none of it is a tag of TSDoc."""
    return re.sub(r"(?<![\w`])@", r"\@", text)
