"""What many tests of the generator ask for, made once in a process."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import NamedTuple, TypeAlias

import pytest

from codegen import __main__ as command
from codegen.ir import Api
from codegen.python.render import Contents, render
from codegen.read.source import Source


class Ran(NamedTuple):
    """What a command ended with, and what it printed."""

    status: int
    out: str
    err: str


Run: TypeAlias = Callable[..., Ran]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Run `python -m codegen` with some arguments."""

    def ran(*arguments: object) -> Ran:
        capsys.readouterr()
        status, (out, err) = command.main([*map(str, arguments)]), capsys.readouterr()
        return Ran(status, out, err)

    return ran


@pytest.fixture(scope="session", autouse=True)
def built_and_rendered_once() -> Iterator[None]:
    """Build and render each spec once: that of the service takes seconds, and a dozen tests ask for it."""
    build, known = command._built, dict[str, tuple[Api, list[str]]]()
    texts: dict[tuple[object, ...], tuple[Contents, dict[str, str]]] = {}

    def built(found: Source, warn: Callable[[str], None]) -> Api:
        key = json.dumps([found.sha256, found.overlays, found.root.value], default=repr)
        if key not in known:
            said: list[str] = []
            known[key] = build(found, said.append), said
        api, said = known[key]
        for text in said:
            warn(text)
        return api

    def rendered(contents: Contents) -> dict[str, str]:
        others = [id(part) for part in (contents.stable, contents.streams) if part]
        key = id(contents.api), contents.package, contents.about, *others
        if key not in texts:
            texts[key] = contents, render(contents)
        return {**texts[key][1]}

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(command, "_built", built)
        patch.setattr(command, "render", rendered)
        yield
