"""The doubles do what their docstrings say: a stand-in that says too little makes every test weak."""

from __future__ import annotations

import pytest

from tests.doubles.calls import SETTINGS, create, settings
from tests.doubles.clock import NOW, EndlessError, VirtualTime
from tests.doubles.orders import HERE
from tests.doubles.signer import KEY, ScriptedSigner
from tests.doubles.transport import LOST, ListsTransport, ScriptedTransport, ok, refusal
from trading_sdk import BadRequestError, Client, NotSentError, OutcomeUnknownError


def test_a_transport_answers_step_by_step_and_then_as_another_one() -> None:
    second = ScriptedTransport(ok(SETTINGS))
    first = ScriptedTransport(refusal(400, "off"), lambda _: LOST, then=second)
    with Client(HERE, signer=KEY, transport=first) as client:
        with pytest.raises(BadRequestError, match="off"):
            create(client)
        with pytest.raises(OutcomeUnknownError):
            create(client)
        settings(client)
        with pytest.raises(AssertionError, match=r"no answer is scripted for GET http.*/settings"):
            settings(client)
    assert [each.method for each in first.sent] == ["POST", "POST", "GET", "GET"]
    assert [each.method for each in first.posts] == ["POST", "POST"]
    assert first.bodies[0]["symbol"] == "BTC"
    assert (len(second.sent), first.closed, second.closed) == (2, 1, 1)


def test_virtual_time_passes_in_sleeps_alone() -> None:
    time, seen = VirtualTime(local=500, service=-2_000, most_slept=60), list[int]()
    slow = ScriptedSigner(before=lambda: time.advance(11_000))
    lists = ListsTransport()
    with time.ruling(), time.hold(Client(HERE, signer=slow, transport=lists)) as client:
        time.at(NOW + 1_000, lambda: seen.append(time.now))
        with pytest.raises(NotSentError, match="the deadline passed before it was sent"):
            create(client)
        client._caller.clock.sleep(0.0001)
    assert (seen, time.now, time.naps) == ([NOW + 1_000], NOW + 11_001, [0.0001])
    assert (time.local_ms(), time.service_ms()) == (NOW + 11_501, NOW + 9_001)
    assert time.date() == "Fri, 15 Jan 2027 08:00:09 GMT"
    time.at(NOW + 50_000, lambda: seen.append(time.now))
    time.run_out()
    assert seen[1:] == [time.now] == [NOW + 50_000]
    with pytest.raises(EndlessError, match="61 s"):
        time.sleep(61)
