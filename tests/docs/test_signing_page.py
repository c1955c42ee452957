"""The worked examples of docs/signing.md are those of the vectors, byte for byte."""

from __future__ import annotations

import json
import re
from typing import Any

from conformance.cases import all_cases
from tests.readme import ROOT, blocks

PAGE = ROOT / "docs" / "signing.md"
CASES = {case.name: case for case in all_cases()}


def fenced(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)\n```", PAGE.read_text("utf-8"), re.DOTALL)


def test_the_page_has_the_bytes_signatures_and_bodies_of_the_vectors() -> None:
    case, batch = CASES["signing/create-order-minimal"], CASES["batch/batch-one-action"]
    made: dict[str, Any] = {}
    exec(blocks(PAGE)[0], made)
    assert (made["secret"], made["data"]) == (case.given["private_key"], case.given["data"])
    expected = case.expect
    for name in ("canonical", "signature", "body"):
        assert made[name] == expected[name]
    assert fenced("text") == [expected["canonical"], expected["signature"]]
    assert list(map(json.loads, fenced("json"))) == [batch.expect["body"]]
