"""`explain` and `call`: every operation of the client is a command of its own, made of its signature and docstring."""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from decimal import Decimal
from enum import EnumMeta
from functools import partial
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints
from uuid import UUID

import attrs
import click
from click.shell_completion import CompletionItem

from trading_runtime import (
    Action,
    BaseClient,
    BatchOperation,
    BatchResult,
    CountersignedOperation,
    Keypair,
    Operation,
    Paginator,
    Signer,
)
from trading_toolkit.command.options import YES, Command, Group, options, show_secret
from trading_toolkit.command.settings import connected, package, settings
from trading_toolkit.command.show import HIDDEN, confirm, ending, plain, record, records, say

Method = Callable[..., Any]
_NOWHERE = "http://127.0.0.1:1"
"""Of a client that only shows what it has."""


class Operations(Group):
    """The operations of the client, as commands that one function carries out."""

    def __init__(self, run: Callable[..., None], *more: click.Parameter) -> None:
        super().__init__(
            run.__name__,
            help=inspect.getdoc(run),
            subcommand_metavar="OPERATION [KEY=VALUE]...",
        )
        self._run, self._more = run, more

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of all operations."""
        return list(_shape(ctx).api.kinds)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of an operation.

        Raises:
            TradingError: there is none; the text says which one was meant.
        """
        # `--observed` may come later.
        clients = [_shape(ctx), package(True).Client(_NOWHERE)]
        found = next((each for each in clients if cmd_name in each.api.kinds), None)
        if found is None and ctx.resilient_parsing:
            return None
        method = method_of(found or clients[0], cmd_name)
        text = inspect.getdoc(method) or ""
        words = click.Argument(
            ["words"],
            nargs=-1,
            metavar=_usage(method),
            shell_complete=partial(_complete, method),
        )
        return Command(
            cmd_name,
            callback=partial(self._run, cmd_name),
            short_help=text.partition("\n")[0],
            help=re.sub("(^|\n\n)", "\\1\b\n", text),  # as it stands, each paragraph
            params=[words, *self._more],
        )


def call(name: str, words: Sequence[str], *, limit: int | None, yes: bool) -> None:
    """Call OPERATION with the arguments KEY=VALUE, and print its result.

    Objects and lists are JSON. What changes something is shown first, and asks; it is in the journal before it is sent. A
    list is read page by page. `trading-sdk call OPERATION --help` shows the arguments.
    """
    kind = package(settings().observed).Client.api.kinds.get(name)
    is_read = kind is None or kind.retry == "safe"
    with connected(journal=not is_read) as client:
        method = method_of(client, name)
        given = arguments(name, method, words)
        if is_read:
            result = _checked(name, method, **given)
        else:
            _check_secret(kind)
            confirm(
                f"{_checked(name, _shown, client=client, kind=kind, given=given)}\nSend it?",
                yes=yes,
            )
            result = method(**given)
            _say_accepted(name, result)  # whatever becomes of the output
        _print(result, limit)


def explain(name: str, words: Sequence[str]) -> None:
    """Show what OPERATION would sign with the arguments KEY=VALUE. Nothing is sent.

    The signature is good until it expires: whoever has it may send the message.
    """
    with connected() as client:
        given = arguments(name, method_of(client, name), words)
        signed = _checked(name, partial(client.explain, name), **given)
        record({**plain(signed), "body": signed.body})


CALL = Operations(
    call,
    click.Option(["--limit"], type=click.IntRange(0), help="Records of a list; 0 for all of them."),
    click.Option(["--yes"], is_flag=True, help="Do not ask."),
    show_secret("Show an API key that the answer holds."),
)
EXPLAIN = Operations(explain)


@click.command(cls=Command)
@click.argument("side", type=click.Choice(["buy", "sell"]))
@click.argument("amount")
@click.argument("symbol")
@click.argument("price", nargs=-1, metavar="[@ PRICE]")
@click.option("--post-only", is_flag=True, help="Rest, or be rejected (ALO).")
@click.option("--ioc", is_flag=True, help="Fill at once what can be filled, and cancel the rest.")
@click.option("--reduce-only", is_flag=True, help="Never open a position or make it larger.")
@click.option("--slippage", metavar="PERCENT", help="Of a market order: how far it may fill; 1.")
@YES
def order(
    side: str, amount: str, symbol: str, price: Sequence[str], slippage: str | None, **flags: bool
) -> None:
    """Buy or sell AMOUNT of SYMBOL at a limit, as in `order buy 0.01 BTC @ 60000`, else at the market.

    It is `call orders.create` or `call orders.create_market`: shown first, and asked for.
    """
    limit = re.fullmatch(r"@\s*(\S+)", " ".join(price))
    if price and limit is None:
        raise click.UsageError(f"the limit is written as in @ 60000, not as {' '.join(price)!r}")
    if flags["post_only"] and flags["ioc"]:
        raise click.UsageError("an order is --post-only or --ioc, not both")
    words = [f"symbol={symbol}", f"side={'bid' if side == 'buy' else 'ask'}", f"amount={amount}"]
    words.append(f"reduce_only={str(flags['reduce_only']).lower()}")
    if limit is None:
        if flags["post_only"] or flags["ioc"]:
            raise click.UsageError("--post-only and --ioc need a limit, as in @ 60000")
        name, more = "orders.create_market", [f"slippage_percent={slippage or '1'}"]
    else:
        if slippage is not None:
            raise click.UsageError("--slippage is of an order without a limit")
        tif = "ALO" if flags["post_only"] else "IOC" if flags["ioc"] else "GTC"
        name, more = "orders.create", [f"price={limit[1]}", f"tif={tif}"]
    call(name, [*words, *more], limit=None, yes=flags["yes"])


