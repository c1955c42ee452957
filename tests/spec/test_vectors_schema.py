"""The conformance cases are whole: valid, told once, and enough of them.

A missing or misshapen case would let a port pass without being tested.
"""

from __future__ import annotations

import importlib
import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
import yaml

from conformance.cases import VECTORS, expanded
from conformance.features import FEATURES
from tests.codegen.specs import SECOND
from tests.interface import ACTIONS, METHODS
from tests.spec.layout import FILES, laid_out
from trading_sandbox.faults import KINDS as FAULTS
from trading_sandbox.web.dialects.documented import MODELLED

# jsonschema ships no types; a plain import would fail the type check.
VALIDATOR: Any = importlib.import_module("jsonschema").Draft202012Validator
SCHEMA = VALIDATOR(json.loads((VECTORS / "schema.json").read_text("utf-8")))
OF_FILE = {path: expanded(path.read_text("ascii")) for path in FILES}
CASES: dict[str, Any] = {
    f"{path.parent.name}/{case['name']}": case for path, found in OF_FILE.items() for case in found
}


def test_every_case_names_a_rule_and_every_rule_has_a_case() -> None:
    """A rule without a case is one that a port may break unseen."""
    page = (VECTORS / "rules.md").read_text("utf-8")
    rules = re.findall(r"^\| `([a-z0-9-]+)` \| .+ \|$", page, re.MULTILINE)

    assert {case["rule"] for case in CASES.values()} == set(rules)


def test_features_are_those_that_the_kit_knows() -> None:
    named = {feature for case in CASES.values() for feature in case.get("features", ())}

    assert named <= FEATURES.keys()


def of_kind(kind: str) -> list[Any]:
    return [case for case in CASES.values() if case["kind"] == kind]


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_each_case_of_a_file_is_valid(path: Path) -> None:
    wrong = [
        f"{case['name']}: {error.message}"
        for case in OF_FILE[path]
        for error in SCHEMA.iter_errors(case)
    ]

    assert wrong == []


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_file_has_the_layout(path: Path) -> None:
    text = path.read_text("ascii")

    assert text == laid_out(text), "python -m tests.spec.layout"


def test_no_two_cases_of_a_folder_have_one_name() -> None:
    assert len(CASES) == sum(map(len, OF_FILE.values()))


def asked(kind: str, word: str, **words: str) -> list[Any]:
    """What `word` is in the cases of a kind that expect no error, of those with such words."""
    found = [case for case in of_kind(kind) if words.items() <= case.items()]
    return [
        case["given"][word]
        for case in found
        if "spec" not in case["given"] and "error" not in case["expect"]
    ]


def types(batches: Iterable[Any]) -> set[str]:
    """The types of all actions of some batches."""
    return {action["type"] for batch in batches for action in batch["actions"]}


def of_second() -> tuple[set[str], set[str]]:
    """The methods of the second spec, and those that its cases call."""
    spec = yaml.safe_load(SECOND.read_text("utf-8"))
    methods = [each for path in spec["paths"].values() for each in path.values()]
    known = {f"{m['x-group']}.{m['x-method']}" for m in methods if isinstance(m, dict)}
    given = [case["given"] for name, case in CASES.items() if name.startswith("second/")]
    calls = [call for each in given for call in each.get("calls", [each])]
    assert {each["spec"] for each in given} == {"second"}
    return known, {call["operation"] for call in calls}


def scenarios(level: str) -> list[Any]:
    return [case for case in of_kind("scenario") if case["level"] == level]


TYPES = {each.signing_type for each in METHODS.values()} - {None}
MODELS = {name for name, each in METHODS.items() if each.sent_as in MODELLED}
SIGNED = [case["expect"]["body"] for case in of_kind("batch") if "expect" in case]
STEPS = [step for case in scenarios("trades") for step in case["given"]["steps"]]
TRADED = types(step["arguments"] for step in STEPS if step.get("call") == "orders.batch")
CALLED = {step["call"] for step in STEPS if "call" in step}


@pytest.mark.parametrize(
    ("known", "found", "file"),
    [
        (TYPES, asked("signing", "signing_type"), "signing/other-operations.json"),
        (ACTIONS, types(SIGNED), "batch/signed.json"),
        (MODELS, asked("encode", "operation"), "encode/other-operations.json"),
        (MODELS, asked("decode", "operation", rule="decode-operation"), "decode/operations.json"),
        (*of_second(), "second/requests.json"),
        (MODELS, CALLED, "scenarios/orders.json, or the file of its subject"),
        (ACTIONS, TRADED, "scenarios/orders.json"),
    ],
    ids=["types", "actions", "requests", "answers", "second", "calls", "trades"],
)
def test_everything_has_a_case(known: Iterable[str], found: Iterable[str], file: str) -> None:
    lacking, gone = {*known} - {*found}, {*found} - {*known}

    assert not lacking, f"{lacking} have no case: write one into spec/vectors/{file}"
    assert not gone, f"{gone} are gone: leave their cases out of spec/vectors/{file}"


@pytest.mark.parametrize("kind", FAULTS)
def test_what_becomes_of_a_change_is_what_the_sandbox_says_of_each_fault(kind: str) -> None:
    """Its letters stand in the schema of the sandbox, where a port may read them."""
    steps = [step for case in scenarios("survives") for step in case["given"]["steps"]]
    injected = [
        each["arguments"]["kind"] for each in steps if each.get("control") == "faults.inject"
    ]
    assert kind in injected
    outcome = FAULTS[kind].outcome_of_post or FAULTS[kind].outcome
    found = CASES.get(f"scenarios/fault-{kind.replace('_', '-')}-by-key")
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


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("signing/create-order-minimal", {"kind": "something-else"}),
        ("signing/create-order-minimal", {"note": "an unknown key"}),
        ("signing/create-order-minimal", {"refused": {"reason": "float"}}),
        ("decode/order-placed-bare", {"expect": {"value": 1, "error": "decode", "status": 200}}),
    ],
)
def test_a_misshapen_case_is_not_valid(name: str, changes: dict[str, Any]) -> None:
    case = {**CASES[name], **changes}

    assert not SCHEMA.is_valid(case)
