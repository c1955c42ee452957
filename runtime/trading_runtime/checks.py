"""Checks of numbers and names that callers give, and hints of what they meant."""

from __future__ import annotations

import inspect
import operator
import re
from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal
from functools import wraps
from typing import Any, SupportsIndex, TypeGuard, cast

from trading_runtime.errors import RequestError

MAX_SECONDS = 86_400
"""A day. The socket layer fails, late, on far longer timeouts."""
_KEY = re.compile(r"[0-9A-Za-z]{32,}|\[[0-9\s,]{32,}")
"""What a key looks like: Base58 or hexadecimal digits, or the numbers of a wallet file."""


def without_keys(text: str) -> str:
    """Text in which nothing is left that may be a key: somebody may give one in place of a path or a host."""
    return _KEY.sub("(looks like a key, not shown)", text)


def letters(text: str) -> str:
    """The letters and digits of a text, so that `Idempotency-Key` and `idempotency_key` are the same."""
    return "".join(filter(str.isalnum, text)).lower()


def as_integer(value: object) -> int | None:
    """The integer that a value stands for by its `__index__`, as those of numpy do, or None.

    A bool is no integer, and neither is a float without a fraction.
    """
    # The bool of numpy is not a subclass of bool, and older versions of numpy take it for an integer.
    if type(value).__name__ in ("bool", "bool_"):
        return None
    try:
        return operator.index(cast(SupportsIndex, value))
    except TypeError:
        return None


def float_in(value: Decimal) -> str | None:
    """The text of the float that a Decimal was made of; None if its digits are not a float's binary form."""
    near = Decimal(repr(float(value)))
    is_made_of_it = near != value == Decimal(float(value)) and value != int(value)
    return format(near, "f") if is_made_of_it else None


def is_number(value: object) -> TypeGuard[int | float]:
    """Whether a value is an integer or a float, which a bool is not."""
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def boolean(name: str, value: bool) -> bool:
    """True or False, and nothing that merely counts as true."""
    if isinstance(value, bool):
        return value
    raise TypeError(f"{name} must be True or False, not {value!r}")


def integer(name: str, value: SupportsIndex, *, minimum: int, unit: str = "") -> int:
    """An integer that is not below a minimum.

    Raises:
        TypeError: the value is not an integer.
        RequestError: the integer is too small.
    """
    of_unit = f" of {unit}" if unit else ""
    found = as_integer(value)
    if found is None:
        raise TypeError(f"{name} must be an integer{of_unit}, not {value!r}")
    if found < minimum:
        raise RequestError(f"{name} must be at least {minimum}, not {found}")
    return found


def seconds(name: str, value: float, *, zero: bool = False, maximum: int = MAX_SECONDS) -> float:
    """A number of seconds, above 0 (or from 0 on) and up to a maximum, which is a day at most.

    Raises:
        TypeError: the value is not a number.
        RequestError: the number is out of these bounds, or not finite.
    """
    if not is_number(value):
        raise TypeError(f"{name} must be a number of seconds, not {value!r}")
    enough = value >= 0 if zero else value > 0
    if not (enough and value <= maximum):
        bounds = "at least 0" if zero else "above 0"
        meant = f"; {value} ms are {value / 1_000:g}" if maximum < value <= maximum * 1_000 else ""
        raise RequestError(
            f"{name} must be {bounds} and at most {maximum} seconds, not {value!r}{meant}"
        )
    return value


def nearest(name: object, known: Iterable[str]) -> str | None:
    """The known name whose letters are most like those of a wrong name, in any case; None if no name is."""
    from difflib import get_close_matches  # imported late: only mistakes need it

    names = {each.casefold(): each for each in known}
    near = get_close_matches(str(name).casefold(), names, n=1, cutoff=0.7)
    return names[near[0]] if near else None


_SAME = """
bid buy long
ask sell short
amount qty quantity size volume
symbol market pair ticker instrument coin
stop trigger
pnl profit
time timestamp date datetime created
alo gtx postonly
create add new place post send submit
cancel delete
edit amend modify replace
"""
"""Words of trading, a line for each meaning: exchanges and libraries use different ones for the same."""
_WORDS = {each: line.split()[0] for line in _SAME.strip().splitlines() for each in line.split()}
_EMPTY = {"", "at", "fetch", "get", "history", "list", "my", "query"}
"""Words that say nothing of what is meant."""


