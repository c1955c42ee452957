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


def test_the_snippet_makes_the_bytes_signature_and_body_of_the_vector() -> None:
    case = CASES["signing/create-order-minimal"]
    made: dict[str, Any] = {}
    exec(blocks(PAGE)[0], made)

    assert made["secret"] == case.given["private_key"]
    assert made["data"] == case.given["data"]
    assert made["canonical"] == case.expect["canonical"]
    assert made["signature"] == case.expect["signature"]
    assert made["body"] == case.expect["body"]


def test_the_texts_are_those_of_the_vector() -> None:
    expected = CASES["signing/create-order-minimal"].expect

    assert fenced("text") == [expected["canonical"], expected["signature"]]


def test_the_batch_is_that_of_the_vector() -> None:
    [envelope] = fenced("json")

    assert json.loads(envelope) == CASES["batch/batch-one-action"].expect["body"]
