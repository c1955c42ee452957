"""How far a failed attempt came, by its failure and by its status."""

from __future__ import annotations

import pytest

from trading_runtime.http.fault import Fault, TransportError, fault_of, fault_of_status


@pytest.mark.parametrize("claimed", [Fault.RATE_LIMITED, Fault.DUPLICATE, Fault.REFUSED])
def test_a_refusal_without_its_answer_promises_nothing(claimed: Fault) -> None:
    assert fault_of(TransportError(claimed, "no")) is Fault.MAYBE_SENT


@pytest.mark.parametrize("status", [-1, 0, 100, 103, 199, 600, 999])
def test_a_status_that_http_does_not_know_promises_nothing(status: int) -> None:
    assert fault_of_status(status) is Fault.MAYBE_SENT
