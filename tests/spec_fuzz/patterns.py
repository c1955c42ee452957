"""Texts that match a regular expression, at random: of sets, groups, alternatives and counts."""

from __future__ import annotations

import importlib
import random
import string
import sys
from typing import Any

_PARSER = importlib.import_module("re._parser" if sys.version_info >= (3, 11) else "sre_parse")
_PRINTABLE = [each for each in string.printable if each.isprintable()]


def matching(pattern: str, chance: random.Random) -> str:
    """A text that matches a pattern."""
    return _all(_PARSER.parse(pattern), chance)


def _all(parsed: Any, chance: random.Random) -> str:
    return "".join(_one(str(operator).lower(), value, chance) for operator, value in parsed)


def _one(operator: str, value: Any, chance: random.Random) -> str:
    match operator:
        case "literal":
            return chr(value)
        case "not_literal":
            return chance.choice([each for each in _PRINTABLE if ord(each) != value])
        case "any":
            return chance.choice(_PRINTABLE)
        case "in":
            return chance.choice(_members(value))
        case "subpattern":
            return _all(value[-1], chance)
        case "branch":
            return _all(chance.choice(value[1]), chance)
        case "max_repeat" | "min_repeat":
            least, most, repeated = value
            count = chance.choice((least, min(int(most), least + 3)))
            return "".join(_all(repeated, chance) for _ in range(count))
        case _:  # an anchor
            return ""


def _members(parsed: Any) -> list[str]:
    """The characters of a set."""
    found: set[str] = set()
    negated = False
    for operator, value in parsed:
        match str(operator).lower():
            case "negate":
                negated = True
            case "range":
                found |= {chr(each) for each in range(value[0], min(value[1], 0x2FF) + 1)}
            case "literal":
                found.add(chr(value))
    return sorted(set(_PRINTABLE) - found if negated else found)
