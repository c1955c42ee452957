"""The lines of a journal: no changed byte goes unnoticed."""

from __future__ import annotations

from io import BytesIO

import pytest

from tests.runtime.call.test_journal import FIRST, SECOND, begun, ended
from trading_runtime.call import entries

CONTENT = begun(FIRST) + begun(SECOND) + ended(FIRST)


def test_what_is_written_is_read() -> None:
    assert entries.began(FIRST) + entries.began(SECOND) + entries.ended("first") == CONTENT
    assert entries.read(BytesIO(CONTENT)) == ({"second": SECOND}, len(CONTENT))


@pytest.mark.parametrize("end", [begun(SECOND), ended(FIRST)])
def test_whatever_byte_is_changed_it_is_noticed(end: bytes) -> None:
    content = begun(SECOND) + begun(FIRST) + end
    for at, byte in enumerate(content):
        changed = {byte ^ 1 << bit for bit in range(8)} | set(b'\0\n"{}1z')
        for other in changed - {byte}:
            with pytest.raises(entries.DamagedError):
                entries.read(BytesIO(content[:at] + bytes([other]) + content[at + 1 :]))
