"""Signatures made to be accepted by mistake: published ones, against what the sandbox verifies by.

The sandbox verifies as libsodium does, and solders (`verify_strict` of ed25519-dalek) agrees in
every case here. An S that is not reduced is refused, because anybody could make a second signature
out of one; so is a key of small order, for which anybody could sign, and every encoding of a point
but the canonical one. The cofactor is not multiplied by.
"""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from tests.sandbox.edwards25519 import L, P, accepts, satisfies

# ed25519-speccheck: "Taming the many EdDSAs", Chalkias, Garillot and Nikolaenko, 2020, section 6.
# github.com/novifinancial/ed25519-speccheck, cases.txt. The kinds of S, A and R are the authors'.

PLAIN: dict[str, Any] = {}
COFACTOR: dict[str, Any] = {"cofactor": 8}
REENCODED: dict[str, Any] = {"reencode": True}

SPECCHECK = [
    (
        "0: S = 0, small A, small R",
        "8c93255d71dcab10e8f379c26200f3c7bd5f09d9bc3068d3ef4edeb4853022b6",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a"
        "0000000000000000000000000000000000000000000000000000000000000000",
        PLAIN,
    ),
    (
        "1: small A, mixed R",
        "9bd9f44f4dcc75bd531b56b2cd280b0bb38fc1cd6d1230e14861d861de092e79",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
        "f7badec5b8abeaf699583992219b7b223f1df3fbbea919844e3f7c554a43dd43"
        "a5bb704786be79fc476f91d3f3f89b03984d8068dcf1bb7dfc6637b45450ac04",
        PLAIN,
    ),
    (
        "2: mixed A, small R",
        "aebf3f2601a0c8c5d39cc7d8911642f740b78168218da8471772b35f9d35b9ab",
        "f7badec5b8abeaf699583992219b7b223f1df3fbbea919844e3f7c554a43dd43",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa"
        "8c4bd45aecaca5b24fb97bc10ac27ac8751a7dfe1baff8b953ec9f5833ca260e",
        PLAIN,
    ),
    (
        "3: mixed A, mixed R",
        "9bd9f44f4dcc75bd531b56b2cd280b0bb38fc1cd6d1230e14861d861de092e79",
        "cdb267ce40c5cd45306fa5d2f29731459387dbf9eb933b7bd5aed9a765b88d4d",
        "9046a64750444938de19f227bb80485e92b83fdb4b6506c160484c016cc1852f"
        "87909e14428a7a1d62e9f22f3d3ad7802db02eb2e688b6c52fcd6648a98bd009",
        PLAIN,
    ),
    (
        "4: mixed A, mixed R, holds with the cofactor only",
        "e47d62c63f830dc7a6851a0b1f33ae4bb2f507fb6cffec4011eaccd55b53f56c",
        "cdb267ce40c5cd45306fa5d2f29731459387dbf9eb933b7bd5aed9a765b88d4d",
        "160a1cb0dc9c0258cd0a7d23e94d8fa878bcb1925f2c64246b2dee1796bed512"
        "5ec6bc982a269b723e0668e540911a9a6a58921d6925e434ab10aa7940551a09",
        COFACTOR,
    ),
    (
        "5: mixed A, R of order L, holds with the cofactor only",
        "e47d62c63f830dc7a6851a0b1f33ae4bb2f507fb6cffec4011eaccd55b53f56c",
        "cdb267ce40c5cd45306fa5d2f29731459387dbf9eb933b7bd5aed9a765b88d4d",
        "21122a84e0b5fca4052f5b1235c80a537878b38f3142356b2c2384ebad4668b7"
        "e40bc836dac0f71076f9abe3a53f9c03c1ceeeddb658d0030494ace586687405",
        COFACTOR,
    ),
    (
        "6: S > L",
        "85e241a07d148b41e47d62c63f830dc7a6851a0b1f33ae4bb2f507fb6cffec40",
        "442aad9f089ad9e14647b1ef9099a1ff4798d78589e66f28eca69c11f582a623",
        "e96f66be976d82e60150baecff9906684aebb1ef181f67a7189ac78ea23b6c0e"
        "547f7690a0e2ddcd04d87dbc3490dc19b3b3052f7ff0538cb68afb369ba3a514",
        PLAIN,
    ),
    (
        "7: S so large that its top bits are set",
        "85e241a07d148b41e47d62c63f830dc7a6851a0b1f33ae4bb2f507fb6cffec40",
        "442aad9f089ad9e14647b1ef9099a1ff4798d78589e66f28eca69c11f582a623",
        "8ce5b96c8f26d0ab6c47958c9e68b937104cd36e13c33566acd2fe8d38aa1942"
        "7e71f98a473474f2f13f06f97c20d58cc3f54b8bd0d272f42b695dd7e89a8c22",
        PLAIN,
    ),
    (
        "8: small R, not canonical, hashed as if it were",
        "9bedc267423725d473888631ebf45988bad3db83851ee85c85e241a07d148b41",
        "f7badec5b8abeaf699583992219b7b223f1df3fbbea919844e3f7c554a43dd43",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
        "03be9678ac102edcd92b0210bb34d7428d12ffc5df5f37e359941266a4e35f0f",
        REENCODED,
    ),
    (
        "9: small R, not canonical, hashed as sent",
        "9bedc267423725d473888631ebf45988bad3db83851ee85c85e241a07d148b41",
        "f7badec5b8abeaf699583992219b7b223f1df3fbbea919844e3f7c554a43dd43",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
        "ca8c5b64cd208982aa38d4936621a4775aa233aa0505711d8fdcfdaa943d4908",
        PLAIN,
    ),
    (
        "10: small A, not canonical, hashed as if it were",
        "e96b7021eb39c1a163b6da4e3093dcd3f21387da4cc4572be588fafae23c155b",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
        "a9d55260f765261eb9b84e106f665e00b867287a761990d7135963ee0a7d59dc"
        "a5bb704786be79fc476f91d3f3f89b03984d8068dcf1bb7dfc6637b45450ac04",
        REENCODED,
    ),
    (
        "11: small A, not canonical, hashed as sent",
        "39a591f5321bbe07fd5a23dc2f39d025d74526615746727ceefd6e82ae65c06f",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
        "a9d55260f765261eb9b84e106f665e00b867287a761990d7135963ee0a7d59dc"
        "a5bb704786be79fc476f91d3f3f89b03984d8068dcf1bb7dfc6637b45450ac04",
        PLAIN,
    ),
]


