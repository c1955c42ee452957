"""What is deprecated: callers, type checkers, ports and readers of the documentation are told."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from solders.keypair import Keypair

from codegen.reference import methods
from codegen.render import render
from tests.codegen.exchange import exchange
from tests.codegen.invented import environment
from tests.codegen.specs import Tree, built, changed, problems, rendered

SEED = str(Keypair.from_seed(bytes(range(32))))
BASKET = "/api/v2/alerts/basket"
VENUE = {"name": "a", "code": "b", "24h-rank": 3}
ANSWERS: dict[str, list[Any]] = {
    "/api/v2/venues": [{"success": True, "data": [VENUE] * 5}] * 2,
    "/api/v2/venue": [{"success": True, "data": VENUE}] * 4,
    BASKET: [(204, None)] * 2,
}
LOANS, SCHEMAS = "/paths/~1v1~1loans/get", "/components/schemas"
EVERYTHING: dict[str, Any] = {
    f"{LOANS}/deprecated": True,
    f"{LOANS}/parameters/1/deprecated": True,
    f"{SCHEMAS}/DropBook/deprecated": True,
    f"{SCHEMAS}/Genre/x-enum-deprecated": ["poem"],
    f"{SCHEMAS}/AddBook/properties/cover/deprecated": True,
    f"{SCHEMAS}/BookAdded/properties/shelf/deprecated": True,
}


def spec() -> Tree:
    return changed(EVERYTHING)


def test_everything_that_callers_can_do_without_may_be_deprecated() -> None:
    assert problems(spec(), None) == []


def test_nothing_is_imported_by_a_package_that_needs_no_warning() -> None:
    # Nothing imports the mappings before a user does.
    without, needed = (
        {path for path, text in files.items() if "typing_extensions" in text}
        - {"trading_sdk/mappings.py"}
        for files in (rendered(changed({})), rendered(spec()))
    )

    assert without == set()
    assert needed == {
        f"trading_sdk/{name}.py" for name in ("models", "groups/books", "groups/loans")
    }


def test_the_ir_tells_ports_what_is_deprecated() -> None:
    api = built(spec())

    fields = {(m.name, f.name) for m in api.models for f in m.fields if f.deprecated}
    assert [each.id for each in api.operations if each.deprecated] == ["getLoans"]
    assert [each.type for each in api.actions if each.deprecated] == ["Drop"]
    assert fields == {("LoansQuery", "cursor"), ("AddBook", "cover"), ("BookAdded", "shelf")}
    assert [each.deprecated for each in api.enums] == [("poem",)]


def test_the_page_of_methods_marks_them() -> None:
    assert [row[0] for row in methods(built(spec()))] == [
        *("`books.add`", "`books.several`", "`books.drop` (deprecated)"),
        "`loans.history` (deprecated)",
    ]


def test_docstrings_say_it_first_of_what_they_describe() -> None:
    files = render(built(spec()))

    assert '"""List the loans.\n\n        Deprecated.\n' in files["trading_sdk/groups/loans.py"]
    drop = '"""Drop one.\n\n        Deprecated.\n'
    assert drop in files["trading_sdk/groups/books.py"]
    models = files["trading_sdk/models.py"]
    assert '"""Kind of a book.\n\n    Deprecated: `poem`.\n' in models
    assert "cover: Its cover. Deprecated." in models
    assert "shelf: Where. Deprecated." in models
    assert "cover: Its cover. Deprecated." in files["trading_sdk/groups/books.py"]


def warned_of(generated: Path, mark: str) -> list[int]:
    """The lines of the program that say in a comment that they are warned of."""
    program = (generated.parent / "use_deprecated.py").read_text("utf-8").splitlines()
    return [number for number, line in enumerate(program, start=1) if mark in line]


def test_what_is_deprecated_works_and_warns_once_where_it_is_used(generated: Path) -> None:
    program = generated.parent / "use_deprecated.py"
    with exchange(ANSWERS) as server:
        done = subprocess.run(
            [sys.executable, str(program), server.url, SEED],
            env=environment(generated),
            capture_output=True,
            text=True,
            check=False,
            timeout=30,
        )

    assert done.returncode == 0, done.stderr
    shown = "Venue(name='a', _code='b', _field_24h_rank=3)"
    assert done.stdout == f"b\nb\n3 a {shown}\n"
    told = re.findall(r"use_deprecated.py:(\d+): DeprecationWarning: (.*)", done.stderr)
    assert [int(line) for line, _ in told] == warned_of(generated, "# warns")
    assert [text for _, text in told] == [
        "venues.list is deprecated",
        "Venue.code is deprecated",
        "VenueQuery.code is deprecated",
        "AlertKind.INDEX is deprecated",
        "Venue.field_24h_rank is deprecated",
        "SetBasket.note is deprecated",
        "SetBasket.source is deprecated",
    ]
    sent = [each.body for each in server.received if each.path == BASKET]
    assert [body.get("note") for body in sent] == [None, "short"]


@pytest.mark.parametrize(
    ("tool", "told"),
    [
        (
            ["mypy", "--strict", "--enable-error-code=deprecated", "."],
            r"py:(\d+): error: .*deprecated",
        ),
        (["pyright"], r"py:(\d+):\d+ - error: .*deprecated"),
    ],
    ids=["mypy", "pyright"],
)
def test_type_checkers_see_what_is_deprecated(
    tool: list[str], told: str, generated: Path, tmp_path: Path
) -> None:
    shutil.copy(generated.parent / "use_deprecated.py", tmp_path)
    (tmp_path / "pyrightconfig.json").write_text('{"reportDeprecated": "error"}', encoding="utf-8")

    done = subprocess.run(
        [sys.executable, "-m", *tool],
        cwd=tmp_path,
        env=environment(generated),
        capture_output=True,
        text=True,
        check=False,
    )

    lines = [int(line) for line in re.findall(told, done.stdout)]
    assert lines == warned_of(generated, "type checkers see it"), done.stdout
