"""Refusals that have a class or a code of their own (sections 4 and 7; note 15)."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from tests.end_to_end.trading import Connect
from trading_sandbox import Sandbox
from trading_sdk import ApiError, BadRequestError, Keypair, PermissionDeniedError


def test_some_refusals_have_a_class_or_code_of_their_own(
    sandbox: Sandbox, connect: Connect
) -> None:
    owner = sandbox.create_account("1000")
    sub = sandbox.create_subaccount(owner).address
    vault = sandbox.create_vault(sandbox.create_account())
    client = connect(owner)
    cap: Any = {"symbols": ["BTC"], "max_leverage": "10"}

    def refused(call: Callable[[], object]) -> tuple[type[ApiError], int | None, object]:
        with pytest.raises(ApiError) as caught:
            call()
        return type(caught.value), caught.value.status, caught.value.code

    too_much = partial(client.subaccounts.transfer, to_account=sub, amount="1000.01")
    assert refused(too_much) == (BadRequestError, 400, 5)
    # The list of subaccounts documents no code (section 4.12).
    stranger = connect(Keypair.generate())
    assert refused(stranger.subaccounts.list) == (BadRequestError, 400, None)
    others = partial(client.vaults.add_max_leverage, lake=vault, **cap)
    assert refused(others) == (PermissionDeniedError, 403, 403)
    # The result of an action stands in an answer of status 200.
    unknown = partial(client.orders.cancel, symbol="BTC", order_id=7)
    assert refused(unknown) == (BadRequestError, 200, None)
