"""A local exchange that speaks the interface of the trading service, for tests and first steps.

    from trading_sandbox import Sandbox
    from trading_sdk import Client

    with Sandbox() as sandbox, Client(sandbox.url, signer=sandbox.create_account()) as client:
        client.orders.create(symbol="BTC", side="bid", price="99000",
                             amount="0.01", tif="ALO", reduce_only=False)

It serves every operation, verifies every signature, and is deterministic: the same seed and the
same commands give the same state. `docs/sandbox.md` in the repository leads to what it models, what
it chose where the interface is silent, and how to control time, money and faults.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from trading_sandbox.controls.remote import RemoteSandbox
    from trading_sandbox.engine.records import Refused
    from trading_sandbox.log import LoggedRequest
    from trading_sandbox.sandbox import Sandbox

__all__ = ["LoggedRequest", "Refused", "RemoteSandbox", "Sandbox"]

if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        # Imported lazily: pytest imports this package in every environment in which it is installed.
        if name not in __all__:
            raise AttributeError(f"module 'trading_sandbox' has no attribute {name!r}")
        _require_extra()
        from trading_sandbox.controls.remote import RemoteSandbox
        from trading_sandbox.engine.records import Refused
        from trading_sandbox.log import LoggedRequest
        from trading_sandbox.sandbox import Sandbox

        public = (LoggedRequest, Refused, RemoteSandbox, Sandbox)
        return {each.__name__: each for each in public}[name]


def _require_extra() -> None:
    if find_spec("starlette") is None or find_spec("uvicorn") is None:
        raise ModuleNotFoundError(
            "the sandbox needs starlette and uvicorn: "
            "python -m pip install 'trading-service-sdk[sandbox]'"
        )
