"""The guide for ports names rules, files and levels that are there."""

from __future__ import annotations

import json
import re

import pytest

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


@pytest.mark.parametrize("line", TRAPS)
def test_a_trap_names_rules_that_the_vectors_test(line: str) -> None:
    names = re.findall(r"`([a-z0-9-]+)`", line.split(" | ")[-1])

    assert names
    assert [name for name in names if f"| `{name}` |" not in RULES] == []


def test_the_steps_lead_through_every_level_of_the_kit() -> None:
    kit = (ROOT / "conformance" / "README.md").read_text(encoding="utf-8")

    assert [level for level, _ in STEPS] == re.findall(r"^\| \*(\w+)\* \|", kit, re.MULTILINE)


@pytest.mark.parametrize(("level", "files"), STEPS)
def test_a_step_names_files_of_the_runtime(level: str, files: str) -> None:
    runtime = ROOT / "runtime" / "trading_runtime"
    named = [
        name.removeprefix("runtime/trading_runtime/") for name in re.findall(r"`(.*?)`", files)
    ]

    assert named
    assert [name for name in named if not (runtime / name).exists()] == []


def test_the_options_of_the_kit_that_the_page_names_are_in_its_readme() -> None:
    kit = (ROOT / "conformance" / "README.md").read_text(encoding="utf-8")
    named = {name for line in PAGE.splitlines() for name in re.findall(r"(?<=[` ])--[a-z-]+", line)}

    assert "--questions" in named
    assert [name for name in sorted(named - {"--ready-json"}) if f"`{name}" not in kit] == []


def test_the_json_of_an_unknown_outcome_is_as_the_kit_describes_it() -> None:
    kit = (ROOT / "conformance" / "README.md").read_text(encoding="utf-8")
    section = kit.split("### The JSON of an unknown outcome")[1].split("### ")[0]
    example = json.loads(section.split("```json")[1].split("```")[0])
    written = json.loads(OutcomeUnknownError.from_json(json.dumps(example)).to_json())

    (message,) = example["intent"]["messages"]
    assert written == example
    for name in (*example, *(example["intent"].keys() - {"version", "messages"}), *message):
        assert re.search(rf"^\|.*\b{name}\b.*\|.*\|$", section, re.MULTILINE), name
