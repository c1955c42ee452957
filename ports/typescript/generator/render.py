"""From the IR to the text of every module of the TypeScript package."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from ports.typescript.generator import data, docs, streams
from ports.typescript.generator.syntax import (
    WIDTH,
    Name,
    camel,
    comment,
    constant,
    import_text,
    literal,
    pascal,
    words,
)
from ports.typescript.generator.types import (
    EXPORTED,
    EXPORTED_TYPES,
    Json,
    field_text,
    result_type,
    used,
)

TEMPLATES = Path(__file__).parent / "templates"
RUNTIME = "../runtime/index.js"
MODULES = ("client", "index", "models", "operations", "reasons", "schema", "spec", "statuses")
RATE_HEADERS = {"budget": "ratelimit", "policy": "ratelimit-policy"}
"""Those that the runtime reads unless it is told others."""
HEAD = "// Do not edit: written by `python -m codegen generate` from spec/openapi.yaml"


def render(api: Json) -> dict[str, str]:
    """The modules, by their paths under the folder that they go to."""
    context = _context(api)
    texts = {f"{name}.ts": _text(name, context) for name in MODULES}
    for group in api["groups"]:
        texts[f"groups/{group['name']}.ts"] = _text("groups/group", _group(context, group))
    head = f"{HEAD}{' and overlays' if api['overlays'] else ''}.\n\n"
    made = {path: head + text for path, text in texts.items()}
    if "streams" in api:
        origin = HEAD.replace("openapi.yaml", "streams.yaml")
        made["streams.ts"] = f"{origin}.\n\n{_text('streams', streams.context(api['streams']))}"
    return made


def _text(name: str, context: Json) -> str:
    return _environment().get_template(f"{name}.ts.jinja").render(context)


@cache
def _environment() -> Environment:
    """Our templates, each compiled once a run."""
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,
    )
    environment.filters.update(camel=camel, comment=comment, literal=literal, pascal=pascal)
    return environment


# -- the package as a whole -------------------------------------------------------------------


def _context(api: Json) -> Json:
    types = {each["name"] for kind in ("enums", "models") for each in api[kind]}
    fields = {model["name"]: model["fields"] for model in api["models"]}
    operations = [
        _operation(each, fields.get(each["params"], []), data.actions_of(api, each))
        for each in api["operations"]
    ]
    return {
        "api": api,
        "types": types,
        "enums": [_enum(api, each) for each in api["enums"]],
        "models": [_model(each) for each in api["models"]],
        "operations": operations,
        "methods": _by_group(api, operations),
        "schema": data.schema(api),
        **_reasons(api),
        "statuses": literal(api["conventions"]["statuses"], column=len("export const FAULTS = ")),
        "service": _service(api),
        "imports": {
            "models": import_text("type ", _used_by_models(api), RUNTIME),
            "operations": _imports_of_operations(types, operations),
        },
        "exports": [
            import_text("type ", EXPORTED_TYPES, RUNTIME, "export"),
            import_text("", EXPORTED, RUNTIME, "export"),
        ],
        "undocumented": ", ".join(_undocumented(api)),
        "where": docs.where(api["servers"]),
    }


def _service(api: Json) -> Json:
    """The members of the value that describes the whole service."""
    servers = {each["name"]: each["url"] for each in api["servers"] if each["name"]}
    names = [constant(each["group"], each["method"]) for each in api["operations"]]
    named = api["rate_headers"]
    return {
        "title": api["title"],
        "version": api["version"],
        "operations": [*map(Name, names)],
        "schema": Name("SCHEMA"),
        "apiKeyHeader": api["api_key_header"],
        "rateScale": api["rate_scale"],
        **({"rateHeaders": named} if named != RATE_HEADERS else {}),
        **({"servers": servers} if servers else {}),
    }


def _reasons(api: Json) -> Json:
    """The enum of the reasons for refusals, empty without one, and what shows each of them."""
    enum = next((each["enum"] for each in api["reasons"]), "")
    head = f"export const REASONS: Readonly<Record<{enum or 'string'}, Recognition>> = "
    return {"reason": enum, "reasons": literal(data.reasons(api), column=len(head))}


def _undocumented(api: Json) -> list[str]:
    """The methods whose signing types are not documented."""
    names = [
        f"{each['group']}.{each['method']}"
        for each in [*api["operations"], *api["actions"]]
        if each["signing"] and each["signing"]["source"] != "documented"
    ]
    return list(dict.fromkeys(names))


def _used_by_models(api: Json) -> set[str]:
    fields = [
        field_text(each, model["role"]) for model in api["models"] for each in model["fields"]
    ]
    return used(" ".join(fields))


def _imports_of_operations(types: set[str], operations: list[Json]) -> str:
    items = " ".join(each["item"] for each in operations)
    runtime = {"Api", *used(items), *(each["kind"] for each in operations)}
    lines = [
        import_text("type ", runtime, RUNTIME),
        import_text("type ", words(items) & types, "./models.js"),
        'import { SCHEMA } from "./schema.js";',
    ]
    return "\n".join(filter(None, lines))


# -- enums and models -----------------------------------------------------------------


def _enum(api: Json, enum: Json) -> Json:
    head = f"export const {enum['name']} = "
    values = literal(enum["values"], column=len(head) + len(" as const"))
    told = {
        each["name"]: each["description"] for each in api["reasons"] if each["enum"] == enum["name"]
    }
    return {
        "name": enum["name"],
        "doc": docs.enum_doc(enum, told),
        "value": f"{head}{values} as const;",
    }


def _model(model: Json) -> Json:
    source = docs.shared_source(model["fields"])
    fields = [
        (docs.field_doc(each, source), field_text(each, model["role"])) for each in model["fields"]
    ]
    return {"name": model["name"], "doc": docs.model_doc(model), "fields": fields}


def _alias(name: str, parts: list[str]) -> str:
    flat = f"export type {name} = {' | '.join(parts)};"
    lines = "".join(f"\n  | {part}" for part in parts)
    return flat if len(flat) <= WIDTH else f"export type {name} ={lines};"


# -- operations -------------------------------------------------------------------------------


def _operation(each: Json, fields: list[Json], actions: list[Json]) -> Json:
    item = result_type(each)
    kind, call, returns = "Operation", "call", f"Promise<{item}>"
    if each["pagination"]:
        kind, call, returns = "ListOperation", "paginate", f"Paginator<{item}>"
    elif each["batch"]:
        kind, call, returns = "BatchOperation", "batch", f"Promise<BatchResult<{item}>>"
    elif each["countersigned"]:
        call = "countersigned"
    name = constant(each["group"], each["method"])
    head = f"export const {name}: {kind}<{item}> = "
    given, passed = _given(each, fields)
    return {
        "name": f"{each['group']}.{each['method']}",
        "group": each["group"],
        "constant": name,
        "kind": kind,
        "item": item,
        "text": f"{head}{literal(data.operation(each, fields, actions), column=len(head))};",
        "doc": docs.operation_doc(each, actions),
        "method": _method(each["method"], given, returns, call, name, passed),
        "actions": _actions_type(each, actions),
    }


def _actions_type(operation: Json, actions: list[Json]) -> str:
    """The type of what a batch takes. Empty for any other operation."""
    parts = [
        f"{{ readonly type: {literal(each['type'])}; readonly data: {each['model']} }}"
        for each in actions
    ]
    return _alias(_actions_name(operation), parts) if parts else ""


def _actions_name(operation: Json) -> str:
    return f"{pascal(operation['group'])}{pascal(operation['method'])}Action"


def _given(operation: Json, fields: list[Json]) -> tuple[str, str]:
    """The parameter of a method beside the options, and what it passes on."""
    if operation["batch"]:
        return f"actions: readonly {_actions_name(operation)}[]", "actions"
    if operation["countersigned"]:
        return "other: Signer", "other"
    model = operation["params"]
    if model is None:
        return "", "undefined"
    is_needed = any(each["required"] and each["auto"] is None for each in fields)
    return f"request: {model}{'' if is_needed else ' = {}'}", "request"


def _method(name: str, given: str, returns: str, call: str, *passed: str) -> str:
    """A method of a group."""
    parameters = [*([given] if given else []), "options?: CallOptions"]
    head = f"  {camel(name)}({', '.join(parameters)}): {returns} {{"
    if len(head) > WIDTH:
        lines = "".join(f"    {each},\n" for each in parameters)
        head = f"  {camel(name)}(\n{lines}  ): {returns} {{"
    arguments = ", ".join([*passed, "options"])
    return f"{head}\n    return this._caller.{call}({arguments});\n  }}"


# -- groups -----------------------------------------------------------------------------------


def _by_group(api: Json, operations: list[Json]) -> dict[str, list[Json]]:
    """The methods of each group: its operations, then the actions that only batches offer."""
    actions = [
        _action(action, batch)
        for batch in api["operations"]
        for action in data.actions_of(api, batch)
        if not action["standalone"]
    ]
    methods: dict[str, list[Json]] = {group["name"]: [] for group in api["groups"]}
    for each in [*operations, *actions]:
        methods[each["group"]].append(each)
    return methods


def _group(context: Json, group: Json) -> Json:
    methods = context["methods"][group["name"]]
    text = "\n".join(each["method"] + each["actions"] for each in methods)
    lines = (
        import_text("type ", used(text), f"../{RUNTIME}"),
        import_text("", {"Group"}, f"../{RUNTIME}"),
        import_text("type ", words(text) & context["types"], "../models.js"),
        import_text("", {each["constant"] for each in methods}, "../operations.js"),
    )
    return {
        "group": group,
        "methods": methods,
        "types": [each["actions"] for each in methods if each["actions"]],
        "group_imports": [*filter(None, lines)],
    }


def _action(action: Json, batch: Json) -> Json:
    name = constant(batch["group"], batch["method"])
    returns = f"Promise<{result_type(batch)}>"
    passed = (name, literal(action["type"]), "request")
    return {
        "group": action["group"],
        "constant": name,
        "doc": docs.action_doc(action, batch),
        "method": _method(action["method"], f"request: {action['model']}", returns, "act", *passed),
        "actions": "",
    }
