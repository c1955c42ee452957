"""Answers in: envelopes, pages, batches, refusals, and what contradicts itself."""

from __future__ import annotations

import copy
import json
import pickle
import pprint
from collections.abc import Mapping
from typing import Any

import attrs
import pytest
from attrs import frozen

from tests.runtime.codec.things import (
    ANY,
    BATCH,
    DEEP,
    DONE,
    GET,
    HIDDEN,
    KEYED,
    LIST,
    REVOKED,
    THING,
    Thing,
    refusal,
    response,
    thing,
    unusable,
)
from tests.runtime.reading import decode
from trading_runtime.codec.envelopes import not_json
from trading_runtime.codec.refusals import doubt
from trading_runtime.errors import BadRequestError, BatchError, DecodeError
from trading_runtime.http.transport import Response
from trading_runtime.operation import Operation, Pagination


@frozen
class Options:
    """Like settings of which each has a default."""

    shown: bool | None = None


@frozen
class Job:
    """A result with an error of its own."""

    id: int
    error: str | None = None


@frozen
class Run(Job):
    """One with a success of its own, too."""

    success: bool | None = None


@frozen
class Transferred:
    """A result that says success itself."""

    success: bool
    error: str | None = None
    transfer_id: str | None = None


def post(name: str, result: Any) -> Operation[Any]:
    return Operation(name=name, method="POST", path="/p", result=result)


PLACE = post("things.place", Thing)
TRANSFER = post("t", Transferred)
JOB, PERHAPS_JOB, TEXTS = post("j", Job), post("j", Job | None), post("j", Mapping[str, str])
RUN: Operation[Any] = Operation(name="j", method="GET", path="/j", result=Run)
OPTIONS: Operation[Any] = Operation(name="o.get", method="GET", path="/o", result=Options)
CHANGED = post("o.put", Options | None)
ANY_POST = attrs.evolve(ANY, method="POST")
AS_DATA = attrs.evolve(LIST, pagination=attrs.evolve(LIST.pagination, items="data"))
COUNTED = attrs.evolve(LIST, pagination=Pagination(items="rows", cursor="skip"))
JOBS = attrs.evolve(LIST, result=Job)
POSTS = [DONE, PLACE, BATCH, REVOKED, ANY_POST]

SUCCESS = {"success": True}
REFUSED = {"success": False, "error": "no"}
FAILED = {"id": 1, "error": "no gas"}
LEG = {"size": "1"}
FAILED_LEG = {"size": "1", "success": False, "error": "no"}

# What an answer means


OF_DEFAULTS: list[Any] = [{"shown": None}, {"data": {}}, SUCCESS, {**SUCCESS, "data": {}}]
MEANT: list[tuple[Operation[Any], Any, Any]] = [
    # An envelope is taken off wherever one appears.
    (GET, THING, thing()),
    (GET, {"data": THING}, thing()),
    (GET, {**SUCCESS, "data": THING, "error": None, "code": None, "trace": "new"}, thing()),
    (GET, {**THING, "data": {"unknown": 1}}, thing()),
    (KEYED, {"things": [THING]}, (thing(),)),
    (KEYED, {**SUCCESS, "data": {"things": [THING]}}, (thing(),)),
    (ANY, {"data": [1, 2.5, {"x": None}]}, [1, 2.5, {"x": None}]),
    (ANY, {"keys": []}, {"keys": []}),
    # A field that stands twice counts if its values are the same, or it is none of the result.
    (GET, {"trace": 1, **THING, "data": {"trace": 2}}, thing()),
    (GET, {**SUCCESS, **THING, "mood": "x", "data": THING}, thing()),
    (GET, {**SUCCESS, "count": None, "data": THING}, thing()),
    # Where data is ignored, it may be anything beside a word of success, or instead of one.
    (REVOKED, {"data": {"name": "a"}}, None),
    (REVOKED, SUCCESS, None),
    *((REVOKED, {**SUCCESS, "data": data}, None) for data in ({}, None, [1], SUCCESS)),
    # An envelope or a field makes an answer of defaults; null in an envelope may be a result.
    *((OPTIONS, answer, Options()) for answer in OF_DEFAULTS),
    *((CHANGED, answer, None) for answer in ({"data": None}, {**SUCCESS, "data": None})),
    # A field of the result is no word of an envelope.
    *((each, {**SUCCESS, "data": FAILED}, Job(1, "no gas")) for each in (JOB, PERHAPS_JOB)),
    *(
        (RUN, {**SUCCESS, "data": {**FAILED, "success": said}}, Run(1, "no gas", said))
        for said in (False, True, None)
    ),
    (
        TEXTS,
        {**SUCCESS, "data": {"success": "yes", "error": "no"}},
        {"success": "yes", "error": "no"},
    ),
]


