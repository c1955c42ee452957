"""A spec is one file: whatever addresses it holds, the generator opens no other file and no connection."""

from __future__ import annotations

import builtins
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

        for name in ("open", "io.open"):
            monkeypatch.setattr("builtins.open" if name == "open" else name, open_)
        for name in ("connect", "connect_ex"):
            monkeypatch.setattr(socket.socket, name, dial)
        for name in ("getaddrinfo", "create_connection", "gethostbyname"):
            monkeypatch.setattr(socket, name, dial)


@pytest.fixture
def watched(monkeypatch: pytest.MonkeyPatch) -> Watched:
    # What the pipeline imports late is no concern of this test.
    rendered(tree())
    problems(tree(), None)
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
        found = problems(changed({PLACES[place]: {"$ref": reference}}), None)
        assert [p for p in found if repr(reference) in p.message and "$ref" in p.message], reference
        assert "canary" not in str(found)
    assert (watched.dialled, watched.opened) == ([], [])


def beside(address: str) -> dict[str, Tree]:
    """Specs that hold the address where OpenAPI or JSON Schema has one that is no `$ref`."""
    return {
        word: changed({pointer: value})
        for word, pointer, value in (
            ("jsonSchemaDialect", "/jsonSchemaDialect", address),
            ("$id", f"{GENRE}/$id", address),
            ("$schema", f"{GENRE}/$schema", address),
            ("$dynamicRef", f"{GENRE}/$dynamicRef", address),
            ("$anchor", f"{GENRE}/$anchor", "canary"),
            ("externalDocs", "/externalDocs", {"url": address}),
            ("termsOfService", "/info/termsOfService", address),
            ("server", "/servers", [{"url": address}]),
            (
                "discriminator",
                f"{GENRE}/discriminator",
                {"propertyName": "a", "mapping": {"a": address}},
            ),
            ("example", f"{LOANS}/get/parameters/0/examples", {"a": {"externalValue": address}}),
            ("link", f"{LOANS}/get/responses/200/links", {"a": {"operationRef": address}}),
        )
    }


@pytest.mark.parametrize("word", beside(""))
def test_no_other_address_in_a_spec_is_followed(
    word: str, elsewhere: Path, watched: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(elsewhere.parent)
    for address in references(elsewhere)[:5]:
        spec = beside(address)[word]
        shown = str(problems(spec, None) or rendered(spec))
        assert "Canary: {type" not in shown and "description: canary" not in shown
    assert watched.dialled == []
    assert [name for name in watched.opened if "other" in name] == []


def test_the_command_refuses_it_too_and_writes_nothing(
    elsewhere: Path, watched: Watched, capsys: pytest.CaptureFixture[str]
) -> None:
    spec = written(changed({f"{LOANS}/get": {"$ref": "other.yaml#/x"}}), elsewhere.parent)
    out = elsewhere.parent / "generated"
    assert main(["generate", "--spec", str(spec), "--out", str(out)]) != 0
    assert "is not within this file" in capsys.readouterr().err
    assert not out.exists()
    assert str(elsewhere) not in watched.opened
    assert watched.dialled == []
