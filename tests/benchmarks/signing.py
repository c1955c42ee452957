"""Rows 1 and 8: from arguments to a finished body."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from nacl.signing import SigningKey

from tests.benchmarks.measure import Comparison, Row, Way, cpu
from tests.benchmarks.peers import UsualSigner
from tests.doubles.orders import resting
from trading_runtime.call.message import Call, batch_call, single_call
from trading_runtime.codec.answers import Reader, ResultReader
from trading_runtime.codec.requests import unstructure
from trading_runtime.signing.canonical import json_bytes
from trading_sdk import Client, CreateOrder, Keypair, OrderPlaced, SignedRequest
from trading_sdk.operations import ORDERS_BATCH, ORDERS_CREATE

SEED = bytes(range(32))
ARGUMENTS = resting(price="50000.5", amount="0.001")
"""Of an order, as sent; every way mints an id beside them."""
TIMES = 100
"""Bodies a round."""


def order() -> CreateOrder:
    """The order of ARGUMENTS, with a new id."""
    return CreateOrder(**ARGUMENTS)


class Ours:
    """A client that only signs, by the pieces that its calls use."""

    def __init__(self) -> None:
        """Sign with the key of SEED."""
        client = Client("http://127.0.0.1:1", signer=Keypair(SEED))
        self._caller = client._caller
        self._reader: Reader[OrderPlaced] = ResultReader(ORDERS_CREATE)

    def signed(self) -> SignedRequest:
        """A create-order."""
        return self._caller.sign(ORDERS_CREATE, order())

    def body(self) -> bytes:
        """The finished body of a create-order."""
        return json_bytes(self.signed().body)

    def one(self) -> bytes | None:
        """The finished body of a create-order, with what is written down of it before it is sent."""
        return self._prepared(single_call(ORDERS_CREATE, unstructure(order()), self._reader))

    def ten(self) -> bytes | None:
        """The same of a batch of ten."""
        return self._prepared(
            batch_call(ORDERS_BATCH, [order() for _ in range(10)], lambda _: None)
        )

    def _prepared(self, call: Call[Any]) -> bytes | None:
        self._caller._prepare(call)
        return None if call.request is None else call.request.body


ONE, NACL, USUAL = "one create-order", "PyNaCl", "the usual way"
TEN, READY = "a batch of 10, ready to send", "one create-order, ready to send"


@contextmanager
def one() -> Iterator[Sequence[Way]]:
    """A body of ours, the signature alone, and the usual way."""
    ours, usual, key = Ours(), UsualSigner(SEED), SigningKey(SEED)
    message = ours.signed().canonical.encode()
    yield (
        cpu(ONE, ours.body, TIMES),
        cpu(NACL, lambda: key.sign(message), TIMES),
        cpu(USUAL, lambda: usual.body("create_order", ARGUMENTS), TIMES),
    )


@contextmanager
def ten() -> Iterator[Sequence[Way]]:
    """A batch of ten, and one order."""
    ours = Ours()
    yield cpu(TEN, ours.ten, TIMES // 10), cpu(READY, ours.one, TIMES)


SHARES = (
    "Of a body PyNaCl takes 30 %, base58 25 %, the model with its new id 10 %, checking and sorting the "
    "fields 7 %, json.dumps of the message 4 % and of the body 5 %, taking the model apart 4 %, all else 15 %. "
    "PyNaCl and base58 alone are 1.7 x. It was 2.75 x while the text of the fields was written once and stood "
    "in both; now an object is signed and sent, and each of the two texts is written from it. msgspec writes "
    "a text in 0.3 us, where json.dumps takes 2.4, but floats and text beyond ASCII, which a body that is not "
    "signed may hold, in other bytes: there would be two writers. Base58 in code of our own (five digits a "
    "division) made a body 14 % faster; base58 is the library for it, and stays."
)

ROW_1 = Row(
    number=1,
    what="Sign one create-order, arguments to finished body",
    ways=one,
    rounds=51,
    note=(
        "PyNaCl signs the same bytes, which are there already. The usual way sorts the keys in "
        "Python, json.dumps, solders signs, base58, json.dumps. Every order gets a new id."
    ),
    comparisons=(
        Comparison(ours=ONE, reference=NACL, at_most=2.5, reached=3.2, why=SHARES),
        Comparison(
            ours=ONE,
            reference=USUAL,
            at_most=0.8,
            reached=0.98,
            why="The usual way writes one text, from the same object, with json.dumps.",
        ),
    ),
)
ROW_8 = Row(
    number=8,
    what="A batch of 10, arguments to finished body",
    ways=ten,
    rounds=51,
    note=(
        "Of both, with what a call does up to here: checked, signed, and what is to be sent written down "
        "for the case that its outcome is not known."
    ),
    comparisons=(Comparison(ours=TEN, reference=READY, at_most=10),),
)
