"""The kit reports whatever a program does wrong as what it is, and goes on with the other cases."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from conformance.__main__ import main
from conformance.cases import all_cases
from conformance.features import FEATURES, UNSEEN

ONE = "outcome/decide-maybe-sent-safe-1"
"""A case that a delay of 25 ms answers."""
TWO = ("--only", ONE, "--only", "outcome/decide-not-sent-never-1")


def program(mode: str) -> tuple[str, ...]:
    return ("--", sys.executable, "-m", "tests.conformance.bad_program", mode)


def run(tmp_path: Path, mode: str, *options: str) -> tuple[int, list[dict[str, Any]]]:
    """The exit status, and the results of the cases."""
    report = tmp_path / "report.json"
    patience = ("--timeout", "20") if "--timeout" not in options else ()
    status = main([*patience, *options, "--json", str(report), *program(mode)])
    return status, json.loads(report.read_text("utf-8"))["cases"] if report.exists() else []


def why(tmp_path: Path, mode: str, *options: str) -> str:
    """Why the one case that is run fails."""
    status, (case,) = run(tmp_path, mode, "--only", ONE, *options)
    assert (status, case["outcome"]) == (1, "failed")
    return str(case["why"])


def test_a_program_that_says_other_things_of_itself_later_fails(tmp_path: Path) -> None:
    _, cases = run(tmp_path, "moody", *TWO)

    assert "ended instead of answering" in cases[0]["why"]
    assert "the program: hello: " in cases[1]["why"] and "and before" in cases[1]["why"]


@pytest.mark.parametrize("mode", ["right", "floods-stderr"])
def test_a_right_program_passes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], mode: str
) -> None:
    status, cases = run(tmp_path, mode, *TWO, "--jobs", "2")

    assert (status, [case["outcome"] for case in cases]) == (0, ["passed"] * 2)
    table = capsys.readouterr().out
    assert "survives" in table and "2 cases in" in table


def test_the_first_difference_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert why(tmp_path, "wrong") == "delay: expected {'$float': '0.025'}, got 0.026"
    told = capsys.readouterr().out
    (case,) = [each for each in all_cases() if each.name == ONE]
    assert f"FAILED {ONE} (rule outcome-table)\n    {case.description}\n" in told
    assert "asked:" not in told

    why(tmp_path, "wrong", "--questions")
    (asked,) = re.findall("asked: (.*)", capsys.readouterr().out)
    assert json.loads(asked)["do"] == "decide"


@pytest.mark.parametrize(
    ("mode", "words"),
    [
        ("dies", "ended instead of answering, with the status 3"),
        ("wrong-id", "an answer to 3, not to 2"),
        ("nothing", "one of result, error and skipped"),
        ("bad-tag", r"\$int '1.5' is not readable"),
        ("floods-stdout", "no JSON in ASCII"),
        ("skips", "skipped 'float', which hello did not declare"),
        ("skips-declared", "or this case does not need"),
        ("escapes", "escaped"),
        # What it said on its standard error is shown.
        ("dies", "boom, said the program"),
        ("hangs", "no answer within 1 s"),
        # An answer alone is not enough.
        ("surplus", "wrote a line that nobody asked for"),
        ("ends-badly", "ended with the status 4 when its standard input ended"),
        ("stays", "did not end within 1 s"),
    ],
)
def test_what_a_program_does_wrong_is_reported_as_that(
    tmp_path: Path, mode: str, words: str
) -> None:
    patience = ("--timeout", "1") if "1 s" in words else ()
    assert re.search(words, why(tmp_path, mode, *patience))


def test_a_secret_in_an_answer_fails_the_case(tmp_path: Path) -> None:
    status, (case,) = run(tmp_path, "leaks", "--only", "signing/key-zero-bytes-in-front")

    assert (status, case["why"]) == (1, "the program: its answer shows the private key")


def test_a_declared_feature_is_skipped_where_the_case_needs_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, (case,) = run(tmp_path, "skips-declared", "--only", "signing/float-value")

    assert (status, case["outcome"]) == (0, "skipped")
    assert "skipped for float: it has none" in capsys.readouterr().out


def test_a_declared_feature_that_no_command_shows_is_left_out_by_the_kit(tmp_path: Path) -> None:
    status, (case,) = run(tmp_path, "lacks", "--only", "outcome/rate-budget")

    assert (status, case["outcome"], case["why"]) == (0, "skipped", "rate-budget: not yet")


def test_the_readme_says_of_each_feature_whether_a_command_shows_it() -> None:
    readme = (Path(__file__).parents[2] / "conformance" / "README.md").read_text("utf-8")
    rows = re.findall(r"^\| `([a-z-]+)` \| .* \| (.*) \|$", readme, re.MULTILINE)
    shown_by = {name: by for name, by in rows if name in FEATURES}

    assert list(shown_by) == list(FEATURES)
    assert {name for name, by in shown_by.items() if by == "nothing"} == UNSEEN


@pytest.mark.parametrize(
    ("mode", "words"),
    [
        ("hello-protocol", "it speaks protocol 2, and this kit 1"),
        ("hello-feature", "unknown features: magic"),
        ("hello-reason", "skips is no object with a reason for each feature"),
        ("hello-language", "language and version are missing"),
        ("hello-dies", "boom, said the program"),
    ],
)
def test_a_wrong_hello_ends_the_run(
    tmp_path: Path, mode: str, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(tmp_path, mode, "--only", ONE) == (2, [])
    assert words in capsys.readouterr().err


def test_a_program_that_there_is_not(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--only", ONE, "--", "/no/such/program"]) == 2
    assert "cannot be started" in capsys.readouterr().err


def test_a_known_failure_is_printed_and_does_not_fail_the_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    known = tmp_path / "known.txt"
    known.write_text(f"# why\n{ONE}  # a comment\n", "utf-8")

    status, (case,) = run(tmp_path, "wrong", "--only", ONE, "--known-failures", str(known))

    assert (status, case["outcome"], case["known"]) == (0, "failed", True)
    assert f"passed over {ONE}: delay: expected" in capsys.readouterr().out


def test_a_known_failure_that_passes_fails_the_run(tmp_path: Path) -> None:
    known = tmp_path / "known.txt"
    known.write_text(f"{ONE}\n", "utf-8")

    assert (
        why(tmp_path, "right", "--known-failures", str(known))
        == "it is a known failure, and passes"
    )


def test_junit_has_a_suite_for_each_level(tmp_path: Path) -> None:
    junit = tmp_path / "junit.xml"
    run(tmp_path, "wrong", "--only", ONE, "--junit", str(junit))

    (suite,) = ElementTree.parse(junit).getroot()
    (case,) = suite
    assert (suite.get("name"), suite.get("failures")) == ("survives", "1")
    assert case.get("name") == "decide-maybe-sent-safe-1"
    assert "expected" in (case[0].get("message") or "")


OF_EACH_KIND = (
    *("signing/create-order-minimal", "batch/batch-one-action", "encode/id-given"),
    *("encode/explain-order", "decode/order-placed-bare", "outcome/decide-quota-one"),
    *("outcome/batch-failed-action-with-new-id", "pages/pages-three", "settle/settle-shown"),
    *("scenarios/settings", "pages/pages-repeated", "settle/settle-another-account"),
)


@pytest.mark.parametrize("mode", ["odd-list", "odd-object", "odd-members", "null", "escapes"])
def test_an_answer_of_any_shape_fails_the_case_and_loses_no_other(
    tmp_path: Path, mode: str
) -> None:
    status, cases = run(tmp_path, mode, *[o for name in OF_EACH_KIND for o in ("--only", name)])

    assert (status, len(cases)) == (1, len(OF_EACH_KIND))
    assert {case["outcome"] for case in cases} == {"failed"}
    assert [case["why"] for case in cases if "cannot be compared" in case["why"]] == []


def test_after_a_failure_nothing_more_is_run_if_that_is_asked_for(tmp_path: Path) -> None:
    status, cases = run(tmp_path, "wrong", *TWO, "--fail-fast")

    assert (status, len(cases)) == (1, 1)


def test_levels_and_globs_choose_the_cases(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--list"]) == 0
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]

    levels = "signs encodes decodes trades survives reconciles generates"
    assert {row[0] for row in rows} == set(levels.split())
    assert main(["--level", "signs", "--only", "outcome/*", *program("right")]) == 2


def test_a_case_is_printed_whole(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--print", ONE]) == 0

    case = json.loads(capsys.readouterr().out)
    assert (case["name"], case["rule"], case["features"]) == (ONE, "outcome-table", [])
    assert case["given"]["policy"]["max_attempts"] == 3
    assert case["expect"] == {"result": {"delay": {"$float": "0.025"}}}


@pytest.mark.parametrize(
    "arguments", [[], ["--jobs", "0", "--", "x"], ["--timeout", "0", "--", "x"]]
)
def test_a_wrong_call_says_how_to_call_it(arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(arguments)

    assert caught.value.code == 2
