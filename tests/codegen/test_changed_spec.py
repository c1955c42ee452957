"""The spec changes, the package is generated again, and the new client calls what is new."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from solders.keypair import Keypair
from solders.pubkey import Pubkey
from solders.signature import Signature

from tests.codegen.exchange import Received, exchange
from tests.codegen.invented import USERS, environment, warned_of
from tests.codegen.specs import ROOT

Used = tuple[dict[str, Any], list[Received]]
KEY = Keypair.from_seed(bytes(range(32)))
ACCOUNT = str(KEY.pubkey())
ALERT_ID = "5f0c1f4e-6a0b-4c56-9a3d-0f6b2f9d7a11"
PAGES = [
    {
        "alerts": [{"symbol": "BTC", "threshold": "1.50", "status": "suspended"}],
        "next": "page/2 ?&",
        "more": True,
    },
    {
        "alerts": [{"symbol": "ETH", "threshold": "2", "status": "unheard_of"}],
        "next": None,
        "more": False,
    },
]
LATEST = "/api/v2/alerts/a%2Fb%20%C3%BC%3F./latest"
CANDLE = {"t": 1, "T": 2, "from": "1M", "24h-volume": "1.50", "$score": "hidden"}
BID = ["1.50", "2", "open", "of a later version"]
BOOK = {
    "bids": [BID, ["1", "2", "shiny"]],
    "grid": [["1", "2"], []],
    "fees": {"success": "0.1"},
    "top": None,
    "depth": ["1", None],
    "states": ["open", None, "shiny"],
    "notes": {"any": [1]},
}
ANSWERS: dict[str, list[Any]] = {
    "/api/v2/alerts/create": [
        (202, {"success": True, "data": {"alert_id": ALERT_ID, "kind": "mark", "error": "no gas"}}),
        (202, {"success": True, "data": {"alert_id": ALERT_ID, "kind": "last_trade"}}),
    ],
    LATEST: [
        {"success": True, "data": {"symbol": "BTC", "threshold": "1", "status": "open"}},
        {"success": True, "data": None},
    ],
    "/api/v2/candles": [
        {"success": True, "data": [CANDLE, CANDLE, CANDLE, {**CANDLE, "next-one": ALERT_ID}]}
    ],
    "/api/v2/alerts/basket": [(204, None), (204, None)],
    "/api/v2/book": [
        {"success": True, "data": {**BOOK, **change}}
        for change in (
            {},
            {"bids": [BID, ["1", "2"]]},
            {"bids": [["1", "x", "open"]]},
            {"fees": {"taker": "1", "maker": True}},
            {"depth": ["1", True]},
        )
    ],
    "/api/v2/books": [
        {"success": True, "data": {"success": BOOK, "error": BOOK}},
        {"success": True, "data": []},
    ],
    "/api/v2/alerts/remove": [(204, None)],
    "/api/v2/alerts": PAGES,
    "/api/v1/funding_rate/history": [{"success": True, "data": [], "has_more": False}],
    "/api/v1/orders/batch": [
        {"success": True, "data": {"results": [{"success": True, "order_id": 7}]}}
    ],
}


@pytest.fixture(scope="module")
def used(generated: Path) -> Used:
    """What a user of the new package saw, and what arrived at the service."""
    return run("use_alerts.py", generated, ANSWERS)


def run(user: str, generated: Path, answers: dict[str, list[Any]]) -> Used:
    """Let a user work with the generated package, against prepared answers."""
    with exchange(answers) as server:
        done = subprocess.run(
            [sys.executable, str(generated.parent / user), server.url, str(KEY)],
            env=environment(generated),
            capture_output=True,
            check=False,
            timeout=30,
        )
    assert done.returncode == 0, done.stderr.decode()
    return json.loads(done.stdout), server.received


def signed(body: dict[str, Any], signing_type: str) -> dict[str, Any]:
    """The own fields of a signed body whose signature solders has verified."""
    fields = dict(body)
    assert fields.pop("account") == ACCOUNT
    signature = Signature.from_string(fields.pop("signature"))
    header = {name: fields.pop(name) for name in ("timestamp", "expiry_window")}
    message = {**header, "type": signing_type, "data": fields}
    text = json.dumps(message, sort_keys=True, separators=(",", ":"))
    assert signature.verify(Pubkey.from_string(ACCOUNT), text.encode())
    return fields


def test_a_new_signed_operation_is_sent_and_signed(used: Used) -> None:
    first, second = [each for each in used[1] if each.path == "/api/v2/alerts/create"]

    fields = signed(first.body, "create_alert")

    assert first.method == "POST"
    assert len(fields.pop("alert_id")) == 36
    assert fields == {
        "symbol": "BTC",
        "kind": "mark",
        "condition": {"threshold": "100000.50", "is-touched": True},
        "channels": ["mail", "phone"],
        "from": "a secret",
        "sticky": None,
    }
    assert signed(second.body, "create_alert") == {
        "symbol": "ETH",
        "kind": "last_trade",
        "condition": {"threshold": "4000", "within": 60_000, "is-touched": False},
        "channels": ["mail"],
        "alert_id": ALERT_ID,
    }


def test_its_answer_is_typed(used: Used) -> None:
    assert used[0]["placed"] == [ALERT_ID, "<AlertKind.MARK: 'mark'>", ALERT_ID, "no gas", None]


def test_a_parameter_stands_in_the_path_and_a_result_may_be_null(used: Used) -> None:
    queries = [(each.method, each.query) for each in used[1] if each.path == LATEST]

    assert queries == [("GET", {"kind": "mark"}), ("GET", {})]
    assert used[0]["latest"] == ["BTC", None]


def test_names_that_are_none_in_python_stand_for_those_of_json(used: Used) -> None:
    (asked,) = [each.query for each in used[1] if each.path == "/api/v2/candles"]
    values, (shown, following) = used[0]["candle"]

    assert asked == {"from": "1", "page-size": "2", "interval": "7d"}
    assert values == [1, 2, True, "1.50"]
    assert "field_24h_volume=Decimal('1.50')" in shown
    assert "hidden" not in shown
    assert following == ALERT_ID


def test_lists_maps_tuples_and_null_are_sent_as_they_are_given(used: Used) -> None:
    first, second = [each.body for each in used[1] if each.path == "/api/v2/alerts/basket"]

    assert signed(first, "set_basket") == {
        "conditions": [{"threshold": "1"}, {"threshold": "2.50", "within": 1000}],
        "kinds": ["mark", None, "last_trade"],
        "floor": None,
        "weights": {"BTC": "0.5", "ETH": None},
    }
    assert signed(second, "set_basket") == {
        "conditions": [{"threshold": "1"}],
        "kinds": [],
        "numbers": [1, 2],
        "floor": "1",
        "ceiling": None,
        "label": "night",
        "kind": None,
        "main": {"threshold": "3"},
        "tags": [["a", "b"], []],
        "weights": {},
        "nested": {"BTC": [{"threshold": "4"}]},
    }


def test_what_a_list_or_a_map_must_not_hold_is_refused_with_its_place(used: Used) -> None:
    assert used[0]["baskets refused"] == [
        "SetBasket.conditions: item 1: 'threshold' is missing; a AlertCondition needs it",
        "SetBasket.kinds: item 0: 'bid' is not one of 'mark', 'last_trade', 'index'",
        "SetBasket.weights: 'BTC': a float like 0.5 is not exact; give a Decimal or a string,"
        " like '0.5'",
        "SetBasket.conditions: expected a list, not 'ab' (str)",
        "SetBasket.weights: expected a mapping, not [] (list)",
        "SetBasket: Length of 'conditions' must be <= 2: 3",
        "SetBasket: Length of 'label' must be <= 5: 8",
    ]


def test_lists_maps_tuples_and_null_are_typed_in_answers(used: Used) -> None:
    assert used[0]["book"] == {
        "bids": ["Decimal('1.50')", "Decimal('2')", "<OrderStatus.OPEN: 'open'>"],
        "unknown": "shiny",
        "grid": "((Decimal('1'), Decimal('2')), ())",
        "fees": "FrozenMap({'success': Decimal('0.1')})",
        "top": None,
        "depth": "(Decimal('1'), None)",
        "states": "(<OrderStatus.OPEN: 'open'>, None, 'shiny')",
        "notes": "FrozenMap({'any': [1]})",
        "names": ["success", "error"],
    }


def test_a_wrong_part_of_an_answer_is_refused_with_its_place(used: Used) -> None:
    assert used[0]["books refused"] == [
        "expected 3 members, not 2 @ $.data.bids[1]",
        "'x' is not a decimal @ $.data.bids[0][1]",
        "expected a string, not a boolean @ $.data.fees['maker']",
        "expected a string, not a boolean @ $.data.depth[1]",
        "expected an object, not a list @ $.data",
    ]


def test_an_answer_without_content_is_a_success(used: Used) -> None:
    (removed,) = [each for each in used[1] if each.path == "/api/v2/alerts/remove"]

    assert signed(removed.body, "remove_alert") == {"alert_id": ALERT_ID}


def test_what_breaks_a_limit_is_refused_before_it_is_sent(used: Used) -> None:
    assert used[0]["refused"] == [
        "CreateAlert: Length of 'symbol' must be <= 8: 12",
        "CreateAlert.condition: AlertCondition: 'within' must be > 0: 0",
        "CreateAlert.condition: AlertCondition: 'within' must be < 90000000: 90000000",
        "CreateAlert.condition: AlertCondition: 'within' must be a multiple of 1000: 1500",
        "name: '..' cannot be a part of a path",
    ]


def test_a_new_list_is_followed_over_its_pages_by_its_own_names(used: Used) -> None:
    queries = [(each.method, each.query) for each in used[1] if each.path == "/api/v2/alerts"]

    first = {"account": ACCOUNT, "kind": "mark", "active": "true"}
    assert queries == [("GET", first), ("GET", {**first, "after": "page/2 ?&"})]


def test_a_new_enum_value_is_known_and_an_unknown_one_survives(used: Used) -> None:
    assert used[0]["alerts"] == [["BTC", "1.50", "suspended"], ["ETH", "2", "unheard_of"]]
    assert used[0]["is_known"]


def test_a_renamed_group_stands_under_its_new_name(generated: Path, used: Used) -> None:
    assert used[0]["records"] == []
    assert "/api/v1/funding_rate/history" in [each.path for each in used[1]]
    assert not (generated / "trading_sdk" / "groups" / "funding.py").exists()


def test_a_new_optional_field_is_signed_in_a_batch(used: Used) -> None:
    (batch,) = [each for each in used[1] if each.path == "/api/v1/orders/batch"]

    (action,) = batch.body["actions"]

    assert action["type"] == "Create"
    assert signed(action["data"], "create_order")["remark"] == "noted"


CHECKERS = {
    "mypy": ["mypy", "--strict", "--no-error-summary", "--enable-error-code=deprecated", "."],
    "pyright": ["pyright"],
}


@pytest.mark.parametrize("tool", CHECKERS)
def test_type_checkers_find_what_is_deprecated_and_nothing_else(tool: str, generated: Path) -> None:
    """`nox -s types` asks them about the shipped packages."""
    folder = generated.parent
    config = {"reportDeprecated": "error", "pythonPlatform": "Linux"}
    (folder / "pyrightconfig.json").write_text(json.dumps(config), encoding="utf-8")

    done = subprocess.run(
        [sys.executable, "-m", *CHECKERS[tool]],
        cwd=folder,
        env=environment(generated),
        capture_output=True,
        text=True,
        check=False,
    )

    told = re.findall(r"(\w+\.py):(\d+):.* error: (.*deprecated)?", done.stdout)
    meant = [("use_deprecated.py", line) for line in warned_of(folder, "type checkers see it")]
    assert [(name, int(line)) for name, line, _ in told] == meant, done.stdout
    assert all(deprecated for _, _, deprecated in told), done.stdout


@pytest.mark.parametrize("command", [["check"], ["format", "--check", "--line-length", "100"]])
def test_ruff_finds_nothing(command: list[str], generated: Path) -> None:
    config = ["--no-cache", "--config", str(ROOT / "pyproject.toml")]
    targets = [generated / "trading_sdk", *(generated.parent / name for name in USERS)]

    done = subprocess.run(
        [sys.executable, "-m", "ruff", *command, *config, *targets],
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stdout