@pytest.mark.parametrize(("operation", "payload", "result"), MEANT)
def test_an_answer_means_its_result(operation: Operation[Any], payload: Any, result: Any) -> None:
    assert decode(operation, response(payload)) == result


def test_a_result_that_may_hold_secrets_is_used_like_parsed_json_and_shows_nothing() -> None:
    keys = {"keys": ["canary", {"canary": 5}], "most": 5}
    found = decode(HIDDEN, response({"success": True, "data": keys}))

    assert found == keys
    assert json.loads(json.dumps(found)) == keys
    assert copy.deepcopy(found) == pickle.loads(pickle.dumps(found)) == keys
    assert found["keys"][0] + "!" == "canary!"
    assert found["most"] + 1 == 6
    shown = (found, found["keys"], found["keys"][0], [*found["keys"]], {**found}, [found])
    for each in shown:
        assert "canary" not in f"{each!r} {pprint.pformat(each)}"
    assert f"{found} {found['keys']}" == " ".join(["<hidden, it may hold secrets>"] * 2)


def test_a_page_is_read_by_the_names_of_its_operation() -> None:
    page = decode(LIST, response({"success": True, "rows": [THING, THING], "more": False}))
    assert (list(page), page.next_cursor, page.has_more) == ([thing(), thing()], None, False)
    page = decode(LIST, response({"rows": [], "more": True, "then": " a/+=\n"}))
    assert (list(page), page.next_cursor, page.has_more) == ([], " a/+=\n", True)
    assert list(decode(COUNTED, response({"rows": [THING]}))) == [thing()]
    # Under the name of an envelope it needs no word of success.
    for said in ({}, SUCCESS):
        page = decode(AS_DATA, response({**said, "data": [THING], "more": False}))
        assert list(page) == [thing()]


def test_the_results_of_a_batch_come_in_their_order_whatever_the_whole_is_called() -> None:
    results = {"results": [{"size": "2"}, FAILED_LEG]}
    failed = {"success": False, "error": "1 of 2 failed"}
    for payload in (
        results,
        {**SUCCESS, "data": results},
        {**failed, "data": results},
        {**failed, **results},
    ):
        found = decode(BATCH, response(payload))
        assert [(leg.size, leg.success) for leg in found] == [(2, True), (1, False)]
    with pytest.raises(BatchError, match=r"^things\.batch: 1 of 2 actions failed"):
        found.raise_on_failure()


# What cannot be used


