"""The results, for people (a table) and for programs (JSON, JUnit)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any
from xml.etree import ElementTree

from conformance.cases import LEVELS
from conformance.runner import Result
from conformance.values import Value

COLUMNS: tuple[str, ...] = ("passed", "failed", "known", "skipped")


def counts(results: Sequence[Result]) -> dict[str, dict[str, int]]:
    """How many cases of each level passed, failed, failed as is known, and were skipped."""
    found = {level: dict.fromkeys(COLUMNS, 0) for level in LEVELS}
    for result in results:
        column = "known" if result.known else result.outcome
        found[result.case.level][column] += 1
    return {level: row for level, row in found.items() if any(row.values())}


def failures(results: Sequence[Result]) -> list[Result]:
    """The results that make the run fail."""
    return [each for each in results if each.outcome == "failed" and not each.known]


def table(
    results: Sequence[Result], hello: Mapping[str, Value], *, left_out: int, seconds: float
) -> str:
    """The table of levels, what was skipped and why, and each known failure."""
    rows: list[tuple[str, ...]] = [("level", *COLUMNS)]
    every = counts(results)
    rows += [(level, *(str(row[each]) for each in COLUMNS)) for level, row in every.items()]
    sums = [sum(row[each] for row in every.values()) for each in COLUMNS]
    rows.append(("all", *map(str, sums)))
    lines = [f"{row[0]:<11}" + "".join(f"{each:>9}" for each in row[1:]) for row in rows]
    head = f"{hello['language']} {hello['version']}, {hello.get('runtime', 'runtime not told')}"
    reasons = sorted({each.why for each in results if each.outcome == "skipped"})
    lines += [f"skipped for {reason}" for reason in reasons]
    lines += [f"passed over {each.case.name}: {each.why}" for each in results if each.known]
    if left_out:
        lines.append(f"{left_out} cases were left out by --skip")
    return "\n".join([head, "", *lines, "", f"{len(results)} cases in {seconds:.1f} s"])


def shown_failures(results: Sequence[Result], most: int, *, questions: bool = False) -> str:
    """The first difference of each failure, `most` of them; 0 shows all. `questions`: what was asked last, too."""
    found = failures(results)
    lines = [
        f"FAILED {each.case.name} (rule {each.case.rule})\n    {each.case.description}\n    {each.why}"
        + (f"\n    asked: {each.asked}" if questions else "")
        for each in islice(found, most or None)
    ]
    if most and len(found) > most:
        lines.append(f"… and {len(found) - most} more; --show 0 prints all")
    return "\n".join(lines)


def as_json(results: Sequence[Result], hello: Mapping[str, Value]) -> str:
    """Everything, for programs."""
    cases = [
        {
            "name": each.case.name,
            "level": each.case.level,
            "rule": each.case.rule,
            "outcome": each.outcome,
            "known": each.known,
            "why": each.why,
            "seconds": round(each.seconds, 4),
        }
        for each in results
    ]
    program = {name: hello.get(name) for name in ("language", "runtime", "version", "skips")}
    found: dict[str, Any] = {"program": program, "levels": counts(results), "cases": cases}
    return json.dumps(found, indent=1) + "\n"


def as_junit(results: Sequence[Result]) -> str:
    """Everything, as JUnit's XML: a suite for each level."""
    root = ElementTree.Element("testsuites", name="conformance")
    for level, row in counts(results).items():
        mine = [each for each in results if each.case.level == level]
        suite = ElementTree.SubElement(root, "testsuite", name=level, tests=str(len(mine)))
        suite.set("failures", str(row["failed"]))
        suite.set("skipped", str(row["skipped"] + row["known"]))
        for each in mine:
            _junit_case(suite, each)
    return ElementTree.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def _junit_case(suite: ElementTree.Element, result: Result) -> None:
    folder, _, name = result.case.name.partition("/")
    attributes = {"classname": folder, "name": name, "time": f"{result.seconds:.4f}"}
    case = ElementTree.SubElement(suite, "testcase", attributes)
    # XML cannot hold most control characters, not even escaped.
    words = "".join(letter if letter.isprintable() else "?" for letter in result.why)
    if result.known or result.outcome == "skipped":
        ElementTree.SubElement(case, "skipped", message=words)
    elif result.outcome == "failed":
        ElementTree.SubElement(case, "failure", message=words)