def _words(name: str) -> set[str]:
    """The words of a name, in the singular, each replaced by the first word of its meaning."""
    whole = re.sub(r"\W|_", "", name.casefold())
    parts = [whole] if whole in _WORDS else re.split(r"\W|_", name.casefold())
    words = {each.removesuffix("s") for each in parts} - _EMPTY
    return {_WORDS.get(each, each) for each in words}


def meant_by(name: object, known: Iterable[str]) -> str | None:
    """The known name that was meant: of the same words, else of similar letters, else with half of the words."""
    given, names, half = _words(str(name)), list(known), list[str]()
    for each in names if name else ():
        own = _words(each)
        if given == own:
            return each
        if 2 * len(given & own) >= len(given | own):
            half.append(each)
    # The letters of a word of trading are no misspelling: `send` is not `resend`, and `post` not `spot`.
    near = None if given and given <= {*_WORDS.values()} else nearest(name, names)
    return near or next(iter(half), None)


def did_you_mean(name: object, known: Iterable[str]) -> str:
    """The hint of an error, `; did you mean 'bid'?`, or nothing if no known name is near."""
    near = meant_by(name, known)
    return f"; did you mean {near!r}?" if near else ""


def refuse_unknown(
    what: str, given: Iterable[str], known: Iterable[str], meant: Mapping[str, str]
) -> None:
    """Refuse unknown options, naming the one of `meant` or the nearest.

    Args:
        what: The name of what has the options.
        given: The options that were given.
        known: The options that there are.
        meant: Option of another library -> what to write instead.

    Raises:
        TypeError: an unknown option was given.
    """
    for name in given:
        hint = f"; write {meant[name]}" if name in meant else did_you_mean(name, known)
        raise TypeError(f"{what} has no option {name!r}{hint or '; it has ' + ', '.join(known)}")


def names_what_was_meant(cls: type[object], meant: Mapping[str, str]) -> None:
    """Make the constructor of a class say which option was meant when a caller gives an unknown one."""
    plain: Any = cls.__init__
    known = inspect.signature(plain).parameters

    @wraps(plain)
    def checked(self: object, *positional: Any, **given: Any) -> None:
        refuse_unknown(
            cls.__name__, [each for each in given if each not in known], [*known][1:], meant
        )
        plain(self, *positional, **given)

    cls.__init__ = checked  # type: ignore[method-assign]


def names_arguments(method: Callable[..., Any]) -> Callable[..., Any]:
    """Make a method say which argument was meant, behind the words of Python, when a caller gives an unknown one."""

    @wraps(method)
    def told(*positional: Any, **given: Any) -> Any:
        try:
            return method(*positional, **given)
        except TypeError:
            signature = inspect.signature(method)
            known = [each for each in signature.parameters if each != "self"]
            if all(name in known for name in given):
                raise
        name = next(name for name in given if name not in known)
        is_list = str(signature.return_annotation).startswith("Paginator")
        filters = "; filter the records that it returns" if is_list else ""
        hint = did_you_mean(name, known) or f"; it has {', '.join(known) or 'none'}{filters}"
        text = f"{method.__qualname__}() got an unexpected keyword argument {name!r}"
        raise TypeError(f"{text}{hint}")

    return told


def no_attribute(
    owner: object, name: str, elsewhere: Mapping[str, str] | None = None, advice: str = ""
) -> AttributeError:
    """The error of an unknown attribute, with the nearest name, or else with all names.

    Args:
        owner: The object that was asked.
        name: The unknown name.
        elsewhere: Name that other libraries use -> what to write instead.
        advice: Follows the list of all names.
    """
    text = f"{type(owner).__name__!r} object has no attribute {name!r}"
    if not name.startswith("_"):
        own = {each: each for each in dir(type(owner)) if not each.startswith("_")}
        known = own | {each: there for each, there in (elsewhere or {}).items() if each not in own}
        near = meant_by(name, known)
        text += f"; did you mean {known[near]!r}?" if near else f"; it has {', '.join(own)}{advice}"
    # With the object Python would add a suggestion of its own.
    return AttributeError(text, name=name, obj=None)
