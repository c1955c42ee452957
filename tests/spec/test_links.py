"""Every link of the spec leads to something: in this repository, or a public standard.

Those of the pages beside it stand in the site, whose build fails on a broken one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.spec.test_interface import SPEC
from tests.trees import everything, objects

FOLDER = Path(__file__).parents[2] / "spec"
STANDARDS = ("https://www.rfc-editor.org/rfc/", "https://spec.openapis.org/", "http://127.0.0.1:")


def links(text: str) -> Iterator[str]:
    """What a text links to, or names as a file or folder in backticks."""
    yield from re.findall(r"\]\(([^)]+)\)", text)
    yield from re.findall(r"`((?:\w+/)*[\w-]+\.md|[a-z]+/)`", text)


def leads_somewhere(link: str) -> bool:
    if "://" in link:
        return link.startswith(STANDARDS)
    name, _, anchor = link.partition("#")
    found = [at for base in (FOLDER, FOLDER.parent) if (at := base / name).exists()]
    if not anchor or not found:
        return bool(found)
    titles = re.findall(r"^#+ (.+)$", found[0].read_text("utf-8"), re.MULTILINE)
    return anchor in {re.sub(r"[^\w -]", "", each.lower()).replace(" ", "-") for each in titles}


def test_every_link_of_the_spec_leads_somewhere() -> None:
    texts = [each for each in everything(SPEC) if isinstance(each, str)]
    urls = {str(each["url"]) for each in objects(SPEC) if "url" in each}
    found = urls.union(*map(links, texts))

    assert {"../docs/interface/orders.md#41-create-a-limit-order", "vectors/README.md"} <= found
    assert [link for link in sorted(found) if not leads_somewhere(link)] == []


def test_every_external_document_is_the_section_that_is_named() -> None:
    documents = [each["externalDocs"] for each in objects(SPEC) if "externalDocs" in each]
    found = [
        (re.findall(r"[\d.]+", each["description"])[-1].replace(".", ""), each["url"])
        for each in documents
    ]

    assert len(found) > 30
    assert [url for number, url in found if f"#{number}-" not in url] == []


@pytest.mark.parametrize("link", ["README.md#nothing", "https://a.test/", "no.md#21", "no.md"])
def test_a_link_to_nowhere_is_told(link: str) -> None:
    assert not leads_somewhere(link)