NO_WORD = "expected an object with success: true"
NO_BOOLEAN = "success is neither true nor false"
BESIDE = "there is an error beside a success"
CONTRADICTION = "it reports a failure, but also success, a result or a state"
NOTHING_SAID = "it has neither an envelope nor a field of the result"
NOT_OF_A_LEG = "it reports a failure, but every result says success"
OTHER_THING, OTHER_LEG = {**THING, "count": 2}, {"size": "2"}
SILENT: list[Any] = [[], None, "gone", {"ok": True}]
NO_DATA: list[Any] = [[], 0, {"status": "x"}]
UNUSABLE: list[tuple[Operation[Any], Any, str]] = [
    (GET, [THING], "expected an object, not a list @ $"),
    (GET, {**SUCCESS, "data": [THING]}, "expected an object, not a list @ $.data"),
    (KEYED, {}, "required field missing @ $.things"),
    (KEYED, {"data": {}}, "required field missing @ $.data.things"),
    (KEYED, {"data": None}, "expected an object, not null"),
    (KEYED, {"data": {"things": {}}}, "expected a list, not an object @ $.data.things"),
    (GET, {**THING, "data": OTHER_THING}, "count has two different values"),
    (GET, {**SUCCESS, **THING, "data": OTHER_THING}, "count has two different values"),
    (
        *(BATCH, {**SUCCESS, "results": [LEG], "data": {"results": [OTHER_LEG]}}),
        "results has two different values",
    ),
    *((REVOKED, answer, NO_WORD) for answer in ({}, *SILENT)),
    *((DONE, answer, NO_WORD) for answer in SILENT),
    *((DONE, {**SUCCESS, "data": data}, NO_WORD) for data in NO_DATA),
    *(
        (each, answer, NOTHING_SAID)
        for each in (OPTIONS, CHANGED)
        for answer in ({}, {"message": "ok"})
    ),
    (CHANGED, None, NOTHING_SAID),
    *(
        (each, {"success": said, "data": {"id": 5}, "error": "boom"}, NO_BOOLEAN)
        for each in (DONE, GET)
        for said in (1, None)
    ),
    *((GET, {**THING, "success": said}, NO_BOOLEAN) for said in (1, "true", None)),
    *((GET, {**SUCCESS, "data": {**THING, "success": said}}, NO_BOOLEAN) for said in (1, None)),
    *(
        (each, answer, BESIDE)
        for each in (DONE, GET)
        for answer in (
            {**SUCCESS, "data": {"error": "boom"}},
            {**SUCCESS, "error": "boom", "code": 5},
            {"id": 5, "error": "boom"},
        )
    ),
    (JOBS, {**SUCCESS, "data": {"error": "no"}, "rows": [FAILED], "more": False}, BESIDE),
    (LIST, {"more": False}, "required field missing @ $.rows"),
    (LIST, {"rows": None, "more": False}, "expected a list, not null @ $.rows"),
    (
        *(LIST, {"rows": [{**THING, "count": ""}], "more": False}),
        "expected an integer, not a string @ $.rows[0].count",
    ),
    (LIST, {"rows": []}, "required field missing @ $.more"),
    (LIST, {"rows": [], "more": 1}, "expected a boolean, not an integer @ $.more"),
    (LIST, {"rows": [], "more": True, "then": 7}, "expected a string, not an integer @ $.then"),
    (BATCH, {}, "required field missing @ $.results"),
    (BATCH, {"data": {"results": {}}}, "expected a list, not an object @ $.data.results"),
    (BATCH, {"results": [None]}, "expected an object, not null @ $.results[0]"),
    *(
        (BATCH, {**said, **results}, reason)
        for results in ({"results": [LEG]}, {"data": {"results": [LEG]}})
        for said, reason in (
            ({"success": False}, NOT_OF_A_LEG),
            ({"success": 1}, NO_BOOLEAN),
            ({"error": "x"}, BESIDE),
            ({**SUCCESS, "error": "x"}, BESIDE),
        )
    ),
    # A refusal of a change under a 2xx, with a state or a value that may tell that it was taken.
    *(
        (each, {**REFUSED, **extra}, CONTRADICTION)
        for each in POSTS
        for extra in ({"data": [9]}, {"data": 9}, {"state": "sent"}, {"data": {"status": "queued"}})
    ),
    (ANY_POST, {**REFUSED, "data": {"made": 7}}, CONTRADICTION),
    (PLACE, {**THING, "error": "no", "code": 400}, CONTRADICTION),
    *(
        (each, answer, BESIDE)
        for each in POSTS
        for answer in ({"error": "no"}, {"error": {"message": "no"}, "code": 400})
    ),
    (PLACE, {"success": False, "data": {**THING, "success": True}}, CONTRADICTION),
    (PLACE, {**SUCCESS, "data": {**THING, "success": False}}, CONTRADICTION),
    (PLACE, {"success": False, "data": THING}, CONTRADICTION),
    (DONE, {"success": False, "data": SUCCESS}, CONTRADICTION),
]


