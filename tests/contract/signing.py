"""Completes and signs what Schemathesis generated, with solders and none of our packages.

The header fields of a body (interface section 4.0) are completed where they are there and of their
right type; what Schemathesis left out or broke stays so, and is signed as it is.
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from typing import Any

from solders.keypair import Keypair

HEADER = frozenset({"account", "agent_wallet", "signature", "timestamp", "expiry_window"})
WINDOW_MS = 30_000
LARGEST_INT64 = 2**63 - 1


class Signer:
    """The keys of an account and of an agent wallet that is bound to it.

    `actions` gives the signing type of each kind of batch action, `own` by signing type the names of
    the header that are fields of the operation instead.
    """

    def __init__(
        self, owner: str, agent: str, actions: Mapping[str, str], own: Mapping[str, frozenset[str]]
    ) -> None:
        self.owner = Keypair.from_base58_string(owner)
        self.agent = Keypair.from_base58_string(agent)
        self.actions = actions
        self.own = own

    def batch(self, body: dict[str, Any]) -> dict[str, Any]:
        """The batch with every action that has fields signed on its own."""
        actions = body.get("actions")
        if not isinstance(actions, list):
            return body
        return {**body, "actions": [self._action(action) for action in actions]}

    def _action(self, action: Any) -> Any:
        if not isinstance(action, dict) or not isinstance(action.get("data"), dict):
            return action
        kind = action.get("type")
        signing_type = self.actions.get(kind, "unknown") if isinstance(kind, str) else "unknown"
        return {**action, "data": self.body(action["data"], signing_type)}

    def body(self, body: dict[str, Any], signing_type: str) -> dict[str, Any]:
        """The body with a header and a signature of now."""
        key, made = self.owner, timed(body)
        own = self.own.get(signing_type, frozenset())
        if isinstance(body.get("account"), str):
            made["account"] = str(self.owner.pubkey())
        if "agent_wallet" not in own and isinstance(body.get("agent_wallet"), str):
            key = self.agent
            made["agent_wallet"] = str(key.pubkey())
        if isinstance(body.get("signature"), str):
            made["signature"] = str(key.sign_message(message(made, signing_type, own)))
        return made

    def countersigned(
        self, body: dict[str, Any], signing_type: str, parties: Mapping[str, Mapping[str, str]]
    ) -> dict[str, Any]:
        """The body with the signature of a new key over the owner's address, and the owner's over that signature."""
        made, key, signed = timed(body), Keypair(), str(self.owner.pubkey())
        own, other = parties["own"], parties["other"]
        for field, address in ((own["address"], signed), (other["address"], str(key.pubkey()))):
            if isinstance(body.get(field), str):
                made[field] = address
        for party, signer, type_ in (
            (other, key, other["type"]),
            (own, self.owner, signing_type),
        ):
            signed = str(signer.sign_message(_signed(made, type_, {party["signs"]: signed})))
            if isinstance(body.get(party["signature"]), str):
                made[party["signature"]] = signed
        return made


def timed(body: dict[str, Any]) -> dict[str, Any]:
    """The body with the time of now, where it has one."""
    made = dict(body)
    if is_int64(body.get("timestamp")):
        made["timestamp"] = time.time_ns() // 1_000_000
    if is_int64(body.get("expiry_window")):
        made["expiry_window"] = WINDOW_MS
    return made


def message(body: dict[str, Any], signing_type: str, own: frozenset[str] = frozenset()) -> bytes:
    """The bytes to sign, by interface section 5.1.

    A body that holds a float or text beyond ASCII has no agreed form. It gets a signature all the
    same, so that the service refuses it in its own words.
    """
    data = {name: value for name, value in body.items() if name not in HEADER - own}
    return _signed(body, signing_type, data)


def _signed(body: dict[str, Any], signing_type: str, data: dict[str, Any]) -> bytes:
    signed = {
        "timestamp": body.get("timestamp"),
        "expiry_window": body.get("expiry_window", WINDOW_MS),
        "type": signing_type,
        "data": data,
    }
    return json.dumps(signed, sort_keys=True, separators=(",", ":")).encode()


def is_int64(value: Any) -> bool:
    """Whether a value is an integer of 64 bits; a boolean is none."""
    return type(value) is int and -LARGEST_INT64 - 1 <= value <= LARGEST_INT64


def is_signable(value: Any) -> bool:
    """Whether there is a canonical text of a value (interface section 5.1)."""
    if isinstance(value, dict):
        return all(isinstance(key, str) and is_signable([key, it]) for key, it in value.items())
    if isinstance(value, (list, tuple)):
        return all(map(is_signable, value))
    if isinstance(value, str):
        return value.isascii() and value.isprintable()
    return value is None or isinstance(value, int)
