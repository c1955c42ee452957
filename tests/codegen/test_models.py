"""Enums and models: names that the models' own generator would change are refused."""

from __future__ import annotations

import attrs
import pytest

from codegen.classes import classes
from codegen.ir import Api, Enum
from codegen.load import SpecError
from tests.codegen.specs import built, changed, rendered, tree

DESCRIBED = {"description": "Several."}


def small() -> Api:
    return built(tree())


def test_a_name_that_would_be_changed_is_refused_with_its_pointer() -> None:
    odd = Enum(name="lower_case", description="An enum.", values=("a",))

    with pytest.raises(SpecError) as caught:
        classes(attrs.evolve(small(), enums=(odd, *small().enums)), "trading_sdk")

    assert "#/components/schemas/lower_case" in [p.pointer for p in caught.value.problems]


@pytest.mark.parametrize(
    ("value", "member"),
    [
        ("fulfillTaker", "FULFILL_TAKER"),
        ("GTC", "GTC"),
        ("mro", "MRO"),
        ("None", "NONE"),
        ("1m", "VALUE_1M"),
        ("a-b.c", "A_B_C"),
    ],
)
def test_members_are_named_in_upper_case_and_keep_their_values(value: str, member: str) -> None:
    enum = Enum(name="Kind", description="A kind.", values=(value,))

    text = classes(attrs.evolve(small(), enums=(*small().enums, enum)), "trading_sdk")

    assert f"    {member} = '{value}'\n" in text


def test_requests_convert_and_check_what_answers_only_hold() -> None:
    models = rendered(tree())["trading_sdk/models.py"]

    for line in (
        "    title: str = field(converter=to_text, validator=matches_re('^[a-z]{1,9}$'))",
        "    genre: Genre = field(converter=_to_genre)",
        "    pages: int | None = field(default=None, converter=to_optional_integer,"
        " validator=optional([ge(1), le(9)]))",
        "    book_id: UUID | None = field(factory=to_minted_uuid, converter=to_minted_uuid)",
        "    words: Sequence[str] = field(converter=to_texts, validator=min_len(1))",
        "    cover: Cover | None = field(default=None, converter=_to_optional_cover)",
        "    note: bool | Unset | None = field(default=UNSET, converter=to_nullable_boolean)",
        "    shelf: Genre | str | None = None",
        "    at: int | None = None",
        "    extra: Any | None = None",
        "    fees: Sequence[Decimal] = ()",
    ):
        assert f"{line}\n" in models


def test_a_secret_is_a_text_that_no_repr_shows() -> None:
    secret = {"type": "string", "format": "password", "description": "A secret."}
    nullable = {**secret, "type": ["string", "null"]}
    schemas = "/components/schemas"
    spec = changed(
        {
            f"{schemas}/AddBook/properties/title": {**secret, "minLength": 1},
            f"{schemas}/Cover/properties/code": secret,
            f"{schemas}/Loan/properties/reader": secret,
            f"{schemas}/Loan/properties/code": nullable,
            f"{schemas}/Loan/properties/codes": {"type": "array", "items": secret, **DESCRIBED},
        }
    )

    models = rendered(spec)["trading_sdk/models.py"]

    for line in (
        "    title: str = field(converter=to_text, validator=min_len(1), repr=False)",
        "    code: str | None = field(default=None, converter=to_optional_text, repr=False)",
        "    reader: str = field(repr=False)",
        "    code: str | None = field(default=None, repr=False)",
        "    codes: Sequence[str] = field(default=(), repr=False)",
    ):
        assert f"{line}\n" in models


@pytest.mark.parametrize(("most", "told"), [({}, ""), ({"maximum": 50}, ", max_limit=50")])
def test_a_list_knows_how_many_records_a_page_may_have(most: dict[str, int], told: str) -> None:
    spec = tree()
    loans = spec["paths"]["/v1/loans"]["get"]
    loans["x-pagination"]["limit"] = "count"
    schema = {"type": "integer", **most}
    loans["parameters"].append(
        {"name": "count", "in": "query", "description": "How many.", "schema": schema}
    )

    text = rendered(spec)["trading_sdk/operations.py"]

    assert f"limit='count'{told})" in " ".join(text.split()).replace('"', "'").replace(", )", ")")


def test_lists_that_name_their_pages_alike_share_a_constant() -> None:
    spec = tree()
    loans = spec["paths"]["/v1/loans"]["get"]
    again = {**loans, "operationId": "getOld", "x-method": "old"}
    other = {**loans, "operationId": "getNew", "x-method": "new"}
    other["x-pagination"] = {**loans["x-pagination"], "cursor": "reader"}
    spec["paths"] |= {"/v1/old": {"get": again}, "/v1/new": {"get": other}}

    text = rendered(spec)["trading_sdk/operations.py"]

    assert text.count("Pagination(") == 2
    assert text.count("    pagination=PAGES,\n") == 2
    assert text.count("    pagination=PAGES_2,\n") == 1


def test_models_without_a_mapping_import_none() -> None:
    api = attrs.evolve(small(), operations=(), actions=(), models=())

    assert "TYPE_CHECKING" not in classes(api, "trading_sdk")
    assert "TYPE_CHECKING" in classes(small(), "trading_sdk")
