"""Interrupts a call in one of the lines that it runs through."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable
from contextlib import suppress
from types import FrameType
from typing import Any


class Interrupt:
    """Raises an error at one line below some folder, counted from the first one of a call."""

    def __init__(
        self, number: int, folder: str | tuple[str, ...], error: type[BaseException]
    ) -> None:
        self._left = number
        self._folder = folder
        self._error = error
        self.where = ""

    def __call__(self, frame: FrameType, event: str, argument: Any) -> Any:
        if not frame.f_code.co_filename.startswith(self._folder):
            return None
        if event == "line" and not self.where:
            self._left -= 1
            if not self._left:
                self.where = f"{frame.f_code.co_filename}:{frame.f_lineno}"
                raise self._error
        return self

    def during(self, call: Callable[[], object], *also: type[BaseException]) -> bool:
        """Make the call; whether a result came, for C code may drop an interrupt."""
        before = sys.gettrace()
        gc.disable()  # an exception in a __del__ interrupts nothing
        sys.settrace(self)
        try:
            with suppress(self._error, *also):
                call()
                return True
        finally:
            sys.settrace(before)
            gc.enable()
        return False
