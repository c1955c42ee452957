"""The generated package as a product: documented, tidy, and made of what its header says."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

import pytest

import trading_sdk
from tests.codegen.specs import ROOT

PACKAGE = ROOT / "generated" / "trading_sdk"
MODULES = sorted(PACKAGE.rglob("*.py"))

Documented = ast.Module | ast.ClassDef | ast.FunctionDef


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def public(module: ast.Module) -> Iterator[Documented]:
    yield module
    for node in ast.walk(module):
        if isinstance(node, ast.ClassDef | ast.FunctionDef) and not node.name.startswith("_"):
            yield node


@pytest.mark.parametrize("path", MODULES, ids=name)
def test_a_module_says_what_it_is_made_from_and_everything_public_has_a_docstring(
    path: Path,
) -> None:
    source = path.read_text(encoding="utf-8")
    first = "# Do not edit: written by `python -m codegen generate` from spec/openapi.yaml."
    assert source.splitlines()[0] == first
    assert [line for line in source.splitlines() if len(line) > 100] == []
    for node in public(ast.parse(source)):
        text = ast.get_docstring(node)
        assert text, getattr(node, "name", path)
        assert re.search(r"[.:`)\]]$", text), text


def test_a_star_import_gives_exactly_what_all_lists() -> None:
    names: dict[str, object] = {}

    exec("from trading_sdk import *", names)

    del names["__builtins__"]
    assert sorted(names) == sorted(trading_sdk.__all__)
    assert len(set(trading_sdk.__all__)) == len(trading_sdk.__all__)
    assert {"Client", "Keypair", "CreateOrder", "Side", "Trade", "UNSET"} <= set(names)


def test_the_package_tells_its_version_and_that_it_is_typed() -> None:
    assert trading_sdk.__version__ == metadata.version("trading-service-sdk")
    assert (PACKAGE / "py.typed").read_bytes() == b""
