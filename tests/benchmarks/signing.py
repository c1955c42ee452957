"""Rows 1 and 8: from arguments to a finished body."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from nacl.signing import SigningKey

from tests.benchmarks.measure import Comparison, Row, Way, cpu
from tests.benchmarks.peers import UsualSigner
from trading_runtime.batch import batch_body, checked_actions
from trading_sdk import Client, CreateOrder, Keypair, SignedRequest
from trading_sdk.operations import ORDERS_BATCH, ORDERS_CREATE

SEED = bytes(range(32))
ARGUMENTS = {
    "symbol": "BTC",
    "price": "50000.5",
    "amount": "0.001",
    "side": "bid",
    "tif": "ALO",
    "reduce_only": False,
}
"""Of an order, as sent; every way mints an id beside them."""
TIMES = 100
"""Bodies a round."""


def order() -> CreateOrder:
    """The order of ARGUMENTS, with a new id."""
    return CreateOrder(
        symbol="BTC", price="50000.5", amount="0.001", side="bid", tif="ALO", reduce_only=False
    )


class Ours:
    """A client that only signs, by the pieces that its calls use."""

    def __init__(self) -> None:
        """Sign with the key of SEED."""
        client = Client("http://127.0.0.1:1", signer=Keypair(SEED))
        self._caller = client._caller

    def signed(self) -> SignedRequest:
        """A create-order."""
        return self._caller.sign(ORDERS_CREATE, order())

    def body(self) -> bytes:
        """The finished body of a create-order."""
        return self.signed().content.encode()

    def batch(self) -> bytes:
        """The finished body of a batch of ten."""
        pairs = checked_actions(ORDERS_BATCH.name, ORDERS_BATCH.batch, [order() for _ in range(10)])
        signed = [(action, self._caller.sign(action, model).content) for action, model in pairs]
        return batch_body(ORDERS_BATCH.batch, signed).encode()


ONE, TEN, NACL, USUAL = "one create-order", "a batch of 10", "PyNaCl", "the usual way"


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
    yield cpu(TEN, ours.batch, TIMES // 10), cpu(ONE, ours.body, TIMES)


SHARES = (
    "Of a body PyNaCl takes 39 %, base58 28 %, the model with its new id 13 %, the canonical text 7 %, "
    "taking the model apart 5 %. PyNaCl and base58 alone are 1.7 x. With an encoder of our own, which "
    "writes two digits at a time in a third of the time of base58, it was 2.5 x and 0.75 x: base58 was "
    "chosen, and that would save 3 % of a call. The rest would have to be compiled."
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
        Comparison(ours=ONE, reference=NACL, at_most=2.2, reached=2.8, why=SHARES),
        Comparison(ours=ONE, reference=USUAL, at_most=0.8, reached=0.84, why="As above."),
    ),
)
ROW_8 = Row(
    number=8,
    what="A batch of 10, arguments to finished body",
    ways=ten,
    rounds=51,
    comparisons=(Comparison(ours=TEN, reference=ONE, at_most=10),),
)
