"""Answers in: envelopes, pages, batches, refusals, and what contradicts itself."""

from __future__ import annotations

import copy
import json
import pickle
import pprint
from collections.abc import Mapping, Sequence
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
from trading_runtime.errors import ApiError, BadRequestError, BatchError, DecodeError
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
        {"success": True, "data": THING},
        {"success": True, "data": THING, "error": None, "code": None},
        {"success": True, "data": THING, "error": None, "code": None, "trace": "new"},
        {"success": True, "data": THING, "count": 1},
        {**THING, "data": {"unknown": 1}},
    ],
)
def test_an_envelope_is_taken_off_wherever_one_appears(payload: Any) -> None:
    assert decode(GET, response(payload)) == thing()


@pytest.mark.parametrize(
    "payload", [{"things": [THING]}, {"success": True, "data": {"things": [THING]}}]
)
def test_a_result_under_a_key_is_found_with_and_without_an_envelope(payload: Any) -> None:
    things: Sequence[Thing] = decode(KEYED, response(payload))
    assert things == (thing(),)


@pytest.mark.parametrize("payload", [{}, {"data": None}, {"data": {}}, {"data": {"things": {}}}])
def test_a_result_that_is_not_under_its_key_cannot_be_used(payload: Any) -> None:
    assert unusable(KEYED, payload).reason in (
        "required field missing @ $.things",
        "required field missing @ $.data.things",
        "expected an object, not null",
        "expected a list, not an object @ $.data.things",
    )


def test_an_answer_without_a_described_shape_is_handed_over_as_it_is() -> None:
    assert decode(ANY, response({"data": [1, 2.5, {"x": None}]})) == [1, 2.5, {"x": None}]
    assert decode(ANY, response({"keys": []})) == {"keys": []}


@pytest.mark.parametrize(
    "payload",
    [
        {"success": True},
        {"success": True, "data": None, "error": None, "code": None},
        {"success": True, "data": {}, "error": None, "code": None},
        {"success": True, "data": {"success": True, "error": None}},
    ],
)
def test_success_without_a_result_is_none(payload: Any) -> None:
    assert decode(DONE, response(payload)) is None


@pytest.mark.parametrize(
    "payload",
    [
        {"data": {"name": "a"}},
        {"success": True},
        *({"success": True, "data": data} for data in ({}, None, [1], "gone", {"success": True})),
    ],
)
def test_where_data_is_ignored_it_may_be_anything(payload: Any) -> None:
    assert decode(REVOKED, response(payload)) is None


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


@pytest.mark.parametrize(
    ("operation", "payload"),
    [
        (OPTIONS, {}),
        (OPTIONS, {"message": "ok"}),
        (CHANGED, {}),
        (CHANGED, {"message": "ok"}),
        (CHANGED, None),
    ],
)
def test_an_answer_with_neither_an_envelope_nor_a_field_cannot_be_used(
    operation: Operation[Any], payload: Any
) -> None:
    reason = "it has neither an envelope nor a field of the result"
    assert unusable(operation, payload).reason == reason


@pytest.mark.parametrize("payload", [{"data": None}, {"success": True, "data": None}])
def test_null_in_an_envelope_is_a_result_that_may_be_null(payload: Any) -> None:
    assert decode(CHANGED, response(payload)) is None


@pytest.mark.parametrize(
    "payload", [{"shown": None}, {"data": {}}, {"success": True, "data": {}}, {"success": True}]
)
def test_an_envelope_or_a_field_makes_an_answer_of_defaults(payload: Any) -> None:
    assert decode(OPTIONS, response(payload)) == Options()


@pytest.mark.parametrize("payload", [{}, [], None, "gone", {"ok": True}])
def test_where_data_is_ignored_an_answer_that_says_nothing_cannot_be_used(payload: Any) -> None:
    assert unusable(REVOKED, payload).reason == "expected an object with success: true"


