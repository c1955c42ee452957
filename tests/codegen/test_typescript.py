"""The TypeScript that the port's generator writes; what single words make of it stands in fragments/acting.yaml."""

from __future__ import annotations

import io
import json
from pathlib import Path

import attrs
import pytest

from codegen.packages import PORTS
from ports.typescript.generator import __main__ as generator
from ports.typescript.generator.types import Json
from tests.codegen.conftest import Run
from tests.codegen.specs import SECOND, SMALL, built, tree, typescript


def test_the_port_is_written_and_compared_with_the_packages(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, run: Run
) -> None:
    monkeypatch.setattr("codegen.options.PORTS", {tmp_path: next(iter(PORTS.values()))})
    monkeypatch.setattr("codegen.options.SHIPPED", {})
    told = f"{tmp_path}/generated/client.ts: run `python -m codegen generate`"
    assert told in run("check").err


def test_a_spec_of_ones_own_becomes_typescript(tmp_path: Path, run: Run) -> None:
    where = ("--language", "typescript", "--out", tmp_path, "--package", "mine")
    given = ("--spec", SMALL, *where)
    # What it wrote may be replaced.
    assert [run(each, *given).status for each in ("generate", "generate", "check")] == [0] * 3
    assert "class Client extends BaseClient" in (tmp_path / "mine" / "client.ts").read_text()

    (tmp_path / "mine" / "index.ts").write_text("// by hand\n")
    assert "was not generated" in run("generate", *given).err


def test_the_generator_reads_the_ir_that_is_printed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def generate(api: Json) -> None:
        monkeypatch.setattr("sys.stdin", io.StringIO(json.dumps(api)))
        generator.main([str(tmp_path / "new")])

    api = attrs.asdict(built(tree()))
    generate(api)
    for path, text in typescript(tree()).items():
        assert (tmp_path / "new" / path).read_text("utf-8") == text

    with pytest.raises(SystemExit):
        generate({**api, "ir_version": 1})
    assert "the IR has the version 1; this reads 3" in capsys.readouterr().err


def test_every_shape_has_its_text() -> None:
    files = typescript(tree(SECOND))
    groups = "".join(text for path, text in files.items() if path.startswith("groups/"))

    for text in ("Promise<void>", "Promise<BatchResult<ValveResult>>", " | null> {"):
        assert text in groups
    assert "@deprecated Use something else." in files["models.ts"]
    assert "successes: [204]" in files["operations.ts"]
    assert "servers: {" in files["operations.ts"]


def test_hostile_text_stays_in_comments_and_literals() -> None:
    spec = tree()
    evil = '*/ process.exit(1) /* @internal {@link x} "; `${1}' + " longer than a line" * 5
    for schema in spec["components"]["schemas"].values():
        schema["description"] = evil
    spec["info"]["title"] = evil
    files = typescript(spec)
    assert not any("*/ process" in text for path, text in files.items() if path != "operations.ts")
    assert f"title: {json.dumps(evil)},\n" in files["operations.ts"]
    assert "\\@internal" in files["models.ts"]
    assert all("import type {  }" not in text for text in files.values())
