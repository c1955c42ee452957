"""A stock generator, openapi-python-client, reads spec/openapi.yaml well."""

from __future__ import annotations

import importlib
import subprocess
import sys
from pathlib import Path

import pytest

from tests.codegen.specs import REAL, tree
from tests.interface import OPERATIONS

pytestmark = pytest.mark.node

# It takes fields of which one must be given (`oneOf`, `anyOf` beside `properties`) for a union of types.
UNREADABLE = {"orders.edit", "orders.cancel_stop"}
"""It drops such an operation."""


def test_openapi_python_client_reads_the_answer_of_every_operation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    generate = ("generate", "--path", REAL, "--output-path", tmp_path / "stock", "--meta", "none")
    program = Path(sys.executable).with_name("openapi-python-client")
    subprocess.run([program, *generate], timeout=180, check=True)
    monkeypatch.syspath_prepend(tmp_path)
    httpx = importlib.import_module("httpx")
    client = importlib.import_module("stock.client").Client(base_url="http://127.0.0.1:1")
    paths = tree(REAL)["paths"]

    for name in OPERATIONS.keys() - UNREADABLE:
        operation = OPERATIONS[name]
        described = paths[operation.path][operation.verb.lower()]
        tag = described["tags"][0].lower().replace(" ", "_")
        module = importlib.import_module(f"stock.api.{tag}.{snake(described['operationId'])}")
        response = httpx.Response(200, json=operation.answer)
        read = module._parse_response(client=client, response=response)
        assert read.to_dict() == operation.answer, name


def snake(name: str) -> str:
    return "".join(f"_{each.lower()}" if each.isupper() else each for each in name)
