"""The intent journal: what is on disk when, what is read again, and what it refuses."""

from __future__ import annotations

import errno
import gc
import json
import logging
import os
import resource
import stat
import sys
import warnings
from collections.abc import Iterator
from contextlib import ExitStack
from io import BytesIO
from pathlib import Path
from typing import Any, Protocol
from unittest.mock import Mock
from zlib import crc32

import attrs
import pytest

from tests.doubles.server import in_child
from trading_runtime.call import journal as journals, journal_format
from trading_runtime.call.journal import Journal
from trading_runtime.errors import JournalError, RequestError
from trading_runtime.intent import Intent, Message, as_fields

FIRST, SECOND = (
    Intent(
        id=id_,
        operation="orders.create",
        base_url="http://127.0.0.1:9",
        account="me",
        timestamp=1_000,
        expiry_window=500,
        messages=(Message(name="orders.create", client_id=id_, fields={"symbol": "BTC"}),),
    )
    for id_ in ("first", "second")
)


class Open(Protocol):
    """Opens the journal of the test, as one client after the other does."""

    def __call__(self) -> Journal: ...


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal"


@pytest.fixture
def opened(path: Path) -> Iterator[Open]:
    with ExitStack() as journals:

        def journal() -> Journal:
            made = Journal(path)
            journals.callback(made.close)
            return made

        yield journal


def old(fields: dict[str, Any]) -> bytes:
    """A line of version 0.1, which has no checksum."""
    return json.dumps(fields, separators=(",", ":")).encode() + b"\n"


def with_checksum(line: bytes) -> bytes:
    return b'{"crc":"%08x",' % crc32(line[1:]) + line[1:]


def begun(intent: Intent) -> bytes:
    return with_checksum(old({"began": as_fields(intent)}))


def ended(intent: Intent) -> bytes:
    return with_checksum(old({"ended": intent.id}))


@pytest.fixture
def full(opened: Open, monkeypatch: pytest.MonkeyPatch) -> Journal:
    """A journal with two open calls, which each end rewrites."""
    monkeypatch.setattr(journals, "_LARGE", 1)
    journal = opened()
    journal.begin(SECOND)
    journal.begin(FIRST)
    return journal


# What is on disk


