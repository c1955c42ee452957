"""Keys: what they sign, what they refuse, and that a secret stays where it is."""

from __future__ import annotations

import json
import os
import socket
import threading
import traceback
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import base58
import pytest
from hypothesis import given, strategies as st

from trading_runtime.errors import SigningError
from trading_runtime.signing import keys
from trading_runtime.signing.keys import Keypair, decode_base58, verify

# RFC 8032, section 7.1, test 2.
SEED = bytes.fromhex("4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb")
PUBLIC = bytes.fromhex("3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c")
ADDRESS = base58.b58encode(PUBLIC).decode()
SECRET = base58.b58encode(SEED + PUBLIC).decode()
SEED_TEXT = base58.b58encode(SEED).decode()


@pytest.fixture
def keypair() -> Keypair:
    return Keypair(SEED)


def key_file(folder: Path, content: bytes | str, mode: int = 0o600) -> Path:
    path = folder / "wallet.json"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    path.chmod(mode)
    return path


def refusal(action: Callable[[], object], *secrets: str, frames: bool = False) -> str:
    """The text of a SigningError that shows none of the secrets, and has no chain that might.

    With `frames` no variable of a frame of ours has one.
    """
    with pytest.raises(SigningError) as caught:
        action()
    error = caught.value
    assert error.__cause__ is None
    assert error.__context__ is None
    shown = "".join(traceback.format_exception(error)) + repr(error) + str(vars(error))
    if frames:
        below = [frame for frame, _ in traceback.walk_tb(error.__traceback__)][2:]
        assert below
        shown += repr([each.f_locals for each in below])
    for secret in (SECRET, SEED_TEXT, SEED.hex(), repr(SEED), str([*SEED])[1:-1], *secrets):
        assert secret not in shown
    return str(error)


# Signing


@given(st.binary(max_size=100))
def test_what_a_new_key_signs_can_be_verified(message: bytes) -> None:
    keypair = Keypair.generate()
    signature = keypair.sign(message)
    assert len(signature) == 64
    assert verify(keypair.address, message, signature)
    assert not verify(ADDRESS, message, signature)
    assert not verify(keypair.address, message + b"!", signature)


# What shows


def test_keys_are_equal_by_address(keypair: Keypair) -> None:
    same = Keypair.from_base58(SECRET)
    assert keypair == same
    assert hash(keypair) == hash(same)
    assert len({keypair, same, Keypair.generate()}) == 2
    assert keypair != ADDRESS
    assert keypair.export_base58() == SECRET
    with pytest.raises(TypeError, match="cannot be pickled or copied"):
        keypair.__getstate__()


# Text that is no key


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "has 0 bytes, it must have 64"),
        (SECRET[:-1] + "0", "is not Base58"),
        (SECRET[:-1] + "\uff11", "is not Base58"),
        (SECRET + "\n", "is not Base58"),
        (" " + SECRET, "is not Base58"),
        ("1" + SECRET, "has 65 bytes"),
        ("1" + SEED_TEXT, "has 33 bytes"),
        (base58.b58encode(SEED + PUBLIC[1:]).decode(), "has 63 bytes"),
        ("z" * 1_000_000, "is too long"),
        (base58.b58encode(PUBLIC + SEED).decode(), "two halves"),
    ],
)
def test_text_that_is_no_key_is_refused_without_showing_it(text: str, says: str) -> None:
    shown = [text] if text.strip() else []
    assert says in refusal(lambda: Keypair.from_base58(text), *shown, frames=True)


@pytest.mark.parametrize("text", [ADDRESS, SEED_TEXT, "1" * 32])
def test_an_address_is_never_taken_for_a_key(text: str, tmp_path: Path) -> None:
    """Whoever knows an address would have the key that is made of it."""
    for read in (
        lambda: Keypair.from_base58(text),
        lambda: Keypair.from_file(key_file(tmp_path, text)),
    ):
        says = refusal(read, text, frames=True)
        assert says == (
            "the private key has 32 bytes, as an address has, or a seed without its public key; "
            "give Base58 of 64 bytes, or the seed as bytes to Keypair.from_seed"
        )


