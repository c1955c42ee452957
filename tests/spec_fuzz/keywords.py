"""Every word of OpenAPI 3.1 and JSON Schema 2020-12, and ours, each with plausible values."""

from __future__ import annotations

from typing import Any

from codegen import dialect

REF = "#/components/schemas/"
TEXT = {"type": "string", "description": "A text."}
MODELS = (
    *("Loan", "Genre", "AddBook", "Order", "Side", "CreateOrder"),
    *("Plan", "Soil", "Urgency", "Trigger", "Event", "Layer"),
)
"""Of the three specs. Those of another one are references to nothing."""
SCHEMA_VALUES: list[Any] = [
    TEXT,
    {"type": "integer"},
    {"type": "object", "additionalProperties": TEXT},
    {"type": ["string", "null"], "description": "A text or null."},
    *({"$ref": f"{REF}{name}"} for name in MODELS),
    {"type": "string", "format": "int64", "description": "A number."},
    {"type": "integer", "enum": [1, 2], "description": "A level."},
    {"type": "object", "description": "It.", "properties": {"a": TEXT}, "required": ["a"]},
    {"type": "array", "prefixItems": [TEXT, {"type": "integer"}], "description": "Two."},
    {
        "oneOf": [{"$ref": f"{REF}Loan"}],
        "discriminator": {"propertyName": "reader"},
        "description": "One of them.",
    },
]
FIELDS: list[Any] = [
    *SCHEMA_VALUES,
    {"type": "string", "format": "decimal", "x-unit": "EUR", "description": "An amount."},
    {"type": "string", "format": "uuid", "description": "An id."},
    {"type": "string", "format": "date-time", "description": "A moment."},
    {"type": "string", "format": "int64", "description": "A long number."},
    {"type": "string", "format": "email", "description": "An address."},
    {"type": "integer", "format": "int32", "description": "A short number."},
    {"type": "integer", "minimum": 1, "maximum": 9, "description": "A digit."},
    {"type": "integer", "format": "int64", "x-unit": "ms", "description": "A time."},
    {"type": ["boolean", "null"], "description": "Perhaps."},
    {"type": "string", "minLength": 2, "maxLength": 5, "description": "A short text."},
    {"type": "string", "pattern": "^(a|b)[0-9]{2,3}[^x-z]?$", "description": "A pattern."},
    {"type": "array", "items": TEXT, "minItems": 1, "maxItems": 2, "description": "Texts."},
    {"type": "array", "items": {"type": "array", "items": TEXT}, "description": "Lists."},
    {"type": "array", "items": {"type": ["integer", "null"]}, "description": "Gaps."},
    {"type": "array", "prefixItems": [TEXT, {"type": "integer"}], "description": "A pair."},
    {
        "type": "object",
        "additionalProperties": {"type": "string", "format": "decimal", "x-unit": "EUR"},
        "description": "Amounts by name.",
    },
    *(
        {"oneOf": [{"$ref": f"{REF}{name}"}, {"type": "null"}], "description": "One, or none."}
        for name in MODELS
    ),
    *(
        {"type": "array", "items": {"$ref": f"{REF}{name}"}, "description": "Several."}
        for name in MODELS
    ),
    {"description": "Anything."},
]
"""Fields, as they could stand in any object."""
FIELD_NAMES = ("nonce", "from", "24h-volume", "symbol", "title")
TYPES = ("string", "integer", "number", "boolean", "object", "array", "null")
NUMBERS = [0, 1, 5, 1000]
EITHER, WORDS = [True, False], ["another"]

