"""Every link of the spec leads to something: in this repository, or a public standard."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.spec.test_interface import SPEC

FOLDER = Path(__file__).parents[2] / "spec"
STANDARDS = ("https://www.rfc-editor.org/rfc/", "https://spec.openapis.org/", "http://127.0.0.1:")
PAGES = ("README.md", "vectors/README.md")


def links(node: Any) -> Iterator[str]:
    """What a part of the spec links to, or names as a file or folder in backticks."""
    if isinstance(node, dict):
        yield from ([node["url"]] if isinstance(node.get("url"), str) else [])
        for name, each in node.items():
            yield from written(each) if name == "description" else links(each)
    elif isinstance(node, list):
        for each in node:
            yield from links(each)


def written(text: Any) -> Iterator[str]:
    if not isinstance(text, str):
        yield from links(text)
        return
    yield from re.findall(r"\]\(([^)]+)\)", text)
    yield from re.findall(r"`((?:\w+/)*[\w-]+\.md|[a-z]+/)`", text)


def anchors(page: str) -> set[str]:
    """The anchors of a page, as its headings give them."""
    titles = re.findall(r"^#+ (.+)$", page, re.MULTILINE)
    return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}


def leads_somewhere(link: str, folder: Path = FOLDER) -> bool:
    if "://" in link:
        return link.startswith(STANDARDS)
    name, _, anchor = link.partition("#")
    found = [path for base in (folder, FOLDER.parent) if (path := base / name).exists()]
    return bool(found) and (not anchor or anchor in anchors(found[0].read_text("utf-8")))


def test_every_link_of_the_spec_leads_somewhere() -> None:
    found = {*links(SPEC)}

    assert {"../docs/interface/orders.md#41-create-a-limit-order", "vectors/README.md"} <= found
    assert [link for link in sorted(found) if not leads_somewhere(link)] == []


def sections(node: Any) -> Iterator[tuple[str, str]]:
    """What each `externalDocs` names, and where it leads."""
    for each in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
        yield from sections(each)
    if isinstance(node, dict) and "externalDocs" in node:
        yield node["externalDocs"]["description"], node["externalDocs"]["url"]


def test_every_external_document_is_the_section_that_is_named() -> None:
    found = [
        (re.findall(r"[\d.]+", named)[-1].replace(".", ""), url.partition("#")[2])
        for named, url in sections(SPEC)
    ]

    assert len(found) > 30
    assert [each for each in found if not each[1].startswith(f"{each[0]}-")] == []


@pytest.mark.parametrize("page", PAGES)
def test_every_link_of_a_page_beside_it_leads_somewhere(page: str) -> None:
    at = FOLDER / page
    found = [
        link if link[0] != "#" else f"{at.name}{link}" for link in written(at.read_text("utf-8"))
    ]
    assert [link for link in found if not leads_somewhere(link, at.parent)] == []


@pytest.mark.parametrize(
    "link", ["service-interface.md#21", "README.md#nothing", "https://a.test/"]
)
def test_a_link_to_nowhere_is_told(link: str) -> None:
    assert not leads_somewhere(link)
