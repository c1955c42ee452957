"""What the spec says and the interface document does not has its `x-source`.

The table in tests/interface is what the document says. A unit, a default or a limit that the table
lacks needs a source; so does a sentence about something that only the field notes or we ourselves say.
A source may stand for a whole field, or for single words of it.
"""

from __future__ import annotations

import copy
import operator
import re
from collections.abc import Iterator, Mapping
from functools import reduce
from pathlib import Path
from typing import Any

import pytest

from tests.interface import ACTIONS, OPERATIONS, Field, Fields
from tests.spec.description import TOLD, Tree, document_unit, merged, parameter_row, target
from tests.spec.test_interface import SPEC, differences, request_of
from tests.trees import objects

FOREIGN = {"observed", "assumed"}
WORDS = {
    "x-unit": "unit",
    "default": "default",
    "pattern": "alphabet",
    "minimum": "least",
    "minLength": "least",
    "minItems": "least",
    "maximum": "most",
    "maxLength": "most",
    "maxItems": "most",
}
"""The words that state something about a field, and the fact of the table that may back each."""

OPEN = {
    "tick": "note 17",
    r"lot\b": "note 17",
    "cross(es)?": "note 18",
    "touch": "note 18",
    "until it is cancelled": "the meaning of GTC",
    "included": "the bounds of time filters",
    "market order when omitted": "a stop order without a limit price",
    "is refused|refuses it": "note 4",
    "agent('s| wallet)": "note 6",
    "average entry": "note 26",
    "Price of the fill": "note 26",
    "net of": "note 27",
    "may be absent": "note 14, and the sample of 2.1",
    "[Nn]ull (if|for)": "what the document calls a string",
    "0.5 %": "note 8",
    "fulfill_taker": "the two tables of 2.2",
    "becomes a ": "what a triggered stop order becomes",
    r"\bopen order": "which orders can be edited and cancelled",
    "not been triggered": "which stop orders can be cancelled",
    "before the fee": "what the amount of a withdrawal is",
}
"""Subjects on which the document is silent, or contradicts itself."""

SOMETIMES = {"error", "code", "order_id"}
"""Members that the document itself shows in some answers only (4.0, 4.5)."""

READINGS = {"x-retry", "x-reconcile"}
"""Words whose sources stand in spec/README.md, because they are our own reading."""
SOURCED = {
    *("x-unit", "x-signing-type", "x-batch-action", "x-reasons", "x-rate-scale", "x-not-before"),
}
"""Words that have an x-source beside them, or in them."""
OURS = {"x-source", "x-group", "x-method", "x-auto", "x-pagination"}
"""Words that say nothing of the service but what the document says (2.10)."""


def facts(row: Field) -> Mapping[str, str]:
    limit = row.limit
    some = {"least": limit.minimum, "most": limit.maximum} if limit else {}
    alphabet = limit.alphabet if limit else ""
    return {"unit": row.unit, "default": row.default, "alphabet": alphabet} | {
        name: str(value) for name, value in some.items()
    }


def backed(row: Field | None, word: str, value: object) -> bool:
    """Whether the table says the same of a field."""
    said = facts(row).get(WORDS[word], "") if row else ""
    shown = document_unit(str(value)) if word == "x-unit" else str(value)
    return bool(said) and (word == "pattern" or said == shown)


def of_fields(spec: Tree, at: str, schema: Tree, rows: Fields) -> Iterator[str]:
    """The statements below an object, and the sources, that do not fit together."""
    whole, known = merged(spec, schema), {row.name: row for row in rows}
    if "items" in whole:
        whole = merged(spec, whole["items"])
    for name, inner in whole["properties"].items():
        yield from of_field(spec, f"{at}.{name}", inner, known.get(name))


def of_field(spec: Tree, at: str, schema: Tree, row: Field | None) -> Iterator[str]:
    """The same of one field."""
    whole = merged(spec, schema)
    given = whole.get("x-source") or whole.get("x-home")
    if not isinstance(given, str) or given not in FOREIGN:
        sources = given if isinstance(given, dict) else {}
        for word in WORDS.keys() & whole.keys():
            if backed(row, word, whole[word]) == (sources.get(word) in FOREIGN):
                said = "is documented" if word in sources else "has no source"
                yield f"{at}: {word} {said}"
    if not (row and row.source in FOREIGN):
        yield from of_fields(spec, at, schema, row.fields if row else ())