# -- operations ---------------------------------------------------------------------------------------


def _shape(context: click.Context) -> BaseClient:
    """A client that nothing is sent with, for the names and signatures of its operations."""
    try:
        observed = settings(context).observed
    except click.UsageError:  # a completion has no use for it
        observed = options(context).observed
    return package(observed).Client(_NOWHERE)  # type: ignore[no-any-return]


def method_of(client: BaseClient, name: str) -> Method:
    """The method of an operation.

    Raises:
        UsageError: it needs `--observed`.
        RequestError: there is none; the text says which one was meant.
    """
    if name not in client.api.kinds:
        if name in package(True).Client.api.kinds:
            raise click.UsageError(
                f"{name} is an operation of trading_sdk_observed: add --observed"
            )
        client.explain(name)
    group, _, rest = name.partition(".")
    return getattr(getattr(client, group), rest)  # type: ignore[no-any-return]


def _usage(method: Method) -> str:
    """The required arguments, and that there are others."""
    needed = "".join(f"{each}=... " for each in _needed(method))
    others = len(inspect.signature(method).parameters) - len(_needed(method))
    return f"{needed}[KEY=VALUE]..." if others else needed.strip()


def _needed(method: Method) -> list[str]:
    """The names of the required arguments."""
    every = inspect.signature(method).parameters.values()
    return [each.name for each in every if each.default is each.empty]


def _checked(name: str, run: Callable[..., Any], **given: Any) -> Any:
    """The result of what sends no change. Of the SDK a TypeError says that an argument is wrong."""
    try:
        return run(**given)
    except TypeError as error:
        raise click.UsageError(f"{name}: {error}") from None


def _check_secret(kind: Any) -> None:
    """Refuse to make a secret that is not to be shown: nothing shows it a second time."""
    result: Any = getattr(kind, "result", None)
    is_made = isinstance(kind, Operation) and kind.params is None and attrs.has(result or object)
    hidden = is_made and any(not each.repr for each in attrs.fields(result))
    if hidden and not options().show_secret:
        raise click.UsageError(f"{kind.name} answers with a new secret: add --show-secret")


def _shown(client: BaseClient, kind: Operation[Any] | Action, given: Mapping[str, Any]) -> str:
    """What is about to be signed and sent. It is checked on the way."""
    if isinstance(kind, BatchOperation):
        by_type = {each.type: each for each in kind.batch.actions.values()}
        lines = []
        for each in given[kind.batch.field]:
            match each:
                case {"type": str(name), "data": data} if name in by_type:
                    if not isinstance(data, Mapping):
                        raise TypeError(f"the data of an action must be an object, not {data!r}")
                    lines.append(_shown(client, by_type[name], data))
                case _:  # before it is sent the batch says what is wrong
                    lines.append(json.dumps(plain(each)))
        return "\n".join(lines)
    if kind.signing_type is None or isinstance(kind, CountersignedOperation):
        what = ", ".join(f"{name} {value}" for name, value in given.items())
        return f"{kind.name}: {what}\nfor {client.account_address}\nat {client.service_url}"
    signed = client.explain(kind.name, **given)
    data = json.loads(signed.canonical)["data"]
    key = getattr(kind, "key", None)
    if key in data and key not in given:
        data[key] = "(a new one)"
    for field in attrs.fields(kind.params) if kind.params else ():
        if not field.repr and field.name in data:
            data[field.name] = HIDDEN
    fields = "".join(f"\n  {name:20} {json.dumps(value)}" for name, value in data.items())
    owner = client.account_address
    agent = "" if owner == signed.address else f"\nby its agent wallet {signed.address}"
    return f"{kind.name}, signed as {signed.header['type']}\nfor {owner}{agent}\nat {client.service_url}{fields}"


def _say_accepted(name: str, result: Any) -> None:
    """Say how much of a change the service accepted."""
    done = [each.success for each in result] if isinstance(result, BatchResult) else [True]
    order_id = getattr(result, "order_id", None)
    if order_id is not None:
        shows = f"`trading-sdk orders show {order_id}` shows whether it rests"
        say(f"{name}: the service accepted it, which is no fill; {shows}")
    elif all(done):
        say(f"{name}: the service accepted it")
    elif any(done):
        say(f"{name}: the service accepted {sum(done)} of {len(done)} actions")


