"""`python -m codegen generate | check | ir`, as it is run."""

from __future__ import annotations

import runpy
import shutil
import sys
from pathlib import Path

import pytest

from codegen.__main__ import main
from tests.codegen.conftest import Run
from tests.codegen.specs import DELETED, SMALL, changed, written


def contents(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


@pytest.fixture(scope="session")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that holds the package of the small spec; to be left as it is."""
    folder = tmp_path_factory.mktemp("small") / "generated"
    assert main(["generate", "--spec", str(SMALL), "--out", str(folder)]) == 0
    return folder


@pytest.fixture
def out(generated: Path, tmp_path: Path) -> Path:
    """The same in a folder of the test's own."""
    folder = tmp_path / "generated"
    shutil.copytree(generated, folder)
    return folder


def test_one_package_of_several_is_written_and_compared_alone(tmp_path: Path, run: Run) -> None:
    """What is written of all of them is compared with what is committed by `nox -s drift`."""
    given = ("--out", tmp_path, "--package", "trading_sdk_observed")

    assert [run(command, *given).status for command in ("generate", "check")] == [0, 0]
    assert [path.name for path in tmp_path.iterdir()] == ["trading_sdk_observed"]


GENERATE, DELETE = "run `python -m codegen generate`", "it is not generated, delete it"


@pytest.mark.parametrize(
    ("path", "content", "shown", "advice"),
    [
        ("trading_sdk/client.py", b"tampered = 1\n", "-tampered = 1\n", GENERATE),
        ("trading_sdk/client.py", None, "+class Client(BaseClient):\n", GENERATE),
        ("trading_sdk/groups/stray.py", b"stray = 1\n", "-stray = 1\n", GENERATE),
        ("trading_sdk/py.typed", b"partial\n", "-partial\n", GENERATE),
        ("trading_sdk/openapi.json", b"{}\n", "-{}\n", GENERATE),
        ("stray.py", b"stray = 1\n", "-stray = 1\n", DELETE),
        ("stray.py", b"\xff\n", "-\ufffd\n", DELETE),
        ("stray.py", b"", "", DELETE),
    ],
)
def test_check_shows_what_differs_and_writes_nothing(
    path: str,
    content: bytes | None,
    shown: str,
    advice: str,
    out: Path,
    run: Run,
) -> None:
    target = out / path
    if content is None:
        target.unlink()
    else:
        target.write_bytes(content)
    before = contents(out)

    printed = run("check", "--spec", SMALL, "--out", out)

    assert printed.out.startswith(f"--- a/{path}\n+++ b/{path}\n@@ " if shown else "")
    assert shown in printed.out
    assert (printed.status, printed.err) == (1, f"{target}: {advice}\n")
    assert contents(out) == before


def test_generate_replaces_the_package_whole(out: Path) -> None:
    before = contents(out)
    (out / "trading_sdk" / "client.py").unlink()
    (out / "trading_sdk" / "groups" / "stray.py").write_text("stray = 1\n", encoding="utf-8")
    (out / "trading_sdk" / "stray").mkdir()

    assert main(["generate", "--spec", str(SMALL), "--out", str(out)]) == 0

    assert contents(out) == before
    assert sorted(path.name for path in out.iterdir()) == ["trading_sdk"]
    assert not (out / "trading_sdk" / "stray").exists()


@pytest.mark.parametrize("command", ["generate", "check"])
def test_a_wrong_spec_leaves_everything_as_it_was(
    command: str, out: Path, tmp_path: Path, run: Run
) -> None:
    spec = written(changed({"/tags/1": DELETED, "/components/schemas/Loan/x-y": 1}), tmp_path)
    before = contents(out)

    printed = run(command, "--spec", spec, "--out", out)

    first, *problems = printed.err.splitlines()
    assert (printed.status, printed.out, first) == (1, "", f"{spec}: nothing was generated")
    assert [problem.partition(": ")[0] for problem in problems] == [
        "#/components/schemas/Loan/x-y",
        "#/paths/~1v1~1loans/get/tags",
    ]
    assert contents(out) == before


def test_a_format_that_is_not_known_is_a_warning_with_its_place(tmp_path: Path, run: Run) -> None:
    field = "/components/schemas/Loan/properties/pages"
    cursor = "/paths/~1v1~1loans/get/parameters/1/schema"
    listed = {"type": "array", "items": {"type": "string", "format": "uri"}, "description": "A."}
    spec = written(changed({f"{cursor}/format": "byte", field: listed}), tmp_path)

    found = run("generate", "--spec", spec, "--out", tmp_path / "out")

    read = "is not known; the value is read as 'string'"
    assert found.status == 0
    assert found.err.splitlines() == [
        f"{spec}: warning: #{field}/items/format: the format 'uri' {read}",
        f"{spec}: warning: #{cursor}/format: the format 'byte' {read}",
    ]


def test_a_tool_that_is_not_installed_is_named_with_what_to_do(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "jinja2", None)
    for name in [each for each in sys.modules if each.partition(".")[0] == "codegen"]:
        monkeypatch.delitem(sys.modules, name)

    with pytest.raises(SystemExit) as ended:
        runpy.run_module("codegen", run_name="__main__")

    assert ended.value.code == (
        "python -m codegen needs jinja2, which is not installed; at the root of the repository run\n"
        "python -m pip install --group codegen (pip 25.1 or newer)"
    )