@pytest.mark.parametrize(("operation", "payload", "reason"), UNUSABLE)
def test_an_answer_that_contradicts_itself_or_has_another_shape_cannot_be_used(
    operation: Operation[Any], payload: Any, reason: str
) -> None:
    assert unusable(operation, payload).reason == reason


@pytest.mark.parametrize("status", [200, 400])
@pytest.mark.parametrize(
    ("operation", "extra"),
    [
        (BATCH, {"data": [{"success": True}, {"success": False, "error": "x"}]}),
        (BATCH, {"data": LEG}),
        (BATCH, {"sizes": ["1"]}),
        (PLACE, {"name": "a"}),
        (PLACE, {"data": {"count": 0}}),
        (PLACE, {"error": {"detail": [[{"count": 1}]]}}),
        (DONE, {"data": {"success": True}}),
        (DONE, {"data": [{"success": "true"}]}),
    ],
)
def test_a_refusal_of_a_post_that_speaks_of_execution_cannot_be_used(
    operation: Operation[Any], extra: Any, status: int
) -> None:
    assert unusable(operation, {**REFUSED, **extra}, status).reason == CONTRADICTION


@pytest.mark.parametrize(
    ("operation", "status", "payload"),
    [
        (DONE, 300, {"success": True, "data": None}),
        (PLACE, 409, THING),
        (PLACE, 409, {"data": THING}),
        (BATCH, 422, {"success": False, "data": {"results": [LEG]}}),
    ],
)
def test_a_post_that_is_refused_and_done_at_once_is_neither(
    operation: Operation[Any], status: int, payload: Any
) -> None:
    found = unusable(operation, payload, status)
    assert (found.reason, found.status) == (CONTRADICTION, status)
    assert found.body == response(payload).body


@pytest.mark.parametrize("status", [201, 299])
@pytest.mark.parametrize("operation", [DONE, PLACE, BATCH])
def test_a_post_is_refused_by_its_words_under_a_200_alone(
    operation: Operation[Any], status: int
) -> None:
    reason = f"it reports a failure under a status of {status}"
    assert unusable(operation, REFUSED, status).reason == reason


# Refusals


NO_RESULTS: list[Any] = [None, {}, {"results": []}, {"results": None}]
REFUSALS: list[tuple[Operation[Any], int, Any]] = [
    *(
        (REVOKED, 200, {**level, "error": "no"})
        for level in ({"success": False}, {"data": REFUSED})
    ),
    (HIDDEN, 200, {**REFUSED, "data": {}}),
    (TRANSFER, 200, {**SUCCESS, "data": REFUSED}),
    *((each, 200, {**SUCCESS, "data": REFUSED}) for each in (JOB, PERHAPS_JOB)),
    (RUN, 200, {**REFUSED, "data": {"id": 1}}),
    # A page and a batch that look like one.
    *((each, 200, {**REFUSED, "rows": [], "more": False}) for each in (LIST, COUNTED)),
    *((BATCH, 200, {**REFUSED, "data": data}) for data in NO_RESULTS),
    # Under a status of failure a state and a value say nothing.
    *(
        (each, 422, {**REFUSED, **extra})
        for each in POSTS
        for extra in ({"data": [9]}, {"data": 9}, {"state": "sent"}, {"data": {"status": "queued"}})
    ),
    # Members that nobody knows, and those with nothing in them.
    *(
        (each, 200, {**said, **extra})
        for each in POSTS
        for extra in ({"request_id": "r-1", "timestamp": 1}, {"x": [[{"y": 0}]]})
        for said in (REFUSED, {"error": "no", "code": 400})
    ),
    *(
        (each, status, answer)
        for each in (DONE, PLACE, BATCH, REVOKED)
        for status in (200, 400)
        for answer in (
            {"name": None, **REFUSED, "data": None, "code": 400},
            {"name": "", "legs": [], **REFUSED, "data": {}, "message": "at once", "results": None},
            {**REFUSED, "data": [], "placed": False},
            {"success": False, "data": {**REFUSED, "data": None, "code": 5}},
        )
    ),
    # Of a read anything may stand beside it, of a change what was sent.
    (GET, 200, {**REFUSED, **THING, "placed": 1}),
    (attrs.evolve(PLACE, echoes={"name": "name"}), 400, {"error": "no", "name": "a"}),
    (ANY_POST, 200, {**REFUSED, "data": {"message": "no", "code": 5}}),
    (GET, 200, {"error": "no", "code": 400}),
]


