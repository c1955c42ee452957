"""The curve of Ed25519 in plain integers (RFC 8032, section 5.1).

It decodes whatever a lenient verifier would, so that a test can show that a signature which the
sandbox refuses is one that such a verifier accepts, and not one with a typing error in it.
"""

from __future__ import annotations

from hashlib import sha512

import base58
from solders.pubkey import Pubkey
from solders.signature import Signature

from trading_runtime.signing.keys import verify

Point = tuple[int, int]
_Projective = tuple[int, int, int]

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
"""The order of the base point: what S must be less than."""

_D = -121665 * pow(121666, -1, P) % P
_ROOT = pow(2, (P - 1) // 4, P)
"""A square root of -1."""
NEUTRAL = (0, 1)


def add(one: Point, other: Point) -> Point:
    return _affine(_sum((*one, 1), (*other, 1)))


def times(factor: int, point: Point) -> Point:
    result, power = (*NEUTRAL, 1), (*point, 1)
    while factor:
        if factor % 2:
            result = _sum(result, power)
        power = _sum(power, power)
        factor //= 2
    return _affine(result)


def _sum(one: _Projective, other: _Projective) -> _Projective:
    """Add without a division, which would take most of the time (add-2007-bl)."""
    (x, y, z), (u, v, w) = one, other
    a, c, d = z * w % P, x * u % P, y * v % P
    e = _D * c * d % P
    f, g = a * a - e, a * a + e
    return a * f * ((x + y) * (u + v) - c - d) % P, a * g * (d + c) % P, f * g % P


def _affine(point: _Projective) -> Point:
    x, y, z = point
    inverse = pow(z, -1, P)
    return x * inverse % P, y * inverse % P


def decoded(encoding: bytes) -> Point:
    """The point of 32 bytes, even if y is p or more, or if x is "minus zero"."""
    sign, y = divmod(int.from_bytes(encoding, "little"), 2**255)
    square = (y * y - 1) * pow(_D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if x * x % P != square:
        x = x * _ROOT % P
    if x * x % P != square:
        raise ValueError(f"{encoding.hex()} is not a point of the curve")
    return (x if x % 2 == sign else -x % P), y % P


def encoded(point: Point) -> bytes:
    """The only encoding that RFC 8032 allows for this point."""
    x, y = point
    return (y + x % 2 * 2**255).to_bytes(32, "little")


BASE = decoded((4 * pow(5, -1, P) % P).to_bytes(32, "little"))


def challenge(first: bytes, key: bytes, message: bytes) -> int:
    """The number k of a signature that begins with `first`."""
    return int.from_bytes(sha512(first + key + message).digest(), "little") % L


def secret_scalar(seed: bytes) -> int:
    """The number by which the base point is multiplied to make the public key of a seed."""
    number = int.from_bytes(sha512(seed).digest()[:32], "little")
    return number % 2**254 // 8 * 8 + 2**254


def satisfies(
    key: bytes, message: bytes, signature: bytes, *, cofactor: int = 1, reencode: bool = False
) -> bool:
    """Whether S B = R + k A, which is all that a lenient verifier asks.

    Args:
        key: The encoding of A.
        message: What was signed.
        signature: The encodings of R and S.
        cofactor: 8 multiplies both sides by it, as RFC 8032 does.
        reencode: Hash the canonical encodings of R and A rather than the bytes that were sent.
    """
    first, second = signature[:32], int.from_bytes(signature[32:], "little")
    a, r = decoded(key), decoded(first)
    k = challenge(encoded(r), encoded(a), message) if reencode else challenge(first, key, message)
    right = add(r, times(k, a))
    return times(cofactor, times(second, BASE)) == times(cofactor, right)


def accepts(key: bytes, message: bytes, signature: bytes) -> bool:
    """Whether the sandbox, which verifies by this function, accepts; solders has to agree."""
    accepted = verify(base58.b58encode(key).decode(), message, signature)
    if len(signature) == 64:
        assert Signature(signature).verify(Pubkey(key), message) is accepted
    return accepted