@pytest.mark.parametrize("payload", [{"success": False}, {"data": {"success": False}}])
def test_where_data_is_ignored_a_refusal_still_is_one(payload: Any) -> None:
    assert isinstance(refusal(payload, 200, REVOKED), BadRequestError)


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


UNTOLD: list[Any] = [[], False, 0, "failed", {"status": "x"}]


@pytest.mark.parametrize(
    "payload",
    [
        *({}, [], None, {"success": 1}, {"success": "true"}, {"ok": True}),
        *({"success": True, "data": data} for data in UNTOLD),
    ],
)
def test_an_answer_that_does_not_say_success_is_none(payload: Any) -> None:
    assert unusable(DONE, payload).reason in (
        "expected an object with success: true",
        "success is neither true nor false",
    )


@pytest.mark.parametrize("operation", [DONE, GET])
@pytest.mark.parametrize(
    "payload",
    [
        {"success": True, "data": {"error": "insufficient"}, "error": None, "code": None},
        {"success": True, "data": {"success": None, "error": "boom"}},
        {"success": True, "data": {"id": 5}, "error": "Insufficient", "code": 5},
        {"success": None, "data": {"id": 5}, "error": "boom", "code": 400},
        {"success": True, "error": "boom", "code": 5},
        {"id": 5, "error": "boom"},
    ],
)
def test_an_answer_that_contradicts_itself_is_neither_a_success_nor_a_refusal(
    operation: Operation[Any], payload: Any
) -> None:
    assert unusable(operation, payload).reason in (
        "there is an error beside a success",
        "success is neither true nor false",
    )


@pytest.mark.parametrize("said", [1, 0, "true", "false", None, {}])
def test_a_result_beside_a_success_that_is_no_boolean_cannot_be_used(said: Any) -> None:
    for payload in (
        {**THING, "success": said},
        {"success": said, "data": THING},
        {"success": True, "data": {**THING, "success": said}},
    ):
        assert unusable(GET, payload).reason == "success is neither true nor false"


# Pages and batches


@pytest.mark.parametrize("end", [{"more": False}, {"more": False, "then": None}])
def test_a_page_is_read_by_the_names_of_its_operation(end: dict[str, Any]) -> None:
    page = decode(LIST, response({"success": True, "rows": [THING, THING], **end}))
    assert list(page) == [thing(), thing()]
    assert (page.next_cursor, page.has_more) == (None, False)


def test_a_page_hands_over_its_cursor_unchanged() -> None:
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
        ({"rows": {}, "more": False}, "expected a list, not an object @ $.rows"),
        ({"rows": "", "more": False}, "expected a list, not a string @ $.rows"),
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
    with pytest.raises(DecodeError) as caught:
        decode(LIST, response(payload))
    assert caught.value.reason == reason


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


def test_a_refused_page_of_a_list_by_offset_is_an_error_as_any_other() -> None:
    counted = attrs.evolve(LIST, pagination=Pagination(items="rows", cursor="skip"))
    assert decode(counted, response({"rows": [THING]})).items == (thing(),)

    with pytest.raises(BadRequestError, match="no such account"):
        decode(counted, response({"success": False, "error": "no such account"}))


def test_a_refused_page_is_an_error_even_if_it_looks_like_one() -> None:
    payload = {"success": False, "rows": [], "more": False, "error": "no"}
    with pytest.raises(ApiError, match=r"things\.list: 200: no"):
        decode(LIST, response(payload))


@pytest.mark.parametrize("wrapped", [True, False])
def test_the_results_of_a_batch_come_in_their_order(wrapped: bool) -> None:
    results = {"results": [{"size": "2"}, {"size": "1"}]}
    payload = {"success": True, "data": results} if wrapped else results
    found = decode(BATCH, response(payload))
    assert [leg.size for leg in found] == [2, 1]


@pytest.mark.parametrize("payload", [{}, {"data": {"results": {}}}, {"results": [None]}])
def test_the_results_of_a_batch_must_be_a_list_of_results(payload: Any) -> None:
    with pytest.raises(DecodeError):
        decode(BATCH, response(payload))


