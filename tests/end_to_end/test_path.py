"""One order passes the files that docs/making.md names, in their order."""

from __future__ import annotations

import sys
from types import FrameType
from typing import Any

from tests.doubles.orders import resting
from trading_sdk import Client


def test_an_order_passes_the_files_that_the_readme_names(client: Client) -> None:
    named = [
        "trading_sdk/groups/orders.py",
        "trading_runtime/call/caller.py",
        "trading_runtime/codec/requests.py",
        "trading_runtime/signing/request.py",
        "trading_runtime/http/transport.py",
    ]
    passed: dict[str, None] = {}

    def note(frame: FrameType, event: str, _: Any) -> None:
        file = frame.f_code.co_filename.replace("\\", "/")
        passed.update(dict.fromkeys(each for each in named if file.endswith(each)))

    client.orders.create(**resting())  # connects, and imports what is imported late
    sys.setprofile(note)
    try:
        client.orders.create(**resting())
    finally:
        sys.setprofile(None)
    assert list(passed) == named
