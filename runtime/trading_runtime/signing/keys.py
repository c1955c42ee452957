"""Keys: what signs, and the local key pair (Ed25519, Base58; field notes 1 and 2).

A secret leaves a Keypair through export_base58() and write_file() alone. No error of this module
holds a part of a secret, nor does any exception in its chain: errors are raised outside of the
except blocks, because the exceptions of parsers carry the text that they could not read.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import stat
from typing import Any, Literal, NoReturn, Protocol, SupportsIndex

import base58
from nacl.exceptions import BadSignatureError
from nacl.signing import SigningKey, VerifyKey

from trading_runtime.checks import without_keys
from trading_runtime.errors import RequestError, SigningError

_BASE58 = re.compile(r"[1-9A-HJ-NP-Za-km-z]*")
_SEED = 32
_FULL = 64
_FILE_LIMIT = 4096
_POSIX = os.name == "posix"
# NONBLOCK: opening a named pipe must not hang before it is refused.
_READ = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
_CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0)


class Signer(Protocol):
    """Whatever can sign: a Keypair, or an object that asks a remote or hardware signer."""

    @property
    def address(self) -> str:
        """Base58 of the 32-byte public key."""
        ...

    def sign(self, message: bytes) -> bytes:
        """Return the 64-byte Ed25519 signature of a message."""
        ...


class Keypair:
    """A private key in this process; it shows its address only and cannot be copied or pickled."""

    __slots__ = ("_address", "_key")

    def __init__(self, seed: bytes) -> None:
        """Take the 32-byte seed. `from_seed` does the same, and says so where it is called."""
        if not isinstance(seed, bytes) or len(seed) != _SEED:
            raise SigningError(
                f"a key pair is made of a seed of {_SEED} bytes; for text use from_base58"
            )
        self._key = SigningKey(seed)
        self._address = base58.b58encode(self._key.verify_key.encode()).decode("ascii")

    @classmethod
    def generate(cls) -> Keypair:
        """Make a new random key pair."""
        return cls(SigningKey.generate().encode())

    @classmethod
    def from_seed(cls, seed: bytes) -> Keypair:
        """Make the key pair of a seed, 32 secret bytes."""
        return cls(seed)

    @classmethod
    def from_base58(cls, text: str) -> Keypair:
        """Read a private key: Base58 of the 64 bytes seed and public key.

        Refuses 32 bytes: they may be an address, which is public and would make a key of anyone's.
        """
        made = cls._or_problem(text)
        del text
        return _or_raise(made)

    @classmethod
    def from_file(cls, path: str | os.PathLike[str]) -> Keypair:
        """Read a wallet file: a JSON array of 64 integers, or the Base58 text of as many bytes.

        Refuses a file that is not regular, a symbolic link, another user's, or open to others.
        """
        return _or_raise(cls._or_problem(_read_private(path), path))

    @classmethod
    def _or_problem(cls, content: Any, file: str | os.PathLike[str] | None = None) -> Keypair | str:
        """The key, or what is wrong: no frame that holds a secret is left when the error is raised."""
        try:
            if file is None:
                return cls._from_secret(_decode_key(content))
            if content.startswith(b"["):
                return cls._from_secret(_wallet_bytes(content, file))
            # What is not ASCII becomes a character that Base58 refuses.
            return cls._or_problem(content.decode("ascii", "replace"))
        except SigningError as error:
            return str(error)

    @classmethod
    def _from_secret(cls, secret: bytes) -> Keypair:
        keypair = cls(secret[:_SEED])
        if secret[_SEED:] != keypair._key.verify_key.encode():
            raise SigningError("the private key's two halves do not belong together")
        return keypair

    @property
    def address(self) -> str:
        """Base58 of the 32-byte public key."""
        return self._address

    def sign(self, message: bytes) -> bytes:
        """Return the 64-byte Ed25519 signature of a message."""
        if not isinstance(message, bytes):
            # Checked here, because the frames of PyNaCl hold the secret when it raises.
            raise TypeError(f"a message to sign must be bytes, not a {type(message).__name__}")
        return self._key.sign(message).signature

    def export_base58(self) -> str:
        """Return the secret: Base58 of the 64 bytes seed and public key."""
        return base58.b58encode(self._secret()).decode("ascii")

    def write_file(
        self, path: str | os.PathLike[str], *, form: Literal["json", "base58"] = "json"
    ) -> None:
        """Write the secret to a new wallet file that only its owner can read (mode 0600).

        `json` is an array of 64 integers, `base58` the text of as many bytes; `from_file` reads both.
        Refuses to overwrite: a SigningError if anything of that name exists. So is a path that holds the key.
        """
        if form not in ("json", "base58"):
            raise SigningError(f"a wallet file is json or base58, not {form!r}")
        if self.export_base58() in str(path):
            raise SigningError("the path of a wallet file holds the private key; give another path")
        # No frame that holds the secret is left when the error is raised.
        if problem := _write_private(path, self._text(form)):
            raise SigningError(problem)

    def _text(self, form: Literal["json", "base58"]) -> bytes:
        text = self.export_base58() if form == "base58" else json.dumps(list(self._secret()))
        return text.encode("ascii")

    def _secret(self) -> bytes:
        return self._key.encode() + self._key.verify_key.encode()

    def __repr__(self) -> str:
        return f"Keypair(address={self._address!r})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Keypair):
            return NotImplemented
        return self._address == other._address

    def __hash__(self) -> int:
        return hash(self._address)

    def __reduce_ex__(self, protocol: SupportsIndex) -> NoReturn:
        raise TypeError(
            "a Keypair cannot be pickled or copied, so that its secret stays where it is; "
            "use export_base58() or write_file() if you mean to"
        )

    def __getstate__(self) -> NoReturn:
        self.__reduce_ex__(0)


def _or_raise(made: Keypair | str) -> Keypair:
    if isinstance(made, str):
        raise SigningError(made)
    return made


def verify(address: str, message: bytes, signature: bytes) -> bool:
    """Whether the signature of the message was made by the key of this address."""
    try:
        VerifyKey(decode_base58(address, _SEED, "the address")).verify(message, signature)
    except (SigningError, BadSignatureError, ValueError):
        return False
    return True


def checked_signer(name: str, given: Signer) -> Signer:
    """An object with an address and a method `sign`."""
    if isinstance(getattr(given, "address", None), str) and callable(getattr(given, "sign", None)):
        return given
    hint = "; write Keypair.from_base58(text)" if isinstance(given, str) else ""
    raise TypeError(
        f"{name} must have an address and a sign(message), not a {type(given).__name__}{hint}"
    )


def checked_address(name: str, text: str) -> str:
    """An address, the Base58 text of 32 bytes. The error does not repeat it: it may be a private key.

    Raises:
        TypeError: it is no string.
        RequestError: it is no address; `name` says whose.
    """
    if not isinstance(text, str):
        raise TypeError(f"{name} must be a string, not a {type(text).__name__}")
    try:
        decode_base58(text, _SEED, name)
    except SigningError as error:
        reason = str(error)
    else:
        return text
    raise RequestError(f"{reason}; an address is the Base58 text of 32 bytes")


def decode_base58(text: str, length: int, what: str) -> bytes:
    """Decode Base58 that must hold exactly `length` bytes; `what` names it in the SigningError."""
    decoded = _decode(text, length, what)
    if len(decoded) != length:
        raise SigningError(f"{what} has {len(decoded)} bytes, it must have {length}")
    return decoded


def _decode_key(text: object) -> bytes:
    """The 64 bytes of a private key."""
    decoded = _decode(text, _FULL, "the private key")
    if len(decoded) == _SEED:
        raise SigningError(
            f"the private key has {_SEED} bytes, as an address has, or a seed without its public "
            f"key; give Base58 of {_FULL} bytes, or the seed as bytes to Keypair.from_seed"
        )
    if len(decoded) != _FULL:
        raise SigningError(f"the private key has {len(decoded)} bytes, it must have {_FULL}")
    return decoded


def _decode(text: object, length: int, what: str) -> bytes:
    """Decode Base58 that should hold `length` bytes, and cannot hold many more."""
    if not isinstance(text, str):
        raise SigningError(f"{what} must be text: Base58 of {length} bytes")
    # Decoding takes time that grows with the square of the length; a byte is 1.37 characters.
    if len(text) > length * 7 // 5:
        raise SigningError(f"{what} is too long for Base58 of {length} bytes")
    if not _BASE58.fullmatch(text):
        raise SigningError(f"{what} is not Base58 (no 0, O, I, l, no white space)")
    return base58.b58decode(text)


def _wallet_bytes(content: bytes, path: str | os.PathLike[str]) -> bytes:
    """The 64 bytes of a JSON array of 64 integers."""
    numbers: Any = None
    with contextlib.suppress(ValueError, RecursionError):
        numbers = json.loads(content)
    if not isinstance(numbers, list) or [type(number) for number in numbers] != [int] * _FULL:
        raise SigningError(f"{_named(path)} is not a JSON array of {_FULL} integers")
    if not all(0 <= number <= 255 for number in numbers):
        raise SigningError(f"{_named(path)} has a number that is not a byte")
    return bytes(numbers)


def _named(path: str | os.PathLike[str]) -> str:
    """Name a key file, unless somebody gave the key itself where its path belongs."""
    return f"key file {without_keys(repr(os.fspath(path)))}"


def _read_private(path: str | os.PathLike[str]) -> bytes:
    """Read a small file that belongs to this user alone."""
    problem: str | None = None
    content = b""
    try:
        descriptor = os.open(path, _READ)
        try:
            problem = _exposure(os.fstat(descriptor))
            if problem is None:
                content = os.read(descriptor, _FILE_LIMIT + 1)
        finally:
            os.close(descriptor)
    except OSError as error:
        link = _POSIX and os.path.islink(path)
        problem = "is a symbolic link" if link else f"cannot be read: {error.strerror}"
    except ValueError:
        problem = "has a name that no file can have"
    if len(content) > _FILE_LIMIT:
        problem = f"is longer than {_FILE_LIMIT} bytes"
    if problem is not None:
        raise SigningError(f"{_named(path)} {problem}")
    return content.strip()


def _exposure(info: os.stat_result) -> str | None:
    """What is wrong with a key file, or None."""
    if not stat.S_ISREG(info.st_mode):
        return "is not a regular file"
    if _POSIX and info.st_uid != os.geteuid():
        return "belongs to another user"
    if _POSIX and info.st_mode & (stat.S_IRWXG | stat.S_IRWXO):
        return "is open to other users: chmod 600 it"
    return None


def _write_private(path: str | os.PathLike[str], content: bytes) -> str | None:
    """Write a new file that belongs to this user alone, whole or not at all; or say what is wrong."""
    try:
        descriptor = os.open(path, _CREATE, 0o600)
        try:
            with open(descriptor, "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(descriptor)
        except BaseException:  # Ctrl-C, too, must leave no part of a key
            os.unlink(path)
            raise
    except FileExistsError:
        return f"{_named(path)} exists already and is not overwritten"
    except OSError as error:
        return f"{_named(path)} cannot be written: {error.strerror}"
    except ValueError:
        return f"{_named(path)} has a name that no file can have"
    return None
