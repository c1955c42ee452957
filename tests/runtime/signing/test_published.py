"""What others published: signatures of Ed25519 (RFC 8032, section 7.1), and pairs of bytes and Base58.

What this package encodes has 32 or 64 bytes. A shorter pair is used with zero bytes before it: each
of them is one more "1" before the text, which is the rule that implementations get wrong.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from solders.pubkey import Pubkey

from tests.doubles.signer import ScriptedSigner
from trading_runtime.errors import SigningError
from trading_runtime.signing.keys import Keypair, decode_base58, verify
from trading_runtime.signing.request import sign_text

# Seed, public key, message and signature of tests 1 to 3; the address of it that wallets show.
RFC_8032 = [
    (
        "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "",
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155"
        "5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
        "FVen3X669xLzsi6N2V91DoiyzHzg1uAgqiT8jZ9nS96Z",
    ),
    (
        "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        "72",
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
        "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
        "586Z7H2vpX9qNhN2T4e9Utugie3ogjbxzGaMtM3E6HR5",
    ),
    (
        "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
        "af82",
        "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac"
        "18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a",
        "Hyx62wPQGyvXCoihZq1BrbUjBRh2LuNxWiiqMkfAuSZr",
    ),
]
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
# The same file: 112 bytes, more than anything here has.
TOO_LONG = "1" * 100 + "5TYzLYH1udmLdzCLM"
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
    *(
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
    ),
    *("O3yxU", "3sNI", "4kl8", "s!5<", "t$@mX<*", "AreYouEvenLookingAtThese?"),
]
# The Solana Cookbook: a key pair as a wallet file, and its address.
COOKBOOK = [
    *(174, 47, 154, 16, 202, 193, 206, 113, 199, 190, 53, 133, 169, 175, 31, 56),
    *(222, 53, 138, 189, 224, 216, 117, 173, 10, 149, 53, 45, 73, 251, 237, 246),
    *(15, 185, 186, 82, 177, 240, 148, 69, 241, 227, 167, 80, 141, 89, 240, 121),
    *(121, 35, 172, 247, 68, 251, 226, 218, 48, 63, 176, 109, 168, 89, 238, 135),
]
COOKBOOK_ADDRESS = "24PNhTaNtomHhoy3fTRaMhAFCRj4uHqhZEEoWrKDbR5p"


@pytest.mark.parametrize(("seed", "public", "message", "signature", "address"), RFC_8032)
def test_a_seed_gives_the_published_address_and_a_signature_of_its_message_alone(
    seed: str, public: str, message: str, signature: str, address: str
) -> None:
    keypair, signed, expected = (
        Keypair.from_seed(bytes.fromhex(seed)),
        bytes.fromhex(message),
        bytes.fromhex(signature),
    )
    assert keypair.address == address
    assert decode_base58(address, 32, "the address") == bytes.fromhex(public)
    assert keypair.sign(signed) == expected
    assert Keypair.from_base58(keypair.export_base58()).sign(signed) == expected
    assert verify(address, signed, expected)
    assert not verify(address, signed + b"\x00", expected)
    assert not verify(address, signed, expected[:-1] + bytes([expected[-1] ^ 1]))


def widened(raw: str, text: str, length: int) -> tuple[bytes, str]:
    """The pair with zero bytes before it, so that it has this length."""
    missing = length - len(raw) // 2
    return bytes(missing) + bytes.fromhex(raw), "1" * missing + text


@pytest.mark.parametrize(("raw", "text"), PAIRS)
def test_a_published_pair_is_decoded_and_encoded(raw: str, text: str) -> None:
    expected, encoded = widened(raw, text, 64)
    assert decode_base58(encoded, 64, "the signature") == expected
    assert sign_text("{}", ScriptedSigner(signs=expected)) == encoded
    if len(raw) <= 64:
        expected, encoded = widened(raw, text, 32)
        assert decode_base58(encoded, 32, "the address") == expected
        assert str(Pubkey(expected)) == encoded


def test_a_published_text_of_more_bytes_is_refused_before_it_is_decoded() -> None:
    with pytest.raises(SigningError, match="is too long"):
        decode_base58(TOO_LONG, 64, "the signature")


def test_a_published_text_that_is_not_base58_is_refused_and_so_is_white_space() -> None:
    """Bitcoin Core skips white space around a text."""
    _, address = ADDRESSES[1]
    spaced = [each for space in " \t\n\v\f\r" for each in (space + address, address + space)]
    for text in NOT_BASE58 + spaced:
        with pytest.raises(SigningError, match="is not Base58"):
            decode_base58(text, 32, "the address")


def test_a_published_wallet_file_has_the_published_address(tmp_path: Path) -> None:
    path = tmp_path / "wallet.json"
    path.write_text(json.dumps(COOKBOOK))
    path.chmod(0o600)
    keypair = Keypair.from_file(path)
    assert keypair.address == COOKBOOK_ADDRESS
    assert decode_base58(keypair.export_base58(), 64, "the key") == bytes(COOKBOOK)
