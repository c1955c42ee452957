"""From the statuses that the document lists to what the SDK raises (sections 4 and 7; note 15)."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from tests.doubles.orders import ID as KEY
from tests.end_to_end.operations import KNOWN, NOBODY, REFUSED, TAKE_ANYTHING, WRONG
from tests.end_to_end.trading import Connect
from tests.interface import OPERATIONS, WRAPPED_ERROR
from trading_sandbox import Sandbox
from trading_sdk import (
    ApiError,
    AuthenticationError,
    BadRequestError,
    Client,
    ConflictError,
    Keypair,
    OutcomeUnknownError,
    PermissionDeniedError,
)

LISTED_401 = {name for name, each in KNOWN.items() if "401" in each.statuses}
LISTED_400 = {name for name, each in KNOWN.items() if "400" in each.statuses}


def check_body(error: ApiError) -> None:
    """The body of a refusal has the fields that are documented; where none are, those of most."""
    rows = OPERATIONS[error.operation].errors.get(str(error.status), WRAPPED_ERROR)
    values = {"false": False, "null": None, "integer": error.status, "string": error.error}
    assert json.loads(error.body) == {row.name: values[row.type] for row in rows}


# -- refusals of the sandbox, as they come about ---------------------------------------------


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_done_is_a_bad_request(connect: Connect, client: Client, name: str) -> None:
    # Three of them take any arguments: they fail for an account that nobody has opened.
    caller = connect(Keypair.generate()) if name in TAKE_ANYTHING else client

    with pytest.raises(BadRequestError) as refused:
        WRONG[name](caller)

    error = refused.value
    assert (error.operation, error.status) == (name, 400)
    assert error.error and error.error in str(error)
    check_body(error)


@pytest.mark.parametrize("name", sorted(LISTED_400 | LISTED_401))
def test_an_unknown_api_key_is_unauthorized(sandbox: Sandbox, connect: Connect, name: str) -> None:
    caller = connect(sandbox.create_account(), api_key="12345678_unknown")

    with pytest.raises(AuthenticationError) as refused:
        WRONG[name](caller)

    if name in LISTED_401:
        assert (refused.value.operation, refused.value.status) == (name, 401)
        check_body(refused.value)
    else:
        assert "unknown API key" in str(refused.value)
        assert (refused.value.status, refused.value.reason) == (400, "unknown_api_key")


# -- refusals that tell more than that -------------------------------------------------------


def test_some_refusals_have_a_class_or_code_of_their_own(
    sandbox: Sandbox, connect: Connect
) -> None:
    owner = sandbox.create_account("1000", spot={"SOL": "5"})
    sub = sandbox.create_subaccount(owner).address
    vault = sandbox.create_vault(sandbox.create_account())
    client = connect(owner)
    withdraw = partial(client.spot.withdraw, symbol="SOL", amount="1", idempotency_key=KEY)
    withdraw()
    with pytest.raises(OutcomeUnknownError) as unclear:
        withdraw()
    cap: Any = {"symbols": ["BTC"], "max_leverage": "10"}

    def refused(call: Callable[[], object]) -> tuple[type[ApiError], int | None, object]:
        with pytest.raises(ApiError) as caught:
            call()
        return type(caught.value), caught.value.status, caught.value.code

    cause = unclear.value.__cause__
    assert isinstance(cause, ConflictError) and (cause.status, cause.code) == (409, 409)
    assert len(list(client.spot.withdrawal_history())) == 1
    too_much = partial(client.subaccounts.transfer, to_account=sub, amount="1000.01")
    assert refused(too_much) == (BadRequestError, 400, 5)
    others = partial(client.vaults.add_max_leverage, lake=vault, **cap)
    assert refused(others) == (PermissionDeniedError, 403, 403)
    # The result of an action stands in an answer of status 200.
    unknown = partial(client.orders.cancel, symbol="BTC", order_id=7)
    assert refused(unknown) == (BadRequestError, 200, None)


def test_the_signing_type_of_an_older_page_is_refused(sandbox: Sandbox, connect: Connect) -> None:
    older = connect(
        sandbox.create_account(), signing_types={"subaccounts.transfer": "subaccount_transfer"}
    )
    with pytest.raises(AuthenticationError, match="Verification failed"):
        older.subaccounts.transfer(to_account=NOBODY, amount="1")
