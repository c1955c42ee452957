"""The published pairs of bytes and Base58, as addresses, signatures and private keys.

What this package encodes has 32 or 64 bytes. A shorter pair is used with zero bytes before it: each
of them is one more "1" before the text, which is the rule that implementations get wrong.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from solders.pubkey import Pubkey

from trading_runtime.errors import SigningError
from trading_runtime.signing.keys import Keypair, decode_base58
from trading_runtime.signing.request import sign_text

# Bitcoin Core, src/test/data/base58_encode_decode.json.
BITCOIN_CORE = [
    ("", ""),
    ("61", "2g"),
    ("626262", "a3gV"),
    ("636363", "aPEr"),
    ("73696d706c792061206c6f6e6720737472696e67", "2cFupjhnEsSn59qHXstmK2ffpLv2"),
    (
        "00eb15231dfceb60925886b67d065299925915aeb172c06647",
        "1NS17iag9jJgTHD1VXjvLCEnZuQ3rJDE9L",
    ),
    ("516b6fcd0f", "ABnLTmg"),
    ("bf4f89001e670274dd", "3SEo3LWLoPntC"),
    ("572e4794", "3EFU7m"),
    ("ecac89cad93923c02321", "EJDM8drfXA6uyA"),
    ("10c8511e", "Rt5zm"),
    ("00" * 10, "1" * 10),
    ("00" * 40, "1" * 40),
    ("00" * 39 + "01", "1" * 39 + "2"),
    (
        "000111d38e5fc9071ffcd20b4a763cc9ae4f252bb4e48fd66a835e252ada93ff480d6dd43dc62a641155a5",
        "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz",
    ),
    ("271f359e", "zzzzy"),
    ("271f359f", "zzzzz"),
    ("271f35a0", "211111"),
    ("271f35a1", "211112"),
]
# The same file: more bytes than anything here has.
TOO_LONG = [
    (112, "1" * 100 + "5TYzLYH1udmLdzCLM"),
    (
        256,
        "1cWB5HCBdLjAuqGGReWE3R3CguuwSjw6RHn39s2yuDRTS5NsBgNiFpWgAnEx6VQi8csexkgYw3mdYrMHr8x9i7aE"
        "wP8kZ7vccXWqKDvGv3u1GxFKPuAkn8JCPPGDMf3vMMnbzm6Nh9zh1gcNsMvH3ZNLmP5fSG6DGbbi2tuwMWPthr4bo"
        "WwCxf7ewSgNQeacyozhKDDQQ1qL5fQFUW52QKUZDZ5fw3KXNQJMcNTcaB723LchjeKun7MuGW5qyCBZYzA1KjofN1"
        "gYBV3NqyhQJ3Ns746GNuf9N2pQPmHz4xpnSrrfCvy6TVVz5d4PdrjeshsWQwpZsZGzvbdAdN8MKV5QsBDY",
    ),
]
# draft-msporny-base58-03, section 5. Draft 02 has one zero byte too many in the third.
DRAFT = [
    (b"Hello World!".hex(), "2NEpo7TZRRrLZSi2U"),
    (
        b"The quick brown fox jumps over the lazy dog.".hex(),
        "USm3fpXnKG5EUBx2ndxBDMPVciP5hGey2Jh4NDv6gmeo1LkMeiKrLJUUBk6Z",
    ),
    ("0000287fb4cd", "11233QC4"),
]
# Programs of Solana, whose addresses everybody knows; the first is the System Program.
ADDRESSES = [
    ("00" * 32, "1" * 32),
    (
        "06ddf6e1d765a193d9cbe146ceeb79ac1cb485ed5f5b37913a8cf5857eff00a9",
        "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA",
    ),
    (
        "8c97258f4e2489f1bb3d1029148e0d830b5a1399daff1084048e7bd8dbe9f859",
        "ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL",
    ),
]
PAIRS = [*BITCOIN_CORE, *DRAFT, *ADDRESSES]
# Bitcoin Core, src/test/base58_tests.cpp, and Botan, src/tests/data/codec/base58.vec.
NOT_BASE58 = [
    "invalid",
    "\0invalid",
    "bad0IOl",
    "goodbad0IOl",
    "good\0bad0IOl",
    "0",
    "O",
    "I",
    "l",
    "3mJr0",
    "O3yxU",
    "3sNI",
    "4kl8",
    "s!5<",
    "t$@mX<*",
    "AreYouEvenLookingAtThese?",
]
# The Solana Cookbook: a key pair as a wallet file, and its address.
COOKBOOK = [
    *(174, 47, 154, 16, 202, 193, 206, 113, 199, 190, 53, 133, 169, 175, 31, 56),
    *(222, 53, 138, 189, 224, 216, 117, 173, 10, 149, 53, 45, 73, 251, 237, 246),
    *(15, 185, 186, 82, 177, 240, 148, 69, 241, 227, 167, 80, 141, 89, 240, 121),
    *(121, 35, 172, 247, 68, 251, 226, 218, 48, 63, 176, 109, 168, 89, 238, 135),
]
COOKBOOK_ADDRESS = "24PNhTaNtomHhoy3fTRaMhAFCRj4uHqhZEEoWrKDbR5p"


class Fixed:
    """A signer whose signature is known beforehand."""

    address = "1" * 32

    def __init__(self, signature: bytes) -> None:
        self.signature = signature

    def sign(self, message: bytes) -> bytes:
        return self.signature


def widened(raw: str, text: str, length: int) -> tuple[bytes, str]:
    """The pair with zero bytes before it, so that it has this length."""
    missing = length - len(raw) // 2
    return bytes(missing) + bytes.fromhex(raw), "1" * missing + text


@pytest.mark.parametrize(("raw", "text"), PAIRS)
def test_a_published_pair_is_decoded_as_a_signature(raw: str, text: str) -> None:
    expected, encoded = widened(raw, text, 64)
    assert decode_base58(encoded, 64, "the signature") == expected


@pytest.mark.parametrize(("raw", "text"), PAIRS)
def test_a_published_pair_is_encoded_as_a_signature(raw: str, text: str) -> None:
    signature, encoded = widened(raw, text, 64)
    assert sign_text("{}", Fixed(signature)) == encoded


@pytest.mark.parametrize(("raw", "text"), [pair for pair in PAIRS if len(pair[0]) <= 64])
def test_a_published_pair_is_decoded_as_an_address(raw: str, text: str) -> None:
    expected, encoded = widened(raw, text, 32)
    assert decode_base58(encoded, 32, "the address") == expected
    assert str(Pubkey(expected)) == encoded


@pytest.mark.parametrize(("length", "text"), TOO_LONG)
def test_a_published_text_of_more_bytes_is_refused_before_it_is_decoded(
    length: int, text: str
) -> None:
    assert length > 64
    with pytest.raises(SigningError, match="is too long"):
        decode_base58(text, 64, "the signature")


@pytest.mark.parametrize("text", NOT_BASE58)
def test_a_published_text_that_is_not_base58_is_refused(text: str) -> None:
    with pytest.raises(SigningError, match="is not Base58"):
        decode_base58(text, 32, "the address")


@pytest.mark.parametrize("space", [" ", "\t", "\n", "\v", "\f", "\r"])
def test_white_space_which_bitcoin_core_skips_is_refused(space: str) -> None:
    _, address = ADDRESSES[1]
    for text in (space + address, address + space):
        with pytest.raises(SigningError, match="is not Base58"):
            decode_base58(text, 32, "the address")


def test_a_published_wallet_file_has_the_published_address(tmp_path: Path) -> None:
    path = tmp_path / "wallet.json"
    path.write_text(json.dumps(COOKBOOK))
    path.chmod(0o600)
    keypair = Keypair.from_file(path)
    assert keypair.address == COOKBOOK_ADDRESS
    assert decode_base58(keypair.export_base58(), 64, "the key") == bytes(COOKBOOK)
