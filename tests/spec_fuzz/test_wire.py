"""The calls of the fuzz find a package that does not do what its spec says."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from codegen.python.render import Contents, unformatted
from codegen.read.models import schemas
from tests.codegen.specs import REAL, SECOND, SMALL, built, changed, root, tree
from tests.spec_fuzz.keywords import FIELDS, KEYWORDS
from tests.spec_fuzz.values import PATTERNED
from tests.spec_fuzz.wire import PACKAGE, SERVED, failures
from tests.spec_fuzz.wire_spec import operations, touched

SPEC = tree(SMALL)
API = built(SPEC)
FILES = unformatted(Contents(API, schemas(root(SPEC)), PACKAGE))
IDS = [operation["operationId"] for _, _, operation in operations(SPEC)]
BOOK = "title: str = field(converter=to_text, validator=matches_re"


def test_the_unchanged_specs_send_and_answer_what_they_say() -> None:
    before = Counter(SERVED)

    for path in (SMALL, SECOND, REAL):
        spec, api = tree(path), built(tree(path))
        ids = [each.id for each in api.operations if not each.countersigned]
        assert (
            list(failures(spec, api, unformatted(Contents(api, schemas(root(spec)), PACKAGE)), ids))
            == []
        )
        assert SERVED["answers"] - before["answers"] >= len(ids)
    done = SERVED - before
    assert done["requests"] == done["answers"] == 41
    assert done["wrong requests"] > 40
    assert done["wrong answers"] > 60


@pytest.mark.parametrize(
    ("module", "old", "new", "told"),
    [
        ("operations", "path='/v1/books/add'", "path='/v1/books/ad'", "addBook: .* was sent as"),
        ("models", f"{BOOK}('^[a-z]{{1,9}}$')", "title: str = field(converter=to_text", "is wrong"),
        ("models", "book_id: UUID\n", "book_id: str\n", "of another type"),
        ("models", "fees: tuple[Decimal, ...]", "fees: tuple[str, ...]", "of another type"),
        ("models", "at: int | None", "at: bool | None", "getLoans: .* was read as"),
        ("models", "    reader: str\n", "    reader: Any\n", "getLoans: .* is no answer"),
        ("models", "number: int | None", "number: str | None", "batchBooks: "),
    ],
)
def test_a_package_that_says_something_else_is_found(
    module: str, old: str, new: str, told: str
) -> None:
    path = f"{PACKAGE}/{module}.py"
    assert old in FILES[path]

    files = {**FILES, path: FILES[path].replace(old, new)}

    # Other words make other values.
    specs = (changed({"/info/description": f"Round {number}."}, SPEC) for number in range(40))
    found = (failure for spec in specs for failure in failures(spec, API, files, IDS))

    assert any(re.search(told, failure) for failure in found)


def test_an_operation_is_touched_by_what_it_refers_to() -> None:
    note = "#/components/schemas/Cover/properties/note/type"
    assert touched(SPEC, note) == ["addBook", "batchBooks"]
    for place in ("components/schemas/Loan", "paths/~1v1~1loans/get/summary", "paths/~1v1~1loans"):
        assert touched(SPEC, f"#/{place}") == ["getLoans"]
    assert touched(SPEC, "#/info/title") == []


@pytest.mark.parametrize(
    "pattern", [*KEYWORDS["pattern"], *{each["pattern"] for each in FIELDS if "pattern" in each}]
)
def test_some_texts_match_a_pattern(pattern: str) -> None:
    assert [each for each in PATTERNED if re.search(pattern, each)]
