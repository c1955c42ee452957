"""The doubles do what their docstrings say: a stand-in that says too little makes every test weak."""

from __future__ import annotations

import pytest
import requests

from tests.doubles.calls import SETTINGS, create, history, settings
from tests.doubles.clock import NOW, EndlessError, VirtualTime
from tests.doubles.orders import HERE, order_record
from tests.doubles.server import Server
from tests.doubles.signer import KEY, OTHER_KEY, ScriptedSigner
from tests.doubles.transport import LOST, ListsTransport, ScriptedTransport, no, ok, refusal
from tests.interface import page
from trading_sdk import BadRequestError, Client, NotSentError, OutcomeUnknownError, Retry


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


def test_lists_show_their_pages_and_fail_where_they_are_told_to() -> None:
    lists = ListsTransport(ok({"order_id": 1}))
    with Client(HERE, signer=KEY, transport=lists, retry=Retry(max_attempts=1)) as client:
        assert history(client) == []
        lists.show("orders.history", page(order_record(1)), page())
        lists.failing = [no(503), None]
        lists.changing = [{}, {"Date": None}]
        with pytest.raises(Exception, match="503"):
            history(client)
        assert [record.order_id for record in client.orders.history()] == [1]
        assert history(client) == []
        create(client)
        with pytest.raises(OutcomeUnknownError):
            create(client)
    assert (len(lists.read), len(lists.posts)) == (4, 2)
    dated = [lists.send(each, timeout=1).headers for each in lists.read[:1]]
    assert "Date" not in dated[0]


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


def test_a_signer_signs_with_its_key_or_as_it_is_told() -> None:
    signer = ScriptedSigner(address=OTHER_KEY.address)
    assert signer.sign(b"a") == KEY.sign(b"a")
    signer.signs = b"short"
    assert signer.sign(b"b") == b"short"
    signer.signs = OTHER_KEY.sign
    assert signer.sign(b"c") == OTHER_KEY.sign(b"c")
    signer.signs = ValueError("locked")
    with pytest.raises(ValueError, match="locked"):
        signer.sign(b"d")
    assert (signer.messages, len(signer.texts)) == ([b"a", b"b", b"c", b"d"], 3)
    assert signer.address == OTHER_KEY.address


def test_a_server_keeps_requests_and_answers_as_it_is_told() -> None:
    with Server() as server:
        assert requests.get(f"{server.url}/a?b=c", timeout=5).json() == {}
        server.will_answer(b"no", 400, Content_Type="text/html")
        answered = requests.post(f"{server.url}/d", json={"e": 1}, timeout=5)
    first, second = server.taken()
    assert (first.method, first.path, first.query, first.body) == ("GET", "/a", "b=c", b"")
    assert (second.method, second.json) == ("POST", {"e": 1})
    assert (answered.status_code, answered.text) == (400, "no")
    assert answered.headers["Content-Type"] == "text/html"
    assert server.taken() == []


def test_a_script_may_look_at_the_request() -> None:
    transport = ScriptedTransport(lambda request: ValueError(request.url))
    with (
        Client(HERE, signer=KEY, transport=transport) as client,
        pytest.raises(ValueError, match=r"/settings\?account="),
    ):
        settings(client)