def test_what_a_batch_carried_out_is_told_even_if_the_whole_is_called_a_failure() -> None:
    results = [{"size": "2"}, {"size": "1", "success": False, "error": "no"}]
    for payload in (
        {"success": False, "data": {"results": results}, "error": "1 of 2 failed"},
        {"success": False, "results": results, "error": "1 of 2 failed"},
    ):
        assert [leg.success for leg in decode(BATCH, response(payload))] == [True, False]


@pytest.mark.parametrize("wrapped", [True, False])
@pytest.mark.parametrize(
    "said",
    [
        {"success": False},
        {"success": False, "error": "x"},
        {"success": True, "error": "x"},
        {"error": "x"},
        {"success": 1},
    ],
)
def test_a_batch_that_contradicts_its_results_cannot_be_used(wrapped: bool, said: Any) -> None:
    results = {"results": [{"size": "2"}]}
    assert unusable(BATCH, {**said, "data": results} if wrapped else {**said, **results})


def test_a_batch_names_its_operation_where_it_raises_for_its_actions() -> None:
    found = decode(BATCH, response({"results": [{"size": "1", "success": False, "error": "no"}]}))
    with pytest.raises(BatchError, match=r"^things\.batch: 1 of 1 actions failed"):
        found.raise_on_failure()


@pytest.mark.parametrize("data", [None, {}, {"results": []}, {"results": None}])
def test_a_batch_without_results_that_is_called_a_failure_was_refused(data: Any) -> None:
    with pytest.raises(ApiError, match=r"things\.batch: 200: no"):
        decode(BATCH, response({"success": False, "data": data, "error": "no"}))


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
        (PLACE, {"data": {"names": ["a"]}}),
        (PLACE, {"data": {"count": 0}}),
        (PLACE, {"error": {"detail": [[{"count": 1}]]}}),
        (DONE, {"data": {"success": True}}),
        (DONE, {"data": [{"success": "true"}]}),
    ],
)
def test_a_refusal_of_a_post_that_speaks_of_execution_cannot_be_used(
    operation: Operation[Any], extra: Any, status: int
) -> None:
    with pytest.raises(
        DecodeError, match="reports a failure, but also success, a result or a state"
    ):
        decode(operation, response({**REFUSED, **extra}, status))


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
    for payload in (
        {"error": "no"},
        {"error": {"message": "no"}, "code": 400},
        {"success": True, "error": "no", "code": 400},
    ):
        assert unusable(operation, payload).reason == "there is an error beside a success"


def test_an_error_and_a_code_beside_a_result_are_no_refusal_of_a_post() -> None:
    assert unusable(PLACE, {**THING, "error": "no", "code": 400}).reason == CONTRADICTION


@pytest.mark.parametrize("nothing", ["", False, {}, [], None])
def test_an_error_that_says_nothing_is_none(nothing: Any) -> None:
    for level in ({"success": True, "error": nothing}, {"error": nothing}):
        assert decode(PLACE, response({**level, "data": {**THING, "error": nothing}})) == thing()
    results = [{"size": "2", "error": nothing}, {"size": "1", "success": False, "error": nothing}]
    found = decode(BATCH, response({"success": True, "data": {"results": results}}))
    assert [(leg.success, leg.error) for leg in found] == [(True, None), (False, None)]


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


def test_a_refused_read_may_hold_anything() -> None:
    assert refusal({**REFUSED, **THING, "placed": 1}, 200).error == "no"


def test_a_refusal_that_repeats_what_was_sent_is_one() -> None:
    echoing = attrs.evolve(PLACE, echoes={"name": "name"})
    assert refusal({"error": "no", "name": "a"}, 400, echoing).error == "no"


