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
from trading_runtime.errors import BadRequestError, BatchError, DecodeError
from trading_runtime.http.transport import Response
from trading_runtime.operation import Operation, Pagination

PLACE: Operation[Thing] = Operation(name="things.place", method="POST", path="/p", result=Thing)
CONTRADICTION = "it reports a failure, but also success, a result or a state"

# Envelopes


@pytest.mark.parametrize(
    "payload",
    [
        THING,
        {"data": THING},
        {"success": True, "data": THING, "error": None, "code": None, "trace": "new"},
        {"success": True, "data": THING, "count": 1},
        {**THING, "data": {"unknown": 1}},
    ],
)
def test_an_envelope_is_taken_off_wherever_one_appears(payload: Any) -> None:
    assert decode(GET, response(payload)) == thing()


def test_a_result_under_a_key_is_found_with_and_without_an_envelope() -> None:
    for payload in ({"things": [THING]}, {"success": True, "data": {"things": [THING]}}):
        assert decode(KEYED, response(payload)) == (thing(),)
    wrong: list[tuple[Any, str]] = [
        ({}, "required field missing @ $.things"),
        ({"data": {}}, "required field missing @ $.data.things"),
        ({"data": None}, "expected an object, not null"),
        ({"data": {"things": {}}}, "expected a list, not an object @ $.data.things"),
    ]
    for payload, reason in wrong:
        assert unusable(KEYED, payload).reason == reason


def test_an_answer_without_a_described_shape_is_handed_over_as_it_is() -> None:
    assert decode(ANY, response({"data": [1, 2.5, {"x": None}]})) == [1, 2.5, {"x": None}]
    assert decode(ANY, response({"keys": []})) == {"keys": []}


def test_where_data_is_ignored_it_may_be_anything_beside_a_word_of_success_or_instead() -> None:
    for payload in (
        {"data": {"name": "a"}},
        {"success": True},
        *({"success": True, "data": data} for data in ({}, None, [1], {"success": True})),
    ):
        assert decode(REVOKED, response(payload)) is None
    silent: list[Any] = [{}, [], None, "gone", {"ok": True}]
    for wrong in silent:
        assert unusable(REVOKED, wrong).reason == "expected an object with success: true"
    for refused in ({"success": False}, {"data": {"success": False}}):
        assert isinstance(refusal(refused, 200, REVOKED), BadRequestError)


def test_a_field_with_two_values_cannot_be_used() -> None:
    other = {**THING, "count": 2}
    for payload in ({**THING, "data": other}, {"success": True, **THING, "data": other}):
        assert unusable(GET, payload).reason == "count has two different values"
    assert decode(GET, response({"trace": 1, **THING, "data": {"trace": 2}})) == thing()
    assert decode(GET, response({"success": True, **THING, "mood": "x", "data": THING})) == thing()
    assert decode(GET, response({"success": True, "count": None, "data": THING})) == thing()
    results = [{"size": "1"}], [{"size": "2"}]
    twice = {"success": True, "results": results[0], "data": {"results": results[1]}}
    assert unusable(BATCH, twice).reason == "results has two different values"


@frozen
class Options:
    """Like settings of which each has a default."""

    shown: bool | None = None


OPTIONS: Operation[Options] = Operation(name="o.get", method="GET", path="/o", result=Options)


CHANGED: Operation[Options | None] = Operation(
    name="o.put", method="POST", path="/o", result=Options | None
)


def test_an_answer_needs_an_envelope_or_a_field_of_the_result() -> None:
    reason = "it has neither an envelope nor a field of the result"
    payload: Any
    for operation in (OPTIONS, CHANGED):
        for payload in ({}, {"message": "ok"}):
            assert unusable(operation, payload).reason == reason
    assert unusable(CHANGED, None).reason == reason
    for payload in ({"data": None}, {"success": True, "data": None}):
        assert decode(CHANGED, response(payload)) is None
    for payload in (
        {"shown": None},
        {"data": {}},
        {"success": True, "data": {}},
        {"success": True},
    ):
        assert decode(OPTIONS, response(payload)) == Options()


KEYS = {"keys": ["canary", {"canary": 5}], "most": 5}


def test_a_result_that_may_hold_secrets_is_used_like_parsed_json_and_shows_nothing() -> None:
    found = decode(HIDDEN, response({"success": True, "data": KEYS}))

    assert found == KEYS
    assert json.loads(json.dumps(found)) == KEYS
    assert copy.deepcopy(found) == pickle.loads(pickle.dumps(found)) == KEYS
    assert found["keys"][0] + "!" == "canary!"
    assert found["most"] + 1 == 6
    shown = (found, found["keys"], found["keys"][0], [*found["keys"]], {**found}, [found])
    for each in shown:
        assert "canary" not in f"{each!r} {pprint.pformat(each)}"
    assert f"{found} {found['keys']}" == " ".join(["<hidden, it may hold secrets>"] * 2)
    assert isinstance(refusal({"success": False, "data": {}}, 200, HIDDEN), BadRequestError)