def of_operation(spec: Tree, node: Tree) -> Iterator[str]:
    name = f"{node['x-group']}.{node['x-method']}"
    known = OPERATIONS[name]
    query = {row.name: row for row in (*known.query, *known.headers)}
    for parameter in (target(spec, each) for each in node.get("parameters", ())):
        at = f"{name} query.{parameter['name']}"
        yield from of_field(spec, at, parameter_row(parameter), query.get(parameter["name"]))
    if "requestBody" in node:
        body = node["requestBody"]["content"]["application/json"]["schema"]
        yield from of_fields(spec, f"{name} request", body, request_of(known))
    response = target(spec, node["responses"]["200"])
    answer = response["content"]["application/json"]["schema"]
    yield from of_fields(spec, f"{name} 200", answer, known.result)
    yield from of_required(spec, f"{name} 200", answer, answer=True)


def of_required(spec: Tree, at: str, schema: Tree, *, answer: bool) -> Iterator[str]:
    """What may be absent from an answer, or must be in an action without an endpoint, for no reason."""
    whole = merged(spec, schema)
    if "items" in whole:
        whole = merged(spec, whole["items"])
    for name, inner in whole["properties"].items():
        field = merged(spec, inner)
        given = field.get("x-source") or field.get("x-home")
        source = given.get("required") if isinstance(given, dict) else given
        is_stated = name in SOMETIMES if answer else False
        if answer != (name in whole["required"]) and source not in FOREIGN and not is_stated:
            yield f"{at}.{name}: required has no source"
        if answer:
            yield from of_required(spec, f"{at}.{name}", inner, answer=True)


def statements(spec: Tree) -> Iterator[str]:
    """Every statement about a field that the document does not make and that has no source."""
    for item in spec["paths"].values():
        for node in item.values():
            yield from of_operation(spec, node)
    actions = spec["components"]["schemas"]["BatchRequest"]["properties"]["actions"]
    for wrapper in actions["items"]["oneOf"]:
        shape = target(spec, wrapper)["properties"]
        type_ = shape["type"]["const"]
        yield from of_fields(spec, f"action {type_}", shape["data"], request_of(ACTIONS[type_]))
        if not ACTIONS[type_].endpoint:  # 4.19: not shown but in examples
            own = target(spec, shape["data"])["allOf"][-1]
            yield from of_required(spec, f"action {type_}", own, answer=False)


def described(node: Any, at: str = "", home: str = "") -> Iterator[tuple[str, Tree, str]]:
    """Every part of the spec that has a text, and the source of what it stands in."""
    if isinstance(node, list):
        for number, each in enumerate(node):
            yield from described(each, f"{at}/{number}", home)
    elif isinstance(node, dict):
        given = node.get("x-source")
        # Of an endpoint without a section it speaks of everything, elsewhere of the signing type alone.
        signed = {"x-signing-type", "x-batch-action"} & node.keys()
        whole = not signed or ("operationId" in node and "externalDocs" not in node)
        if isinstance(given, str) and whole and at:
            home = given
        if isinstance(node.get("description"), str):
            yield at, node, home
        if isinstance(node.get("summary"), str):
            # It has no place for a source, so it says only what the document says.
            yield f"{at}/summary", {"description": node["summary"]}, home
        for name, each in node.items():
            yield from described(each, f"{at}/{name}", home)


def sentences(spec: Tree) -> Iterator[str]:
    """Every text whose "(observed)" and "(assumed)" are not what its x-source says, or are missing."""
    for at, node, home in described(spec):
        text, given = " ".join(node["description"].split()), node.get("x-source")
        marks = set(re.findall(r"\((observed|assumed)\)", text))
        words = given if isinstance(given, dict) else {}
        said = {words[word] for word in ("description", *TOLD) if word in words}
        # Of several sources of one text, the x-source is the weakest.
        agree = (
            said <= marks
            and bool(said) == bool(marks)
            and ("assumed" in said) == ("assumed" in marks)
        )
        if not agree and not (marks and home in FOREIGN):
            yield f"{at}: the text says {sorted(marks)}, its x-source {sorted(said)}"
        for subject, where in OPEN.items():
            if re.search(subject, text) and not marks and home not in FOREIGN:
                yield f"{at}: {subject!r} has no source ({where})"


def test_what_the_document_does_not_say_has_its_source() -> None:
    assert sorted(set(statements(SPEC))) == []


def test_texts_and_sources_say_the_same() -> None:
    assert list(sentences(SPEC)) == []


def readings(spec: Tree) -> Iterator[str]:
    """The words of the spec that are our own reading, with the retry classes told apart."""
    for node in objects(spec):
        for word in READINGS & node.keys():
            value = node[word]
            told = f"by-key {value['by-key']}" if "by-key" in value else value
            yield f"x-retry: {told}" if word == "x-retry" else word


