"""Answers in: envelopes, pages, refusals and their reasons, and the words for what cannot be used.

spec/vectors/decode says what an answer means, and which refuse. Here are operations that the spec of the exchange lacks, and words.
"""

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
    DONE,
    GET,
    HIDDEN,
    KEYED,
    LIST,
    REVOKED,
    THING,
    Thing,
    response,
    thing,
    unusable,
)
from tests.runtime.reading import decode
from trading_runtime.codec.batch import BatchResult
from trading_runtime.errors import BadRequestError, BatchError, DecodeError
from trading_runtime.http.transport import Response
from trading_runtime.operation import Operation


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
class Transferred:
    """A result that says success itself."""

    success: bool
    error: str | None = None
    transfer_id: str | None = None


def post(name: str, result: Any) -> Operation[Any]:
    return Operation(name=name, method="POST", path="/p", result=result)


PLACE = post("things.place", Thing)
JOB, PERHAPS_JOB, TEXTS = post("j", Job), post("j", Job | None), post("j", Mapping[str, str])
CHANGED = post("o.put", Options | None)
ANY_POST = attrs.evolve(ANY, method="POST")
JOBS = attrs.evolve(LIST, result=Job)

SUCCESS = {"success": True}
REFUSED = {"success": False, "error": "no"}
FAILED = {"id": 1, "error": "no gas"}
LEG = {"size": "1"}

# What an answer means


MEANT: list[tuple[Operation[Any], Any, Any]] = [
    (ANY, {"data": [1, 2.5, {"x": None}]}, [1, 2.5, {"x": None}]),
    (ANY, {"keys": []}, {"keys": []}),
    # A field that stands twice counts if its values are the same, or it is none of the result.
    (GET, {"trace": 1, **THING, "data": {"trace": 2}}, thing()),
    # Where a result may be null, null in an envelope is one.
    *((CHANGED, answer, None) for answer in ({"data": None}, {**SUCCESS, "data": None})),
    # A field of the result is no word of an envelope.
    *((each, {**SUCCESS, "data": FAILED}, Job(1, "no gas")) for each in (JOB, PERHAPS_JOB)),
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
    keys = {"keys": ["canary", {"canary": 5}], "most": 5.5}
    found = decode(HIDDEN, response({"success": True, "data": keys}))

    assert found == keys
    assert json.loads(json.dumps(found)) == keys
    assert copy.deepcopy(found) == pickle.loads(pickle.dumps(found)) == keys
    assert found["keys"][0] + "!" == "canary!"
    assert found["most"] + 1 == 6.5
    shown = (found, found["keys"], found["keys"][0], [*found["keys"]], {**found}, [found])
    for each in shown:
        assert "canary" not in f"{each!r} {pprint.pformat(each)}"
    assert f"{found} {found['keys']}" == " ".join(["<hidden, it may hold secrets>"] * 2)


def test_a_number_that_no_float_holds_makes_a_hidden_result_unusable() -> None:
    body = b'{"success": true, "data": {"most": 1e400}}'
    assert unusable(HIDDEN, body).reason == "a number is out of range"


# What cannot be used


NO_WORD = "expected an object with success: true"
NO_BOOLEAN = "success is neither true nor false"
BESIDE = "there is an error beside a success"
CONTRADICTION = "it reports a failure, but also success, a result or a state"
NOTHING_SAID = "it has neither an envelope nor a field of the result"
NOT_OF_A_LEG = "it reports a failure, but every result says success"
OTHER_THING = {**THING, "count": 2}
UNUSABLE: list[tuple[Operation[Any], Any, str]] = [
    (KEYED, {"data": {}}, "missing required field @ $.data.things"),
    (GET, {**THING, "data": OTHER_THING}, "count has two different values"),
    (REVOKED, {}, NO_WORD),
    (CHANGED, {"message": "ok"}, NOTHING_SAID),
    (DONE, {"success": 1, "data": {"id": 5}, "error": "boom"}, NO_BOOLEAN),
    (DONE, {**SUCCESS, "data": {"error": "boom"}}, BESIDE),
    (JOBS, {**SUCCESS, "data": {"error": "no"}, "rows": [FAILED], "more": False}, BESIDE),
    (LIST, {"rows": [], "more": True, "then": 7}, "Expected str | null, got int @ $.then"),
    (BATCH, {"results": [None]}, "Expected object, got null @ $.results[0]"),
    (BATCH, {"success": False, "results": [LEG]}, NOT_OF_A_LEG),
    # A refusal of a change under a 2xx, with a state or a value that may tell that it was taken.
    (ANY_POST, {**REFUSED, "data": {"made": 7}}, CONTRADICTION),
    (PLACE, {**SUCCESS, "data": {**THING, "success": False}}, CONTRADICTION),
]


@pytest.mark.parametrize(("operation", "payload", "reason"), UNUSABLE)
def test_an_answer_that_contradicts_itself_or_has_another_shape_cannot_be_used(
    operation: Operation[Any], payload: Any, reason: str
) -> None:
    assert unusable(operation, payload).reason == reason


def test_a_refused_batch_may_have_an_empty_list_of_results() -> None:
    with pytest.raises(BadRequestError):
        decode(BATCH, response({**REFUSED, "data": {"results": []}}))


@pytest.mark.parametrize(
    ("declared", "status", "body", "says"),
    [
        ((204, 400), 201, b"", "it is empty; the spec declares the status 204, not 201"),
        ((204, 400), 201, b'{"id": 7}', "success: true; the spec declares the status 204, not 201"),
        ((200, 201), 204, b"", "it is empty; the spec declares the status 200 or 201, not 204"),
        ((200, 400), 200, b"", "it is empty"),
    ],
)
def test_an_answer_of_another_success_than_the_declared_one_says_both(
    declared: tuple[int, ...], status: int, body: bytes, says: str
) -> None:
    removed: Operation[None] = attrs.evolve(DONE, statuses=declared)

    with pytest.raises(DecodeError) as caught:
        decode(removed, Response(status, {}, body))
    assert f"{says} (" in str(caught.value)


# Why the service refused: spec/vectors/decode/reasons.json has texts, codes and statuses


def test_a_batch_tells_the_reason_of_each_failed_action() -> None:
    results = [Transferred(False, "a"), Transferred(True)]
    failed = BatchResult("things.batch", results, ["too_long", None])
    assert failed.reasons == ("too_long", None)
    assert BatchResult("things.batch", results).reasons == (None, None)
    with pytest.raises(BatchError) as caught:
        failed.raise_on_failure()
    assert caught.value.reasons == {0: "too_long"}
    assert BatchError("things.batch", {1: "a"}, 2).reasons == {1: None}
