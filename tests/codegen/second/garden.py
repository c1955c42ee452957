"""What the tests of the second spec share: its client beside its service, and arguments that a call takes."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from typing import Any, NamedTuple

from solders.pubkey import Pubkey
from solders.signature import Signature

from tests.doubles.server import Received, Server
from tests.doubles.signer import KEY
from tests.doubles.transport import one_by_one, response

NOON = datetime(2027, 1, 31, 12, tzinfo=timezone(timedelta(hours=2)))
PLAN = {"number": 7, "starts_at": 1801389600123, "urgency": "high"}
LEAST: dict[str, Any] = {
    "name": "night",
    "note": "",
    "limits": {"least": "1"},
    "soils": [],
    "floor": None,
    "starts_at": NOON,
    "number": 7,
    "urgency": "low",
}
"""The least that a plan needs."""


class Garden(NamedTuple):
    """A client of the generated package, and the service that it calls."""

    package: Any
    client: Any
    service: Server

    def answers(self, *bodies: Any) -> None:
        """Let the service answer one after the other: a body, or a status and a body."""
        pairs = [each if isinstance(each, tuple) else (200, each) for each in bodies]
        found = [response(status, b"" if body is None else body) for status, body in pairs]
        self.service.respond = one_by_one(*found)

    def sent(self) -> Received:
        """The one request that arrived since the last time."""
        (request,) = self.service.taken()
        return request

    def planned(self, **given: Any) -> dict[str, Any]:
        """The own fields of the body that `plans.create` sends of these arguments."""
        self.answers((201, {"success": True, "data": PLAN}))
        self.client.plans.create(**{**LEAST, **given})
        return own_fields(self.sent().json, "create_plan")

    def refusal(self, call: Callable[[], object]) -> str:
        """What is said of a call that is refused before anything is sent."""
        try:
            call()
        except (self.package.RequestError, TypeError) as error:
            assert self.service.taken() == []
            return str(error)
        raise AssertionError("it was sent")


def own_fields(body: dict[str, Any], signing_type: str) -> dict[str, Any]:
    """The own fields of a signed body, whose signature solders has verified."""
    fields = dict(body)
    assert fields.pop("account") == KEY.address
    signature = Signature.from_string(fields.pop("signature"))
    header = {name: fields.pop(name) for name in ("timestamp", "expiry_window")}
    message = {**header, "type": signing_type, "data": fields}
    text = json.dumps(message, sort_keys=True, separators=(",", ":"))
    assert signature.verify(Pubkey.from_string(KEY.address), text.encode())
    return fields
