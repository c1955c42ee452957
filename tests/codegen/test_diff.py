"""`python -m codegen diff OLD NEW`, as it is run."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from codegen.changes.diff import Level, next_version
from tests.codegen.conftest import Run
from tests.codegen.specs import DELETED, SMALL, changed, overlay, written

SCHEMAS = "/components/schemas"
FIVE: dict[str, Any] = {
    f"{SCHEMAS}/Genre/enum": ["verse", "poem"],
    f"{SCHEMAS}/Cover/properties/price/x-unit": "USD",
    "/paths/~1v1~1books~1twins/post/x-signing-type": "twins",
    "/paths/~1v1~1loans/get/summary": "Loans.",
    f"{SCHEMAS}/Loan/properties/venue": {"type": "string", "description": "Where."},
}


@pytest.fixture
def five(tmp_path: Path) -> Path:
    """The small spec with five changes."""
    return written(changed(FIVE), tmp_path)


@pytest.fixture
def printed(run: Run) -> dict[str, Any]:
    """The IR of the small spec."""
    document: dict[str, Any] = json.loads(run("ir", "--spec", SMALL).out)
    return document


REPORT = """\
Version: major

## Breaking

- `books.make_twins`: changed: signing type: "twin_confirm" -> "twins"
- `Genre`: removed: values: novel
- `Cover.price`: changed: unit: "EUR" -> "USD"

## Not breaking

- `Genre`: added: values: verse
- `Loan.venue`: added: a new field

## Texts

