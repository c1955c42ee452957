"""A call whose message two keys sign: the client's own and another one (`x-signing-scheme`)."""

from __future__ import annotations

from typing import Any, cast

from trading_runtime.call.draft import Draft, Part
from trading_runtime.config import needed_signer
from trading_runtime.errors import RequestError
from trading_runtime.operation import CountersignedOperation
from trading_runtime.signing.countersigned import countersign
from trading_runtime.signing.keys import Signer
from trading_runtime.signing.request import SignedRequest


def countersigned_draft(
    operation: CountersignedOperation[Any], account: str | None, own: Signer | None, other: Signer
) -> Draft:
    """The message before either key signs it. The other signer stands where others have their model.

    Raises:
        RequestError: the client has not the account's own key, or the other one is no signer.
    """
    if account is None or own is None or own.address != account:
        raise RequestError(f"{operation.name}: give the client the account's own key as signer")
    needed_signer(operation.scheme.other.address, other)
    fields = operation.scheme.addresses(account, other.address)
    return Draft(operation=operation, parts=[Part(operation, fields, other)])


def countersigned_request(
    part: Part, own: Signer, own_type: str, timestamp: int, expiry_window: int
) -> SignedRequest:
    """The message of such a draft, signed by both keys."""
    return countersign(
        cast(CountersignedOperation[Any], part.kind).scheme,
        other=cast(Signer, part.model),
        own=own,
        own_type=own_type,
        timestamp=timestamp,
        expiry_window=expiry_window,
    )
