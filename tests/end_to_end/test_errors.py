"""From the statuses that the document lists to what the SDK raises (sections 4 and 7; note 15)."""

from __future__ import annotations

import json

import pytest
import requests

from tests.end_to_end.operations import ALWAYS_TAKEN, KNOWN, TAKE_ANYTHING, WRONG
from tests.end_to_end.trading import Connect
from tests.interface import OPERATIONS, WRAPPED_ERROR
from trading_sandbox import Sandbox
from trading_sdk import (
    ApiError,
    AuthenticationError,
    BadRequestError,
    Client,
    ConflictError,
    InternalServerError,
    Keypair,
    NotFoundError,
    OutcomeUnknownError,
    PermissionDeniedError,
    RateLimitError,
    Retry,
    UnprocessableEntityError,
)

ONCE = Retry(max_attempts=1)
ERRORS: dict[int, type[ApiError]] = {
    400: BadRequestError,
    401: AuthenticationError,
    403: PermissionDeniedError,
    404: NotFoundError,
    409: ConflictError,
    422: UnprocessableEntityError,
    429: RateLimitError,
}
# 403, 409 and code 5 have tests beside the operations that answer with them.
LISTED_401 = {name for name, each in KNOWN.items() if "401" in each.statuses}
LISTED_400 = {name for name, each in KNOWN.items() if "400" in each.statuses}
REPEATABLE = {name for name, each in KNOWN.items() if each.retry == "safe"}


def check_body(error: ApiError) -> None:
    """The body of a refusal has the fields that are documented; where none are, those of most."""
    rows = OPERATIONS[error.operation].errors.get(str(error.status), WRAPPED_ERROR)
    values = {"false": False, "null": None, "integer": error.status, "string": error.error}
    assert json.loads(error.body) == {row.name: values[row.type] for row in rows}


# -- refusals of the sandbox, as they come about ---------------------------------------------


@pytest.mark.parametrize("name", sorted(LISTED_400 - ALWAYS_TAKEN))
def test_what_cannot_be_done_is_a_bad_request(connect: Connect, client: Client, name: str) -> None:
    # Three of them take any arguments: they fail for an account that nobody has opened.
    caller = connect(Keypair.generate()) if name in TAKE_ANYTHING else client

    with pytest.raises(BadRequestError) as refused:
        WRONG[name](caller)

    error = refused.value
    assert (error.operation, error.status) == (name, 400)
    assert error.error and error.error in str(error)
    check_body(error)


@pytest.mark.off_contract
def test_settings_of_what_is_no_account_are_a_bad_request(url: str) -> None:
    # The SDK sends no such address.
    path = OPERATIONS["account.settings"].path

    answer = requests.get(url + path, params={"account": "nobody"}, timeout=10)

    assert answer.status_code == 400
    assert answer.json()["error"].startswith("Invalid public key")


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


@pytest.mark.off_contract
@pytest.mark.parametrize("status", sorted(ERRORS))
def test_a_refusal_has_a_class_of_its_own(sandbox: Sandbox, connect: Connect, status: int) -> None:
    client = connect(sandbox.create_account(), retry=ONCE)
    for name, call in WRONG.items():
        sandbox.faults.inject(name, "status", status=status)

        with pytest.raises(ERRORS[status]) as refused:
            call(client)

        assert type(refused.value) is ERRORS[status]
        assert (refused.value.operation, refused.value.status) == (name, status)
        assert (refused.value.code, refused.value.error) == (status, "A fault of the sandbox")


@pytest.mark.off_contract
@pytest.mark.parametrize("status", [500, 503, 504])
def test_a_failure_of_the_service_leaves_a_change_unknown_but_not_a_read(
    sandbox: Sandbox, connect: Connect, status: int
) -> None:
    client = connect(sandbox.create_account(), retry=ONCE)
    for name, call in WRONG.items():
        sandbox.faults.inject(name, "status", status=status)

        with pytest.raises((InternalServerError, OutcomeUnknownError)) as failed:
            call(client)

        error = failed.value
        assert isinstance(error, InternalServerError) == (name in REPEATABLE)
        cause = error if isinstance(error, InternalServerError) else error.__cause__
        assert isinstance(cause, InternalServerError)
        assert (cause.operation, cause.status) == (name, status)


@pytest.mark.off_contract
def test_a_failure_without_a_body_is_told_by_its_status(sandbox: Sandbox, client: Client) -> None:
    sandbox.faults.inject("account.settings", "status", status=500, body=b"", times=3)

    with pytest.raises(InternalServerError, match="500") as failed:
        client.account.settings()

    assert (failed.value.code, failed.value.error, failed.value.body) == (None, "", b"")


@pytest.mark.off_contract
def test_success_false_is_a_refusal_whatever_the_status(sandbox: Sandbox, client: Client) -> None:
    answer = b'{"success":false,"data":null,"error":"No such luck","code":7}'
    sandbox.faults.inject("account.settings", "status", status=200, body=answer)

    with pytest.raises(ApiError, match="No such luck") as refused:
        client.account.settings()

    assert (refused.value.status, refused.value.code) == (200, 7)


@pytest.mark.off_contract
def test_an_order_answer_may_come_wrapped(sandbox: Sandbox, client: Client) -> None:
    answer = b'{"success":true,"data":{"order_id":42},"error":null,"code":null}'
    sandbox.faults.inject("orders.create", "status", status=200, body=answer)

    placed = client.orders.create(
        symbol="BTC", price="90000", amount="0.1", side="bid", tif="ALO", reduce_only=False
    )

    assert placed.order_id == 42
