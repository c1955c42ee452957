"""The pages of the reference: methods, models, enums, errors and the client; what came of each section of the interface.

Words come from the docstrings, which the spec makes; endpoints and sections from the IR; examples from the vectors.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import attrs

import trading_sdk
from codegen import ir
from codegen.python.docstrings import Offered, of_fields, offered
from codegen.python.syntax import name_of
from docs.site.docstrings import Docstring, docstring
from docs.site.examples import Example
from docs.site.sources import DOCS
from trading_sdk import models

FOLDER = "reference"
ERRORS = sys.modules[trading_sdk.TradingError.__module__]
"""The module of all errors, whose docstring is their tree."""
SECTION = re.compile(r"\b(\d+(?:\.\d+)?)\b")
HEADING = re.compile(r"## (\d+(?:\.\d+)?) .*")
"""That of a section of the interface."""


def _anchor(heading: str) -> str:
    """The anchor of a heading, as the repository makes it."""
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


SECTIONS = {
    heading[1]: f"{page.relative_to(DOCS).as_posix()}#{_anchor(heading[0][3:])}"
    for page in (DOCS / "signing.md", *DOCS.glob("interface/*.md"))
    for heading in re.finditer(rf"^{HEADING.pattern}$", page.read_text("utf-8"), re.M)
}
"""Where each section of the interface stands."""
LANGUAGES = (("Python", "python"), ("TypeScript", "ts"), ("curl", "sh"))


def reference(api: ir.Api, examples: Mapping[str, Example]) -> dict[str, str]:
    """The text of each page, by its path in the site."""
    by_group: dict[str, list[Offered]] = {group.name: [] for group in api.groups}
    for each in offered(api):
        by_group[each.group].append(each)
    pages = {
        **{name: _group(api, name, methods, examples) for name, methods in by_group.items()},
        "client": _client(),
        "errors": _errors(),
        "models": _models(api),
        "enums": _enums(api),
    }
    listed = "\n".join(pages)
    contents = f"# Methods, models, errors\n\n{INTRODUCTION}\n\n```{{toctree}}\n{listed}\n```\n"
    return {
        f"{FOLDER}/index.md": contents,
        **{f"{FOLDER}/{name}.md": text for name, text in pages.items()},
    }


INTRODUCTION = (
    "Every method, model, enum, error and option, in the words of their docstrings. Examples come from the conformance vectors: "
    "requests are signed with a key that is only for tests, and expired long ago."
)


# -- methods ----------------------------------------------------------------------------------


def _group(
    api: ir.Api, name: str, methods: Iterable[Offered], examples: Mapping[str, Example]
) -> str:
    """The page of a group of methods."""
    with trading_sdk.Client("http://127.0.0.1:8787") as client:
        group = getattr(client, name)
    said = docstring(type(group)).text.split("\n\n")[0]
    parts = [f"# `client.{name}`\n\n{said}\n"]
    for each in methods:
        called = f"{name}.{each.method}"
        parts.append(_method(api, each, getattr(group, each.method), examples.get(called)))
    return "\n".join(parts)


def _method(api: ir.Api, offer: Offered, method: object, example: Example | None) -> str:
    """A method: what it does, an example, arguments, result and errors."""
    said = docstring(method)
    retry = f"Retry class: [{offer.retry}](../recovery.md#what-may-be-sent-twice)."
    parts = [f"## `{offer.group}.{offer.method}`", _sections_linked(said.text), retry]
    if example:
        parts.append(_tabs((example.python, example.typescript, example.curl)))
    types = inspect.signature(method).parameters if callable(method) else {}
    whole = _fields(api, offer.params if isinstance(offer, ir.Operation) else offer.model)
    rows = [
        (
            f"`{name}`",
            _type(str(types[name].annotation), api) if name in types else "",
            whole.get(name, line),
        )
        for name, line in said.rows("Args")
    ]
    parts.append(_table(("argument", "type", "meaning"), rows))
    if "Returns" in said.sections:
        parts.append(f"**Returns:** {said.sections['Returns'].strip()}")
    if example:
        parts.append(f"An answer:\n\n```json\n{example.answer}\n```")
    parts.append(_table(("error", "when"), _errors_of(said, "Raises")))
    return "\n\n".join(filter(None, parts)) + "\n"


def _fields(api: ir.Api, model: str | None) -> dict[str, str]:
    """What the docs say of each field of a model, by its name in Python."""
    found = api.types.get(model or "")
    told = of_fields(api, found) if isinstance(found, ir.Model) else {}
    return {name_of(field): told[field.name] for field in api.fields_of(model)}


def _errors_of(said: Docstring, section: str) -> Iterator[tuple[str, str]]:
    """The rows of errors; each of ours leads to its description."""
    for names, text in said.rows(section):
        yield ", ".join(map(_error, names.split(", "))), text


def _error(name: str) -> str:
    return f"[`{name}`](errors.md#{_anchor(name)})" if hasattr(ERRORS, name) else f"`{name}`"


def _tabs(texts: Iterable[str]) -> str:
    """The same in several languages, side by side; a choice holds for all pages."""
    tabs = [
        f":::{{tab-item}} {title}\n:sync: {title}\n\n```{lexer}\n{text}\n```\n:::"
        for (title, lexer), text in zip(LANGUAGES, texts, strict=True)
    ]
    return "\n".join(("::::{tab-set}", ":sync-group: language", "", *tabs, "::::"))


def _sections_linked(text: str) -> str:
    """Text whose `Section 4.1` leads to that section of the interface."""

    def linked(number: re.Match[str]) -> str:
        return f"[{number[0]}](../{SECTIONS[number[0]]})"

    return re.sub(
        r"\b[Ss]ections? \d[\d., and]*\d", lambda named: SECTION.sub(linked, named[0]), text
    )


# -- models and enums -------------------------------------------------------------------------


def _models(api: ir.Api) -> str:
    """The page of all models: what methods return, then what they take."""
    parts = ["# Models", "What methods return is frozen. What they take is a model, or a mapping."]
    for title, role in (("Results", "response"), ("Arguments", "request")):
        parts.append(f"## {title}")
        for each in sorted(api.models, key=lambda model: model.name):
            if each.role == role and hasattr(models, each.name):
                parts.append(_model(getattr(models, each.name), api))
    return "\n\n".join(parts) + "\n"


def _model(class_: type, api: ir.Api) -> str:
    """A model with its fields, their types and meanings."""
    said = docstring(class_)
    types = {field.name: str(field.type) for field in attrs.fields(class_)}
    rows = [
        (f"`{name}`", _type(types[name], api), text)
        for name, text in _fields(api, class_.__name__).items()
    ]
    text = f"### {class_.__name__}\n\n{_sections_linked(said.text)}"
    return "\n\n".join(filter(None, (text, _table(("field", "type", "meaning"), rows))))


def _enums(api: ir.Api) -> str:
    """The page of all enums with their values."""
    parts = [
        "# Enums",
        "Closed where you send, open where you receive: an unknown value is a member that equals its text (`is_known` is False).",
    ]
    for each in sorted(api.enums, key=lambda enum: enum.name):
        values = "\n".join(f"- `{value}`" for value in each.values)
        parts.append(f"## {each.name}\n\n{each.description}\n\n{values}")
    reasons = [
        (f"`{each.name}`", each.description) for each in sorted(api.reasons, key=_name_of_reason)
    ]
    if reasons:
        parts.append(f"## What each reason means\n\n{_table(('reason', 'meaning'), reasons)}")
    return "\n\n".join(parts) + "\n"


def _name_of_reason(reason: ir.Reason) -> str:
    return reason.name


# -- the client and its errors ----------------------------------------------------------------


def _client() -> str:
    """The page of the client: its options, what stands on it beside the groups, and what a call may raise."""
    said = docstring(trading_sdk.Client)
    types = inspect.signature(trading_sdk.Client).parameters
    options = [
        (f"`{name}`", _default(types[name]) if name in types else "", text)
        for name, text in said.rows("Args")
    ]
    parts = [
        "# `Client`",
        said.text,
        "## Options",
        _table(("option", "default", "meaning"), options),
        "## Errors of every call",
        _table(("error", "when"), _errors_of(said, "Errors")),
    ]
    for name, found in sorted(inspect.getmembers(trading_sdk.Client, callable)):
        if not name.startswith("_"):
            parts.append(_function(f"client.{name}", docstring(found)))
    parts.append(_function("Retry", docstring(trading_sdk.Retry)))
    return "\n\n".join(filter(None, parts)) + "\n"


def _default(parameter: inspect.Parameter) -> str:
    none = parameter.default is inspect.Parameter.empty
    return "" if none else f"`{parameter.default!r}`"


def _function(name: str, said: Docstring) -> str:
    rows = [(f"`{each}`", text) for each, text in said.rows("Args")]
    result = said.sections.get("Returns", "").strip()
    parts = (
        f"## `{name}`",
        said.text,
        _table(("argument", "meaning"), rows),
        f"**Returns:** {result}" if result else "",
        _table(("error", "when"), _errors_of(said, "Raises")),
    )
    return "\n\n".join(filter(None, parts))


def _errors() -> str:
    """The page of all errors: the tree, then each class."""
    tree = (inspect.getdoc(ERRORS) or "").split("\n\n", 1)[1]
    parts = ["# Errors", f"```text\n{tree}\n```"]
    for name in re.findall(r"(?:^|── )(\w+)", tree, re.MULTILINE):
        parts.append(f"## {name}\n\n{docstring(getattr(ERRORS, name)).text}")
    return "\n\n".join(parts) + "\n"


# -- the interface ----------------------------------------------------------------------------


def interface(api: ir.Api, pages: Mapping[Path, str]) -> dict[Path, str]:
    """The pages of the interface, each section with the methods and models that came of it."""
    found: dict[str, list[str]] = {}

    def note(section: str | None, line: str) -> None:
        for number in SECTION.findall(section or ""):
            found.setdefault(number, []).append(line)

    for each in offered(api):
        link = f"../{FOLDER}/{each.group}.md#{_anchor(f'{each.group}.{each.method}')}"
        note(each.section, f"- [`{each.group}.{each.method}`]({link}): {each.summary}")
    for model in api.models:
        if hasattr(models, model.name):
            link = f"../{FOLDER}/models.md#{model.name.lower()}"
            note(model.section, f"- [`{model.name}`]({link}): {model.description.split('. ')[0]}")

    def listed(part: str) -> str:
        number = HEADING.match(part)
        lines = found.get(number[1], ()) if number else ()
        return "\n".join((part, "In the SDK:\n", *lines, "\n")) if lines else part

    parts = {name: re.split(r"^(?=## )", text, flags=re.M) for name, text in pages.items()}
    return {name: "".join(map(listed, each)) for name, each in parts.items()}


# -- Markdown ---------------------------------------------------------------------------------


def _type(text: str, api: ir.Api) -> str:
    """A type as code; one with a model or an enum leads to it."""
    for name in re.findall(r"[A-Z]\w+", text):
        found = api.types.get(name.removesuffix("Like"))
        if isinstance(found, ir.Model | ir.Enum):
            page = "models" if isinstance(found, ir.Model) else "enums"
            return f"[`{text}`]({page}.md#{_anchor(found.name)})"
    return f"`{text}`" if text else ""


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    """A table, or nothing without rows."""
    lines = [f"| {' | '.join(each.replace('|', chr(92) + '|') for each in row)} |" for row in rows]
    if not lines:
        return ""
    return "\n".join((f"| {' | '.join(head)} |", "|" + "---|" * len(head), *lines))
