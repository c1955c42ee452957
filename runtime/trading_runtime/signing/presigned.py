"""Messages that come signed, as `explain` of a client returned them. Pure."""

from __future__ import annotations

import json
from typing import Any

from attrs import evolve

from trading_runtime.checks import is_integer
from trading_runtime.errors import RequestError, SigningError
from trading_runtime.signing.canonical import canonical_text
from trading_runtime.signing.request import SignedRequest


def checked(signed: SignedRequest) -> tuple[SignedRequest, dict[str, Any]]:
    """A message with a body of its own, and the fields that it signs.

    Raises:
        RequestError: its parts do not belong together: something was changed after it was signed.
    """
    try:
        found = _made_anew(signed)
    except (AttributeError, KeyError, TypeError, ValueError, RecursionError, SigningError):
        found = None
    if found is None:
        raise RequestError("a signed message was changed after it was signed, and cannot be sent")
    return found


def _made_anew(signed: SignedRequest) -> tuple[SignedRequest, dict[str, Any]] | None:
    """The message and its fields, made from what was signed; None if its body or header is another."""
    fields, header = json.loads(signed.canonical)["data"], {**signed.header}
    times = {name: header[name] for name in ("expiry_window", "timestamp")}
    account = signed.body["account"]
    owner = {"account": account}
    if account != signed.address:
        owner["agent_wallet"] = signed.address
    body = {**owner, "signature": signed.signature, **times, **fields}
    belongs = (
        isinstance(account, str)
        and all(is_integer(each) for each in times.values())
        and canonical_text({"data": fields, **header}) == signed.canonical
        and canonical_text(body) == canonical_text(signed.body)
    )
    return (evolve(signed, body=body, header=header), fields) if belongs else None


def account_of(signed: SignedRequest) -> str:
    """Whose message it is: the account, also where its agent wallet signed."""
    account: str = signed.body["account"]
    return account
