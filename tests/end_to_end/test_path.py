"""One order passes the files that the README names, in their order."""

from __future__ import annotations

from tests.end_to_end.path import passed
from trading_sdk import Client


def test_an_order_passes_the_files_that_the_readme_names(client: Client) -> None:
    files = list(dict.fromkeys(file for file, _ in passed(client)))
    named = [
        "trading_sdk/groups/orders.py",
        "trading_runtime/call/caller.py",
        "trading_runtime/codec/requests.py",
        "trading_runtime/signing/request.py",
        "trading_runtime/http/transport.py",
    ]
    assert [file for file in files if file in named] == named
