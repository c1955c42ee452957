"""Requests that the spec may say beside those of the service: the new client sends them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.codegen.exchange import Received
from tests.codegen.test_changed_spec import Used, run, signed

RULE = {"rule_id": 7}
LIST, ONE, ALL = "/api/v2/alerts/a%20b/rules", "/api/v2/alerts/rules/7", "/api/v2/alerts/rules"
FAR = "/trading/api/v2/alerts/far/rules"
ADD = "/api/v2/alerts/x/rules"
ANSWERS: dict[str, list[Any]] = {
    LIST: [[RULE], []],
    ADD: [(201, RULE), (500, None), (409, {"error": "Duplicate Idempotency-Key"})],
    ONE: [RULE, (202, {"success": True}), (204, None)],
    ALL: [(204, None)],
    "/api/v2/alerts/rules/5": [
        {"success": True},
        (204, None),
        (418, {"error": "I am a teapot", "code": 4}),
    ],
    "/api/v2/alerts/hits": [
        {"success": True, "data": {"hits": [{"rule_id": 1}], "next": 2**60}},
        {"success": True, "data": {"hits": [{"rule_id": 2}], "next": None}},
        {"success": True, "data": {"hits": [{"rule_id": 2}]}},
    ],
    "/api/v2/alerts/batch": [
        {"results": [{"success": True}, {"success": False, "error": "gone"}]},
    ],
    "/api/v2/alerts/pause": [(204, None)],
    "/api/v1/alerts/hits": [[RULE]],
    FAR: [[RULE]],
    "/api/v2/alerts/rules/8": [(500, None)],
    "/api/v2/alerts/rules/9": [(429, None), (429, None), (429, None)],
}


@pytest.fixture(scope="module")
def used(generated: Path) -> Used:
    return run("use_requests.py", generated, ANSWERS)


def sent(used: Used, path: str, method: str) -> list[Received]:
    return [each for each in used[1] if (each.path, each.method) == (path, method)]


def test_a_list_stands_in_the_query_once_for_each_value(used: Used) -> None:
    first, second = sent(used, LIST, "GET")

    assert first.target == f"{LIST}?symbols=BTC&symbols=a%26b&prices=1.50&prices=2"
    assert used[0]["listed"] == [7]
    assert second.target == LIST


def test_a_parameter_of_the_path_item_is_one_of_each_method(used: Used) -> None:
    (_, traced), (added, *_) = sent(used, LIST, "GET"), sent(used, ADD, "POST")

    assert traced.headers["X-Trace-Id"] == "t-1"
    assert "X-Trace-Id" not in added.headers


def test_parameters_beside_a_signed_body_are_sent_and_not_signed(used: Used) -> None:
    added, *_ = sent(used, ADD, "POST")

    assert signed(added.body, "add_rule") == {"symbol": "BTC"}
    assert added.target == f"{ADD}?dry=true"
    assert len(added.headers["Idempotency-Key"]) == 36
    assert json.loads(used[0]["header"])["data"] == {"symbol": "BTC"}


def test_what_cannot_be_a_parameter_is_refused_before_it_is_sent(used: Used) -> None:
    assert used[0]["refused"] == [
        "symbols: an empty list cannot stand in a query; leave it out",
        "x_trace_id: a header takes printable ASCII without spaces around it",
        "RulesQuery: Length of 'symbols' must be <= 3: 4",
        "name: '..' cannot be a part of a path",
    ]


def test_a_message_is_sent_again_to_the_same_place_under_the_same_key(used: Used) -> None:
    _, first, again = sent(used, ADD, "POST")

    assert again.target == first.target == ADD
    assert again.headers["Idempotency-Key"] == first.headers["Idempotency-Key"]
    assert signed(again.body, "add_rule") == {"symbol": "ETH"}
    assert used[0]["resent"] == "executed"


def test_a_body_that_is_not_signed_holds_its_own_fields_alone(used: Used) -> None:
    (replaced,) = sent(used, ONE, "PUT")

    assert replaced.body == {"price": "1.50"}
    assert replaced.headers["Content-Type"] == "application/json"
    assert used[0]["replaced"] == 7


def test_a_patch_and_a_delete_may_be_signed(used: Used) -> None:
    (changed,), (cleared,) = sent(used, ONE, "PATCH"), sent(used, ALL, "DELETE")

    assert signed(changed.body, "change_rule") == {"symbol": "BTC"}
    assert signed(cleared.body, "clear_rules") == {"symbol": "BTC"}


def test_a_delete_without_a_body_has_none(used: Used) -> None:
    (deleted,) = sent(used, ONE, "DELETE")

    assert deleted.body is None
    assert "Content-Type" not in deleted.headers


def test_whatever_is_no_read_may_have_been_executed(used: Used) -> None:
    status, text = used[0]["unknown"]
    assert status == 500
    assert text.startswith("rules.delete: it may have been executed")
    assert text.endswith("It is not signed, so the service can accept it at any later time.")
    assert used[0]["settled"].endswith("it can be sent again: repeating it changes nothing more")
    assert len(sent(used, "/api/v2/alerts/rules/8", "DELETE")) == 1
    assert used[0]["limited"] == 429
    assert len(sent(used, "/api/v2/alerts/rules/9", "PUT")) == 3


def test_several_statuses_are_a_success_and_any_other_is_a_refusal(
    used: Used, generated: Path
) -> None:
    help_text = (generated / "trading_sdk" / "groups" / "rules.py").read_text(encoding="utf-8")

    assert len(sent(used, "/api/v2/alerts/rules/5", "PATCH")) == 3
    assert used[0]["teapot"] == [418, "I am a teapot", 4]
    assert "with status any 4xx or any other" in help_text


def test_a_field_that_another_one_demands_must_be_given(used: Used) -> None:
    assert used[0]["conditions"] == [
        "ReplaceRule: note must be given if until is given",
        "ReplaceRule: until and note must be given if kind is 'mark'",
        "ReplaceRule: until must be given if kind is 'mark'",
    ]


def test_pages_inside_data_with_integer_cursors_and_no_has_more_are_followed(used: Used) -> None:
    queries = [each.query for each in used[1] if each.path == "/api/v2/alerts/hits"]

    assert queries == [{}, {"after": str(2**60)}, {"after": str(2**60)}]
    assert used[0]["hits"] == [[1], [2]]
    assert used[0]["cursors"] == [str(2**60), None]
    assert used[0]["resumed"] == [2]


def test_a_server_is_chosen_by_its_name_and_its_path_is_a_prefix_of_all_paths(used: Used) -> None:
    assert used[0]["client"] == "Client('https://testnet.example.com/trading', account=None)"
    assert used[0]["far"] == [7]
    assert [each.target for each in used[1] if each.path == FAR] == [FAR]
    assert used[0]["named"] == "Client('https://example.com', account=None)"
    told = (
        "base URL: it is neither a URL nor a server; those are main, testnet; did you mean 'main'?"
    )
    assert used[0]["nowhere"] == told


def test_the_docstring_of_the_client_names_the_servers(generated: Path) -> None:
    client = (generated / "trading_sdk" / "client.py").read_text(encoding="utf-8")

    assert "`main`, `testnet`, or a URL. A URL holds the prefix" in " ".join(client.split())


def test_one_method_in_two_versions_of_the_paths_stands_under_two_names(used: Used) -> None:
    assert used[0]["old"] == [7]
    assert len(sent(used, "/api/v1/alerts/hits", "GET")) == 1


def test_a_second_batch_has_actions_and_results_of_its_own(used: Used) -> None:
    (both,) = [each.body["changes"] for each in sent(used, "/api/v2/alerts/batch", "POST")]

    assert [len(signed(each["data"], "pause_rule")) for each in both] == [1, 1]
    assert [(each["type"], each["data"]["rule_id"]) for each in both] == [
        ("Pause", 1),
        ("Pause", 2),
    ]
    assert used[0]["paused"] == [True, False]


def test_an_action_with_an_endpoint_of_its_own_returns_what_it_returned_in_a_batch(
    used: Used,
) -> None:
    (alone,) = sent(used, "/api/v2/alerts/pause", "POST")

    assert signed(alone.body, "pause_rule") == {"rule_id": 1}
    assert used[0]["alone"] == [True, None]