- `loans.history`: reworded: summary
"""


def test_the_report_says_what_changed_and_what_breaks(five: Path, run: Run) -> None:
    assert run("diff", SMALL, five) == (1, REPORT, "")


def test_tools_get_the_same_as_json(five: Path, run: Run) -> None:
    found = run("diff", SMALL, five, "--json")

    report = json.loads(found.out)
    assert found.status == 1
    assert (report["level"], report["version"], len(report["changes"])) == ("major", None, 6)
    assert report["changes"][0] == {
        "kind": "changed",
        "place": "books.make_twins",
        "text": 'signing type: "twin_confirm" -> "twins"',
        "is_breaking": True,
    }


@pytest.mark.parametrize(
    ("version", "level", "follows"),
    [
        ("0.1.0", None, "0.1.0"),
        ("0.1.0", Level.MAJOR, "0.2.0"),
        ("0.1.0", Level.MINOR, "0.1.1"),
        ("0.1.0", Level.PATCH, "0.1.1"),
        ("1.2.3", Level.MAJOR, "2.0.0"),
        ("1.2.3", Level.MINOR, "1.3.0"),
        ("1.2.3", Level.PATCH, "1.2.4"),
    ],
)
def test_the_version_that_follows(version: str, level: Level | None, follows: str) -> None:
    assert next_version(version, level) == follows


def test_a_release_names_the_version_that_follows(
    five: Path, printed: dict[str, Any], tmp_path: Path, run: Run
) -> None:
    release = tmp_path / "released.json"
    release.write_text(json.dumps({"version": "1.4.2", "ir": printed}), encoding="utf-8")

    assert run("diff", release, five).out.startswith("Version: major, 1.4.2 -> 2.0.0\n")


def test_what_is_only_added_is_a_minor_version(tmp_path: Path, run: Run) -> None:
    spec = written(changed({f"{SCHEMAS}/Genre/enum": ["novel", "poem", "play"]}), tmp_path)

    told = "- `Genre`: added: values: play\n"
    assert run("diff", SMALL, spec) == (0, f"Version: minor\n\n## Not breaking\n\n{told}", "")


def git(folder: Path, *arguments: str) -> None:
    who = ("-c", "user.name=A", "-c", "user.email=a@example.invalid")
    subprocess.run(["git", "-C", str(folder), *who, *arguments], check=True)


def committed(folder: Path) -> Path:
    """The small spec in a repository of its own."""
    spec = folder / "spec.yaml"
    spec.write_bytes(SMALL.read_bytes())
    git(folder, "init", "-q")
    git(folder, "add", ".")
    git(folder, "commit", "-qm", "A spec")
    return spec


def worded(path: Path, summary: str, **more: str) -> str:
    """An overlay that gives the list of loans another summary."""
    action = {"target": "$.paths['/v1/loans'].get", "update": {"summary": summary}}
    path.parent.mkdir(exist_ok=True)
    return str(overlay(path.parent, action, name=path.name, **more))


SAME, WORDS = "Nothing changed.\n", "- `loans.history`: reworded: summary\n"


def test_a_revision_has_the_overlay_that_it_had(tmp_path: Path, run: Run) -> None:
    spec, path = committed(tmp_path), tmp_path / "overlays" / "words.yaml"
    outside = worded(tmp_path.parent / f"{tmp_path.name} beside" / "words.yaml", "Beside.")
    for summary in ("One.", "Two."):
        words = worded(path, summary, extends="../spec.yaml")
        git(tmp_path, "add", ".")
        git(tmp_path, "commit", "-qm", summary)
    worded(path, "Not committed.")

    def told(old: str, new: str, *overlays: str) -> str:
        given = [part for each in overlays for part in ("--overlay", each)]
        found = run("diff", old, new, "--spec", spec, *given)
        assert found.status == 0
        return found.out

    assert told("HEAD", "HEAD:spec.yaml", words) == SAME
    assert WORDS in told("HEAD~1", "HEAD", words)
    assert WORDS in told("HEAD", str(spec), words)
    # No overlay at that revision, or none in the repository: it is the file.
    assert told("HEAD~2", str(spec), words) == SAME
    assert told("HEAD~1", "HEAD", outside) == SAME
    assert run("diff", "HEAD", "HEAD", "--spec", spec, "--overlay", "no.yaml").status == 2


def test_an_ir_is_compared_with_its_own_overlays_only(tmp_path: Path, run: Run) -> None:
    words, kept = worded(tmp_path / "words.yaml", "Loans."), tmp_path / "ir.json"
    kept.write_text(run("ir", "--spec", SMALL, "--overlay", words).out, encoding="utf-8")

    assert run("diff", kept, SMALL, "--overlay", words) == (0, SAME, "")
    other = run("diff", kept, SMALL, "--overlay", worded(tmp_path / "other.yaml", "Loans."))
    problem = "#/overlays: ir.json is an IR with other overlays, or none: name its spec instead\n"
    assert (other.status, other.err.endswith(problem)) == (2, True)


NEITHER = "is neither a file nor a git revision"
NO_IR = "ir.json is neither an IR nor a release: `python -m codegen ir` prints one"
OTHER_IR = (
    "; this generator reads 2 and 3. To compare with the last release, name spec/released.json"
)


@pytest.mark.parametrize(
    ("old", "text", "problem"),
    [
        ("no-such-revision", "", f"#: 'no-such-revision' {NEITHER}"),
        ("--output=x", "", f"#: '--output=x' {NEITHER}"),
        ("HEAD:no/such.yaml", "", "#: there is no no/such.yaml at the git revision 'HEAD'"),
        ("ir.json", "[]", f"#: {NO_IR}"),
        ("ir.json", "{", f"#: {NO_IR}"),
        ("ir.json", '{"ir": []}', f"#: {NO_IR}"),
        ("ir.json", '{"ir": {}}', f"#: {NO_IR}"),
        ("ir.json", '{"title": "A"}', f"#: {NO_IR}"),
        ("ir.json", '{"ir_version": 99}', f"#/ir_version: an IR of version 99{OTHER_IR}"),
        ("ir.json", '{"operations": []}', f"#/ir_version: an IR of version 1{OTHER_IR}"),
    ],
)
def test_what_cannot_be_read_is_told(
    old: str, text: str, problem: str, tmp_path: Path, run: Run
) -> None:
    path = tmp_path / old
    if text:
        path.write_text(text, encoding="utf-8")
    named = str(path) if text else old

    told = f"{named}: nothing was compared\n{problem}\n"
    assert run("diff", "--", named, SMALL) == (2, "", told)


def test_an_ir_is_read_and_a_member_that_it_leaves_out_has_its_default(
    printed: dict[str, Any], tmp_path: Path, run: Run
) -> None:
    short = {name: value for name, value in printed.items() if value != []}
    assert len(short) < len(printed)
    path = tmp_path / "ir.json"
    for document in (printed, short):
        path.write_text(json.dumps(document), encoding="utf-8")
        assert run("diff", path, SMALL) == (0, SAME, "")


def test_a_revision_that_only_the_rules_of_today_refuse_has_a_way_out(
    tmp_path: Path, run: Run
) -> None:
    spec = committed(tmp_path)
    written(changed({"/paths/~1v1~1loans/get/summary": DELETED}), tmp_path)
    git(tmp_path, "commit", "-qam", "What an older generator took")
    problem = "#/paths/~1v1~1loans/get/summary: must be one line of text"

    new = run("diff", "HEAD~1", spec, "--spec", spec)
    assert (new.status, new.err.splitlines()[1:]) == (2, [problem])

    old = run("diff", "HEAD", "HEAD~1", "--spec", spec)
    _, found, advice = old.err.splitlines()
    assert (old.status, found) == (2, problem)
    assert advice.startswith("#: if only the rules of today refuse it, print its IR by the")
