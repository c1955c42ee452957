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
from trading_runtime.codec.answers import ResultReader
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


def unsent() -> Client:
    """A client that only signs."""
    return Client("http://127.0.0.1:1", signer=Keypair(SEED))


def signed(client: Client) -> SignedRequest:
    """A create-order."""
    return client._caller.sign(ORDERS_CREATE, order())


def body(client: Client) -> bytes:
    """The finished body of a create-order, by the pieces that a call uses."""
    return json_bytes(signed(client).body)


def ready(client: Client, call: Call[Any]) -> bytes | None:
    """The finished body of a call, with what is written down of it before it is sent."""
    client._caller._prepare(call)
    return None if call.request is None else call.request.body


ONE, NACL, USUAL = "one create-order", "PyNaCl", "the usual way"
TEN, READY = "a batch of 10, ready to send", "one create-order, ready to send"


@contextmanager
def one() -> Iterator[Sequence[Way]]:
    """A body of ours, the signature alone, and the usual way."""
    client, usual, key = unsent(), UsualSigner(SEED), SigningKey(SEED)
    message = signed(client).canonical.encode()
    yield (
        cpu(ONE, lambda: body(client), TIMES),
        cpu(NACL, lambda: key.sign(message), TIMES),
        cpu(USUAL, lambda: usual.body("create_order", ARGUMENTS), TIMES),
    )


@contextmanager
def ten() -> Iterator[Sequence[Way]]:
    """A batch of ten, and one order."""
    client, reader = unsent(), ResultReader[OrderPlaced](ORDERS_CREATE)

    def single() -> Call[Any]:
        return single_call(ORDERS_CREATE, unstructure(order()), reader)

    def batch() -> Call[Any]:
        return batch_call(ORDERS_BATCH, [order() for _ in range(10)], lambda _: None)

    yield (
        cpu(TEN, lambda: ready(client, batch()), TIMES // 10),
        cpu(READY, lambda: ready(client, single()), TIMES),
    )


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
