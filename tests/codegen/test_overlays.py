"""OpenAPI Overlays: what they change, what is refused, and where the larger package goes."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from codegen.__main__ import main
from codegen.read.load import SpecError
from codegen.read.source import read
from tests.codegen.specs import ROOT, SMALL, Tree, written

INFO = {"title": "More", "version": "1"}


def overlay(folder: Path, *actions: Any, name: str = "more.yaml", **changed: Any) -> Path:
    """An overlay as a file."""
    whole = {"overlay": "1.0.0", "info": INFO, "actions": list(actions), **changed}
    path = folder / name
    path.write_text(json.dumps({k: v for k, v in whole.items() if v is not None}), encoding="utf-8")
    return path


def laid(folder: Path, tree: Tree, *actions: Any) -> Any:
    """A tree with one overlay applied."""
    return read(written(tree, folder), [overlay(folder, *actions)]).root.value


def refused(source: Path, *overlays: Path) -> list[str]:
    with pytest.raises(SpecError) as caught:
        read(source, overlays)
    return [str(problem) for problem in caught.value.problems]


# -- what an action does ----------------------------------------------------------------------


def test_an_update_is_merged_into_every_mapping_that_the_target_matches(tmp_path: Path) -> None:
    tree = {"a": {"x": {"on": True, "deep": {"one": 1}}, "y": {"on": False}, "z": {}}}
    update = {"deep": {"two": [2]}, "on": "changed"}

    found = laid(tmp_path, tree, {"target": "$.a[?@.on == true, ?@.on == false]", "update": update})

    assert found == {
        "a": {
            "x": {"on": "changed", "deep": {"one": 1, "two": [2]}},
            "y": {"on": "changed", "deep": {"two": [2]}},
            "z": {},
        }
    }
    assert found["a"]["x"]["deep"]["two"] is not found["a"]["y"]["deep"]["two"]


def test_lists_grow_at_their_end(tmp_path: Path) -> None:
    tree = {"tags": [1], "deep": {"tags": [1]}, "kind": "string"}

    found = laid(
        tmp_path,
        tree,
        {"target": "$.tags", "update": {"an": "entry"}},
        {"target": "$.tags", "update": [2, 3]},
        {"target": "$", "update": {"deep": {"tags": [2]}, "kind": ["string", "null"]}},
    )

    assert found == {
        "tags": [1, {"an": "entry"}, 2, 3],
        "deep": {"tags": [1, 2]},
        "kind": ["string", "null"],
    }


def test_what_is_removed_is_removed_once_and_takes_nothing_else_along(tmp_path: Path) -> None:
    tree = {"list": [{"n": 0}, {"n": 1}, {"n": 2}], "map": {"a": {"b": {}}, "c": {}}}

    found = laid(
        tmp_path,
        tree,
        {"target": "$.list[?@.n < 2, ?@.n == 0]", "remove": True},
        {"target": "$.map.a..*", "remove": True},
    )

    assert found == {"list": [{"n": 2}], "map": {"a": {}, "c": {}}}


def test_actions_and_overlays_are_applied_in_their_order(tmp_path: Path) -> None:
    spec = written({"a": {"old": {}}}, tmp_path)
    first = overlay(
        tmp_path,
        {"target": "$.a", "remove": True},
        {"target": "$", "update": {"a": {"new": {}}}},
    )
    second = overlay(tmp_path, {"target": "$.a.new", "update": {"by": 2}}, name="second.yaml")

    assert read(spec, [first, second]).root.value == {"a": {"new": {"by": 2}}}
    assert refused(spec, second, first) == [f"{second}#/actions/0/target: $.a.new matches nothing"]


# -- what is refused --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changed", "problem"),
    [
        (
            {"overlay": "1.1.0"},
            "#/overlay: must be a version of Overlay 1.0, like '1.0.0', not '1.1.0'",
        ),
        ({"overlay": None}, "#: must have the key overlay"),
        ({"overlay": 1.0}, "#/overlay: must be a version of Overlay 1.0"),
        ({"info": None}, "#: must have the key info"),
        ({"info": {"title": "x"}}, "#/info: must have the key version"),
        (
            {"info": {**INFO, "x/y": 1}},
            "#/info/x~1y: is not a key of an overlay; write title, version, or",
        ),
        ({"actions": None}, "#: must have the key actions"),
        ({"actions": []}, "#/actions: must be a list of at least one action"),
        ({"actions": ["x"]}, "#/actions/0: must be a mapping with the keys target, not 'x'"),
        (
            {"x-by": "me"},
            "#/x-by: is not a key of an overlay; write overlay, info, actions, extends",
        ),
        ({"extends": "other.yaml"}, "#/extends: 'other.yaml' is not the spec"),
        ({"extends": 7}, "#/extends: must be a text, not 7"),
    ],
)
def test_a_malformed_overlay_is_refused_with_its_pointer(
    changed: dict[str, Any], problem: str, tmp_path: Path
) -> None:
    path = overlay(tmp_path, {"target": "$", "update": {}}, **changed)

    (found,) = refused(written({}, tmp_path), path)

    assert found.startswith(f"{path}{problem}")


@pytest.mark.parametrize(
    ("action", "problem"),
    [
        ({"target": "$.a"}, ": needs either an update or remove: true"),
        ({"target": "$.a", "remove": False}, ": needs either an update or remove: true"),
        ({"target": "$.a", "remove": True, "update": {}}, ": needs either an update or remove"),
        ({"target": "$.a", "remove": 1}, "/remove: must be true or false, not 1"),
        ({"target": "$.a", "update": {}, "description": 1}, "/description: must be a text, not 1"),
        (
            {"target": "$.a", "updat": {}, "remove": True},
            "/updat: is not a key of an overlay; write target, description, update",
        ),
        ({"target": "a.b", "update": {}}, "/target: is not a JSONPath of RFC 9535: expected '$'"),
        ({"update": {}}, ": must have the key target"),
        ({"target": "$.zz", "update": {}}, "/target: $.zz matches nothing"),
        ({"target": "$.a.text", "update": {}}, ": #/a/text is neither a mapping nor a list"),
        ({"target": "$.a.text", "remove": True}, ": #/a/text is neither a mapping nor a list"),
        ({"target": "$.a", "update": 1}, ": #/a is a mapping, and can only be merged with one"),
        ({"target": "$", "remove": True}, ": # is the whole spec, which cannot be removed"),
    ],
)
def test_an_action_that_cannot_be_applied_is_refused_with_its_pointer(
    action: Any, problem: str, tmp_path: Path
) -> None:
    fine = {"target": "$", "update": {"b": 1}}
    path = overlay(tmp_path, fine, action)

    (found,) = refused(written({"a": {"text": "x"}}, tmp_path), path)

    assert found.startswith(f"{path}#/actions/1{problem}")


def test_an_overlay_that_is_not_there_is_named(tmp_path: Path) -> None:
    missing = tmp_path / "missing.yaml"

    assert refused(SMALL, missing) == [
        f"{missing}#: cannot read {missing}: No such file or directory"
    ]


def test_an_overlay_may_name_its_spec(tmp_path: Path) -> None:
    spec = written({}, tmp_path)
    (tmp_path / "overlays").mkdir()
    path = overlay(
        tmp_path / "overlays", {"target": "$", "update": {"a": 1}}, extends=f"../{spec.name}"
    )

    assert read(spec, [path]).root.value == {"a": 1}


def test_a_problem_of_the_merged_spec_names_the_overlay_that_it_came_from(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    loan = "$.components.schemas.Loan"
    first = overlay(
        tmp_path,
        {"target": loan, "update": {"x-y": 1, "x-z": {"deep": 1}}},
        {"target": "$.tags", "update": {"name": "Twice", "x-deep": 1}},
        {"target": f"{loan}.properties.at", "remove": True},
        name="first.yaml",
    )
    second = overlay(tmp_path, {"target": loan, "update": {"x-y": 2}}, name="second.yaml")
    given = ["--spec", str(SMALL), "--overlay", str(first), "--overlay", str(second)]

    assert main(["ir", *given]) == 1

    message, *problems = capsys.readouterr().err.splitlines()
    assert message == f"{SMALL}: nothing was generated"
    named = {line.split(": ")[0]: line.partition(" (from ")[2] for line in problems}
    assert named["#/components/schemas/Loan/x-y"] == f"{second})"
    assert named["#/components/schemas/Loan/x-z"] == f"{first})"
    assert named["#/tags/2/x-deep"] == f"{first})"
    # Wrong now because what it names is gone; it stands in the spec itself.
    assert named["#/paths/~1v1~1books~1add/post/x-reconcile/made_at"] == ""


def test_what_a_later_overlay_removed_is_no_longer_blamed_on_an_earlier_one(tmp_path: Path) -> None:
    spec = written({"a": {"b": {}}, "list": [{}, {"n": 1}]}, tmp_path)
    first = overlay(
        tmp_path,
        {"target": "$.a.b", "update": {"x": 1}},
        {"target": "$.list[1]", "update": {"y": 1}},
        name="first.yaml",
    )
    second = overlay(
        tmp_path,
        {"target": "$.a", "remove": True},
        {"target": "$.list[0]", "remove": True},
    )

    assert read(spec, [first, second]).origins == {"#/a": second, "#/list": second}


# -- the package ------------------------------------------------------------------------------


@pytest.fixture
def extra(tmp_path: Path) -> Path:
    """An overlay that adds an optional field to what the small spec returns."""
    field = {"type": "string", "description": "Who has it.", "x-source": "observed"}
    update = {"properties": {"holder": field}}
    return overlay(tmp_path, {"target": "$.components.schemas.Loan", "update": update})


def run(command: str, out: Path, *arguments: object) -> int:
    given = [command, "--spec", str(SMALL), "--out", str(out), *map(str, arguments)]
    return main(given)


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def test_the_larger_package_has_its_own_name_and_the_hash_of_all_its_files(
    extra: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    assert run("generate", out, "--overlay", extra, "--package", "larger") == 0

    texts = {p.name: p.read_text("utf-8") for p in (out / "larger").rglob("*.py")}
    lines = f"{digest(SMALL)}\n{digest(extra)}\n".encode()
    assert f'SHA256 = "{hashlib.sha256(lines).hexdigest()}"' in texts["_spec.py"]
    assert 'OVERLAYS = ("more.yaml",)' in texts["_spec.py"]
    assert "holder: str | None = None" in texts["models.py"].split("class Loan(BaseModel):")[1]
    assert all("trading_sdk" not in text for text in texts.values())
    first = {text.split("\n")[0] for text in texts.values()}
    assert first == {
        "# Do not edit: written by `python -m codegen generate` from spec/openapi.yaml and overlays."
    }
    done = subprocess.run(
        [sys.executable, "-c", "import larger; print(larger.Loan.__module__)"],
        cwd=out,
        env={"PYTHONPATH": str(ROOT / "runtime")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stdout, done.stderr) == ("larger.models\n", "")


def test_check_compares_the_larger_package_and_nothing_beside_it(
    extra: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "src"
    given = ("--overlay", extra, "--package", "larger")
    assert run("generate", out, *given) == 0
    (out / "mine.py").write_text("x = 1\n", encoding="utf-8")

    assert run("check", out, *given) == 0

    (out / "larger" / "stray.py").write_text("x = 1\n", encoding="utf-8")
    assert run("check", out, *given) == 1
    assert "--- a/larger/stray.py" in capsys.readouterr().out


def test_a_package_of_another_name_needs_no_overlay(tmp_path: Path) -> None:
    assert run("generate", tmp_path, "--package", "renamed") == 0
    assert run("generate", tmp_path, "--package", "renamed") == 0

    assert "from renamed.models import" in (tmp_path / "renamed/operations.py").read_text("utf-8")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["renamed"]


@pytest.mark.parametrize("files", [[], ["__init__.py"], ["data.csv"]], ids=str)
def test_a_folder_that_is_not_of_the_generator_is_never_replaced(
    files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mine = tmp_path / "mine"
    mine.mkdir()
    for name in files:
        (mine / name).write_text("# Mine.\n", encoding="utf-8")

    assert run("generate", tmp_path, "--package", "mine") == 1

    assert capsys.readouterr().err == f"{mine}: was not generated, and is not overwritten\n"
    assert sorted(path.name for path in mine.iterdir()) == files


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--overlay", "x"], "--out and --package say where"),
        (["--overlay", "x", "--out", "o"], "--out and --package say where"),
        (["--overlay", "x", "--package", "larger"], "--out and --package say where"),
        (["--overlay", "x", "--out", "o", "--package", "trading_sdk"], "trading_sdk is shipped"),
        (
            ["--overlay", "x", "--out", "o", "--package", "trading_sdk_observed"],
            "trading_sdk_observed is shipped",
        ),
        (
            ["--overlay", "x", "--out", str(ROOT / "generated"), "--package", "larger"],
            "holds the shipped packages alone",
        ),
        (
            ["--overlay", "x", "--out", str(ROOT / "tests/../generated/y"), "--package", "larger"],
            "holds the shipped packages alone",
        ),
        (["--package", "two-words"], "'two-words' is not an identifier"),
        (["--package", "class"], "'class' is not an identifier"),
        (["--package", "typing"], "'typing' is the name of another package"),
        (["--package", "trading_runtime"], "'trading_runtime' is the name of another package"),
    ],
)
@pytest.mark.parametrize("command", ["generate", "check"])
def test_options_that_would_mix_packages_are_refused(
    command: str, options: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        main([command, *options])

    assert caught.value.code == 2
    assert says in capsys.readouterr().err


def test_the_ir_names_its_overlays(
    extra: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["ir", "--spec", str(SMALL), "--overlay", str(extra)]) == 0

    api = json.loads(capsys.readouterr().out)
    assert api["overlays"] == ["more.yaml"]
    assert api["spec_sha256"] == read(SMALL, [extra]).sha256 != digest(SMALL)
