"""The Python package that is generated from the second spec of the kit."""

from __future__ import annotations

import importlib
import sys
import tempfile
from contextlib import redirect_stdout
from functools import cache
from pathlib import Path
from types import ModuleType

SPEC = Path(__file__).parents[2] / "conformance" / "second" / "openapi.yaml"
NAME = "garden"


_HOME = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)


@cache
def generated() -> Path:
    """A folder with the package, which is generated once in a process and goes with it."""
    # Late: the session lowest made the package before, and is without the tools of the generator.
    from codegen.__main__ import main

    out = Path(_HOME.name) / "generated"
    # The standard output of a program of the kit has its answers alone.
    with redirect_stdout(sys.stderr):
        assert main(["generate", "--spec", str(SPEC), "--out", str(out), "--package", NAME]) == 0
    return out


@cache
def package() -> ModuleType:
    """The package: one that the path has already, else one that is generated now."""
    try:
        return importlib.import_module(NAME)
    except ModuleNotFoundError:
        sys.path.insert(0, str(generated()))
        return importlib.import_module(NAME)