OF_SCHEMAS: dict[str, list[Any]] = {
    **dict.fromkeys(("$schema", "$id", "$anchor", "$comment", "$dynamicRef"), WORDS),
    **dict.fromkeys(("$dynamicAnchor", "title", "contentEncoding", "contentMediaType"), WORDS),
    **dict.fromkeys(("uniqueItems", "deprecated", "readOnly", "writeOnly", "nullable"), EITHER),
    "$defs": [{"A": TEXT}],
    "$ref": [f"{REF}{name}" for name in MODELS],
    "type": [*TYPES, *([kind, "null"] for kind in TYPES[:-1]), ["string", "integer"]],
    "enum": [["a", "b"], ["a", None], [1, 2]],
    "const": ["a", 1, None, True],
    "multipleOf": [1, 5, 0.01],
    **dict.fromkeys(("maximum", "exclusiveMaximum", "minimum", "exclusiveMinimum"), NUMBERS),
    **dict.fromkeys(("maxLength", "minLength", "maxItems", "minItems"), NUMBERS),
    **dict.fromkeys(("maxContains", "minContains", "maxProperties", "minProperties"), NUMBERS),
    "pattern": ["^[a-z]+$", "[a-z]"],
    "required": [["title"], ["symbol"], ["nonce"], [], True, False],
    "dependentRequired": [{"title": ["book_id"]}, {"symbol": ["side"]}],
    "dependentSchemas": [{"title": TEXT}],
    **{key: [[each] for each in SCHEMA_VALUES] for key in ("allOf", "anyOf", "oneOf")},
    **dict.fromkeys(("not", "if", "then", "else", "contains"), SCHEMA_VALUES),
    **{
        key: [*SCHEMA_VALUES, False]
        for key in ("items", "unevaluatedItems", "unevaluatedProperties")
    },
    "additionalProperties": [*SCHEMA_VALUES, True, False],
    "propertyNames": [{"pattern": "^[a-z]+$"}],
    "patternProperties": [{"^x": TEXT}],
    "prefixItems": [[TEXT, {"type": "integer"}]],
    "properties": [{"nonce": TEXT}, {"symbol": TEXT}, {}],
    "default": ["a", 5, False, None, [], "novel", "bid"],
    "examples": [["a"], {"one": {"value": "a"}}],
    "example": ["a", {"title": "a"}],
    "format": [
        *("decimal", "uuid", "password", "int64", "int32", "date-time", "date", "email", "uri"),
        *("double", "byte", "binary", "duration"),
    ],
    "contentSchema": [TEXT],
    "discriminator": [{"propertyName": "type"}, {"propertyName": "kind", "mapping": {"a": "A"}}],
    "xml": [{"name": "a"}],
}
RESPONSE = {"description": "Done.", "content": {"application/json": {"schema": TEXT}}}
PARAMETER = {"name": "page", "in": "query", "description": "Which.", "schema": {"type": "integer"}}
OF_OPENAPI: dict[str, list[Any]] = {
    **dict.fromkeys(("jsonSchemaDialect", "termsOfService", "version", "summary"), WORDS),
    **dict.fromkeys(("description", "operationId", "scheme", "bearerFormat"), WORDS),
    **dict.fromkeys(("openIdConnectUrl", "propertyName"), WORDS),
    **dict.fromkeys(("allowEmptyValue", "explode", "allowReserved"), EITHER),
    "openapi": ["3.1.1"],
    "webhooks": [{"filled": {"post": {"responses": {"200": {"description": "Ok."}}}}}],
    "contact": [{"name": "Somebody"}],
    "license": [{"name": "MIT", "identifier": "MIT"}],
    "servers": [[{"url": "https://example.com"}], [{"url": "https://example.com/api"}]],
    "url": ["https://example.com", "/api", "https://{region}.example.com"],
    "variables": [{"region": {"default": "eu"}}],
    "security": [[], [{}], [{"key": []}], [{"apiConfigKey": []}]],
    "tags": [[], ["Loans"], [{"name": "Loans"}]],
    "externalDocs": [{"url": "https://example.com"}],
    "parameters": [[PARAMETER], [{**PARAMETER, "in": "header"}], {"Page": PARAMETER}],
    **{key: [{"responses": {}}] for key in ("put", "patch", "delete", "head", "options", "trace")},
    "requestBody": [{"content": {"application/json": {"schema": TEXT}}}],
    "responses": [{"200": {"description": "Ok."}}, {"Another": RESPONSE}],
    **{key: [RESPONSE] for key in ("201", "202", "204", "404", "302", "4XX", "default")},
    "callbacks": [{"done": {"{$url}": {}}}],
    "name": ["page", "cursor", "X-KEY-2"],
    "in": ["query", "header", "path", "cookie"],
    "style": ["form", "simple", "deepObject"],
    "content": [{"application/json": {"schema": TEXT}}, {"text/plain": {"schema": TEXT}}],
    "text/plain": [{"schema": TEXT}],
    "application/problem+json": [{"schema": TEXT}],
    "schema": SCHEMA_VALUES,
    "encoding": [{"title": {"contentType": "text/plain"}}],
    "headers": [{"X-Limit": {"schema": {"type": "integer"}}}],
    "links": [{"next": {"operationId": "getLoans"}}],
    "examples": [{"one": {"value": "a"}}],
    "requestBodies": [{"One": {"content": {"application/json": {"schema": TEXT}}}}],
    "pathItems": [{"one": {}}],
    "securitySchemes": [{"bearer": {"type": "http", "scheme": "bearer"}}],
    "flows": [{}],
    "mapping": [{"a": f"{REF}Loan"}],
}
OURS: dict[str, list[Any]] = {"x-anything": [1]}
for _word in dialect.WORDS.values():
    OURS.setdefault(_word.name, []).extend(_word.form["examples"])


def _all() -> dict[str, list[Any]]:
    words: dict[str, list[Any]] = {}
    for table in (OF_SCHEMAS, OF_OPENAPI, OURS):
        for word, values in table.items():
            words[word] = [*words.get(word, ()), *values]
    return words


KEYWORDS = _all()
"""Plausible values of every word."""
