"""A signer that signs with a key unless a test says otherwise, and keeps what it signed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import base58

from trading_runtime.signing.keys import Keypair

KEY = Keypair(b"\x01" * 32)
OTHER_KEY = Keypair(b"\x08" * 32)


class ScriptedSigner:
    """Signs with a key, with another one, late, wrongly or not at all.

    `signs` is what a signature is instead of that of the key: bytes or anything else that is returned, an
    exception that is raised, or a function of the message. `before` is called before each signature, for example
    to let virtual time pass.
    """

    def __init__(
        self,
        key: Keypair = KEY,
        *,
        address: Any = None,
        signs: Any = None,
        before: Callable[[], object] = lambda: None,
    ) -> None:
        self._key = key
        self.address: Any = key.address if address is None else address
        self.signs = signs
        self.before = before
        self.messages: list[bytes] = []
        """What was to be signed, oldest first."""
        self.signatures: list[bytes] = []
        """What was returned, oldest first."""

    @property
    def texts(self) -> list[str]:
        """The signatures as they stand in a body."""
        return [base58.b58encode(each).decode() for each in self.signatures]

    def sign(self, message: bytes) -> bytes:
        """Sign as the script says: see `Signer`."""
        self.messages.append(message)
        self.before()
        signature: Any = self.signs
        if signature is None:
            signature = self._key.sign(message)
        elif isinstance(signature, BaseException):
            raise signature
        elif callable(signature):
            signature = signature(message)
        self.signatures.append(signature)
        made: bytes = signature
        return made
