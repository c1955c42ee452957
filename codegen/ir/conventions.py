"""The part of the IR that says what all messages and answers have in common.

Only the members of the signed body come from the spec. The rest is the same for every spec that the
generator takes, because a spec that says otherwise is refused (`codegen.rules.wire`).
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from attrs import field, frozen

from codegen.ir.models import Field


@frozen(kw_only=True)
class SignedBody:
    """What is sent beside the own fields of a signed request: one flat object holds both, in any order."""

    members: tuple[Field, ...] = ()
    """As `SignedRequest` of the spec has them, with their defaults."""
    sent: tuple[str, ...] = ("account", "signature", "timestamp", "expiry_window")
    """The members that are always sent, also where their value is the default."""
    sent_by_agents: tuple[str, ...] = ("agent_wallet",)
    """The members that are sent if an agent wallet signs, with its address, and else left out."""
    reserved: tuple[str, ...] = ("account", "signature", "timestamp", "expiry_window")
    """Names that no own field may have. One of `sent_by_agents` may be the name of an own field, which
    the account's own key must then sign."""


@frozen(kw_only=True)
class SignedText:
    """The text that is signed: JSON of one object, the header and the own fields together."""

    header: tuple[str, ...] = ("type", "timestamp", "expiry_window")
    """Its members beside the own fields: the signing type, and two that are sent as they are signed."""
    data: str = "data"
    """Its member with the object of the own fields, which is {} where there are none."""
    key_order: Literal["bytes"] = "bytes"
    """The keys of every object, at every depth, are sorted by their bytes. Lists keep their order."""
    white_space: Literal["none"] = "none"
    """There is none: the separators are `,` and `:`."""
    encoding: Literal["UTF-8"] = "UTF-8"
    """Of the text, as bytes."""
    algorithm: Literal["Ed25519"] = "Ed25519"
    """It signs these bytes."""
    notation: Literal["Base58"] = "Base58"
    """How the bytes of signatures and of addresses, which are public keys, are written; with the
    alphabet of Bitcoin."""


@frozen(kw_only=True)
class Envelope:
    """What may stand around a result: any answer may have it or do without, whatever is documented."""

    success: str = "success"
    """Member that is false if the request was refused, also under a status of success. An operation
    without a result answers with this member alone, which is then true."""
    data: str = "data"
    """Member with the result. The answer has no envelope if it lacks this member."""
    error: str = "error"
    """Member with the text of a refusal, else null."""
    code: str = "code"
    """Member with the code of a refusal, else null."""


@frozen(kw_only=True)
class Refusals:
    """Which members of a refusal say nothing of execution, and which do, whatever the result."""

    words: tuple[str, ...] = ("success", "data", "error", "code", "message")
    """What refusals and envelopes consist of: a value in these members says nothing of execution."""
    states: tuple[str, ...] = ("state", "status")
    """Members that may say that a message was taken, like `"state": "sent"`."""


@frozen(kw_only=True)
class Values:
    """How the values of fields are sent and read."""

    sends_defaults: Literal[False] = False
    """Whether a field that was not given is sent with its `default`."""
    null_suppresses_auto: Literal[True] = True
    """Whether null, given for a field with `auto: uuid`, keeps the id from being made. The field is
    then left out."""
    patterns: Literal["ECMA-262"] = "ECMA-262"
    """The dialect of `pattern`. Only ASCII characters, sets, groups, alternatives and counts occur, which
    most languages read alike; a pattern holds for the whole text."""
    unknown_members: Literal["ignored"] = "ignored"
    """What becomes of members of an answer that no model has."""
    unknown_enum_values: Literal["kept"] = "kept"
    """What becomes of a value in an answer that its enum does not have: it is handed over as received."""


Fault: TypeAlias = Literal["maybe_sent", "rate_limited", "duplicate", "refused", "unusable"]
"""What a status shows of whether the request was executed; docs/recovery.md explains each of them."""

STATUSES: dict[str, Fault] = {
    "3XX": "unusable",
    # Gateways answer so when they stop waiting for a request that may have gone through.
    "408": "maybe_sent",
    "460": "maybe_sent",
    "499": "maybe_sent",
    "409": "duplicate",
    "429": "rate_limited",
    "4XX": "refused",
    # The service does not implement the operation, so nothing was executed.
    "501": "refused",
}


@frozen(kw_only=True)
class Conventions:
    """What all messages and answers have in common."""

    signed_body: SignedBody = field(factory=SignedBody)
    """What a signed request sends beside its own fields."""
    signed_text: SignedText = field(factory=SignedText)
    """What is signed, and how."""
    envelope: Envelope = field(factory=Envelope)
    """What may stand around a result. That of a page is the same, with the members that `pagination`
    of the operation names in the place of `data`."""
    refusals: Refusals = field(factory=Refusals)
    """Which members of a refusal say nothing of execution, and which do."""
    values: Values = field(factory=Values)
    """How the values of fields are sent and read."""
    statuses: dict[str, Fault] = field(factory=STATUSES.copy)
    """Status, or all of a hundred like `4XX`, -> the fault that it shows; a status itself comes first. A 2xx
    shows none by its status, and any other that is not here shows `maybe_sent`."""