def _print(result: Any, limit: int | None) -> None:
    if isinstance(result, BatchResult):
        with ending(result.raise_on_failure):
            records(result, limit=0)
    elif isinstance(result, Sequence | Paginator) and not isinstance(result, (str, Mapping)):
        records(result, limit=limit)
    elif result is not None or options().json:
        record(result)


# -- arguments ----------------------------------------------------------------------------------------


def arguments(name: str, method: Method, words: Iterable[str]) -> dict[str, Any]:
    """The arguments of a method from words like `side=bid`.

    Raises:
        UsageError: a word is none, names no argument, or holds a value of another kind; or one is missing.
    """
    hints, given = get_type_hints(method), dict[str, Any]()
    for word in words:
        key, text = to_pair(word)
        if key in given:
            raise click.UsageError(f"{key} is given twice")
        if key not in inspect.signature(method).parameters:
            _checked(name, method, **{key: None})  # refused, with what was meant
        given[key] = _value(key, text, hints[key])
    if missing := [f"{each}=..." for each in _needed(method) if each not in given]:
        raise click.UsageError(f"{name} needs {' '.join(missing)}")
    return given


def to_pair(word: str) -> tuple[str, str]:
    """The two halves of KEY=VALUE."""
    key, equals, text = word.partition("=")
    if not equals:
        raise click.UsageError(f"{word!r} is no argument: write KEY=VALUE, like symbol=BTC")
    return key, text


def _value(key: str, text: str, hint: Any) -> Any:
    """A value of the type that an argument has."""
    kinds = _kinds_of(hint)
    if text == "null" and NoneType in kinds:
        return None
    if bool in kinds:
        return _parsed(key, text, "true or false", {"true": True, "false": False}.__getitem__)
    if datetime in kinds:
        return to_moment(key, text)
    if any(each in (str, UUID) or isinstance(each, EnumMeta) for each in kinds):
        return text
    if any(getattr(each, "__name__", "") == "SupportsIndex" for each in kinds):
        return _parsed(key, text, "an integer", _integer)
    if Signer in kinds:
        return Keypair.from_file(text)
    if any(get_args(each) == (str,) for each in kinds) and not text.startswith("["):
        return text.split(",")
    return _parsed(key, text, 'JSON, like {"stop_price": "90000"}', _json)


def _kinds_of(hint: Any) -> tuple[Any, ...]:
    return get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)


def _parsed(key: str, text: str, wanted: str, parse: Callable[[str], Any]) -> Any:
    with suppress(ValueError, KeyError):
        return parse(text)
    raise click.UsageError(f"{key} must be {wanted}, not {text!r}")


def to_moment(key: str, text: str) -> int | datetime:
    """A time that a person wrote: ms, or ISO 8601 with its zone."""

    def parse(text: str) -> int | datetime:
        if re.fullmatch(r"\d+", text):
            return int(text)
        moment = datetime.fromisoformat(re.sub("[Zz]$", "+00:00", text))
        if moment.tzinfo is None:
            raise ValueError(text)
        return moment

    wanted = "a time: ms since 1970, or like 2026-11-23T22:00:00Z"
    return _parsed(key, text, wanted, parse)  # type: ignore[no-any-return]


def _integer(text: str) -> int:
    if not re.fullmatch(r"-?\d{1,20}", text):
        raise ValueError(text)
    return int(text)


def _json(text: str) -> Any:
    found = json.loads(text, parse_float=Decimal, object_pairs_hook=_object)
    if not isinstance(found, (dict, list)):
        raise ValueError(text)
    return found


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    names = [name for name, _ in pairs]
    if twice := [each for each in names if names.count(each) > 1]:
        raise click.UsageError(f"{twice[0]!r} stands twice in one object")
    return dict(pairs)


def _complete(
    method: Method, context: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """What the shell offers: names of arguments, and the values of enums and flags."""
    given = list(context.params.get("words") or ())
    hints = get_type_hints(method)
    key, equals, text = incomplete.partition("=")
    before = f"{key}="
    # Bash cuts a word at `=`, and gives its parts.
    if not equals and given[-1:] == ["="]:
        equals, key, text, before = "=", given[-2] if len(given) > 1 else "", incomplete, ""
    elif not incomplete and given[-1:] and given[-1] in hints:
        equals, key, text, before = "=", given[-1], "", ""
    if equals:
        found = _choices(hints.get(key, str))
        return [CompletionItem(before + each) for each in found if each.startswith(text)]
    taken = {each.partition("=")[0] for each in given}
    names = [each for each in inspect.signature(method).parameters if each not in taken]
    return [CompletionItem(f"{each}=") for each in names if each.startswith(incomplete)]


def _choices(hint: Any) -> list[str]:
    """The values of an enum or a flag."""
    kinds = _kinds_of(hint)
    if bool in kinds:
        return ["true", "false"]
    enums: list[Any] = [each for each in kinds if isinstance(each, EnumMeta)]
    return [str(each.value) for enum in enums for each in enum]
