"""The conformance cases are whole: valid, named as their files, and exactly what the maker writes.

A missing or misshapen case would let a port pass without being tested.
"""

from __future__ import annotations

import importlib
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from conformance.features import FEATURES
from tests.interface import ACTIONS, METHODS
from tests.spec import make_vectors
from tests.spec.vector_rules import rules
from trading_sandbox.faults import KINDS as FAULTS
from trading_sandbox.web.dialects.documented import MODELLED

VECTORS = make_vectors.VECTORS
SCHEMA = json.loads((VECTORS / "schema.json").read_text("utf-8"))
FILES = sorted(path for folder in make_vectors.FOLDERS for path in (VECTORS / folder).iterdir())
CASES: dict[Path, Any] = {path: json.loads(path.read_text("ascii")) for path in FILES}

# jsonschema ships no types; a plain import would fail the type check.
VALIDATOR: Any = importlib.import_module("jsonschema").Draft202012Validator

FOLDER_OF_KIND = {
    "signing": "signing",
    "signing-refused": "signing",
    "batch": "batch",
    "encode": "encode",
    "explain": "encode",
    "decode": "decode",
    "decide": "outcome",
    "play": "outcome",
    "pages": "pages",
    "settle": "settle",
    "scenario": "scenarios",
}
LEAST = {
    "signing": 45,
    "signing-refused": 12,
    "batch": 6,
    "decode": 20,
    "encode": 150,
    "explain": 6,
}


RULES = rules()


def test_every_case_names_a_rule_and_every_rule_has_a_case() -> None:
    """A rule without a case is one that a port may break unseen."""
    assert {case["rule"] for case in CASES.values()} == RULES.keys()


def test_features_are_those_that_the_kit_knows() -> None:
    named = {feature for case in CASES.values() for feature in case.get("features", ())}

    assert named <= FEATURES.keys()


def of_kind(kind: str) -> list[Any]:
    return [case for case in CASES.values() if case["kind"] == kind]


def test_the_schema_is_itself_a_valid_schema() -> None:
    VALIDATOR.check_schema(SCHEMA)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_each_case_validates_and_is_named_as_its_file(path: Path) -> None:
    case = CASES[path]

    assert [error.message for error in VALIDATOR(SCHEMA).iter_errors(case)] == []
    assert path.name == f"{case['name']}.json"
    assert path.parent.name in ("json", FOLDER_OF_KIND[case["kind"]])


def test_names_are_unique_across_the_folders() -> None:
    names = Counter(case["name"] for case in CASES.values())

    assert [name for name, count in names.items() if count > 1] == []


@pytest.mark.parametrize("kind", LEAST)
def test_each_kind_has_enough_cases(kind: str) -> None:
    assert len(of_kind(kind)) >= LEAST[kind]


def test_every_signing_type_is_signed_somewhere() -> None:
    types = {each.signing_type for each in METHODS.values()} - {None}

    assert {case["given"]["signing_type"] for case in of_kind("signing")} == types


def test_every_kind_of_batch_action_is_signed_somewhere() -> None:
    bodies = [case["expect"]["body"] for case in of_kind("batch") if "expect" in case]

    assert {action["type"] for body in bodies for action in body["actions"]} == ACTIONS.keys()


def scenarios(level: str) -> list[Any]:
    return [case for case in of_kind("scenario") if case["level"] == level]


def test_every_operation_and_action_trades_in_some_scenario() -> None:
    steps = [step for case in scenarios("trades") for step in case["given"]["steps"]]
    batches = [step["arguments"] for step in steps if step.get("call") == "orders.batch"]
    types = {action["type"] for batch in batches for action in batch["actions"]}

    known = {name for name, each in METHODS.items() if each.sent_as in MODELLED}
    assert {step["call"] for step in steps if "call" in step} == known
    assert types == ACTIONS.keys()


@pytest.mark.parametrize("kind", FAULTS)
def test_what_becomes_of_a_change_is_what_the_sandbox_says_of_each_fault(kind: str) -> None:
    """Its letters stand in the schema of the sandbox, where a port may read them."""
    injected = {
        name: step
        for name, steps in (
            (case["name"], case["given"]["steps"]) for case in scenarios("survives")
        )
        for step in steps
        if step.get("control") == "faults.inject" and step["arguments"]["kind"] == kind
    }
    assert injected
    outcome = FAULTS[kind].outcome_of_post or FAULTS[kind].outcome
    found = CASES.get(VECTORS / "scenarios" / f"fault-{kind.replace('_', '-')}-by-key.json")
    if found is not None:
        ends = [step["expect"] for step in found["given"]["steps"] if step.get("client") == "a"]
        assert ends[0].get("error", {}).get("class") == ERROR_OF[outcome]


ERROR_OF = {
    "N": "not_sent",
    "U": "outcome_unknown",
    "D": "outcome_unknown",
    "R": "api",
    "success": None,
}


def test_given_fields_never_arrive_sorted() -> None:
    several = [case for case in of_kind("signing") if len(case["given"]["data"]) > 1]
    sorted_already = [
        case["name"]
        for case in several
        if list(case["given"]["data"]) == sorted(case["given"]["data"])
    ]

    assert several != []
    assert sorted_already == []


@pytest.mark.parametrize(
    ("name", "field"),
    [("address-with-leading-one", "address"), ("signature-with-leading-one", "signature")],
)
def test_leading_zero_bytes_are_leading_ones(name: str, field: str) -> None:
    case = CASES[VECTORS / "signing" / f"{name}.json"]

    assert case["expect"][field].startswith("1")


@pytest.mark.parametrize(
    ("file", "changes"),
    [
        ("signing/create-order-minimal", {"expect": None}),
        ("signing/create-order-minimal", {"kind": "something-else"}),
        ("signing/create-order-minimal", {"refused": {"reason": "float"}}),
        ("signing/create-order-minimal", {"note": "an unknown key"}),
        ("signing/nan-value", {"refused": {"reason": "a reason nobody knows"}}),
        ("batch/batch-one-action", {"expect": {"body": {"actions": []}}}),
        ("decode/order-placed-bare", {"expect": {"error": "api", "status": 400}}),
        ("decode/order-placed-bare", {"expect": {"value": 1, "error": "decode", "status": 200}}),
    ],
)
def test_a_misshapen_case_is_not_valid(file: str, changes: dict[str, Any]) -> None:
    case = {**CASES[VECTORS / f"{file}.json"], **changes}

    assert not VALIDATOR(SCHEMA).is_valid(case)


def test_a_float_in_a_case_that_is_signed_is_not_valid() -> None:
    case = json.loads((VECTORS / "signing" / "create-order-minimal.json").read_text("ascii"))
    case["given"]["data"]["price"] = 1.5

    assert not VALIDATOR(SCHEMA).is_valid(case)


def test_the_files_are_what_the_maker_writes() -> None:
    assert make_vectors.drift() == []


def test_the_maker_reports_a_changed_a_missing_and_a_left_over_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(make_vectors, "VECTORS", tmp_path)
    make_vectors.write()
    assert make_vectors.main(["--check"]) == 0

    (tmp_path / "signing" / "create-order-minimal.json").write_text("{}")
    (tmp_path / "batch" / "batch-agent.json").unlink()
    (tmp_path / "decode" / "left-over.json").write_text("{}")
    capsys.readouterr()

    assert make_vectors.main(["--check"]) == 1
    report = capsys.readouterr().out.splitlines()
    assert [line.split(":")[0] for line in report] == ["differs", "missing", "without a case"]
