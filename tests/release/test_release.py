"""A release says what it changed: its version and its CHANGELOG.md."""

from __future__ import annotations

import pytest

from codegen.changes.table import Change, Effect
from tests.release.__main__ import check
from tests.release.check import Breakage, problems

GONE = Change(
    id="request-field-removed",
    place="CreateOrder.price",
    text="the request-field is gone",
    effect=Effect.of("callers! wire!"),
)
NEW = Change(id="enum-value-added", place="Side", text="added: both", effect=Effect.of("callers"))
WORDS = Change(id="text-changed", place="Side", text="description differs", effect=Effect())
REMOVED = Breakage("Retry.patience", "Public object was removed")


def changelog(text: str) -> str:
    return f"# Changelog\n\n## [Unreleased]\n\n{text}\n\n## [0.1.0]\n\n`CreateOrder.price`, `Retry.patience`\n"


def test_this_tree_says_what_it_changed() -> None:
    assert check() == []


def test_a_tree_that_changed_nothing_needs_no_word() -> None:
    assert list(problems("1.2.3", "1.2.3", changelog(""), [], [])) == []


@pytest.mark.parametrize(
    ("change", "released", "enough", "too_low"),
    [
        (GONE, "0.1.0", "0.2.0.dev0", "0.1.1"),
        (GONE, "1.2.3", "2.0.0", "1.3.0"),
        (NEW, "0.1.0", "0.1.1", "0.1.0"),
        (NEW, "1.2.3", "1.3.0", "1.2.4"),
        (WORDS, "1.2.3", "1.2.4", "1.2.3"),
        (WORDS, "0.1.0", "0.1.1", "0.1.0"),
    ],
)
def test_the_version_follows_what_changed(
    change: Change, released: str, enough: str, too_low: str
) -> None:
    said = changelog("`CreateOrder` has no `price` any more")

    assert list(problems(released, enough, said, [change], [])) == []
    (problem,) = problems(released, too_low, said, [change], [])
    assert problem == (
        f"the version is {too_low}: after {released}, with what changed, "
        f"at least {enough.removesuffix('.dev0')}"
    )


def test_what_breaks_is_named_in_the_changelog() -> None:
    said = changelog("Orders of any price.")

    assert list(problems("0.1.0", "0.2.0", said, [GONE], [REMOVED])) == [
        "CreateOrder.price: the request-field is gone; "
        "the first section of CHANGELOG.md does not name it",
        "Retry.patience: Public object was removed; "
        "the first section of CHANGELOG.md does not name it",
    ]


def test_a_change_of_the_runtime_alone_raises_the_version_too() -> None:
    said = changelog("`Retry(patience=)` is gone.")

    assert list(problems("1.0.0", "2.0.0", said, [], [REMOVED])) == []
    assert len(list(problems("1.0.0", "1.1.0", said, [], [REMOVED]))) == 1


def test_an_empty_section_says_nothing() -> None:
    (problem,) = problems("0.1.0", "0.1.1", changelog(""), [NEW], [])

    assert problem == "the spec changed, and the first section of CHANGELOG.md is empty"