def test_base58_is_decoded_to_the_exact_length() -> None:
    assert decode_base58(ADDRESS, 32, "the address") == PUBLIC
    assert decode_base58("1" * 64, 64, "the signature") == bytes(64)
    assert "the signature has 32 bytes" in refusal(
        lambda: decode_base58(ADDRESS, 64, "the signature")
    )


# Files


def test_a_written_file_can_be_read_back(keypair: Keypair, tmp_path: Path) -> None:
    path = tmp_path / "wallet.json"
    keypair.write_file(path)
    assert json.loads(path.read_text()) == list(SEED + PUBLIC)
    assert Keypair.from_file(str(path)) == keypair


def test_a_file_is_written_as_base58_where_it_is_asked(keypair: Keypair, tmp_path: Path) -> None:
    path = tmp_path / "wallet"
    keypair.write_file(path, form="base58")
    assert path.read_text() == SECRET
    assert Keypair.from_file(path) == keypair
    form: Any = "hex"
    other = tmp_path / "other"
    assert "json or base58, not 'hex'" in refusal(lambda: keypair.write_file(other, form=form))
    assert not other.exists()


@pytest.mark.parametrize("mode", [0o400, 0o600, 0o700])
@pytest.mark.parametrize(
    "content",
    [
        *(SECRET, f"  {SECRET}\r\n", SECRET.ljust(4096)),
        json.dumps(list(SEED + PUBLIC), indent=8) + "\n",
    ],
)
def test_a_file_of_its_owner_has_base58_or_numbers(tmp_path: Path, content: str, mode: int) -> None:
    assert Keypair.from_file(key_file(tmp_path, content, mode)).address == ADDRESS


def test_a_folder_that_does_not_exist_is_named(keypair: Keypair, tmp_path: Path) -> None:
    path = tmp_path / "no" / "wallet.json"
    assert "cannot be written: No such file" in refusal(
        lambda: keypair.write_file(path), frames=True
    )
    assert str(path) in refusal(lambda: Keypair.from_file(path))


def test_a_file_that_cannot_be_written_whole_is_not_left_behind(
    keypair: Keypair, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    errors: list[BaseException] = [OSError(28, "No space left on device"), KeyboardInterrupt()]

    def failing(_: int) -> None:
        raise errors.pop(0)

    monkeypatch.setattr(os, "fsync", failing)
    path = tmp_path / "wallet.json"
    assert "No space left" in refusal(lambda: keypair.write_file(path, form="base58"), frames=True)
    assert not path.exists()
    with pytest.raises(KeyboardInterrupt):
        keypair.write_file(path)
    assert not path.exists()


@pytest.mark.parametrize("mode", [0o640, 0o620, 0o604, 0o602, 0o601, 0o644, 0o777])
def test_a_file_that_others_can_open_is_refused(tmp_path: Path, mode: int) -> None:
    path = key_file(tmp_path, SECRET, mode)
    assert "chmod 600" in refusal(lambda: Keypair.from_file(path))


def test_a_file_of_another_user_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = key_file(tmp_path, SECRET)
    monkeypatch.setattr(os, "geteuid", lambda: path.stat().st_uid + 1)
    assert "another user" in refusal(lambda: Keypair.from_file(path))


def test_where_the_system_has_no_such_permissions_they_are_not_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keys, "_POSIX", False)
    assert Keypair.from_file(key_file(tmp_path, SECRET, 0o644)).address == ADDRESS


@pytest.mark.parametrize("target", ["wallet.json", "missing", "link"])
def test_a_symbolic_link_is_refused(tmp_path: Path, target: str) -> None:
    """Also one that leads nowhere, or to itself."""
    key_file(tmp_path, SECRET)
    link = tmp_path / "link"
    link.symlink_to(tmp_path / target)
    assert "is a symbolic link" in refusal(lambda: Keypair.from_file(link))


def test_what_is_not_a_file_is_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe", 0o600)
    for path in (tmp_path, tmp_path / "pipe"):
        assert "is not a regular file" in refusal(partial(Keypair.from_file, path))
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(tmp_path / "socket"))
        assert "cannot be read" in refusal(lambda: Keypair.from_file(tmp_path / "socket"))


@pytest.mark.parametrize("device", ["/dev/null", "/dev/zero", "/dev/tty"])
def test_a_device_is_refused_at_once(device: str) -> None:
    assert os.path.exists(device)
    # Where there is no terminal, /dev/tty cannot even be opened.
    says = refusal(lambda: Keypair.from_file(device))
    assert "is not a regular file" in says or "cannot be read" in says


