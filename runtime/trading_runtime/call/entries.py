"""The lines of an intent journal: what is written, and what is read back. Pure, without I/O.

`{"crc":"8 digits","began":INTENT}` and `{"crc":"8 digits","ended":ID}`. The checksum is the CRC-32 of
all that follows it in the line, its end included, so no changed byte goes unnoticed. Lines of
version 0.1 have none and are read, too.
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


class DamagedError(ValueError):
    """A line is none of a journal, or was changed."""

    def __init__(self, number: int, why: str) -> None:
        super().__init__(f"line {number} is not of a journal, move it away if it is none ({why})")


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
        DamagedError: a line is none of a journal, or was changed.
    """
    # Closed calls are not parsed, and their lines not kept: a long journal holds little else.
    found: dict[bytes, tuple[int, bytes]] = {}
    size = 0
    for number, line in enumerate(lines, 1):
        head, _, covered = line.partition(b",")
        if head != _HEAD % crc32(covered):
            if not line.endswith(b"\n"):
                _check_torn(number, line)
                break
            is_open, id_ = _old(number, line)
        elif covered[:_ENDED_ID] == _ENDED:
            is_open, id_ = False, covered[_ENDED_ID:-3]
        else:
            is_open, id_ = True, covered[_BEGAN_ID : covered.find(b'"', _BEGAN_ID)]
        if is_open:
            found[id_] = (number, line)
        else:
            found.pop(id_, None)
        size += len(line)
    intents = [_parsed(number, line) for number, line in found.values()]
    return {intent.id: intent for intent in intents}, size


def _old(number: int, line: bytes) -> tuple[bool, bytes]:
    """Whether a line without a checksum opens a call, and which; it is parsed to see if it is whole."""
    if not line.startswith(_OLD):
        why = "it was changed" if line.startswith(_CHECKED) else "it is no entry"
        raise DamagedError(number, why)
    if line.startswith(_OLD[0]):
        return True, _parsed(number, line).id.encode()
    return False, _fields(number, line)["ended"].encode()


def _parsed(number: int, line: bytes) -> Intent:
    try:
        return from_fields(_fields(number, line).get("began"))
    except ValueError as error:
        raise DamagedError(number, str(error)) from error


def _fields(number: int, line: bytes) -> dict[str, Any]:
    try:
        fields: dict[str, Any] = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise DamagedError(number, repr(error)) from error
    return fields


def _check_torn(number: int, line: bytes) -> None:
    """Refuse a last line without an end, unless a crash may have cut it short."""
    head, _, covered = line.partition(b",")
    if head == _HEAD % crc32(covered[:-1] + b"\n"):
        raise DamagedError(number, "its end was changed")
    # A power cut may leave zeros.
    torn = line.rstrip(b"\0")
    if not any(start.startswith(torn[: len(start)]) for start in (_CHECKED, *_OLD)):
        raise DamagedError(number, "it has no end")