def test_every_reading_of_our_own_has_its_source_in_the_readme() -> None:
    page = (Path(__file__).parents[2] / "spec" / "README.md").read_text("utf-8")
    section = page.split("\n## Provenance\n")[1].split("\n## ")[0]
    rows = [line.strip("| ").split(" | ") for line in section.splitlines() if line[:2] == "| "][1:]
    told = {row[0].strip("`"): row[1] for row in rows}
    assert told.keys() == {*readings(SPEC)}
    assert {*told.values()} <= {"documented", *FOREIGN}


def test_every_x_word_has_a_place_for_its_source() -> None:
    found = {word for node in objects(SPEC) for word in node if word.startswith("x-")}
    known = {*READINGS, *SOURCED, *OURS}
    new, gone = sorted(found - known), sorted(known - found)
    assert not new, f"{new} are new in the spec: add each to READINGS, SOURCED or OURS above"
    assert not gone, f"{gone} are no more in the spec: take them out of READINGS, SOURCED and OURS"


S = "components schemas"
CHANGES: list[tuple[str, Any, str]] = [
    (f"{S} CreateOrder properties price x-source", None, "orders.create request.price: x-unit"),
    (f"{S} CreateOrder properties symbol maxLength", 9, "orders.create request.symbol: maxLength"),
    (f"{S} CreateOrder properties symbol default", "BTC", "action Create.symbol: default"),
    (f"{S} CreateOrder properties symbol pattern", "^x$", "action Create.symbol: pattern"),
    (f"{S} TransferFunds properties amount x-source", {"x-unit": "assumed"}, "is documented"),
    (f"{S} TransferFunds properties amount x-unit", "EUR", "request.amount: x-unit has no source"),
    (f"{S} Trade properties fee x-source", {"description": "observed"}, "data.fee: x-unit"),
    (f"{S} FundingRecord properties funding_rate x-source", None, "funding_rate: x-unit"),
    (f"{S} SharesMinted properties shares_minted x-source", None, "shares_minted: x-unit"),
    (f"{S} BatchRequest properties actions x-source", None, "request.actions: minItems"),
    ("components parameters Limit schema x-source", None, "query.limit: minimum"),
    (f"{S} TimeInForce x-source", None, "TimeInForce: the text says"),
    (f"{S} TimeInForce description", "`ALO` must not cross.", "TimeInForce: the text says []"),
    (f"{S} Side description", "A multiple of the lot.", "Side: 'lot"),
    ("paths /api/v1/orders/edit post description", "The tick.", "edit/post: 'tick'"),
    (f"{S} Order required", [], "orders.history 200.data.symbol: required has no source"),
    (
        f"{S} CreateMarketOrder properties side x-source",
        None,
        "Market.side: required has no source",
    ),
    ("paths /api/v1/orders/edit post summary", "Edit an open order.", "summary: "),
    ("info x-source", None, "/info: the text says"),
]


@pytest.mark.parametrize(("pointer", "value", "place"), CHANGES)
def test_a_statement_that_lost_its_source_is_found(pointer: str, value: Any, place: str) -> None:
    spec = copy.deepcopy(SPEC)
    *way, last = pointer.split()
    parent = reduce(operator.getitem, way, spec)
    parent.pop(last, None)
    if value is not None:
        parent[last] = value
    found = [*statements(spec), *sentences(spec)]
    assert any(place in line for line in found)


@pytest.mark.parametrize(
    ("part", "fields"),
    [
        ("ClaimLakeManager", {"lake", "deposit_amount"}),
        ("SignedRequest", {"account", "signature", "timestamp", "agent_wallet", "expiry_window"}),
    ],
)
def test_a_part_of_an_all_of_speaks_for_its_own_fields(part: str, fields: set[str]) -> None:
    spec = copy.deepcopy(SPEC)
    schemas = spec["components"]["schemas"]
    schemas[part]["x-source"] = "observed"
    for field, each in (("lake", "ClaimLakeManager"), ("account", "SignedRequest")):
        schemas[each]["properties"][field] = {"type": "string", "maxLength": 99}
    request = "vaults.claim_manager request."

    found = [line for line in differences(spec) if line.startswith(request)]
    observed = {
        line.removeprefix(request).partition(":")[0] for line in found if "observed" in line
    }
    unsourced = [line for line in statements(spec) if line.startswith(request)]

    assert observed == fields
    assert unsourced == [
        f"{request}{field}: maxLength has no source" for field in {"lake", "account"} - fields
    ]
