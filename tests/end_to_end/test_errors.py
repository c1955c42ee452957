"""From the statuses that the document lists to what the SDK raises (sections 4 and 7; note 15)."""

from __future__ import annotations

import json

import pytest

from tests.end_to_end.operations import KNOWN, REFUSED, TAKE_ANYTHING, WRONG
from tests.end_to_end.trading import Connect
from tests.interface import OPERATIONS, WRAPPED_ERROR
from trading_sandbox import Sandbox
from trading_sdk import (
    ApiError,
    AuthenticationError,
    BadRequestError,
    Client,
    Keypair,
)

# 403, 409 and code 5 have tests beside the operations that answer with them.
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


@pytest.mark.parametrize("name", sorted(LISTED_401))
def test_an_unknown_api_key_is_unauthorized_where_the_document_lists_that(
    sandbox: Sandbox, connect: Connect, name: str
) -> None:
    caller = connect(sandbox.create_account(), api_key="12345678_unknown")

    with pytest.raises(AuthenticationError) as refused:
        WRONG[name](caller)

    assert (refused.value.operation, refused.value.status) == (name, 401)
    check_body(refused.value)


@pytest.mark.parametrize("name", sorted(LISTED_400 - LISTED_401))
def test_elsewhere_it_is_a_400_of_the_same_class(
    sandbox: Sandbox, connect: Connect, name: str
) -> None:
    caller = connect(sandbox.create_account(), api_key="12345678_unknown")

    with pytest.raises(AuthenticationError, match="unknown API key") as refused:
        WRONG[name](caller)

    assert (refused.value.status, refused.value.reason) == (400, "unknown_api_key")


# -- whatever the service may answer ---------------------------------------------------------