def test_it_is_synced_at_once(path: Path, opened: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[bytes] = []
    sync = os.fsync

    def noted(file: int) -> None:
        sync(file)
        synced.append(path.read_bytes())

    monkeypatch.setattr(os, "fsync", noted)

    journal = opened()
    journal.begin(FIRST)
    assert synced == [b"", begun(FIRST)]  # its name in the folder, and its content
    journal.end(FIRST, known=True)
    assert path.read_bytes() == begun(FIRST) + ended(FIRST)


def test_of_several_attempts_the_latest_counts(path: Path, opened: Open) -> None:
    later = attrs.evolve(FIRST, timestamp=2_000)
    path.write_bytes(begun(FIRST) + begun(later))

    assert opened().unsettled() == [later]


# It does not grow for ever


def test_it_is_emptied_when_it_is_opened_and_nothing_is_open(path: Path, opened: Open) -> None:
    path.write_bytes(begun(FIRST) + ended(FIRST))

    assert opened().unsettled() == []
    assert path.read_bytes() == b""


def test_once_it_is_large_it_keeps_only_what_is_open(
    path: Path, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journals, "_LARGE", 3 * len(begun(FIRST)))
    journal = opened()
    journal.begin(SECOND)
    for _ in range(10):
        journal.begin(FIRST)
        journal.end(FIRST, known=True)
        assert path.stat().st_size <= 4 * len(begun(FIRST)) + len(begun(SECOND))
    assert list(path.parent.glob("journal*")) == [path]
    assert path.stat().st_mode & 0o777 == 0o600
    with pytest.raises(JournalError, match="belongs to another client"):
        Journal(path).unsettled()

    journal.close()
    assert opened().unsettled() == [SECOND]


def test_a_rewritten_file_inherits_nothing_of_one_that_a_crash_left(
    path: Path, opened: Open, full: Journal
) -> None:
    left = path.with_name("journal.new")
    left.write_bytes(b"half a line")
    left.chmod(0o666)
    other = path.with_name("other name")
    other.hardlink_to(left)
    full.end(FIRST, known=True)

    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert path.read_bytes() == begun(SECOND)
    assert other.read_bytes() == b"half a line"
    assert full.unsettled() == []
    full.close()
    assert opened().unsettled() == [SECOND]


def test_a_file_that_cannot_be_rewritten_is_gone_on_with(
    path: Path, opened: Open, full: Journal, caplog: pytest.LogCaptureFixture
) -> None:
    path.with_name("journal.new").mkdir()
    for _ in range(10):
        full.begin(FIRST)
        full.end(FIRST, known=True)

    assert len(caplog.records) < 20
    full.close()
    path.with_name("journal.new").rmdir()
    assert opened().unsettled() == [SECOND]


def test_while_it_is_rewritten_no_half_of_it_takes_its_place(
    path: Path, opened: Open, full: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as disk:
        disk.setattr(os, "fsync", Mock(side_effect=OSError(5, "the disk fails")))
        full.end(FIRST, known=True)
    assert path.read_bytes() == begun(SECOND) + begun(FIRST) + ended(FIRST)
    full.close()

    assert opened().unsettled() == [SECOND]


def test_a_rewrite_that_is_interrupted_once_it_took_its_place_is_finished_later(
    path: Path, full: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as moment, pytest.raises(KeyboardInterrupt):
        moment.setattr(os, "dup2", Mock(side_effect=KeyboardInterrupt()))
        full.end(FIRST, known=True)

    full.end(SECOND, known=False)
    assert full.unsettled() == [SECOND]
    assert path.read_bytes() == begun(SECOND)


# Who has it


def test_a_child_of_a_fork_is_refused_the_journal_of_its_parent(opened: Open) -> None:
    journal = opened()
    journal.begin(FIRST)

    def refused() -> bool:
        with pytest.raises(JournalError, match="belongs to the parent of this process"):
            journal.begin(SECOND)
        return True

    assert in_child(refused)
    journal.end(FIRST, known=True)
    assert journal.unsettled() == []


def test_what_was_left_to_the_parent_is_told_as_not_sent(opened: Open) -> None:
    journal = opened()
    journal.begin(FIRST)
    unused = opened()
    journals._leave_all_to_parent()  # as a child of a fork does

    with pytest.raises(JournalError, match=r"orders.create was not sent: .*a journal of its own"):
        journal.begin(SECOND)
    assert unused.unsettled() == [FIRST]


def test_a_child_that_lives_on_does_not_keep_the_journal(path: Path, opened: Open) -> None:
    journal = opened()
    journal.begin(FIRST)
    read, write = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # threads and forks, from 3.12 on
        child = os.fork()
    if child == 0:
        os.close(write)
        os.read(read, 1)
        os._exit(0)
    os.close(read)
    journal.close()

    assert opened().unsettled() == [FIRST]
    os.close(write)
    assert os.waitpid(child, 0)[1] == 0


def test_a_client_that_is_dropped_does_not_keep_the_journal(path: Path, opened: Open) -> None:
    Journal(path).begin(FIRST)
    gc.collect()

    assert opened().unsettled() == [FIRST]


def test_a_call_that_outlives_its_client_leaves_the_journal_free(path: Path, opened: Open) -> None:
    journal = opened()
    journal.begin(FIRST)
    journal.close()
    journal.end(FIRST, known=True)

    assert opened().unsettled() == []
    for use in (lambda: journal.begin(SECOND), journal.unsettled):
        with pytest.raises(RequestError, match="the client is closed: make another one"):
            use()


@pytest.mark.parametrize("how", ["removed", "renamed", "replaced", "linked to"])
def test_a_file_that_was_removed_or_replaced_is_not_written_on(
    path: Path, opened: Open, how: str, caplog: pytest.LogCaptureFixture
) -> None:
    """As log rotation does, or who restores a copy: what is written then would not be found."""
    journal = opened()
    journal.begin(FIRST)
    moved = path.rename(path.with_name("moved"))
    if how == "removed":
        moved.unlink()
    if how == "replaced":
        path.write_bytes(moved.read_bytes())
    if how == "linked to":
        path.symlink_to(moved)

    says = "was removed, renamed or replaced; make a new client"
    with pytest.raises(JournalError, match=f"not sent: .*{says}"):
        journal.begin(SECOND)
    with pytest.raises(JournalError, match=says):
        journal.unsettled()
    journal.end(FIRST, known=True)
    assert "first stays open" in caplog.text
    if how != "removed":
        assert moved.read_bytes() == begun(FIRST)


def test_what_is_no_file_is_refused_at_once(path: Path) -> None:
    os.mkfifo(path)
    with pytest.raises(JournalError, match=r"not sent: .* is not a regular file"):
        Journal(path).begin(FIRST)


def test_its_file_stays_the_same_wherever_the_process_goes(
    path: Path, opened: Open, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(journals, "_LARGE", 1)
    monkeypatch.chdir(path.parent)
    journal = Journal(path.name)
    journal.begin(SECOND)
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    journal.begin(FIRST)
    journal.end(FIRST, known=True)
    journal.close()

    assert list((tmp_path / "elsewhere").iterdir()) == []
    assert opened().unsettled() == [SECOND]


# Ctrl-C


def test_what_interrupts_the_disk_leaves_the_call_open_and_listed(
    opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = opened()
    assert journal.unsettled() == []

    with monkeypatch.context() as disk, pytest.raises(KeyboardInterrupt):
        disk.setattr(os, "fsync", Mock(side_effect=KeyboardInterrupt()))
        journal.begin(FIRST)

    assert journal.unsettled() == [FIRST]


def test_what_is_interrupted_is_open_whatever_became_of_it(path: Path, opened: Open) -> None:
    """Nobody got its outcome. `test_interrupts.py` interrupts calls in every line."""
    journal = opened()
    journal.begin(FIRST)
    journal.end(FIRST, known=True)

    journal.reopen(FIRST)
    journal.reopen(None)

    assert journal.unsettled() == [FIRST]
    journal.close()
    journal.reopen(SECOND)
    assert opened().unsettled() == [FIRST, SECOND]


def test_what_is_interrupted_and_cannot_be_written_is_logged(
    path: Path, opened: Open, caplog: pytest.LogCaptureFixture
) -> None:
    journal = opened()
    journal.begin(FIRST)
    path.unlink()

    journal.reopen(FIRST)

    assert "first was interrupted" in caplog.text


# Files that a crash, or somebody else, left behind


@pytest.mark.parametrize("zeros", [b"", b"\0" * 9])
def test_a_last_line_that_was_cut_short_does_not_count_and_the_log_says_so(
    path: Path,
    opened: Open,
    zeros: bytes,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr(os, "fsync", lambda _: None)  # there are hundreds
    for line in (begun(SECOND), ended(FIRST)):
        for length in range(len(line)):
            path.write_bytes(begun(FIRST) + line[:length] + zeros)
            journal = opened()

            assert journal.unsettled() == [FIRST]
            said = ["its last line has no end, and does not count"] if length or zeros else []
            assert [each.partition(": ")[2] for each in caplog.messages] == said
            caplog.clear()

            journal.end(FIRST, known=True)
            journal.close()
            assert path.read_bytes() == begun(FIRST) + ended(FIRST)


@pytest.mark.parametrize(
    "content",
    [
        old({"began": as_fields(FIRST)}),
        old({"began": as_fields(FIRST)})[:-20],
        old({"ended": "first"}),
        begun(SECOND) + old({"ended": "second"}),
        b'{"began":{',
    ],
)
def test_a_journal_of_version_0_1_is_refused_with_the_version_that_finishes_it(
    path: Path, opened: Open, content: bytes
) -> None:
    path.write_bytes(content)

    with pytest.raises(JournalError) as caught:
        opened().begin(SECOND)

    assert f"line {content.count(b'crc') + 1} is of version 0.1: settle what client" in str(
        caught.value
    )
    assert path.read_bytes() == content


@pytest.mark.parametrize("end", [begun(SECOND), ended(FIRST)])
def test_whatever_byte_is_changed_it_is_noticed(end: bytes) -> None:
    content = begun(SECOND) + begun(FIRST) + end
    for at, byte in enumerate(content):
        changed = {byte ^ 1 << bit for bit in range(8)} | set(b'\0\n"{}1z')
        for other in changed - {byte}:
            with pytest.raises(journal_format.DamagedError):
                journal_format.read(BytesIO(content[:at] + bytes([other]) + content[at + 1 :]))


@pytest.mark.parametrize(
    "damaged",
    [
        b"",
        b"notes",
        b"\xff",
        b'{"began":null}',
        b"[" * 100_000,
        begun(FIRST)[:-20],
        begun(FIRST).replace(b"BTC", b"ETH"),
        with_checksum(b'{"noted":{"version":1,"id":"a"}}\n')[:-1],
        with_checksum(b'{"a":' + b"[" * 100_000 + b"\n")[:-1],
        with_checksum(b'{"began":{"version":2,"id":"a"}}\n')[:-1],
    ],
)
def test_a_damaged_line_is_named_and_left(path: Path, opened: Open, damaged: bytes) -> None:
    content = begun(FIRST) + damaged + b"\n" + begun(SECOND)
    path.write_bytes(content)

    for use in (Journal.unsettled, lambda journal: journal.begin(SECOND)):
        with pytest.raises(
            JournalError, match=r"line 2 is (damaged, or .* another file, keep|of version 0\.1)"
        ):
            use(opened())
    assert path.read_bytes() == content


def test_somebody_elses_file_is_left_as_it_is(path: Path, opened: Open) -> None:
    path.write_bytes(b"my notes")
    with pytest.raises(JournalError, match="line 1"):
        opened().begin(FIRST)
    assert path.read_bytes() == b"my notes"


# What it refuses


def test_a_file_that_another_client_rewrote_while_it_was_opened_is_not_taken_for_its_own(
    path: Path, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    path.write_bytes(begun(FIRST))
    open_file = os.open

    def opened_too_early(*arguments: Any) -> int:
        file = open_file(*arguments)
        if arguments[0] == str(path):
            new = path.with_name("new")
            new.write_bytes(begun(SECOND))
            new.replace(path)
        return file

    with monkeypatch.context() as moment:
        moment.setattr(os, "open", opened_too_early)
        with pytest.raises(JournalError, match="belongs to another client"):
            opened().begin(FIRST)

    assert opened().unsettled() == [SECOND]


def test_it_works_where_no_file_is_locked(opened: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = opened(), opened()
    with monkeypatch.context() as windows:
        windows.setattr(sys, "platform", "win32")
        first.begin(FIRST)
        first.end(FIRST, known=False)

        assert second.unsettled() == [FIRST]
        first.close()


# A disk that fails


def test_on_a_full_disk_nothing_begins_and_no_half_line_stays(path: Path, opened: Open) -> None:
    journal = opened()
    journal.begin(FIRST)
    journal.close()

    def begin_on_a_full_disk() -> bool:
        size = len(begun(FIRST)) + 9
        journal = Journal(path)
        assert journal.unsettled() == [FIRST]
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
        with pytest.raises(JournalError, match=r"not sent: .*the disk is full"):
            journal.begin(SECOND)
        return True

    assert in_child(begin_on_a_full_disk)
    assert path.read_bytes() == begun(FIRST)


def test_after_half_a_line_the_next_one_is_whole(
    path: Path, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = opened()
    write = os.write
    with monkeypatch.context() as disk:
        disk.setattr(os, "write", lambda file, content: write(file, content[:9]))
        with pytest.raises(JournalError, match="the disk is full"):
            journal.begin(FIRST)

    journal.begin(SECOND)

    assert path.read_bytes() == begun(SECOND)


def test_an_end_that_cannot_be_written_is_logged_and_leaves_it_open(
    opened: Open, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    journal = opened()
    journal.begin(FIRST)

    monkeypatch.setattr(os, "write", Mock(side_effect=OSError(errno.ENOSPC, "no space left")))

    with caplog.at_level(logging.WARNING):
        journal.end(FIRST, known=True)

    assert "first stays open" in caplog.text
    assert journal.unsettled() == [FIRST]