@pytest.mark.parametrize(
    ("payload", "error", "code"),
    [
        ({"error": "no", "code": 400}, "no", 400),
        ({"success": False, "error": "no", "code": 5}, "no", 5),
        ({"success": False, "data": None, "error": "no", "code": None}, "no", None),
        ({"success": False, "data": {"error": "no", "code": 7}}, "no", 7),
        ({"error": "outer", "data": {"error": "inner"}, "code": True}, "outer", None),
        ({"error": {"x": 1}}, '{"error": {"x": 1}}', None),
        ({"error": "no", "code": "E7"}, "no", "E7"),
        ({"error": "no", "code": "", "data": {"code": 7}}, "no", 7),
        ([1], "[1]", None),
        (None, "null", None),
        (b"<html>bad\xff", "<html>bad\ufffd", None),
        (b"", "", None),
        (DEEP, DEEP.decode(), None),
    ],
    ids=range(13),
)
def test_a_refusal_carries_the_words_of_the_service(
    payload: Any, error: str, code: int | str | None
) -> None:
    found = refusal(payload, 400)
    assert isinstance(found, BadRequestError)
    assert (found.error, found.code, found.status, found.operation) == (error, code, 400, GET.name)
    assert found.body == response(payload).body


@pytest.mark.parametrize("status", [100, 199, 300, 302, 404, 418, 500, 599])
@pytest.mark.parametrize("operation", [GET, KEYED])
def test_no_status_but_2xx_is_a_success(operation: Operation[Any], status: int) -> None:
    assert refusal({**THING, "success": True}, status, operation).status == status


@pytest.mark.parametrize(
    ("operation", "status", "payload"),
    [
        (DONE, 404, {"success": True}),
        (DONE, 404, {"success": True, "data": None}),
        (DONE, 300, {"success": True, "data": None}),
        (DONE, 200, {"success": False, "data": {"success": True}}),
        (PLACE, 400, {"success": True, "data": THING}),
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
    with pytest.raises(DecodeError) as caught:
        decode(operation, response(payload, status))
    assert caught.value.reason == CONTRADICTION
    assert (caught.value.status, caught.value.body) == (status, response(payload).body)


@pytest.mark.parametrize("operation", [DONE, PLACE, BATCH])
@pytest.mark.parametrize("payload", [{"error": "no", "code": 5}, [], None, {"success": False}])
def test_a_post_that_is_only_refused_is_refused(operation: Operation[Any], payload: Any) -> None:
    assert refusal(payload, 400, operation).status == 400


@pytest.mark.parametrize("status", [200, 201, 299])
@pytest.mark.parametrize(
    "payload",
    [
        {**THING, "success": False, "error": "no"},
        {"success": False, "data": THING, "error": "no"},
        {"success": True, "data": {**THING, "success": False, "error": "no"}},
    ],
)
def test_success_false_is_a_refusal_under_any_2xx(payload: Any, status: int) -> None:
    found = refusal(payload, status)
    assert (type(found), found.status, found.error) == (BadRequestError, status, "no")


@pytest.mark.parametrize("operation", [DONE, PLACE])
def test_an_envelope_of_success_around_a_refusal_is_a_refusal(operation: Operation[Any]) -> None:
    payload = {"success": True, "data": {"success": False, "error": "no", "code": 5}}
    found = refusal(payload, 200, operation)
    assert (type(found), found.status, found.error, found.code) == (BadRequestError, 200, "no", 5)


@pytest.mark.parametrize("status", [201, 202, 203, 207, 299])
@pytest.mark.parametrize("operation", [DONE, PLACE, BATCH])
def test_a_post_is_refused_by_its_words_under_a_200_alone(
    operation: Operation[Any], status: int
) -> None:
    with pytest.raises(DecodeError) as caught:
        decode(operation, response(REFUSED, status))
    assert caught.value.reason == f"it reports a failure under a status of {status}"


# No content


def test_an_answer_without_content_is_a_success_where_the_operation_has_one() -> None:
    removed: Operation[None] = attrs.evolve(DONE, no_content=True)

    assert decode(removed, Response(204, {}, b"")) is None
    for status, body in ((204, b"{}"), (200, b"")):
        with pytest.raises(DecodeError):
            decode(removed, Response(status, {}, body))
    with pytest.raises(DecodeError):
        decode(DONE, Response(204, {}, b""))
