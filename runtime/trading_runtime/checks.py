"""Checks of numbers and names that callers give, and hints of what they meant."""

from __future__ import annotations

import inspect
import operator
import re
from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal
from difflib import get_close_matches
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


# -- what was meant ---------------------------------------------------------------------------

_SAME = """
bid buy long
ask sell short
amount qty quantity size volume
symbol market pair ticker instrument coin
stop trigger
pnl profit
time timestamp date datetime created
start since
end until
alo gtx postonly
create add new place post send submit
cancel delete
edit amend modify replace
"""
"""Words of trading, a line for each meaning: exchanges and libraries use different ones for the same."""
_WORDS = {word: line.split()[0] for line in _SAME.strip().splitlines() for word in line.split()}
_EMPTY = {"", "at", "fetch", "get", "history", "list", "my", "query"}
"""Words that say nothing of what is meant."""
_ELSEWHERE = """
cancel all: trading_toolkit.orders.cancel_all(client), or orders.cancel_all of trading_sdk_observed
open order: trading_toolkit.orders.open_orders(client)
position: positions.list of trading_sdk_observed, or trading_toolkit.portfolio.positions(trades)
balance: account.info of trading_sdk_observed
leverage: account.update_leverage of trading_sdk_observed
margin: account.update_margin_mode of trading_sdk_observed
symbol: markets of trading_sdk_observed
book: markets of trading_sdk_observed
orderbook: markets of trading_sdk_observed
candle: markets of trading_sdk_observed
kline: markets of trading_sdk_observed
ohlcv: markets of trading_sdk_observed
price: markets of trading_sdk_observed
tick: markets of trading_sdk_observed
"""
"""What clients of other exchanges have on the client: the words of its name, and where it is."""
_PLACES = {
    words: place
    for words, _, place in (line.partition(": ") for line in _ELSEWHERE.strip().splitlines())
}


def _words(name: str) -> set[str]:
    """The words of a name, in the singular, each replaced by the first word of its meaning."""
    whole = re.sub(r"\W|_", "", name.casefold())
    parts = [whole] if whole in _WORDS else re.split(r"\W|_", name.casefold())
    words = {part.removesuffix("s") for part in parts} - _EMPTY
    return {_WORDS.get(word, word) for word in words}


def meant_by(name: object, known: Iterable[str]) -> str | None:
    """The known name that was meant: of the same words, else of similar letters, else with half of the words."""
    given, names = _words(str(name)), list(known) if name else []
    if same := [each for each in names if _words(each) == given]:
        return same[0]
    # The letters of a word of trading are no misspelling: `send` is not `resend`, and `post` not `spot`.
    if not given <= {*_WORDS.values()} and (near := _nearest(str(name), names)):
        return near
    halves = (each for each in names if 2 * len(given & _words(each)) >= len(given | _words(each)))
    return next(halves, None)


def _nearest(name: str, known: Iterable[str]) -> str | None:
    """The known name whose letters are most like those of a wrong name, in any case; None if no name is."""
    names = {each.casefold(): each for each in known}
    near = get_close_matches(name.casefold(), names, n=1, cutoff=0.7)
    return names[near[0]] if near else None


def elsewhere(name: str) -> str | None:
    """Where that is which a client of another exchange has on the client itself."""
    given = _words(name)
    places = (place for words, place in _PLACES.items() if set(words.split()) <= given)
    return next(places, None)


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
    owner: type[Any], name: str, known: Mapping[str, str], advice: str | None = None
) -> AttributeError:
    """The error of an unknown attribute, with what was meant, or else with all names.

    Args:
        owner: The class of what was asked.
        name: The unknown name.
        known: Name that was perhaps meant, beside those of the owner -> what to write.
        advice: Where it is instead, if the owner has nothing of these very words.
    """
    text = f"{owner.__name__!r} object has no attribute {name!r}"
    if not name.startswith("_"):
        own = {each: each for each in dir(owner) if not each.startswith("_")}
        names = {**own, **{each: known[each] for each in known if each not in own}}
        near = meant_by(name, names)
        if near and (_words(near) == _words(name) or not advice):
            text += f"; did you mean {names[near]!r}?"
        else:
            text += f"; see {advice}" if advice else f"; it has {', '.join(own)}"
    # With the object Python would add a suggestion of its own.
    return AttributeError(text, name=name, obj=None)
