"""The pages of the reference, which autodoc fills from docstrings, and what came of each section of the interface."""

from __future__ import annotations

import inspect
import pkgutil
import re
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from textwrap import indent
from typing import Any

from sphinx.application import Sphinx
from sphinx.ext.napoleon import Config
from sphinx.ext.napoleon.docstring import GoogleDocstring

import trading_sdk
import trading_sdk_observed.groups
import trading_toolkit
from codegen import ir
from codegen.__main__ import read
from codegen.python.docstrings import offered
from conformance.cases import all_cases
from docs.site.examples import Example, examples
from docs.site.sources import DOCS, ROOT
from trading_runtime import TradingError
from trading_sdk import models

HEADING = re.compile(r"## (\d+(?:\.\d+)?) .*")
"""That of a section of the interface."""
NUMBER = re.compile(r"\b\d+(?:\.\d+)?\b")
NAPOLEON: Any = Config(napoleon_custom_sections=[("Errors", "Raises")], napoleon_use_ivar=True)
LEXERS = {"Python": "python", "TypeScript": "ts", "curl": "sh"}


# -- pages ------------------------------------------------------------------------------------


def reference(api: ir.Api) -> dict[str, str]:
    """The text of each page, by its path in the site."""
    tree = (inspect.getdoc(inspect.getmodule(TradingError)) or "").split("\n\n", 1)[1]
    public = [getattr(trading_sdk, name) for name in trading_sdk.__all__]
    own = [
        each
        for each in public
        if inspect.isclass(each)
        and each.__module__.startswith(("trading_runtime", "trading_sdk.client"))
    ]
    raised = [each for each in own if issubclass(each, Exception)]
    others = [each for each in own if each not in raised]
    groups = [each.name for each in api.groups]
    contents = "\n".join([*groups, "client", "errors", "models", "Table of methods </methods>"])
    return {
        "reference/index.md": f"# Methods, models, errors\n\n{INTRODUCTION}\n\n```{{toctree}}\n:maxdepth: 1\n\n{contents}\n```\n",
        **{
            f"reference/{name}.md": f"# `client.{name}`\n\n{_module(f'trading_sdk.groups.{name}')}"
            for name in groups
        },
        "reference/client.md": _listing_classes(
            "The client, keys, lists", _classes(others, "HTTPAdapter, Sequence")
        ),
        "reference/errors.md": _listing_classes(
            "Errors", f"```text\n{tree}\n```\n\n{_classes(raised, 'Exception')}"
        ),
        "reference/models.md": _listing_classes("Models and enums", _module("trading_sdk.models")),
        "reference/observed.md": _listing_classes(
            "Reference of `trading_sdk_observed`",
            f"{OBSERVED}\n\n{_modules(_observed())}",
            below_headings=True,
        ),
        "reference/toolkit.md": _listing_classes(
            "Reference of the toolkit", f"{TOOLKIT}\n\n{_modules(_toolkit())}", below_headings=True
        ),
    }


INTRODUCTION = (
    "Every method, model, enum, error and option, in the words of their docstrings. Examples come from the conformance vectors: "
    "requests are signed with a key that is only for tests, and expired long ago."
)
OBSERVED = (
    "Every method, model, event and field, in the words of their docstrings. What is the same in `trading_sdk` stands in "
    "[its reference](index.md), with examples."
)
TOOLKIT = "Every class, field and function, in the words of their docstrings. [The toolkit](../toolkit.md) shows them at work."


def _observed() -> Iterable[tuple[str, str]]:
    """The title and the name of each module of the observed package."""
    yield "Models and enums", "trading_sdk_observed.models"
    yield "Streams", "trading_sdk_observed.streams"
    for each in pkgutil.iter_modules(trading_sdk_observed.groups.__path__):
        yield f"`client.{each.name}`", f"trading_sdk_observed.groups.{each.name}"


def _toolkit() -> Iterable[tuple[str, str]]:
    """The name of each module that the docstring of the toolkit names."""
    for name in re.findall(r"^- `(\w+)`:", trading_toolkit.__doc__ or "", re.MULTILINE):
        yield f"`{name}`", f"trading_toolkit.{name}"


def _listing_classes(title: str, text: str, *, below_headings: bool = False) -> str:
    """A page with hundreds of fields: the contents beside it end with the classes."""
    return f"---\ntocdepth: {3 if below_headings else 2}\n---\n\n# {title}\n\n{text}"


def _modules(titled: Iterable[tuple[str, str]]) -> str:
    return "\n".join(f"## {title}\n\n{_module(name)}" for title, name in titled)


