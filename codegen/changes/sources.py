"""Where an IR to compare comes from: a spec, an IR as JSON, or a git revision of either."""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cattrs
from attrs import frozen
from cattrs.strategies import configure_union_passthrough

from codegen import ir
from codegen.load import Problem, SpecError

Read = Callable[[Path], ir.Api]
"""Makes the IR of a spec file."""


@frozen
class Side:
    """One side of a comparison."""

    api: ir.Api
    version: str | None = None
    """The version of the package that was released with it. None if the source does not say."""


def side(text: str, spec: Path, read: Read) -> Side:
    """The IR that a user named.

    Args:
        text: a file (a spec, or JSON of `ir` or of `spec/released.json`), a git revision, which means
            `spec` at that revision, or `REVISION:PATH`.
        spec: the spec of this repository.
        read: makes the IR of a spec.

    Raises:
        SpecError: there is no such file or revision, or the spec in it is wrong.
    """
    path = Path(text)
    if path.is_file():
        return _of_file(path, read)
    with tempfile.TemporaryDirectory() as folder:
        revision, _, inside = text.partition(":")
        inside = inside or spec.name
        copy = Path(folder, Path(inside).name)
        copy.write_bytes(_at_revision(spec.parent, revision, inside))
        return _of_file(copy, read)


def _of_file(path: Path, read: Read) -> Side:
    if path.suffix != ".json":
        return Side(read(path))
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
    version = document.get("ir_version", ir.VERSION)
    if version != ir.VERSION:
        problem = f"an IR of version {version}; this generator reads {ir.VERSION}"
        raise SpecError([Problem("#/ir_version", problem)])
    converter = cattrs.Converter()
    configure_union_passthrough(ir.Json, converter)
    return converter.structure(document, ir.Api)


def _at_revision(folder: Path, revision: str, path: str) -> bytes:
    place = f"{revision}:./{path}" if "/" not in path else f"{revision}:{path}"
    found = subprocess.run(
        ["git", "-C", str(folder), "show", "--end-of-options", place],
        capture_output=True,
        check=False,
    )
    if found.returncode:
        reason = found.stderr.decode("utf-8", "replace").strip()
        problem = f"{revision}:{path} is neither a file nor in git: {reason}"
        raise SpecError([Problem("#", problem)])
    return found.stdout
