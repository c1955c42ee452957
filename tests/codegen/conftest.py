"""What many tests of the generator ask for, made once in a process."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import cache

import pytest

from codegen import __main__ as command
from codegen.ir import Api
from codegen.python.render import render
from codegen.read.models import Schemas
from codegen.read.source import Source
from codegen.read.streams import Streams


@pytest.fixture(scope="session", autouse=True)
def built_and_rendered_once() -> Iterator[None]:
    """Build and render each spec once: that of the service takes seconds, and a dozen tests ask for it."""
    build, known = command._built, dict[str, tuple[Api, list[str]]]()
    read: dict[int, tuple[Api, Schemas]] = {}

    def built(found: Source, warn: Callable[[str], None]) -> Api:
        key = json.dumps([found.sha256, found.overlays, found.root.value], default=repr)
        if key not in known:
            said: list[str] = []
            known[key] = build(found, said.append), said
        api, said = known[key]
        for text in said:
            warn(text)
        return api

    @cache
    def texts(spec: int, package: str, about: str, stable: int | None) -> dict[str, str]:
        return render(*read[spec], package, about, read[stable] if stable else None)

    def rendered(
        api: Api,
        schemas: Schemas,
        package: str,
        about: str,
        stable: tuple[Api, Schemas] | None,
        told: Streams | None,
    ) -> dict[str, str]:
        if told:
            return render(api, schemas, package, about, stable, told)
        for each in ((api, schemas), stable):
            if each:
                read.setdefault(id(each[0]), each)
        return {**texts(id(api), package, about, id(stable[0]) if stable else None)}

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(command, "_built", built)
        patch.setattr(command, "render", rendered)
        yield