@pytest.mark.parametrize(
    ("name", "message", "key", "signature", "lenient"), SPECCHECK, ids=[c[0] for c in SPECCHECK]
)
def test_of_the_speccheck_signatures_only_the_harmless_one_is_accepted(
    name: str, message: str, key: str, signature: str, lenient: dict[str, Any]
) -> None:
    given = bytes.fromhex(key), bytes.fromhex(message), bytes.fromhex(signature)
    assert satisfies(*given, **lenient)
    # Case 3 needs the private key of its odd public key: whoever made that signs for himself.
    assert accepts(*given) is name.startswith("3:")


# Wycheproof, testvectors/eddsa_test.json, the first key; a test is named by its tcId.

KEY = bytes.fromhex("7d4d0e7f6153a69b6242b522abbee685fda4420f8834b108c3bdae369ef549fa")
FIRST = bytes.fromhex("7c38e026f29e14aabd059a0f2db8b0cd783040609a8be684db12f82a27774ab0")
SECOND = bytes.fromhex("7a9155711ecfaf7f99f277bad0c6ae7e39d4eef676573336a5c51eb6f946b30d")
S = int.from_bytes(SECOND, "little")
MALLEABLE = {
    63: ("67654bce3832c2d76f8f6f5dafc08d9339d4eef676573336a5c51eb6f946b31d", S + L),
    64: ("5439412b5395d42f462c67008eba6ca839d4eef676573336a5c51eb6f946b32d", S + 2 * L),
    65: ("2ee12ce5875bf9dff26556464bae2ad239d4eef676573336a5c51eb6f946b34d", S + 4 * L),
    66: ("e2300459f1e742404cd934d2c595a6253ad4eef676573336a5c51eb6f946b38d", S + 8 * L),
    67: ("7a9155711ecfaf7f99f277bad0c6ae7e39d4eef676573336a5c51eb6f946b32d", S + 2**253),
    68: ("7a9155711ecfaf7f99f277bad0c6ae7e39d4eef676573336a5c51eb6f946b34d", S + 2**254),
    69: ("7a9155711ecfaf7f99f277bad0c6ae7e39d4eef676573336a5c51eb6f946b38d", S + 2**255),
    70: ("679155711ecfaf7f99f277bad0c6ae7e39d4eef676573336a5c51eb6f946b38d", S + P),
}
SPECIAL = list(product((0, 1, L, P), (0, 1, L - 1, L, P)))


def test_the_wycheproof_signature_is_accepted() -> None:
    assert accepts(KEY, b"Test", FIRST + SECOND)


@pytest.mark.parametrize("number", MALLEABLE)
def test_a_second_signature_made_out_of_the_first_is_refused(number: int) -> None:
    published, second = MALLEABLE[number]
    assert bytes.fromhex(published) == second.to_bytes(32, "little")
    signature = FIRST + bytes.fromhex(published)
    assert satisfies(KEY, b"Test", signature) is ((second - S) % L == 0)
    assert not accepts(KEY, b"Test", signature)


@pytest.mark.parametrize("multiple", range(1, 16))
def test_no_multiple_of_the_order_may_be_added(multiple: int) -> None:
    second = (S + multiple * L).to_bytes(32, "little")
    assert not accepts(KEY, b"Test", FIRST + second)


@pytest.mark.parametrize(("first", "second"), SPECIAL)
def test_special_values_of_both_halves_are_refused(first: int, second: int) -> None:
    """Given as tcId 10 to 29."""
    signature = first.to_bytes(32, "little") + second.to_bytes(32, "little")
    assert not accepts(KEY, b"?", signature)


@pytest.mark.parametrize(
    "signature",
    [
        b"",
        FIRST,
        FIRST + SECOND[:-2],
        FIRST + SECOND + b"  ",
        FIRST + SECOND + KEY,
        b"\x00" + FIRST + SECOND,
        FIRST + b"\x00" + SECOND,
        FIRST + SECOND + b"\x00",
    ],
)
def test_a_signature_of_another_length_is_refused(signature: bytes) -> None:
    """Given as tcId 30 to 37."""
    assert not accepts(KEY, b"Test", signature)
