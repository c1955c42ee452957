"""Specs for the tests of the generator, and what it says about them."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import attrs
import yaml

from codegen.ir import Api
from codegen.python import render
from codegen.read import source
from codegen.read.api import build
from codegen.read.load import Loader, Node, Problem, SpecError, load
from codegen.read.models import Schemas, schemas
from codegen.rules import check
from ports.typescript.generator.render import render as render_typescript
from tests.trees import at, unescaped

ROOT = Path(__file__).resolve().parents[2]
REAL = ROOT / "spec" / "openapi.yaml"
OVERLAY = ROOT / "spec" / "overlays" / "observed.yaml"
FRAGMENTS = Path(__file__).parent / "fragments"
SMALL = FRAGMENTS / "small.yaml"
SECOND = ROOT / "conformance" / "second" / "openapi.yaml"
DELETED = "(deleted)"

Tree = dict[str, Any]


@cache
def _read(path: Path) -> Tree:
    spec: Tree = load(path)[0].value
    return spec


class _Tables(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
    """Reads values as the generator does, and beside them aliases, which spare a table repetition.

    In C, where there is such a loader: it reads the tables in a tenth of the time.
    """

    yaml_constructors = Loader.yaml_constructors
    yaml_implicit_resolvers = Loader.yaml_implicit_resolvers | {
        "<": [("tag:yaml.org,2002:merge", re.compile("<<$"))]
    }


@cache
def table(name: str) -> Any:
    """A table of cases, to be read only."""
    return yaml.load((FRAGMENTS / name).read_text(encoding="utf-8"), _Tables)


def tree(path: Path = SMALL) -> Tree:
    """A spec as plain values, to be changed at will."""
    spec: Tree = copy.deepcopy(_read(path))
    return spec


def changed(edits: Mapping[str, Any], base: Tree | None = None) -> Tree:
    """A spec with other values at some JSON pointers; DELETED takes a value away."""
    spec = tree() if base is None else copy.deepcopy(base)
    for pointer, value in edits.items():
        where, _, last = pointer.rpartition("/")
        holder = at(spec, where)
        key: Any = int(last) if isinstance(holder, list) else unescaped(last)
        if value == DELETED:
            del holder[key]
        elif isinstance(holder, list) and key == len(holder):
            holder.append(value)
        else:
            holder[key] = copy.deepcopy(value)
    return spec


def root(spec: Tree) -> Node:
    return Node(spec, "#", spec)


def problems(spec: Tree) -> list[Problem]:
    """What is wrong with a spec."""
    try:
        check(root(spec))
    except SpecError as error:
        return error.problems
    return []


def built(spec: Tree) -> Api:
    return build(root(spec), "0" * 64)


def read(spec: Tree) -> tuple[Api, Schemas]:
    """What a package is rendered from."""
    return built(spec), schemas(root(spec))


@cache
def shipped() -> tuple[Api, Schemas]:
    """What the shipped package is rendered from."""
    return read(tree(REAL))


@cache
def observed() -> tuple[Api, Schemas]:
    """The same of the spec with the overlay of observed endpoints."""
    found = source.read(REAL, [OVERLAY])
    return build(found.root, found.sha256, found.overlays), schemas(found.root)


def rendered(spec: Tree) -> dict[str, str]:
    """The files that follow from a spec, as they are before ruff formats them."""
    return render.unformatted(render.Contents(*read(spec)))


def typescript(spec: Tree) -> dict[str, str]:
    """The TypeScript that follows from a spec, by the IR as JSON."""
    return render_typescript(json.loads(json.dumps(attrs.asdict(built(spec)))))


def written(spec: Tree, folder: Path) -> Path:
    """A spec as a file; JSON is YAML, too, and carries every character."""
    path = folder / "spec.yaml"
    path.write_text(json.dumps(spec), encoding="utf-8")
    return path


INFO = {"title": "More", "version": "1"}


def overlay(folder: Path, *actions: Any, name: str = "more.yaml", **changed: Any) -> Path:
    """An overlay as a file."""
    whole = {"overlay": "1.0.0", "info": INFO, "actions": list(actions), **changed}
    path = folder / name
    path.write_text(json.dumps({k: v for k, v in whole.items() if v is not None}), encoding="utf-8")
    return path