def test_a_wrong_shape_is_told_with_its_place() -> None:
    assert unusable(GET, {"success": True, "data": [THING]}).reason == (
        "expected an object, not a list @ $.data"
    )
    assert unusable(GET, [THING]).reason == "expected an object, not a list @ $"


@pytest.mark.parametrize(
    ("payload", "reason"),
    [
        ([], "expected an object with success: true"),
        (None, "expected an object with success: true"),
        ({"ok": True}, "expected an object with success: true"),
        ({"success": True, "data": []}, "expected an object with success: true"),
        ({"success": True, "data": 0}, "expected an object with success: true"),
        ({"success": True, "data": {"status": "x"}}, "expected an object with success: true"),
        ({"success": 1}, "success is neither true nor false"),
        (
            {"success": None, "data": {"id": 5}, "error": "boom"},
            "success is neither true nor false",
        ),
        ({"success": True, "data": {"error": "boom"}}, "there is an error beside a success"),
        ({"success": True, "error": "boom", "code": 5}, "there is an error beside a success"),
        ({"id": 5, "error": "boom"}, "there is an error beside a success"),
    ],
)
def test_an_answer_that_does_not_say_success_or_contradicts_itself_is_none(
    payload: Any, reason: str
) -> None:
    assert unusable(DONE, payload).reason == reason
    if "success:" not in reason:
        assert unusable(GET, payload).reason == reason


@pytest.mark.parametrize("said", [1, "true", None])
def test_a_result_beside_a_success_that_is_no_boolean_cannot_be_used(said: Any) -> None:
    for payload in (
        {**THING, "success": said},
        {"success": True, "data": {**THING, "success": said}},
    ):
        assert unusable(GET, payload).reason == "success is neither true nor false"


# Pages and batches


def test_a_page_is_read_by_the_names_of_its_operation() -> None:
    page = decode(LIST, response({"success": True, "rows": [THING, THING], "more": False}))
    assert (list(page), page.next_cursor, page.has_more) == ([thing(), thing()], None, False)
    page = decode(LIST, response({"rows": [], "more": True, "then": " a/+=\n"}))
    assert (list(page), page.next_cursor, page.has_more) == ([], " a/+=\n", True)


@pytest.mark.parametrize("said", [{}, {"success": True}])
def test_a_page_under_the_name_of_an_envelope_needs_no_word_of_success(said: Any) -> None:
    listing = attrs.evolve(LIST, pagination=attrs.evolve(LIST.pagination, items="data"))
    page = decode(listing, response({**said, "data": [THING], "more": False}))
    assert list(page) == [thing()]


@pytest.mark.parametrize(
    ("payload", "reason"),
    [
        ({"more": False}, "required field missing @ $.rows"),
        ({"rows": None, "more": False}, "expected a list, not null @ $.rows"),
        (
            {"rows": [{**THING, "count": ""}], "more": False},
            "expected an integer, not a string @ $.rows[0].count",
        ),
        ({"rows": []}, "required field missing @ $.more"),
        ({"rows": [], "more": 1}, "expected a boolean, not an integer @ $.more"),
        ({"rows": [], "more": True, "then": 7}, "expected a string, not an integer @ $.then"),
    ],
)
def test_a_page_of_the_wrong_shape_cannot_be_used(payload: Any, reason: str) -> None:
    assert unusable(LIST, payload).reason == reason


def test_an_envelope_of_success_may_stand_around_a_refusal_with_fields_of_the_result() -> None:
    @frozen
    class Transferred:
        success: bool
        error: str | None = None
        transfer_id: str | None = None

    transfer: Operation[Transferred] = Operation(
        name="t", method="POST", path="/t", result=Transferred
    )
    payload = {"success": True, "data": {"success": False, "error": "no money"}}

    with pytest.raises(BadRequestError, match="no money"):
        decode(transfer, response(payload))


@frozen
class Job:
    """A result with an error of its own."""

    id: int
    error: str | None = None


@frozen
class Run(Job):
    """One with a success of its own, too."""

    success: bool | None = None