def test_a_second_name_of_a_private_file_is_as_good_as_the_first(tmp_path: Path) -> None:
    """A hard link has the owner and the mode of its file, so that nobody else can read either."""
    (tmp_path / "second").hardlink_to(key_file(tmp_path, SECRET))
    assert Keypair.from_file(tmp_path / "second").address == ADDRESS
    (tmp_path / "second").chmod(0o644)
    assert "chmod 600" in refusal(lambda: Keypair.from_file(tmp_path / "wallet.json"))


def test_the_file_that_was_checked_is_the_one_that_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, check = key_file(tmp_path, SECRET), os.fstat

    def check_and_swap(descriptor: int) -> os.stat_result:
        info = check(descriptor)
        (tmp_path / "other").write_text(Keypair.generate().export_base58())
        (tmp_path / "other").replace(path)
        return info

    monkeypatch.setattr(os, "fstat", check_and_swap)
    assert Keypair.from_file(path).address == ADDRESS


@pytest.mark.parametrize("umask", [0, 0o002, 0o022, 0o077])
def test_a_written_file_is_private_under_any_umask_from_its_first_moment_on(
    keypair: Keypair, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, umask: int
) -> None:
    modes: list[int] = []
    sync = os.fsync

    def seen(descriptor: int) -> None:
        modes.append(os.fstat(descriptor).st_mode & 0o777)
        sync(descriptor)

    before = os.umask(umask)
    monkeypatch.setattr(os, "fsync", seen)
    monkeypatch.setattr(os, "chmod", None)
    monkeypatch.setattr(os, "fchmod", None)
    try:
        keypair.write_file(tmp_path / "wallet.json")
    finally:
        os.umask(before)
    assert modes == [0o600]
    assert (tmp_path / "wallet.json").stat().st_mode & 0o777 == 0o600


def test_a_path_that_holds_the_key_itself_names_no_file(tmp_path: Path) -> None:
    keypair = Keypair.generate()
    for name in (keypair.export_base58(), f"{keypair.export_base58()}.json"):
        told = refusal(partial(keypair.write_file, tmp_path / name))
        assert "holds the private key" in told and keypair.export_base58() not in told
    assert list(tmp_path.iterdir()) == []
    keypair.write_file(tmp_path / keypair.address)
    for name in ("a\0b", "a\ud800"):
        refusal(partial(Keypair.from_file, name))
        refusal(partial(keypair.write_file, name))


def test_of_many_writers_of_one_file_one_succeeds(tmp_path: Path) -> None:
    writers = [Keypair.generate() for _ in range(8)]
    together = threading.Barrier(len(writers))

    def write(writer: Keypair) -> bool:
        together.wait(10)
        try:
            writer.write_file(tmp_path / "wallet.json")
        except SigningError:
            return False
        return True

    with ThreadPoolExecutor(len(writers)) as pool:
        written = list(pool.map(write, writers))
    assert written.count(True) == 1
    assert Keypair.from_file(tmp_path / "wallet.json") == writers[written.index(True)]


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"\xff\xfe", "is not Base58"),
        (b"[" + b"1," * 63 + b"1", "not a JSON array of 64 integers"),
        (json.dumps([256, *([0] * 63)]).encode(), "a number that is not a byte"),
        (json.dumps([True, *([0] * 63)]).encode(), "not a JSON array of 64 integers"),
        (b"[" * 4000, "not a JSON array of 64 integers"),
        (json.dumps(list(SEED + bytes(32))).encode(), "two halves"),
        (b" " * 5000, "is longer than 4096 bytes"),
    ],
)
def test_a_file_without_a_key_is_refused(tmp_path: Path, content: bytes, says: str) -> None:
    path = key_file(tmp_path, content)
    assert says in refusal(lambda: Keypair.from_file(path), frames=True)


@pytest.mark.parametrize("path", [SECRET, SEED_TEXT, json.dumps(list(SEED + PUBLIC)), "1" * 32])
def test_a_key_given_in_place_of_its_path_is_not_shown(path: str) -> None:
    assert "looks like a key" in refusal(lambda: Keypair.from_file(path), path)
