"""Text and files of keys: read exactly as Base58 and wallets are defined, or refused unseen."""

from __future__ import annotations

import json
import os
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import base58
import pytest
from hypothesis import given, strategies as st
from solders.keypair import Keypair as Reference
from solders.pubkey import Pubkey
from solders.signature import Signature

from tests.fuzz.mutations import damaged, mutated
from trading_runtime.errors import SigningError
from trading_runtime.signing import keys
from trading_runtime.signing.keys import Keypair, decode_base58, verify

ALPHABET = base58.BITCOIN_ALPHABET.decode()
CANARY = 12
"""As many letters of a secret in a row are no accident."""
OURS = Path(keys.__file__).read_text("utf-8") + f"{SigningError.__module__}.{SigningError.__name__}"
"""Words of a refusal itself. Hypothesis draws them, too: it reads the constants of the code that it tests."""

seeds = st.binary(min_size=32, max_size=32)
lengths = st.sampled_from([32, 64])
anything = st.text(max_size=100) | st.text(ALPHABET, max_size=100) | st.text("1z", max_size=100)


def encoded(raw: bytes) -> str:
    """Base58."""
    return base58.b58encode(raw).decode()


def decoded(text: str, length: int) -> bytes | None:
    """The so many bytes that Base58 text holds, as solders reads it; None if it holds no such."""
    try:
        return bytes((Pubkey if length == 32 else Signature).from_string(text))
    except ValueError:
        return None


def whole(seed: bytes) -> bytes:
    """The 64 bytes of a wallet."""
    return bytes(Reference.from_seed(seed))


def address_of(secret: bytes | None) -> str | None:
    """The address that belongs to a secret; None if it is no secret."""
    if secret is None or whole(secret[:32]) != secret:
        return None
    return str(Reference.from_seed(secret[:32]).pubkey())


@st.composite
def mistyped(draw: st.DrawFn, text: str) -> str:
    """A text with one to three letters replaced, left out, put in or swapped."""
    letters = list(text)
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(letters) - 1)) if letters else 0
        put = draw(st.sampled_from([*ALPHABET, "0", "O", "I", "l", " ", "\n", "\uff11", ""]))
        until = at + draw(st.integers(0, 2))
        letters[at:until] = [put, *reversed(letters[at + 1 : until])]
    return "".join(letters)


def refusal(action: Callable[[], object], *secrets: str) -> None:
    """It is a SigningError that shows no part of the secrets, nor does its chain."""
    with pytest.raises(SigningError) as caught:
        action()
    error = caught.value
    assert error.__cause__ is None
    assert error.__context__ is None
    shown = "".join(traceback.format_exception_only(error)) + repr(error) + str(vars(error))
    for secret in secrets:
        for start in range(len(secret) - CANARY + 1):
            letters = secret[start : start + CANARY]
            assert letters not in shown or letters in OURS


# Text


@given(
    anything
    | seeds.map(encoded).flatmap(mistyped)
    | lengths.flatmap(lambda size: st.binary(min_size=size, max_size=size)).map(encoded),
    lengths,
)
def test_text_is_decoded_as_defined_or_refused(text: str, length: int) -> None:
    expected = decoded(text, length)
    if expected is None:
        refusal(lambda: decode_base58(text, length, "it"), text)
    else:
        assert decode_base58(text, length, "it") == expected


@given(
    anything
    | seeds.map(encoded).flatmap(mistyped)
    | seeds.map(whole).map(encoded).flatmap(mistyped)
    | st.binary(min_size=62, max_size=65).map(encoded)
)
def test_a_mistyped_key_is_refused_unless_it_is_another_key(text: str) -> None:
    address = address_of(decoded(text, 64))
    if address is None:
        refusal(lambda: Keypair.from_base58(text), text)
    else:
        assert Keypair.from_base58(text).address == address


@given(anything | seeds.map(encoded).flatmap(mistyped), st.binary(), st.binary(max_size=80))
def test_what_was_not_signed_is_not_verified(address: str, message: bytes, signed: bytes) -> None:
    assert not verify(address, message, signed)


# Files


@pytest.fixture(scope="session")
def wallet(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of this test run alone, that its owner alone can read."""
    path = tmp_path_factory.mktemp("keys") / "wallet.json"
    path.touch(0o600)
    return path


def read(content: bytes) -> bytes | None:
    """The secret that a wallet file holds; None if it holds none."""
    stripped = content.strip()
    if not stripped.startswith(b"["):
        return decoded(stripped.decode("latin-1"), 64)
    try:
        numbers: Any = json.loads(stripped)
        is_wallet = len(numbers) == 64 and all(type(number) is int for number in numbers)
        return bytes(numbers) if is_wallet else None
    except ValueError:
        return None


SEED = bytes(range(100, 132))
NUMBERS = list(whole(SEED))
WALLETS = [encoded(whole(SEED)), f" {encoded(whole(SEED))}\r\n", json.dumps(NUMBERS, indent=1)]
contents = (
    st.sampled_from(WALLETS).map(str.encode).flatmap(damaged)
    | st.sampled_from(WALLETS[:2]).flatmap(mistyped).map(str.encode)
    | mutated(NUMBERS).map(json.dumps).map(str.encode)
    | st.binary(min_size=63, max_size=65).map(list).map(json.dumps).map(str.encode)
)


@given(content=contents)
def test_a_file_holds_a_key_or_is_refused(wallet: Path, content: bytes) -> None:
    wallet.write_bytes(content)
    address = address_of(read(content)) if len(content) <= 4096 else None
    if address is None:
        shown = content.decode("ascii", "replace").strip()
        refusal(lambda: Keypair.from_file(wallet), shown if len(shown) > 30 else "")
    else:
        assert Keypair.from_file(wallet).address == address
    assert os.stat(wallet).st_mode & 0o777 == 0o600
