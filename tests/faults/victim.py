"""The process that is killed: makes one call, or walks over pages and says how far it came.

Takes a pickled `Errand` on its standard input.
"""

from __future__ import annotations

import pickle
import sys
from collections.abc import Mapping
from typing import Any

from attrs import frozen

from trading_sdk import Client, Keypair


@frozen(kw_only=True)
class Errand:
    """A call by the names of its group and method, and the client to make it with."""

    url: str
    private_key: str
    api_key: str
    journal: str
    group: str
    method: str
    args: tuple[Any, ...]
    kwargs: Mapping[str, Any]
    pages: bool


def main() -> None:
    errand: Errand = pickle.load(sys.stdin.buffer)
    with Client(
        errand.url,
        signer=Keypair.from_base58(errand.private_key),
        api_key=errand.api_key,
        journal=errand.journal,
        timeout=60,
    ) as client:
        result = getattr(getattr(client, errand.group), errand.method)(
            *errand.args, **errand.kwargs
        )
        for page in result.pages() if errand.pages else ():
            print(page.next_cursor, flush=True)


if __name__ == "__main__":
    main()
