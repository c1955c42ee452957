"""Names that are not there: the nearest one is named, in any case, and no value is shown."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    # A wrong name is an error of type checkers, too: mypy --strict refuses a comment that ignores nothing.
    from trading_sandbox import Sandboxes as Sandboxes  # type: ignore[attr-defined]
    from trading_sdk import Clients as Clients  # type: ignore[attr-defined]
    from trading_sdk.events import CallSettled as CallSettled  # type: ignore[attr-defined]
    from trading_toolkit.orders import ENDED as ENDED  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("module", "name", "advice"),
    [
        ("trading_sdk", "RequestsTransport", "leave it out, or write Client(session=session)"),
        ("trading_sdk_observed.events", "OutcomeUnknown", "write CallEnded with `event.is_unkn"),
        ("trading_runtime", "ClockSkewed", "write CallEnded with `event.is_skewed`"),
        ("trading_toolkit.orders", "OpenOrders", "open_orders returns a tuple of OpenOrder"),
    ],
)
def test_a_removed_name_points_to_what_replaces_it(module: str, name: str, advice: str) -> None:
    with pytest.raises(ImportError) as refused:
        exec(f"from {module} import {name}")
    assert str(refused.value).startswith(f"{module} has no {name} any more: {advice}")
    assert str(refused.value).endswith("(docs/guides/upgrading.md)")
    assert not hasattr(import_module(module), "zzz")
