"""The lines of an intent journal: how they are written and read. Pure, without I/O.

`{"crc":"8 digits","began":INTENT}` and `{"crc":"8 digits","ended":ID}`. The checksum is the CRC-32 of
all that follows it in the line, its end included, so no changed byte goes unnoticed.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any
from zlib import crc32

from trading_runtime.intent import Intent, as_fields, from_fields

_CHECKED = b'{"crc":"'
_HEAD = b'{"crc":"%08x"'
_ENDED = b'"ended":"'
_ENDED_ID = len(_ENDED)
_BEGAN_ID = len('"began":{"version":1,"id":"')
_OLD = (b'{"began":{', b'{"ended":"')
"""How the lines of version 0.1 begin, which have no checksum."""
_USE_0_1 = (
    "is of version 0.1: settle what client.unsettled() lists with trading-service-sdk 0.1, then move "
    "the file away"
)


class DamagedError(ValueError):
    """A line was changed, or is not of a journal of this version."""


def began(intent: Intent) -> bytes:
    """The line of an attempt that begins."""
    return _line({"began": as_fields(intent)})


def ended(id_: str) -> bytes:
    """The line of a call whose outcome is known."""
    return _line({"ended": id_})


def _line(fields: dict[str, Any]) -> bytes:
    covered = json.dumps(fields, separators=(",", ":"))[1:].encode() + b"\n"
    return _HEAD % crc32(covered) + b"," + covered


def read(lines: Iterable[bytes]) -> tuple[dict[str, Intent], int]:
    """The open calls by their ids, oldest first, and where the last whole line ends.

    A last line that a crash cut short does not count: it was not synced, so its call was not sent.

    Raises:
        DamagedError: a line was changed, or is not of a journal of this version.
    """
    # Closed calls are not parsed, and their lines not kept: a long journal holds little else.
    found: dict[bytes, tuple[int, bytes]] = {}
    size = 0
    for number, line in enumerate(lines, 1):
        head, _, covered = line.partition(b",")
        if head != _HEAD % crc32(covered):
            _check_torn(number, line)
            break
        if covered.startswith(_ENDED):
            found.pop(covered[_ENDED_ID:-3], None)
        else:
            found[covered[_BEGAN_ID : covered.find(b'"', _BEGAN_ID)]] = (number, line)
        size += len(line)
    intents = [_parsed(number, line) for number, line in found.values()]
    return {intent.id: intent for intent in intents}, size


def _parsed(number: int, line: bytes) -> Intent:
    try:
        return from_fields(json.loads(line).get("began"))
    except (ValueError, RecursionError) as error:
        raise _damaged(number, str(error)) from error


def _check_torn(number: int, line: bytes) -> None:
    """Refuse a line with a wrong checksum, unless it is the last one and a crash may have cut it short."""
    if line.startswith(_OLD):
        raise DamagedError(f"line {number} {_USE_0_1}")
    if line.endswith(b"\n"):
        raise _damaged(number, "it was changed" if line.startswith(_CHECKED) else "it is no entry")
    head, _, covered = line.partition(b",")
    if head == _HEAD % crc32(covered[:-1] + b"\n"):
        raise _damaged(number, "its end was changed")
    # A power cut may leave zeros.
    torn = line.rstrip(b"\0")
    if not _CHECKED.startswith(torn[: len(_CHECKED)]):
        raise _damaged(number, "it has no end")


def _damaged(number: int, why: str) -> DamagedError:
    return DamagedError(
        f"line {number} is damaged, or the file is no journal ({why}); give the client another file, keep "
        "this one, and look up the client ids in its lines in the histories"
    )