@pytest.mark.parametrize("result", [Job, Job | None])
def test_a_field_of_the_result_is_no_word_of_an_envelope(result: Any) -> None:
    failed = {"id": 1, "error": "no gas"}
    post: Operation[Any] = Operation(name="j", method="POST", path="/j", result=result)
    read: Operation[Any] = Operation(name="j", method="GET", path="/j", result=Run)

    assert decode(post, response({"success": True, "data": failed})) == Job(1, "no gas")
    for said in (False, True, None):
        found = decode(read, response({"success": True, "data": {**failed, "success": said}}))
        assert found == Run(1, "no gas", said)
    inner = {"success": False, "error": "no"}
    assert refusal({"success": True, "data": inner}, 200, post).error == "no"
    assert refusal({"success": False, "data": failed}, 200, read).error == "no gas"
    texts = {"success": "yes", "error": "no"}
    named: Operation[Any] = attrs.evolve(post, result=Mapping[str, str])
    assert decode(named, response({"success": True, "data": texts})) == texts
    listing = attrs.evolve(LIST, result=Job)
    page = {"success": True, "data": {"error": "no"}, "rows": [failed], "more": False}
    assert unusable(listing, page).reason == "there is an error beside a success"


def test_a_refused_page_is_an_error_even_if_it_looks_like_one() -> None:
    counted = attrs.evolve(LIST, pagination=Pagination(items="rows", cursor="skip"))
    assert decode(counted, response({"rows": [THING]})).items == (thing(),)
    for listing in (LIST, counted):
        payload = {"success": False, "rows": [], "more": False, "error": "no"}
        assert str(refusal(payload, 200, listing)) == "things.list: 200: no"


def test_the_results_of_a_batch_are_a_list_in_the_order_of_its_actions() -> None:
    results = {"results": [{"size": "2"}, {"size": "1"}]}
    wrong: Any
    for payload in ({"success": True, "data": results}, results):
        assert [leg.size for leg in decode(BATCH, response(payload))] == [2, 1]
    for wrong in ({}, {"data": {"results": {}}}, {"results": [None]}):
        assert unusable(BATCH, wrong)


def test_what_a_batch_carried_out_is_told_even_if_the_whole_is_called_a_failure() -> None:
    results = [{"size": "2"}, {"size": "1", "success": False, "error": "no"}]
    for payload in (
        {"success": False, "data": {"results": results}, "error": "1 of 2 failed"},
        {"success": False, "results": results, "error": "1 of 2 failed"},
    ):
        assert [leg.success for leg in decode(BATCH, response(payload))] == [True, False]


@pytest.mark.parametrize(
    "said", [{"success": False}, {"success": True, "error": "x"}, {"error": "x"}, {"success": 1}]
)
def test_a_batch_that_contradicts_its_results_cannot_be_used(said: Any) -> None:
    results = {"results": [{"size": "2"}]}
    assert unusable(BATCH, {**said, "data": results})
    assert unusable(BATCH, {**said, **results})


def test_a_batch_names_its_operation_where_it_raises_for_its_actions() -> None:
    found = decode(BATCH, response({"results": [{"size": "1", "success": False, "error": "no"}]}))
    with pytest.raises(BatchError, match=r"^things\.batch: 1 of 1 actions failed"):
        found.raise_on_failure()


def test_a_batch_without_results_that_is_called_a_failure_was_refused() -> None:
    data: Any
    for data in (None, {}, {"results": []}, {"results": None}):
        found = refusal({"success": False, "data": data, "error": "no"}, 200, BATCH)
        assert str(found) == "things.batch: 200: no"


# Refusals


REFUSED = {"success": False, "error": "no"}


