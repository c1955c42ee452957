"""Signers that do what a key pair does not."""

from __future__ import annotations

import time

from attrs import frozen

from trading_sdk import Keypair


@frozen
class Impostor:
    """Signs with another key than the one that it names."""

    address: str

    def sign(self, message: bytes) -> bytes:
        return Keypair.generate().sign(message)


@frozen
class Sleeper:
    """Takes its time to sign."""

    key: Keypair

    @property
    def address(self) -> str:
        return self.key.address

    def sign(self, message: bytes) -> bytes:
        time.sleep(0.12)
        return self.key.sign(message)


@frozen
class Witness:
    """Remembers what it signed."""

    key: Keypair
    signed: list[str]

    @property
    def address(self) -> str:
        return self.key.address

    def sign(self, message: bytes) -> bytes:
        self.signed.append(message.decode())
        return self.key.sign(message)
