"""Find the operation that a request is meant for, by its method and path."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from trading_runtime import Api, Operation

Methods = Mapping[str, Operation[Any]]
"""The operations of one path, by their methods."""

_PARAMETER = re.compile(r"\\\{\w+\\\}")


class OperationIndex:
    """The operations of an API by their paths. Most are fixed, and looked up in a dictionary."""

    def __init__(self, api: Api) -> None:
        paths: dict[str, dict[str, Operation[Any]]] = {}
        for operation in api.operations.values():
            paths.setdefault(operation.path, {})[operation.method] = operation
        self._fixed: dict[str, Methods] = {p: each for p, each in paths.items() if "{" not in p}
        self._patterns: list[tuple[re.Pattern[str], Methods]] = [
            (re.compile(_PARAMETER.sub("[^/]+", re.escape(path))), each)
            for path, each in paths.items()
            if "{" in path
        ]

    def methods(self, path: str) -> Methods:
        """Return the operations of a path; none if it is unknown."""
        if path in self._fixed:
            return self._fixed[path]
        found = (each for pattern, each in self._patterns if pattern.fullmatch(path))
        return next(found, {})
