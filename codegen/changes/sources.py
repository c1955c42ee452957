"""Where an IR to compare comes from: a spec, an IR as JSON, or a git revision of either."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import cattrs
from attrs import frozen
from cattrs.strategies import configure_union_passthrough

from codegen import ir
from codegen.read.load import Problem, SpecError

Read = Callable[[Path, Sequence[Path]], ir.Api]
"""Makes the IR of a spec file with overlays applied to it."""

OLDER = (
    "if only the rules of today refuse it, print its IR by the generator of then: in a worktree of that "
    "revision (git worktree add FOLDER REVISION) run `python -m codegen ir > old.json`, with the same "
    "overlays, and name old.json instead of the revision; the IR of the last release is spec/released.json"
)


RELEASED = "To compare with the last release, name spec/released.json"


@frozen
class Side:
    """One side of a comparison."""

    api: ir.Api
    version: str | None = None
    """The version of the package that was released with it. None if the source does not say."""


def side(text: str, spec: Path, read: Read, overlays: Sequence[Path] = ()) -> Side:
    """The IR that a user named.

    Args:
        text: a file (a spec, or JSON of `ir` or of `spec/released.json`), a git revision, which means
            `spec` at that revision, or `REVISION:PATH`.
        spec: the spec of this repository.
        read: makes the IR of a spec.
        overlays: are applied to a spec, to one of a revision as they were then. An IR must have them.

    Raises:
        SpecError: there is no such file or revision, or the spec or an overlay in it is wrong.
    """
    path = Path(text)
    if path.is_file():
        return _of_file(path, read, overlays)
    revision, _, inside = text.partition(":")
    inside = inside or spec.name
    with tempfile.TemporaryDirectory() as folder:
        # The copies stand to each other as the files do: an overlay may name its spec.
        content = _at_revision(spec.parent, revision, inside)
        copy = _copy(spec.parent / Path(inside).name, content, folder)
        laid = [_copy(each, _overlay(spec.parent, revision, each), folder) for each in overlays]
        try:
            return _of_file(copy, read, laid)
        except SpecError as error:
            raise SpecError([*error.problems, Problem("#", OLDER)]) from None


def _copy(path: Path, content: bytes, folder: str) -> Path:
    copy = Path(folder, *path.resolve().parts[1:])
    copy.parent.mkdir(parents=True, exist_ok=True)
    copy.write_bytes(content)
    return copy


def _overlay(folder: Path, revision: str, path: Path) -> bytes:
    """An overlay at a revision. One that the revision has not is taken as it is."""
    try:
        return _at_revision(folder, revision, f"./{os.path.relpath(path, folder)}")
    except SpecError:
        if path.is_file():
            return path.read_bytes()
        raise


def _of_file(path: Path, read: Read, overlays: Sequence[Path]) -> Side:
    if path.suffix != ".json":
        return Side(read(path, overlays))
    found = _of_json(path)
    names = tuple(each.name for each in overlays)
    if names and found.api.overlays != names:
        problem = f"{path.name} is an IR with other overlays, or none: name its spec instead"
        raise SpecError([Problem("#/overlays", problem)])
    return found


def _of_json(path: Path) -> Side:
    try:
        document: Any = json.loads(path.read_bytes())
        if "ir" in document:
            return Side(_structured(document["ir"]), document["version"])
        return Side(_structured(document))
    except (ValueError, TypeError, KeyError, cattrs.BaseValidationError):
        problem = f"{path.name} is neither an IR nor a release: `python -m codegen ir` prints one"
        raise SpecError([Problem("#", problem)]) from None


def _structured(document: Any) -> ir.Api:
    """An IR from its JSON. A member that an older one lacks has its default."""
    if not isinstance(document, dict):
        raise TypeError("an IR is an object")
    if "ir_version" not in document and "operations" not in document:
        raise ValueError("no IR")
    # The first version did not say which it was.
    version = document.get("ir_version", 1)
    if version not in ir.READ:
        read = " and ".join(map(str, ir.READ))
        problem = f"an IR of version {version}; this generator reads {read}. {RELEASED}"
        raise SpecError([Problem("#/ir_version", problem)])
    converter = cattrs.Converter()
    configure_union_passthrough(ir.Json, converter)
    return converter.structure(document, ir.Api)


def _at_revision(folder: Path, revision: str, path: str) -> bytes:
    """A file at a revision. A path without a slash, or from `./` on, starts at the folder."""
    found = _shown(folder, f"{revision}:./{path}" if "/" not in path else f"{revision}:{path}")
    if found is not None:
        return found
    problem = f"{revision!r} is neither a file nor a git revision"
    if _shown(folder, f"{revision}:") is not None:
        problem = f"there is no {path} at the git revision {revision!r}"
    raise SpecError([Problem("#", problem)])


def _shown(folder: Path, place: str) -> bytes | None:
    """What git has at a place. None if it has nothing there."""
    found = subprocess.run(
        ["git", "-C", str(folder), "show", "--end-of-options", place],
        capture_output=True,
        check=False,
    )
    return None if found.returncode else found.stdout