@pytest.mark.parametrize("status", [200, 400])
@pytest.mark.parametrize(
    ("operation", "extra"),
    [
        (BATCH, {"data": [{"success": True}, {"success": False, "error": "x"}]}),
        (BATCH, {"data": {"size": "1"}}),
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


POSTS = [DONE, PLACE, BATCH, REVOKED, attrs.evolve(ANY, method="POST")]


@pytest.mark.parametrize("operation", POSTS)
@pytest.mark.parametrize(
    "extra", [{"data": [9]}, {"data": 9}, {"state": "sent"}, {"data": {"status": "queued"}}]
)
def test_a_state_or_a_value_beside_a_refusal_leaves_a_2xx_unknown(
    operation: Operation[Any], extra: Any
) -> None:
    assert unusable(operation, {**REFUSED, **extra}).reason == CONTRADICTION
    assert refusal({**REFUSED, **extra}, 422, operation).error == "no"


@pytest.mark.parametrize("operation", POSTS)
@pytest.mark.parametrize("extra", [{"request_id": "r-1", "timestamp": 1}, {"x": [[{"y": 0}]]}])
@pytest.mark.parametrize("said", [REFUSED, {"error": "no", "code": 400}])
def test_members_that_nobody_knows_change_nothing(
    operation: Operation[Any], extra: Any, said: Any
) -> None:
    assert refusal({**said, **extra}, 200, operation).error == "no"


def test_data_of_a_result_that_is_any_json_may_be_the_result() -> None:
    post = attrs.evolve(ANY, method="POST")
    assert unusable(post, {**REFUSED, "data": {"made": 7}}).reason == CONTRADICTION
    assert refusal({**REFUSED, "data": {"message": "no", "code": 5}}, 200, post).code == 5


@pytest.mark.parametrize("operation", [GET, *POSTS])
def test_an_error_and_a_code_are_a_refusal_without_a_word_of_success(
    operation: Operation[Any],
) -> None:
    found = refusal({"error": "no", "code": 400}, 200, operation)
    assert (type(found), found.error, found.code) == (BadRequestError, "no", 400)
    for payload in ({"error": "no"}, {"error": {"message": "no"}, "code": 400}):
        assert unusable(operation, payload).reason == "there is an error beside a success"
    assert unusable(PLACE, {**THING, "error": "no", "code": 400}).reason == CONTRADICTION


@pytest.mark.parametrize("status", [200, 400])
@pytest.mark.parametrize(
    "payload",
    [
        {"name": None, **REFUSED, "data": None, "code": 400},
        {"name": "", "legs": [], **REFUSED, "data": {}, "message": "at once", "results": None},
        {**REFUSED, "data": [], "placed": False},
        {"success": False, "data": {**REFUSED, "data": None, "code": 5}},
    ],
)
@pytest.mark.parametrize("operation", [DONE, PLACE, BATCH, REVOKED])
def test_a_refusal_may_hold_fields_with_nothing_in_them(
    operation: Operation[Any], payload: Any, status: int
) -> None:
    assert refusal(payload, status, operation).error == "no"


def test_a_refusal_of_a_read_may_hold_anything_and_one_of_a_change_what_was_sent() -> None:
    assert refusal({**REFUSED, **THING, "placed": 1}, 200).error == "no"
    echoing = attrs.evolve(PLACE, echoes={"name": "name"})
    assert refusal({"error": "no", "name": "a"}, 400, echoing).error == "no"


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


@pytest.mark.parametrize("status", [199, 300, 404, 599])
@pytest.mark.parametrize("operation", [GET, KEYED])
def test_no_status_but_2xx_is_a_success(operation: Operation[Any], status: int) -> None:
    assert refusal({**THING, "success": True}, status, operation).status == status


@pytest.mark.parametrize(
    ("operation", "status", "payload"),
    [
        (DONE, 300, {"success": True, "data": None}),
        (DONE, 200, {"success": False, "data": {"success": True}}),
        (PLACE, 409, THING),
        (PLACE, 409, {"data": THING}),
        (PLACE, 200, {"success": False, "data": {**THING, "success": True}}),
        (PLACE, 200, {"success": True, "data": {**THING, "success": False}}),
        (PLACE, 200, {"success": False, "data": THING}),
        (BATCH, 422, {"success": False, "data": {"results": [{"size": "1"}]}}),
    ],
)
def test_a_post_that_is_refused_and_done_at_once_is_neither(
    operation: Operation[Any], status: int, payload: Any
) -> None:
    found = unusable(operation, payload, status)
    assert (found.reason, found.status) == (CONTRADICTION, status)
    assert found.body == response(payload).body


@pytest.mark.parametrize("operation", [DONE, PLACE, BATCH])
@pytest.mark.parametrize("payload", [{"error": "no", "code": 5}, [], None, {"success": False}])
def test_a_post_that_is_only_refused_is_refused(operation: Operation[Any], payload: Any) -> None:
    assert refusal(payload, 400, operation).status == 400


@pytest.mark.parametrize("status", [201, 207, 299])
@pytest.mark.parametrize("operation", [DONE, PLACE, BATCH])
def test_a_post_is_refused_by_its_words_under_a_200_alone(
    operation: Operation[Any], status: int
) -> None:
    reason = f"it reports a failure under a status of {status}"
    assert unusable(operation, REFUSED, status).reason == reason


# No content


def test_an_answer_without_content_is_a_success_where_the_operation_has_one() -> None:
    removed: Operation[None] = attrs.evolve(DONE, no_content=True)

    assert decode(removed, Response(204, {}, b"")) is None
    for status, body in ((204, b"{}"), (200, b"")):
        with pytest.raises(DecodeError):
            decode(removed, Response(status, {}, body))
    with pytest.raises(DecodeError):
        decode(DONE, Response(204, {}, b""))
