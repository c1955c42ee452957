"""How far a failed attempt came, by its failure and by its status."""

from __future__ import annotations

import pytest

from tests.doubles.orders import api_error
from trading_runtime.errors import DecodeError
from trading_runtime.http.fault import Fault, TransportError, fault_of, fault_of_status
from trading_runtime.statuses import FAULTS


def test_the_fault_of_a_failure_is_its_own_or_that_of_its_status() -> None:
    assert fault_of(TransportError(Fault.NOT_TRUSTED, "cannot connect")) is Fault.NOT_TRUSTED
    assert fault_of(DecodeError("things.get", "wrong shape", b"[]", 200)) is Fault.UNUSABLE
    cut = DecodeError("things.get", "not JSON", b"[", 200, is_json=False)
    assert fault_of(cut) is Fault.UNREADABLE
    assert fault_of(api_error("things.get", 409, None, "used", b"")) is Fault.DUPLICATE
    # success: false under a 200
    assert fault_of(api_error("things.get", 200, None, "no", b"")) is Fault.REFUSED
    for code in (499, 504, "504", "E504"):
        assert fault_of(api_error("things.get", 200, code, "no", b"")) is Fault.MAYBE_SENT
    for word in (400, 501, "501"):
        assert fault_of(api_error("things.get", 200, word, "no", b"")) is Fault.REFUSED


@pytest.mark.parametrize("claimed", [Fault.RATE_LIMITED, Fault.DUPLICATE, Fault.REFUSED])
def test_a_refusal_without_its_answer_promises_nothing(claimed: Fault) -> None:
    assert fault_of(TransportError(claimed, "no")) is Fault.MAYBE_SENT


def test_the_fault_of_a_status_is_its_own_or_that_of_its_hundred() -> None:
    for status in range(200, 600):
        own, hundred = FAULTS.get(str(status)), FAULTS.get(f"{status // 100}XX", "maybe_sent")
        assert fault_of_status(status) == (Fault(own or hundred) if status >= 300 else None)


@pytest.mark.parametrize("status", [-1, 0, 100, 103, 199, 600, 999])
def test_a_status_that_http_does_not_know_promises_nothing(status: int) -> None:
    assert fault_of_status(status) is Fault.MAYBE_SENT
