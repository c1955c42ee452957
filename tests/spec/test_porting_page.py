"""The guide for ports names rules, files and levels that are there."""

from __future__ import annotations

import json
import re

from tests.readme import ROOT
from trading_runtime import OutcomeUnknownError

PAGE = (ROOT / "docs" / "porting.md").read_text(encoding="utf-8")
RULES = (ROOT / "spec" / "vectors" / "rules.md").read_text(encoding="utf-8")
TRAPS = [
    line
    for line in PAGE.splitlines()
    if re.search(r"\| `[a-z]+-[a-z0-9-]+`(, `[a-z0-9-]+`)* \|$", line)
]
STEPS = re.findall(r"^\| \d \|.*\| \*(\w+)\* \| (.*) \|$", PAGE, re.MULTILINE)
KIT = (ROOT / "conformance" / "README.md").read_text(encoding="utf-8")


def test_a_trap_names_rules_that_the_vectors_test() -> None:
    names = [re.findall(r"`([a-z0-9-]+)`", line.split(" | ")[-1]) for line in TRAPS]

    assert all(names) and TRAPS
    assert [each for found in names for each in found if f"| `{each}` |" not in RULES] == []


def test_the_steps_lead_through_every_level_of_the_kit_and_name_files_of_the_runtime() -> None:
    named = [re.findall(r"`(?:runtime/trading_runtime/)?(.*?)`", files) for _, files in STEPS]
    runtime = ROOT / "runtime" / "trading_runtime"

    assert [level for level, _ in STEPS] == re.findall(r"^\| \*(\w+)\* \|", KIT, re.MULTILINE)
    assert all(named)
    assert [each for found in named for each in found if not (runtime / each).exists()] == []


def test_the_json_of_an_unknown_outcome_is_as_the_kit_describes_it() -> None:
    section = KIT.split("### The JSON of an unknown outcome")[1].split("### ")[0]
    example = json.loads(section.split("```json")[1].split("```")[0])
    written = json.loads(OutcomeUnknownError.from_json(json.dumps(example)).to_json())

    (message,) = example["intent"]["messages"]
    assert written == example
    for name in (*example, *(example["intent"].keys() - {"version", "messages"}), *message):
        assert re.search(rf"^\|.*\b{name}\b.*\|.*\|$", section, re.MULTILINE), name
