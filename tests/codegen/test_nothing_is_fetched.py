"""A spec is one file: whatever addresses it holds, the generator opens no other file and no connection."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.codegen.conftest import Run
from tests.codegen.specs import changed, problems, rendered, written

LOANS = "/paths/~1v1~1loans"
GENRE = "/components/schemas/Genre"
OTHER = "components:\n  schemas:\n    Canary: {type: string, description: canary}\n"
WATCHED: list[list[str]] = []
"""What is opened and dialled meanwhile."""


def _note(event: str, arguments: tuple[object, ...]) -> None:
    """Python cannot take it away again, so it notes what a test asks for."""
    if WATCHED and event in ("open", "socket.connect", "socket.getaddrinfo", "socket.sendto"):
        WATCHED[0].append(f"{event} {arguments}")


sys.addaudithook(_note)


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A document that a spec may name. Nothing reads it, and nothing is dialled."""
    path = tmp_path / "other.yaml"
    path.write_text(OTHER)
    monkeypatch.chdir(tmp_path)
    WATCHED.append([])
    path.read_text()
    assert "other.yaml" in WATCHED[0].pop(), "an opened file is seen"
    yield path
    seen = WATCHED.pop()
    assert [each for each in seen if "socket" in each or "other.yaml" in each] == []


REFERENCES = (
    "http://127.0.0.1:9/other.yaml#/components/schemas/Canary",
    "https://evil.example/other.yaml",
    "file://{path}#/components/schemas/Canary",
    "{path}#/components/schemas/Canary",
    "other.yaml#/components/schemas/Canary",
    "../other.yaml#/components/schemas/Canary",
    "//evil.example/other.yaml",
    "data:application/json,{{}}",
    "#Canary",
    "",
)
"""Addresses of another document, as a spec could write them."""
PLACES = (LOANS, f"{LOANS}/get", f"{LOANS}/get/parameters/0", f"{LOANS}/get/responses/200")


def test_a_reference_to_another_document_is_refused_where_it_stands(
    elsewhere: Path, run: Run
) -> None:
    everywhere = [(GENRE, each) for each in REFERENCES]
    for place, each in (*everywhere, *((place, REFERENCES[3]) for place in PLACES)):
        reference = each.format(path=elsewhere)
        found = problems(changed({place: {"$ref": reference}}))
        assert [p for p in found if repr(reference) in p.message and "$ref" in p.message]
        assert "canary" not in str(found)

    spec = written(changed({f"{LOANS}/get": {"$ref": "other.yaml#/x"}}), elsewhere.parent)
    out = elsewhere.parent / "generated"
    assert "points outside this file" in run("generate", "--spec", spec, "--out", out).err
    assert not out.exists()


@pytest.mark.parametrize("reference", [REFERENCES[0], REFERENCES[3]])
def test_no_other_address_in_a_spec_is_followed(reference: str, elsewhere: Path) -> None:
    """Wherever OpenAPI or JSON Schema has an address that is no `$ref`."""
    address = reference.format(path=elsewhere)
    spec = changed(
        {
            "/jsonSchemaDialect": address,
            f"{GENRE}/$id": address,
            f"{GENRE}/$schema": address,
            f"{GENRE}/$dynamicRef": address,
            f"{GENRE}/discriminator": {"propertyName": "a", "mapping": {"a": address}},
            "/externalDocs": {"url": address},
            "/info/termsOfService": address,
            "/servers": [{"url": address}],
            f"{LOANS}/get/parameters/0/examples": {"a": {"externalValue": address}},
            f"{LOANS}/get/responses/200/links": {"a": {"operationRef": address}},
        }
    )

    shown = f"{problems(spec)} {rendered(spec)}"

    assert "canary" not in shown.replace(str(elsewhere), "")
