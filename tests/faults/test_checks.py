"""The checks of the matrix notice what they are there to notice."""

from __future__ import annotations

import logging
import socket

import pytest

from tests.faults import checks
from tests.faults.cell import Bench
from tests.faults.checks import Ended, Secrets
from tests.faults.rows import SUCCESS, Expected
from tests.faults.subjects import SUBJECTS
from trading_sdk import Client, NotSentError, OutcomeUnknownError

CREATE = SUBJECTS["orders.create"]


def test_an_error_of_another_type_is_noticed_and_so_is_a_success() -> None:
    refused = NotSentError("orders.create", "no connection")
    checks.check_outcome(CREATE, Expected(NotSentError), Ended(0, error=refused))

    for expected, end in (
        (SUCCESS, Ended(0, error=refused)),
        (Expected(OutcomeUnknownError), Ended(0, error=refused)),
        (SUCCESS, Ended(0, "no order")),
        (Expected(NotSentError), Ended(0, "no order")),
    ):
        with pytest.raises(AssertionError):
            checks.check_outcome(CREATE, expected, end)


def test_an_order_that_was_executed_twice_is_noticed(bench: Bench) -> None:
    with bench.scene() as scene:
        call = CREATE.prepare(scene)
        call(scene.hand)
        checks.check_executed(scene, CREATE, 0, 1)
        call(scene.hand)

        with pytest.raises(AssertionError, match="2 times instead of 1"):
            checks.check_executed(scene, CREATE, 0, 1)


def test_a_fault_that_nobody_met_is_noticed(bench: Bench) -> None:
    bench.sandbox.faults.inject("orders.create", "reset")

    with pytest.raises(AssertionError, match="reset"):
        checks.check_used_up(bench.sandbox, within=0)

    bench.sandbox.faults.clear()
    with pytest.raises(AssertionError, match="met 1 times instead of 3"):
        checks.check_met(lambda: 1, Expected(NotSentError, 3))


def test_a_secret_is_noticed_wherever_it_stands(bench: Bench) -> None:
    secrets, others = Secrets(), Secrets()
    with bench.scene() as scene:
        with bench.client(secrets.signing(scene.trader)) as client:
            CREATE.prepare(scene)(client)
        signature = scene.sandbox.requests[-1].body["signature"]
        with pytest.raises(AssertionError, match="a secret"):
            secrets.check([f"signed {signature}"])
        others.note(scene.sandbox.requests)
        with pytest.raises(AssertionError, match="a secret"):
            others.check([f"signed {signature}"])
        secrets.note(scene.sandbox.requests)
    assert secrets.texts == {scene.trader.export_base58(), signature}

    logging.getLogger("urllib3").debug("sent %s", signature)
    hidden = NotSentError("orders.create", "no connection")
    hidden.__context__, hidden.__suppress_context__ = ValueError(f"cannot send {signature}"), True
    kept = NotSentError("orders.create", "no connection")
    vars(kept)["request"] = signature
    for outputs in ([bench.printed()], checks.outputs_of(hidden), checks.outputs_of(kept)):
        with pytest.raises(AssertionError, match="a secret"):
            secrets.check(outputs)


def test_a_socket_that_is_left_open_is_noticed(bench: Bench) -> None:
    before = checks.sockets()
    client = Client(bench.sandbox.url)
    next(client.funding.history(symbol="BTC", limit=1).pages())

    with pytest.raises(AssertionError, match="1 sockets are left open"):
        checks.check_sockets(before, (bench.port,))

    client.close()
    checks.check_sockets(before, (bench.port,))
    with socket.socket(), pytest.raises(AssertionError):
        checks.check_sockets(before, (bench.port,))
