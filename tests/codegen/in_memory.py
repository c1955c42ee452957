"""Packages of changed specs, imported without being written: for tests that generate many."""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.machinery
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import ModuleType
from typing import Any


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds the modules of one package in a mapping of paths to texts."""

    def __init__(self, files: dict[str, str]) -> None:
        self._texts: dict[str, str] = {}
        for path, text in files.items():
            name = path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
            self._texts[name] = text

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname not in self._texts:
            return None
        is_package = any(name.startswith(f"{fullname}.") for name in self._texts)
        return importlib.machinery.ModuleSpec(fullname, self, is_package=is_package)

    def exec_module(self, module: ModuleType) -> None:
        exec(compile(self._texts[module.__name__], module.__name__, "exec"), vars(module))


@contextmanager
def imported(files: dict[str, str], package: str) -> Iterator[Any]:
    """The package, which may be imported until the end."""
    finder = _Finder(files)
    sys.meta_path.insert(0, finder)
    try:
        yield importlib.import_module(package)
    finally:
        sys.meta_path.remove(finder)
        for name in [each for each in sys.modules if each.split(".")[0] == package]:
            del sys.modules[name]
