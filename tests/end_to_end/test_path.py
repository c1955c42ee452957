"""One order passes few files and functions; a commit that raises a number says for what."""

from __future__ import annotations

from tests.end_to_end.path import passed
from trading_sdk import Client

MAX_FILES = 15
MAX_FUNCTIONS = 75


def test_an_order_passes_few_files_and_functions(client: Client) -> None:
    functions = passed(client)

    assert len({file for file, _ in functions}) <= MAX_FILES
    assert len(functions) <= MAX_FUNCTIONS
    # The five files that the README names are on the path, in this order.
    files = list(dict.fromkeys(file for file, _ in functions))
    named = [
        "trading_sdk/groups/orders.py",
        "trading_runtime/call/caller.py",
        "trading_runtime/codec/requests.py",
        "trading_runtime/signing/request.py",
        "trading_runtime/http/transport.py",
    ]
    assert [file for file in files if file in named] == named
