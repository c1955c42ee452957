"""OpenAPI Overlays: what they change, what is refused, and where the larger package goes."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from codegen.__main__ import main
from codegen.read.load import SpecError
from codegen.read.source import read
from tests.codegen.conftest import Run
from tests.codegen.in_memory import imported
from tests.codegen.specs import INFO, ROOT, SMALL, Tree, overlay, written


def refused(source: Path, *overlays: Path) -> list[str]:
    with pytest.raises(SpecError) as caught:
        read(source, overlays)
    return [str(problem) for problem in caught.value.problems]


def update(target: str, new: Any) -> Tree:
    return {"target": target, "update": new}


def remove(target: str) -> Tree:
    return {"target": target, "remove": True}


# -- what an action does ----------------------------------------------------------------------


EITHER = "$.a[?@.on == true, ?@.on == false]"
TWO = {"two": [2]}
GROWN = {"deep": {"tags": [2]}, "kind": ["string", "null"]}


@pytest.mark.parametrize(
    ("tree", "actions", "after"),
    [
        (
            {"a": {"x": {"on": True, "deep": {"one": 1}}, "y": {"on": False}}},
            [update(EITHER, {"deep": TWO}), update("$.a.x.deep.two", 3)],
            {"x": {"on": True, "deep": {"one": 1, "two": [2, 3]}}, "y": {"on": False, "deep": TWO}},
        ),
        (
            {"a": {"tags": [1], "deep": {"tags": [1]}, "kind": "string"}},
            [update("$.a.tags", {"an": "entry"}), update("$.a.tags", [2, 3]), update("$.a", GROWN)],
            {**GROWN, "tags": [1, {"an": "entry"}, 2, 3], "deep": {"tags": [1, 2]}},
        ),
        (
            {"a": {"list": [{"n": 0}, {"n": 1}, {"n": 2}], "map": {"b": {"c": {}}, "d": {}}}},
            [remove("$.a.list[?@.n < 2, ?@.n == 0]"), remove("$.a.map.b..*")],
            {"list": [{"n": 2}], "map": {"b": {}, "d": {}}},
        ),
        ({"a": {"old": {}}}, [remove("$.a"), update("$", {"a": {"new": {}}})], {"new": {}}),
    ],
    ids=["merged", "appended", "removed", "in their order"],
)
def test_actions_are_applied(tree: Tree, actions: list[Tree], after: Any, tmp_path: Path) -> None:
    found = read(written(tree, tmp_path), [overlay(tmp_path, *actions)]).root.value

    assert found == {"a": after}


def test_overlays_are_applied_in_their_order(tmp_path: Path) -> None:
    spec = written({"a": {"old": {}}}, tmp_path)
    first = overlay(tmp_path, update("$.a", {"new": {}}))
    second = overlay(tmp_path, update("$.a.new", {"by": 2}), name="second.yaml")

    assert read(spec, [first, second]).root.value == {"a": {"old": {}, "new": {"by": 2}}}
    assert refused(spec, second, first) == [f"{second}#/actions/0/target: $.a.new matches nothing"]


# -- what is refused --------------------------------------------------------------------------


NO_KEY = "is not a key of an overlay; write"


@pytest.mark.parametrize(
    ("changed", "problem"),
    [
        ({"overlay": "1.1.0"}, "/overlay: must be a version of Overlay 1.0, like '1.0.0', not "),
        ({"overlay": None}, ": must have the key overlay"),
        ({"overlay": 1.0}, "/overlay: must be a version of Overlay 1.0"),
        ({"info": None}, ": must have the key info"),
        ({"info": {"title": "x"}}, "/info: must have the key version"),
        ({"info": {**INFO, "x/y": 1}}, f"/info/x~1y: {NO_KEY} title, version, or"),
        ({"actions": None}, ": must have the key actions"),
        ({"actions": []}, "/actions: must be a list of at least one action"),
        ({"actions": ["x"]}, "/actions/0: must be a mapping with the keys target, not 'x'"),
        ({"x-by": "me"}, f"/x-by: {NO_KEY} overlay, info, actions, extends"),
        ({"extends": "other.yaml"}, "/extends: 'other.yaml' is not the spec"),
        ({"extends": 7}, "/extends: must be a text, not 7"),
    ],
)
def test_a_malformed_overlay_is_refused_with_its_pointer(
    changed: dict[str, Any], problem: str, tmp_path: Path
) -> None:
    path = overlay(tmp_path, update("$", {}), **changed)

    (found,) = refused(written({}, tmp_path), path)

    assert found.startswith(f"{path}#{problem}")


NEITHER = ": needs either an update or remove: true"
NO_PLACE = ": #/a/text is neither a mapping nor a list"


@pytest.mark.parametrize(
    ("action", "problem"),
    [
        ({"target": "$.a"}, NEITHER),
        ({"target": "$.a", "remove": False}, NEITHER),
        ({**remove("$.a"), "update": {}}, NEITHER),
        ({"target": "$.a", "remove": 1}, "/remove: must be true or false, not 1"),
        ({**update("$.a", {}), "description": 1}, "/description: must be a text, not 1"),
        ({**remove("$.a"), "updat": {}}, f"/updat: {NO_KEY} target, description, update"),
        (update("a.b", {}), "/target: is not a JSONPath of RFC 9535: expected '$'"),
        ({"update": {}}, ": must have the key target"),
        (update("$.zz", {}), "/target: $.zz matches nothing"),
        (update("$.a.text", {}), NO_PLACE),
        (remove("$.a.text"), NO_PLACE),
        (update("$.a", 1), ": #/a is a mapping, and can only be merged with one"),
        (remove("$"), ": # is the whole spec, which cannot be removed"),
    ],
)
def test_an_action_that_cannot_be_applied_is_refused_with_its_pointer(
    action: Any, problem: str, tmp_path: Path
) -> None:
    path = overlay(tmp_path, update("$", {"b": 1}), action)

    (found,) = refused(written({"a": {"text": "x"}}, tmp_path), path)

    assert found.startswith(f"{path}#/actions/1{problem}")


def test_an_overlay_that_is_not_there_is_named(tmp_path: Path) -> None:
    missing = tmp_path / "missing.yaml"

    assert refused(SMALL, missing) == [
        f"{missing}#: cannot read {missing}: No such file or directory"
    ]


def test_a_problem_of_the_merged_spec_names_the_overlay_that_it_came_from(
    tmp_path: Path, run: Run
) -> None:
    loan = "$.components.schemas.Loan"
    strange = update(loan, {"x-y": 1, "x-z": {"deep": 1}})
    twice = update("$.tags", {"name": "Twice", "x-deep": 1})
    first = overlay(tmp_path, strange, twice, remove(f"{loan}.properties.at"), name="first.yaml")
    second = overlay(tmp_path, update(loan, {"x-y": 2}))

    found = run("ir", "--spec", SMALL, "--overlay", first, "--overlay", second)

    message, *problems = found.err.splitlines()
    assert (found.status, message) == (1, f"{SMALL}: nothing was generated")
    named = {line.split(": ")[0]: line.partition(" (from ")[2] for line in problems}
    assert named["#/components/schemas/Loan/x-y"] == f"{second})"
    assert named["#/components/schemas/Loan/x-z"] == f"{first})"
    assert named["#/tags/2/x-deep"] == f"{first})"
    # Wrong now because what it names is gone; it stands in the spec itself.
    assert named["#/paths/~1v1~1books~1add/post/x-reconcile/made_at"] == ""


def test_what_a_later_overlay_removed_is_no_longer_blamed_on_an_earlier_one(tmp_path: Path) -> None:
    spec = written({"a": {"b": {}}, "list": [{}, {"n": 1}]}, tmp_path)
    added = (update("$.a.b", {"x": 1}), update("$.list[1]", {"y": 1}))
    first = overlay(tmp_path, *added, name="first.yaml")
    second = overlay(tmp_path, remove("$.a"), remove("$.list[0]"))

    assert read(spec, [first, second]).origins == {"#/a": second, "#/list": second}


# -- the package ------------------------------------------------------------------------------


@pytest.fixture
def extra(tmp_path: Path) -> Path:
    """An overlay that adds an optional field to what the small spec returns."""
    field = {"type": "string", "description": "Who has it.", "x-source": "observed"}
    more = {"properties": {"holder": field}}
    return overlay(tmp_path, update("$.components.schemas.Loan", more))


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def test_the_larger_package_has_its_own_name_and_is_compared_with_all_its_files(
    extra: Path, tmp_path: Path, run: Run
) -> None:
    out = tmp_path / "out"
    given = ("--spec", SMALL, "--out", out, "--overlay", extra, "--package", "larger")
    assert run("generate", *given).status == 0

    files = {p.relative_to(out).as_posix(): p for p in out.rglob("*.py")}
    texts = {name: path.read_text("utf-8") for name, path in files.items()}
    hashes = hashlib.sha256(f"{digest(SMALL)}\n{digest(extra)}\n".encode()).hexdigest()
    assert f'SHA256 = "{hashes}"' in texts["larger/_spec.py"]
    assert 'OVERLAYS = ("more.yaml",)' in texts["larger/_spec.py"]
    assert all("trading_sdk" not in text for text in texts.values())
    made = "# Do not edit: written by `python -m codegen generate` from spec/openapi.yaml and overlays."
    assert {text.split("\n")[0] for text in texts.values()} == {made}
    with imported(texts, "larger") as larger:
        assert larger.Loan.__annotations__["holder"] == "str | None"

    (out / "mine.py").write_text("x = 1\n", encoding="utf-8")
    assert run("check", *given).status == 0
    (out / "larger" / "stray.py").write_text("x = 1\n", encoding="utf-8")
    found = run("check", *given)
    assert found.status == 1 and "--- a/larger/stray.py" in found.out


@pytest.mark.parametrize("files", [[], ["__init__.py"], ["data.csv"]], ids=str)
def test_a_folder_that_is_not_of_the_generator_is_never_replaced(
    files: list[str], tmp_path: Path, run: Run
) -> None:
    mine = tmp_path / "mine"
    mine.mkdir()
    for name in files:
        (mine / name).write_text("# Mine.\n", encoding="utf-8")

    given = ("--spec", SMALL, "--out", tmp_path, "--package", "mine")
    told = f"{mine}: was not generated, and is not overwritten\n"
    assert run("generate", *given) == (1, "", told)
    assert sorted(path.name for path in mine.iterdir()) == files


GIVEN = ["--overlay", "x", "--out", "o", "--package", "larger"]
WHERE, HELD = "--out and --package say where", "holds the shipped packages alone"
OTHER = "is the name of another package"


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (GIVEN[:2], WHERE),
        (GIVEN[:4], WHERE),
        ([*GIVEN[:2], *GIVEN[4:]], WHERE),
        ([*GIVEN, "--package", "trading_sdk"], "trading_sdk is shipped"),
        ([*GIVEN, "--package", "trading_sdk_observed"], "trading_sdk_observed is shipped"),
        ([*GIVEN, "--out", str(ROOT / "generated")], HELD),
        ([*GIVEN, "--out", str(ROOT / "tests/../generated/y")], HELD),
        (["--language", "typescript"], "with --language, --out and --package say"),
        (["--package", "two-words"], "'two-words' is not an identifier"),
        (["--package", "class"], "'class' is not an identifier"),
        (["--package", "typing"], f"'typing' {OTHER}"),
        (["--package", "trading_runtime"], f"'trading_runtime' {OTHER}"),
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


def test_the_ir_names_its_overlays(extra: Path, run: Run) -> None:
    api = json.loads(run("ir", "--spec", SMALL, "--overlay", extra).out)
    assert api["overlays"] == ["more.yaml"]
    assert api["spec_sha256"] == read(SMALL, [extra]).sha256 != digest(SMALL)