@pytest.mark.parametrize(("operation", "status", "payload"), REFUSALS)
def test_a_refusal_is_believed(operation: Operation[Any], status: int, payload: Any) -> None:
    found = refusal(payload, status, operation)
    assert (found.error, found.status) == ("no", status)
    assert isinstance(found, BadRequestError) or status == 422


def test_a_post_that_is_only_refused_is_refused_whatever_its_body() -> None:
    bodies: list[Any] = [[], None, {"success": False}]
    for operation in (DONE, PLACE, BATCH):
        assert [refusal(body, 400, operation).status for body in bodies] == [400] * 3


@pytest.mark.parametrize(
    ("payload", "error", "code"),
    [
        ({"error": "no", "code": 400}, "no", 400),
        ({"success": False, "data": {"error": "no", "code": 7}}, "no", 7),
        ({"error": "outer", "data": {"error": "inner"}, "code": True}, "outer", None),
        ({"error": {"x": 1}}, '{"error": {"x": 1}}', None),
        ({"error": "no", "code": "", "data": {"code": 7}}, "no", 7),
        ([1], "[1]", None),
        (None, "null", None),
        (b"<html>bad\xff", "<html>bad\ufffd", None),
        (b"", "", None),
        (DEEP, DEEP.decode(), None),
    ],
    ids=range(10),
)
def test_a_refusal_carries_the_words_of_the_service(
    payload: Any, error: str, code: int | str | None
) -> None:
    found = refusal(payload, 400)
    assert isinstance(found, BadRequestError)
    assert (found.error, found.code, found.status, found.operation) == (error, code, 400, GET.name)
    assert found.body == response(payload).body


def test_no_status_but_2xx_is_a_success() -> None:
    for status in (199, 300, 404, 599):
        for operation in (GET, KEYED):
            assert refusal({**THING, "success": True}, status, operation).status == status


def test_an_answer_without_content_is_a_success_where_the_operation_has_one() -> None:
    removed: Operation[None] = attrs.evolve(DONE, no_content=True)

    assert decode(removed, Response(204, {}, b"")) is None
    for operation, status, body in ((removed, 204, b"{}"), (removed, 200, b""), (DONE, 204, b"")):
        with pytest.raises(DecodeError):
            decode(operation, Response(status, {}, body))


@pytest.mark.parametrize(
    ("body", "kind", "says"),
    [
        (b"\n <!DOCTYPE HTML><p>", "text/html", "not JSON (text/html): it is a page of HTML"),
        (b"<HTML>", None, "not JSON: it is a page of HTML"),
        (b"<html>", "", "not JSON: it is a page of HTML"),
        (b" " * 94 + b"<html>", None, "not JSON: it is a page of HTML"),
        (b" " * 96 + b"<html>", None, "not JSON: broken"),
        (b" \n", None, "not JSON: it is empty"),
        (b"{", "a\nb", "not JSON (a b): broken"),
    ],
)
def test_what_an_answer_is_instead_of_json(body: bytes, kind: str | None, says: str) -> None:
    assert not_json(body, kind, "broken") == says


CREATE = Operation[Any](name="orders.create", method="POST", path="/", result=int, result_key="id")


@pytest.mark.parametrize(("field", "believed"), [("id", False), ("ids", False), ("note", True)])
def test_a_refusal_with_a_result_is_not_believed(field: str, believed: bool) -> None:
    refusal = {"error": "no", field: 7}

    assert (doubt(CREATE, 400, refusal, refusal) is None) is believed
    assert doubt(DONE, 400, refusal, refusal) is None
