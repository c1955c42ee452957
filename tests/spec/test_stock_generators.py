"""Stock generators read spec/openapi.yaml well: openapi-typescript, and openapi-python-client.

What they make of every operation takes the samples of the interface table, and refuses others.
"""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.codegen.specs import REAL, tree
from tests.interface import OPERATIONS
from tests.interface.operation import Operation
from tests.spec.prism import node_binary, node_tool

pytestmark = pytest.mark.node

DOCUMENT = tree(REAL)
ENDPOINTS = [each for each in OPERATIONS.values() if each.endpoint]
ENVELOPE: dict[str, Any] = {
    "account": "6ETnufiec2CxVWTS4u5Wiq33Zh5Y3Qm6Pkdpi375fuxP",
    "signature": "5" * 88,
    "timestamp": 1759224706737,
    "expiry_window": 30_000,
}
# Both take fields of which one must be given (`oneOf`, `anyOf` beside `properties`) for a union of types.
UNREADABLE = {"orders.edit", "orders.cancel_stop"}
"""openapi-python-client drops such an operation."""
UNTYPED = {"orders.cancel_stop"}
"""openapi-typescript makes `unknown` of the request, where it is an `anyOf`."""


def described(operation: Operation) -> Any:
    return DOCUMENT["paths"][operation.path][operation.verb.lower()]


# -- TypeScript -----------------------------------------------------------------------------------


def typed_lines(operation: Operation) -> Iterator[str]:
    """Constants of the types that were made for an operation; a wrong one must be an error."""
    name = described(operation)["operationId"]
    made = f'operations["{name}"]'
    answer = f'{made}["responses"][200]["content"]["application/json"]'
    yield constant(f"{name}_answer", answer, operation.answer)
    if not is_untyped(operation):
        yield "// @ts-expect-error"
        yield constant(f"{name}_wrong", answer, {**operation.answer, **wrong(operation)})
    samples = () if operation.name in UNTYPED else operation.samples.values()
    for number, sample in enumerate(samples):
        if operation.verb == "GET":
            type_ = f'{made}["parameters"]["query"]'
        else:
            type_ = f'NonNullable<{made}["requestBody"]>["content"]["application/json"]'
        yield constant(f"{name}_{number}", type_, sent(operation, sample))


def constant(name: str, type_: str, value: Any) -> str:
    return f"export const {name}: {type_} = {json.dumps(value)};"


def sent(operation: Operation, sample: Any) -> Any:
    if operation.verb == "GET":
        return {"account": ENVELOPE["account"], **sample} if names_account(operation) else sample
    if operation.name == "orders.batch":
        actions = [{**each, "data": {**ENVELOPE, **each["data"]}} for each in sample["actions"]]
        return {"actions": actions}
    return {**ENVELOPE, **operation.apart(sample)[0]}


def names_account(operation: Operation) -> bool:
    return any(row.name == "account" for row in operation.query)


def is_untyped(operation: Operation) -> bool:
    return any(row.name == "data" and row.type == "any" for row in operation.result)


def wrong(operation: Operation) -> dict[str, Any]:
    """A value that the first member of an answer cannot have."""
    names = {row.name for row in operation.result}
    return {"data" if "data" in names else sorted(names)[0]: [7]}


def test_openapi_typescript_makes_types_that_take_every_answer_and_request(tmp_path: Path) -> None:
    node, types = str(node_binary()), tmp_path / "types.ts"
    # A default is what the service takes for an absent field, so a field that has one may be absent.
    options = ("--default-non-nullable", "false", "-o", str(types))
    run(node, str(node_tool("openapi-typescript", "bin/cli.js")), str(REAL), *options)
    lines = [line for each in ENDPOINTS for line in typed_lines(each)]
    use = tmp_path / "use.ts"
    use.write_text('import type { operations } from "./types";\n' + "\n".join(lines))

    compiler = str(node_tool("typescript", "bin/tsc"))
    run(node, compiler, "--strict", "--noEmit", "--target", "es2022", str(use))


# -- Python ---------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The package that openapi-python-client makes, ready to be imported."""
    folder = tmp_path_factory.mktemp("stock")
    generate = ("generate", "--path", str(REAL), "--output-path", str(folder / "stock_client"))
    run(str(Path(sys.executable).with_name("openapi-python-client")), *generate, "--meta", "none")
    sys.path.insert(0, str(folder))
    yield "stock_client"
    sys.path.remove(str(folder))


@pytest.mark.parametrize("operation", [pytest.param(each, id=each.name) for each in ENDPOINTS])
def test_openapi_python_client_reads_every_answer(operation: Operation, package: str) -> None:
    httpx = importlib.import_module("httpx")
    client = importlib.import_module(f"{package}.client").Client(base_url="http://127.0.0.1:1")
    tag = described(operation)["tags"][0].lower().replace(" ", "_")
    name = f"{package}.api.{tag}.{snake(described(operation)['operationId'])}"
    if operation.name in UNREADABLE:
        with pytest.raises(ModuleNotFoundError):
            importlib.import_module(name)
        return

    module = importlib.import_module(name)
    response = httpx.Response(200, json=operation.answer)

    assert module._parse_response(client=client, response=response).to_dict() == operation.answer


def snake(name: str) -> str:
    return "".join(f"_{each.lower()}" if each.isupper() else each for each in name)


def run(*command: str) -> None:
    found = subprocess.run(command, capture_output=True, text=True, timeout=180, check=False)
    assert found.returncode == 0, found.stdout + found.stderr
