"""What a spec says of reconciling and of the rate budget arrives in the package and in the IR."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from codegen.__main__ import main
from tests.codegen.specs import DELETED, changed, problems, rendered, tree, written
from trading_runtime import Api, HiddenJson, ListOperation, Target, Trace

ADD = "/paths/~1v1~1books~1add/post"
DROP = "/components/schemas/DropBook"
READER = "/paths/~1v1~1loans/get/parameters/0"
ADDED = Trace(lists=("loans.history",), made_at="at", id="book_id", agrees={"genre": "genre"})
DROPPED = Trace(
    lists=("loans.history",),
    made_at="at",
    target=Target(
        names={"book_id": "book_id"},
        becomes={"genre": "poem"},
        changed_at="at",
        inherits=("reader",),
    ),
)


def text(edits: Mapping[str, Any]) -> str:
    """The module of the operations that follows from a changed spec, which breaks no rule."""
    spec = changed(edits)
    assert problems(spec) == []
    return rendered(spec)["trading_sdk/operations.py"]


def api(edits: Mapping[str, Any]) -> Api:
    """What the module of the operations hands to the runtime."""
    names: dict[str, Any] = {"__name__": "operations"}
    exec(rendered(changed(edits))["trading_sdk/models.py"], names)
    for module in (rendered(changed(edits))["trading_sdk/reasons.py"], text(edits)):
        exec(re.sub("from trading_sdk.*", "", module), names)
    made = names["API"]
    assert isinstance(made, Api)
    return made


def test_an_operation_and_its_action_have_one_trace_and_one_retry() -> None:
    made = api({})

    alone, batched = made.operations["books.add"], made.actions["books.add"]

    assert alone.trace == batched.trace == ADDED
    assert alone.retry == batched.retry == "by-key"


def test_an_action_that_is_offered_in_batches_only_has_a_trace_and_a_retry_of_its_own() -> None:
    dropped = api({}).actions["books.drop"]

    assert (dropped.trace, dropped.retry) == (DROPPED, "idempotent")


def test_what_shows_whose_an_answer_is_arrives_at_operations_and_actions() -> None:
    made = api({"/paths/~1v1~1loans/get/x-echo": {"reader": "reader"}})

    assert made.operations["books.add"].echoes == {"book_id": "book_id"}
    assert made.actions["books.add"].echoes == {"book_id": "book_id"}
    assert made.operations["loans.history"].echoes == {"reader": "reader"}
    assert made.actions["books.drop"].new_id == "number"
    others = [each for each in made.operations.values() if each.name != "books.drop"]
    assert {each.new_id for each in others} == {None}


def test_without_the_word_nothing_has_a_trace() -> None:
    made = api({f"{ADD}/x-reconcile": DELETED, f"{DROP}/x-reconcile": DELETED})

    traces = [each.trace for each in made.operations.values()]
    traces += [each.trace for each in made.actions.values()]
    assert traces == [None] * 5


def test_a_trace_is_named_after_the_operation_or_action_that_has_it() -> None:
    same = {"lists": ["getLoans"], "made_at": "at", "agrees": {"book_id": "book_id"}}

    for edits in ({}, {f"{ADD}/x-reconcile": same, f"{DROP}/x-reconcile": same}):
        made = text(edits)
        assert re.findall(r"(\w+) = Trace", made) == ["_BOOKS_ADD_TRACE", "_BOOKS_DROP_TRACE"]
        # The operation, its action, and the action that only batches offer.
        assert re.findall(r"trace=(\w+)", made) == [
            *["_BOOKS_ADD_TRACE"] * 2,
            "_BOOKS_DROP_TRACE",
        ]


@pytest.mark.parametrize(
    ("edits", "account"),
    [({}, "reader"), ({f"{READER}/x-auto": DELETED, f"{READER}/required": DELETED}, None)],
)
def test_a_list_says_which_parameter_is_the_account(
    edits: dict[str, Any], account: str | None
) -> None:
    listed = api(edits).operations["loans.history"]

    assert isinstance(listed, ListOperation)
    assert listed.account == account


@pytest.mark.parametrize(
    ("edits", "scale"),
    [({}, 10), ({"/x-rate-scale": 7}, 7), ({"/x-rate-scale": DELETED, "/x-source": DELETED}, 1)],
)
def test_the_rate_scale_is_one_unless_the_spec_says_another(
    edits: dict[str, Any], scale: int
) -> None:
    assert api(edits).rate_scale == scale
    assert ("rate_scale" in text(edits)) == (scale != 1)


def test_an_operation_may_hand_over_nothing_or_json_that_is_hidden() -> None:
    answer, data = "/components/schemas/BookAdded", {"description": "Anything."}
    envelope = {"type": "object", "required": ["data"], "properties": {"data": data}}
    plain = api({}).operations["books.add"]
    # Nothing that is compared or remembered is left in such a result.
    bare = {f"{ADD}/x-echo": DELETED}
    none = api(
        {f"{ADD}/x-result": "none", answer: {"description": "All.", **envelope}, **bare}
    ).operations["books.add"]
    secret = api({answer: {"format": "password", "description": "A secret."}, **bare}).operations[
        "books.add"
    ]

    assert not plain.ignores_data
    assert (none.result, none.ignores_data) == (None, True)
    assert (secret.result, secret.ignores_data) == (HiddenJson, False)


def test_a_field_may_become_a_text_a_number_or_a_boolean() -> None:
    note = {"type": "boolean", "description": "Whether it is over."}
    becomes = {"reader": "nobody", "at": 0, "over": False}

    target = api(
        {
            "/components/schemas/Loan/properties/over": note,
            f"{DROP}/x-reconcile/target/becomes": becomes,
        }
    ).actions["books.drop"]

    assert target.trace is not None and target.trace.target is not None
    assert repr(target.trace.target.becomes) == repr(becomes)


def test_the_ir_holds_traces_and_the_rate_scale_for_ports(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["ir", "--spec", str(written(tree(), tmp_path))]) == 0

    printed = json.loads(capsys.readouterr().out)
    methods = [*printed["operations"], *printed["actions"]]
    traces = {f"{each['group']}.{each['method']}": each["trace"] for each in methods}
    added = {
        "lists": ["loans.history"],
        "made_at": "at",
        "id": "book_id",
        "agrees": {"genre": "genre"},
        "at_most": {},
        "target": None,
    }
    dropped = {
        "lists": ["loans.history"],
        "made_at": "at",
        "id": None,
        "agrees": {},
        "at_most": {},
        "target": {
            "names": {"book_id": "book_id"},
            "becomes": {"genre": "poem"},
            "changed_at": "at",
            "inherits": ["reader"],
        },
    }
    assert printed["rate_scale"] == 10
    assert traces == {
        "books.add": added,
        "books.drop": dropped,
        "books.several": None,
        "loans.history": None,
    }
