"""What a spec says of one operation, read for the fuzz alone: its message, and its answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from attrs import evolve, frozen

from codegen import ir
from tests.codegen.specs import Tree
from tests.spec_fuzz.values import WRONG, Values
from tests.trees import at, followed, objects

METHODS = ("get", "put", "post", "delete", "patch")
SIGNED = "#/components/schemas/SignedRequest"


@frozen
class Message:
    """What one call sends: the fields of its parameters and its body, or the actions of a batch."""

    fields: Mapping[str, Any]
    schemas: Mapping[str, Any]
    """The schema of each group of fields: `body`, or the name of a parameter."""
    places: Mapping[str, str]
    """Where each parameter goes: `query` or `path`."""
    signed: frozenset[str]
    """The members of the body that belong to the signed request."""
    actions: tuple[tuple[Any, Mapping[str, Any]], ...] = ()
    """The schema and the fields of each action."""

    def wrong(self, values: Values) -> Iterator[Message]:
        """Messages of which one field is wrong."""
        for index, (schema, fields) in enumerate(self.actions):
            for changed in values.wrong(fields, schema, sent=True):
                if isinstance(changed, dict) and changed != WRONG:
                    others = self.actions[:index] + self.actions[index + 1 :]
                    yield evolve(self, actions=((schema, changed), *others))
        for name, schema in self.schemas.items():
            own = {key: each for key, each in self.fields.items() if key not in self.places}
            value = self.fields.get(name) if name in self.places else own
            for changed in values.wrong(value, schema, sent=True) if value is not None else ():
                if name in self.places:
                    yield evolve(self, fields={**self.fields, name: changed})
                elif isinstance(changed, dict) and changed != WRONG:
                    beside = {k: v for k, v in self.fields.items() if k in self.places}
                    yield evolve(self, fields={**beside, **changed})


def operations(spec: Tree) -> Iterator[tuple[str, dict[str, Any], dict[str, Any]]]:
    """The pointer of each operation, its path item, and itself."""
    for path, item in spec["paths"].items():
        for method in METHODS:
            if method in item:
                escaped = path.replace("~", "~0").replace("/", "~1")
                yield f"#/paths/{escaped}/{method}", item, item[method]


def touched(spec: Tree, pointer: str) -> list[str]:
    """The ids of the operations that hold a place, themselves or by reference."""
    found = []
    for place, _, operation in operations(spec):
        reached = {place}
        _reach(spec, operation, reached)
        item = place.rpartition("/")[0]
        if pointer == item or any(f"{pointer}/".startswith(f"{each}/") for each in reached):
            found.append(operation["operationId"])
    return found


def _reach(spec: Tree, value: Any, reached: set[str]) -> None:
    """Add the pointers that a part of a spec refers to."""
    for each in objects(value):
        reference = each.get("$ref")
        if isinstance(reference, str) and reference not in reached:
            reached.add(reference)
            _reach(spec, at(spec, reference), reached)


def messages(spec: Tree, id_: str, values: Values) -> Message:
    """A message of an operation, at random.

    Raises:
        NoValue: None was found.
    """
    item, operation = next((i, o) for _, i, o in operations(spec) if o["operationId"] == id_)
    fields: dict[str, Any] = {}
    schemas: dict[str, Any] = {}
    places: dict[str, str] = {}
    for each in (*item.get("parameters", ()), *operation.get("parameters", ())):
        parameter = followed(spec, each)
        name = parameter["name"]
        # Lists are read page by page: where to start is left to the client.
        if name in _cursors(operation):
            continue
        places[name] = parameter["in"]
        beside = {"x-auto": parameter["x-auto"]} if "x-auto" in parameter else {}
        # An empty list cannot stand in a query.
        schemas[name] = {"minItems": 1, **followed(spec, parameter["schema"]), **beside}
        if parameter.get("required") or "x-auto" in parameter or values.either():
            fields[name] = values.right(schemas[name])
        earlier = parameter.get("x-not-before")
        if name in fields and earlier in fields:
            fields[earlier], fields[name] = sorted((fields[earlier], fields[name]))
    body = json_of(followed(spec, operation.get("requestBody", {})))
    if body is None:
        return Message(fields, schemas, places, frozenset(), ())
    if actions := tuple(_actions(spec, values.plain(body), values)):
        return Message(fields, schemas, places, _signed(spec), actions)
    own = own_schema(spec, body)
    if own is not None:
        schemas["body"] = own
        fields |= _as_sent(values.right(own), values.plain(own))
    names = set(values.plain(own).get("properties", {})) if own is not None else set()
    signed = frozenset() if own is body else _signed(spec) - names
    return Message(fields, schemas, places, signed, ())


def _signed(spec: Tree) -> frozenset[str]:
    """The members of every signed request."""
    return frozenset(at(spec, SIGNED)["properties"])


def _as_sent(fields: dict[str, Any], plain: dict[str, Any]) -> dict[str, Any]:
    """The fields without null where null keeps an id from being made: nothing is sent then."""
    autos = {name for name, each in plain.get("properties", {}).items() if "x-auto" in each}
    return {key: each for key, each in fields.items() if each is not None or key not in autos}


def _cursors(operation: dict[str, Any]) -> set[str]:
    pages = operation.get("x-pagination", {})
    return {pages[key] for key in ("cursor", "offset") if key in pages}


def model_of(schema: Any) -> str:
    """The name of the model of a schema."""
    return str(schema["$ref"]).rpartition("/")[2]


def own_schema(spec: Tree, body: Any) -> Any:
    """The schema of the own fields of a body: what stands beside SignedRequest, if that is a part of it."""
    if body.get("$ref") == SIGNED:
        return None
    others = [part for part in followed(spec, body).get("allOf", ()) if part.get("$ref") != SIGNED]
    return others[0] if others else body


def _actions(
    spec: Tree, body: dict[str, Any], values: Values
) -> Iterator[tuple[Any, dict[str, Any]]]:
    """One action of each kind that a body may hold, up to the greatest number of them."""
    for field in body.get("properties", {}).values():
        plain = values.plain(field)
        wrappers = values.plain(plain.get("items", {})).get("oneOf", ())
        for wrapper in wrappers[: plain.get("maxItems", len(wrappers))]:
            data = values.plain(wrapper).get("properties", {}).get("data")
            if data is not None:
                own = own_schema(spec, data)
                found = _as_sent(values.right(own), values.plain(own))
                yield own, found


def json_of(holder: dict[str, Any]) -> Any:
    """The JSON schema of a body or an answer."""
    return holder.get("content", {}).get("application/json", {}).get("schema")


def success_of(spec: Tree, id_: str) -> tuple[int, Any]:
    """The first status of success of an operation, and the schema of its answer."""
    operation = next(o for _, _, o in operations(spec) if o["operationId"] == id_)
    status = next(each for each in operation["responses"] if each.startswith("2"))
    return int(status), json_of(followed(spec, operation["responses"][status]))


def with_success(answer: Any, operation: ir.Operation, message: Message, values: Values) -> None:
    """Let an answer say success at every level, and repeat what it must of the message."""
    inner = answer.get("data") if isinstance(answer, dict) else None
    result: Any = answer
    for name in operation.result.at if operation.result else ():
        result = result.get(name) if isinstance(result, dict) else None
    records = result if isinstance(result, list) else [result]
    if operation.batch:
        count = len(message.actions)
        records[:] = [dict(each) for each in (records * count)[:count]]
    # A result that is the whole answer may have a code of its own.
    envelopes = () if result is answer and "success" not in answer else (answer, inner)
    for level in (*envelopes, *(records if operation.batch else ())):
        _succeeded(level, values)
    pages = operation.pagination
    if pages and pages.next_cursor and pages.has_more:
        answer[pages.has_more] = answer.get(pages.next_cursor) is not None


def _succeeded(level: Any, values: Values) -> None:
    """An error or a code is null beside a success, or is not there."""
    for name in {"success", "error", "code"} & level.keys() if isinstance(level, dict) else ():
        level[name] = True if name == "success" else None
        if name != "success" and values.either():
            del level[name]