def _module(name: str) -> str:
    """What makes autodoc write of all that a module has."""
    return f"```{{eval-rst}}\n.. automodule:: {name}\n{_options('BaseException')}```\n"


def _classes(classes: Iterable[type], above: str) -> str:
    """What makes autodoc write of some public classes, and of what they inherit from below another one."""
    written = (f".. autoclass:: trading_sdk.{each.__name__}\n{_options(above)}" for each in classes)
    return f"```{{eval-rst}}\n{chr(10).join(written)}```\n"


def _options(above: str) -> str:
    return f"   :members:\n   :undoc-members:\n   :inherited-members: {above}\n"


# -- docstrings -------------------------------------------------------------------------------


def written(
    _: Sphinx, what: Any, name: str, documented: Any, options: Any, lines: list[str]
) -> None:
    """Make a docstring ready for Sphinx: sections as lists, links to the interface, and the example of a method."""
    # Napoleon takes `Unit: token` of a field for its type.
    if what not in ("attribute", "property"):
        lines[:] = GoogleDocstring(lines, NAPOLEON, None, what, name, documented, options).lines()
    lines[:] = _linked("\n".join(lines)).split("\n")
    method = re.fullmatch(r"trading_sdk\.groups\.(\w+)\.\w+\.(\w+)", name)
    example = _examples().get(".".join(method.groups())) if method else None
    if example:
        lines += _shown(example).split("\n")


def _linked(text: str) -> str:
    """A docstring whose `Section 4.1` leads to that section of the interface."""

    def link(number: re.Match[str]) -> str:
        return f"`{number[0]} <{_sections()[number[0]]}>`__"

    return re.sub(r"\b[Ss]ections? \d[\d., and]*\d", lambda named: NUMBER.sub(link, named[0]), text)


@cache
def _sections() -> dict[str, str]:
    """Where each section of the interface stands, as seen from a page of the reference."""
    places = {}
    for page in (DOCS / "signing.md", *DOCS.glob("interface/*.md")):
        html = page.relative_to(DOCS).with_suffix(".html").as_posix()
        for heading in re.finditer(rf"^{HEADING.pattern}$", page.read_text("utf-8"), re.M):
            places[heading[1]] = f"../{html}#{_anchor(heading[0][3:])}"
    return places


def _anchor(heading: str) -> str:
    """The anchor of a heading, as the repository makes it."""
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


@cache
def _examples() -> dict[str, Example]:
    return examples(read(ROOT / "spec" / "openapi.yaml"), all_cases())


def _shown(example: Example) -> str:
    """A call in several languages, side by side, and its answer; a choice of language holds for all pages."""
    tabs = [
        f".. tab-item:: {language}\n   :sync: {language}\n\n{indent(_code(lexer, text), '   ')}"
        for (language, lexer), text in zip(
            LEXERS.items(), (example.python, example.typescript, example.curl), strict=True
        )
    ]
    side_by_side = indent("\n\n".join((":sync-group: language", *tabs)), "   ")
    return f"\n.. tab-set::\n{side_by_side}\n\nAn answer:\n\n{_code('json', example.answer)}\n"


def _code(lexer: str, text: str) -> str:
    return f".. code-block:: {lexer}\n\n{indent(text, '   ')}"


# -- the interface ----------------------------------------------------------------------------


def interface(api: ir.Api, pages: Mapping[Path, str]) -> dict[Path, str]:
    """The pages of the interface, each section with the methods and models that came of it."""
    rows: dict[str, list[str]] = {}

    def note(section: str | None, kind: str, shown: str, target: str, text: str) -> None:
        for number in NUMBER.findall(section or ""):
            line = f"- {{py:{kind}}}`{shown} <trading_sdk.{target}>`: {text}"
            rows.setdefault(number, []).append(line)

    with trading_sdk.Client("http://127.0.0.1:8787") as client:
        for each in offered(api):
            group = type(getattr(client, each.group)).__name__
            target = f"groups.{each.group}.{group}.{each.method}"
            note(each.section, "meth", f"{each.group}.{each.method}", target, each.summary)
    for model in api.models:
        if hasattr(models, model.name):
            text = model.description.split(". ")[0]
            note(model.section, "class", model.name, f"models.{model.name}", text)

    def listed(part: str) -> str:
        number = HEADING.match(part)
        lines = rows.get(number[1], ()) if number else ()
        return "\n".join((part, "In the SDK:\n", *lines, "\n")) if lines else part

    parts = {name: re.split(r"^(?=## )", text, flags=re.M) for name, text in pages.items()}
    return {name: "".join(map(listed, each)) for name, each in parts.items()}
