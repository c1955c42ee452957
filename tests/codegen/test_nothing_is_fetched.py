"""A spec is one file: whatever addresses it holds, the generator opens no other file and no connection."""

from __future__ import annotations

import io
import socket
from pathlib import Path
from typing import Any

import pytest

from codegen.__main__ import main
from tests.codegen.specs import Tree, changed, problems, rendered, tree, written

LOANS = "/paths/~1v1~1loans"
GENRE = "/components/schemas/Genre"
OTHER = "components:\n  schemas:\n    Canary: {type: string, description: canary}\n"


class Watched:
    """What was opened and dialled."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.dialled: list[object] = []
        self.opened: list[str] = []
        opening = io.open

        def open_(file: Any, *arguments: Any, **options: Any) -> Any:
            self.opened.append(str(file))
            return opening(file, *arguments, **options)

        def dial(*arguments: object, **_: object) -> None:
            self.dialled.append(arguments)
            raise OSError("no network here")

        for name in ("builtins.open", "io.open"):
            monkeypatch.setattr(name, open_)
        for name in ("connect", "connect_ex"):
            monkeypatch.setattr(socket.socket, name, dial)
        for name in ("getaddrinfo", "create_connection", "gethostbyname"):
            monkeypatch.setattr(socket, name, dial)


@pytest.fixture(scope="module")
def warm() -> None:
    """What the pipeline imports late is no concern of these tests."""
    rendered(tree())
    problems(tree())


@pytest.fixture
def watched(warm: None, monkeypatch: pytest.MonkeyPatch) -> Watched:
    return Watched(monkeypatch)


@pytest.fixture
def elsewhere(tmp_path: Path) -> Path:
    path = tmp_path / "other.yaml"
    path.write_text(OTHER)
    return path


def references(elsewhere: Path) -> list[str]:
    """Addresses of another document, as a spec could write them."""
    return [
        "http://127.0.0.1:9/other.yaml#/components/schemas/Canary",
        "https://evil.example/other.yaml",
        f"file://{elsewhere}#/components/schemas/Canary",
        f"{elsewhere}#/components/schemas/Canary",
        "other.yaml#/components/schemas/Canary",
        "./other.yaml",
        "../other.yaml#/components/schemas/Canary",
        "//evil.example/other.yaml",
        "ftp://evil.example/other.yaml",
        "data:application/json,{}",
        "#Canary",
        "",
    ]


PLACES = {
    "path": LOANS,
    "operation": f"{LOANS}/get",
    "parameter": f"{LOANS}/get/parameters/0",
    "responses": f"{LOANS}/get/responses/200",
    "schema": GENRE,
}


@pytest.mark.parametrize("place", PLACES)
def test_a_reference_to_another_document_is_refused_where_it_stands(
    place: str, elsewhere: Path, watched: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(elsewhere.parent)
    for reference in references(elsewhere):
        found = problems(changed({PLACES[place]: {"$ref": reference}}))
        assert [p for p in found if repr(reference) in p.message and "$ref" in p.message], reference
        assert "canary" not in str(found)
    assert (watched.dialled, watched.opened) == ([], [])


def beside(address: str) -> Tree:
    """A spec with the address wherever OpenAPI or JSON Schema has one that is no `$ref`."""
    mapping = {"propertyName": "a", "mapping": {"a": address}}
    return changed(
        {
            "/jsonSchemaDialect": address,
            f"{GENRE}/$id": address,
            f"{GENRE}/$schema": address,
            f"{GENRE}/$dynamicRef": address,
            f"{GENRE}/discriminator": mapping,
            "/externalDocs": {"url": address},
            "/info/termsOfService": address,
            "/servers": [{"url": address}],
            f"{LOANS}/get/parameters/0/examples": {"a": {"externalValue": address}},
            f"{LOANS}/get/responses/200/links": {"a": {"operationRef": address}},
        }
    )


@pytest.mark.parametrize("number", [0, 3])
def test_no_other_address_in_a_spec_is_followed(
    number: int, elsewhere: Path, watched: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(elsewhere.parent)
    spec = beside(references(elsewhere)[number])
    shown = f"{problems(spec)} {rendered(spec)}"
    assert "canary" not in shown.replace(str(elsewhere), "")
    assert watched.dialled == []
    assert [name for name in watched.opened if "other" in name] == []


def test_the_command_refuses_it_too_and_writes_nothing(
    elsewhere: Path, watched: Watched, capsys: pytest.CaptureFixture[str]
) -> None:
    spec = written(changed({f"{LOANS}/get": {"$ref": "other.yaml#/x"}}), elsewhere.parent)
    out = elsewhere.parent / "generated"
    assert main(["generate", "--spec", str(spec), "--out", str(out)]) != 0
    assert "points outside this file" in capsys.readouterr().err
    assert not out.exists()
    assert str(elsewhere) not in watched.opened
    assert watched.dialled == []
