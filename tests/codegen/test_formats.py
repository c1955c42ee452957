"""Formats that the generator does not know: a warning with the place, and the type without them."""

from __future__ import annotations

from pathlib import Path

import pytest

from codegen.__main__ import main
from tests.codegen.specs import changed, rendered, written

READER = "/components/schemas/Loan/properties/reader"
FEES = "/components/schemas/Loan/properties/fees/items"
CURSOR = "/paths/~1v1~1loans/get/parameters/1/schema"


@pytest.mark.parametrize("command", ["generate", "check"])
def test_a_format_that_is_not_known_is_a_warning_with_its_place(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    strange = {"type": "integer", "format": "unix-time", "description": "When."}
    listed = {"type": "array", "items": {"type": "string", "format": "uri"}, "description": "A."}
    spec = changed(
        {
            f"{READER}/format": "email",
            "/components/schemas/Loan/properties/strange": strange,
            "/components/schemas/Loan/properties/pages": listed,
            f"{CURSOR}/format": "byte",
        }
    )
    path, out = written(spec, tmp_path), str(tmp_path / "out")
    assert main(["generate", "--spec", str(path), "--out", out]) == 0
    capsys.readouterr()

    assert main([command, "--spec", str(path), "--out", out]) == 0

    loan = "#/components/schemas/Loan/properties"
    assert capsys.readouterr().err.splitlines() == [
        f"{path}: warning: {place}: the format {format_!r} is not known; the value is read as {type_!r}"
        for place, format_, type_ in (
            (f"{loan}/pages/items/format", "uri", "string"),
            (f"{loan}/reader/format", "email", "string"),
            (f"{loan}/strange/format", "unix-time", "integer"),
            (f"#{CURSOR}/format", "byte", "string"),
        )
    ]


def test_the_value_is_read_without_it_and_the_docs_name_it() -> None:
    models = rendered(changed({f"{READER}/format": "email"}))["trading_sdk/models.py"]

    assert "    reader: str\n" in models
    assert "Whose. Format: email." in models
