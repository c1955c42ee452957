"""docs/recovery.md and its neighbours say of failed calls, and of finding out, what the code does."""

from __future__ import annotations

import inspect
from typing import Any

from tests.recovery_page import CLASSES, DECISIONS, PAGE, named, rows
from trading_runtime import Fault
from trading_runtime.http.transport import MAX_BODY_BYTES, MAX_POST_BODY_BYTES
from trading_runtime.operation import Action, Operation
from trading_sdk import Client
from trading_sdk.operations import API

CALLED: dict[str, Operation[Any] | Action] = {**API.actions, **API.operations}
"""What stands on the client: every operation, and every action that is offered in batches only."""


def test_every_fault_and_retry_class_is_documented() -> None:
    assert DECISIONS.keys() == {(fault, each) for fault in Fault for each in CLASSES}


def test_the_numbers_in_the_text_are_those_of_the_code() -> None:
    options = inspect.signature(Client).parameters
    window, lag = options["expiry_window"].default, options["history_lag"].default
    for words in (
        f"by default {window / 1_000 + lag:g} seconds after signing",
        "the `expiry_window` and the `history_lag` of the client",
        f"`history_lag` more ({lag:g} seconds unless you say otherwise",
        "since an hour before signing",
        f"more than {MAX_BODY_BYTES // 1024**2} MiB, "
        f"or to a POST of more than {MAX_POST_BODY_BYTES // 1024**2} MiB",
    ):
        assert words in " ".join(PAGE.split())


def test_every_operation_that_can_be_found_again_is_documented() -> None:
    _, *table = rows("How `reconcile` finds out")
    documented = {name for cells in table for name in named(cells[0])}
    assert documented == {name for name, each in CALLED.items() if each.trace is not None}
