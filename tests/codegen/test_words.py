"""No word of a spec is dropped in silence: it is refused where it stands, with what to write instead."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any

import pytest
import yaml

from codegen import classes, docstrings
from codegen.__main__ import main
from codegen.crash import problems_of
from codegen.rules.wire import SIGNED_MEMBERS, SIGNED_REQUIRED
from tests.codegen.specs import DELETED, SMALL, changed, problems, rendered, tree, written
from trading_runtime import BaseClient
from trading_runtime.signing.request import RESERVED_FIELDS

CASES = yaml.load(
    (Path(__file__).parent / "fragments" / "words.yaml").read_text(encoding="utf-8"),
    yaml.SafeLoader,
)


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_a_word_without_effect_is_refused_where_it_stands(case: dict[str, Any]) -> None:
    edits = {
        pointer: DELETED if value == "(deleted)" else value
        for pointer, value in case["change"].items()
    }

    found = problems(changed(edits))

    messages = [problem.message for problem in found if problem.pointer == case["at"]]
    assert any(message.startswith(case["says"]) for message in messages), found
    assert not any("the generator failed" in message for message in messages)


def test_what_the_spec_is_compared_with_is_what_the_runtime_sends() -> None:
    window = inspect.signature(BaseClient).parameters["expiry_window"].default

    assert SIGNED_MEMBERS.keys() == RESERVED_FIELDS
    assert SIGNED_MEMBERS["expiry_window"].words["default"] == window
    assert RESERVED_FIELDS - {"agent_wallet", "expiry_window"} == SIGNED_REQUIRED


@pytest.mark.parametrize("name", ["code", "error"])
def test_a_lone_field_named_like_the_envelope_is_a_result(name: str) -> None:
    field = {"type": ["string", "null"], "description": "A word."}
    inner = {"type": "object", "description": "A thing.", "properties": {name: field}}
    envelope = {
        "type": "object",
        "description": "An envelope.",
        "required": ["success", "data"],
        "properties": {
            "success": {"type": "boolean", "description": "Whether."},
            "data": {"$ref": "#/components/schemas/Word"},
        },
    }

    answer = {"/components/schemas/Word": inner, "/components/schemas/BookAdded": envelope}
    spec = changed({**answer, "/paths/~1v1~1books~1add/post/x-echo": DELETED})

    assert problems(spec, None) == []
    assert "result=Word," in rendered(spec)["trading_sdk/operations.py"]


@pytest.mark.parametrize(
    ("function", "pointer"),
    [
        ("model_doc", "#/components/schemas/Cover"),
        ("operation_doc", "#/paths/~1v1~1books~1add/post"),
    ],
)
def test_a_crash_is_reported_where_it_happened(
    monkeypatch: pytest.MonkeyPatch, function: str, pointer: str
) -> None:
    def fail(*_: object) -> str:
        raise KeyError("missing")

    monkeypatch.setattr(docstrings, function, fail)

    with pytest.raises(KeyError) as caught:
        rendered(tree())

    (problem,) = problems_of(caught.value)
    assert problem.pointer == pointer
    assert problem.message.startswith("the generator failed (KeyError: 'missing', test_words.py:")


@pytest.mark.parametrize(
    ("pointer", "value"),
    [
        ("/paths/~1v1~1loans/get/externalDocs", "Section 3"),
        ("/components/schemas/PageEnvelope/properties/data", True),
        ("/paths/~1v1~1loans/get/parameters/1/schema", DELETED),
        ("/paths/~1v1~1books~1add/post/responses/200/content/application~1json/schema", []),
        ("/paths/~1v1~1books~1add/post/requestBody/content/application~1json/schema", 5),
        (
            "/paths/~1v1~1books~1add/post/responses/400/content",
            {"application/json": {"schema": []}},
        ),
        ("/paths/~1v1~1loans/get/parameters", {}),
        ("/tags/0", "Books"),
        ("/paths/~1v1~1loans/get", None),
    ],
)
def test_what_has_another_shape_is_refused_with_a_pointer(pointer: str, value: object) -> None:
    found = problems(changed({pointer: value}), None)

    assert found
    assert not any("the generator failed" in problem.message for problem in found)


def test_a_spec_that_crashes_the_generator_is_refused_with_a_pointer(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Broken:
        def __init__(self, *_: Any, **__: Any) -> None:
            raise RecursionError("too deep")

    monkeypatch.setattr(classes, "OpenAPIParser", Broken)
    path = written(tree(SMALL), tmp_path)

    assert main(["generate", "--spec", str(path), "--out", str(tmp_path / "out")]) == 1

    said = capsys.readouterr().err
    assert "nothing was generated\n#: the generator failed (RecursionError: too deep, " in said
    assert "report this" in said
    assert not (tmp_path / "out").exists()
