"""From the IR to the text of every file of the TypeScript package that codegen writes."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from codegen import docstrings, ir
from codegen.languages import python, typescript, typescript_data, typescript_docs
from codegen.languages.typescript_imports import import_text, types_in, used
from codegen.languages.typescript_literals import WIDTH, Name, literal
from codegen.render import COMMAND

TEMPLATES = Path(__file__).parent / "templates" / "typescript"
RUNTIME = "../runtime/index.js"
MODULES = ("client", "index", "models", "operations", "reasons", "schema", "spec")


def render(api: ir.Api) -> dict[str, str]:
    """The files of src/generated, by their paths under it."""
    environment = _environment()
    context = _context(api)
    texts = {f"{name}.ts": _text(environment, name, context) for name in MODULES}
    for group in api.groups:
        context = {**context, **_group(api, group)}
        texts[f"groups/{group.name}.ts"] = _text(environment, "groups/group", context)
    head = f"// {COMMAND} from spec/openapi.yaml{' and overlays' if api.overlays else ''}.\n\n"
    return {path: head + text for path, text in texts.items()}


def _text(environment: Environment, name: str, context: dict[str, Any]) -> str:
    return environment.get_template(f"{name}.ts.jinja").render(context)


def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,
    )
    environment.filters.update(
        camel=typescript.camel,
        comment=typescript_docs.comment,
        literal=literal,
        pascal=python.pascal,
    )
    return environment


# -- contexts ---------------------------------------------------------------------------------


def _context(api: ir.Api) -> dict[str, Any]:
    operations = [_operation(api, each) for each in api.operations]
    results = {name for each in operations for name in types_in(each["item"], api)}
    return {
        "api": api,
        "enums": [_enum(api, each) for each in api.enums],
        "models": [_model(each) for each in api.models],
        "unions": [_union(each) for each in api.unions],
        "operations": operations,
        "schema": typescript_data.schema(api),
        **_reasons(api),
        "service": _service(api),
        "imports": {
            "models": import_text("type ", _used_by_models(api), RUNTIME),
            "operations": "\n".join(
                [
                    import_text("type ", _used_by_operations(operations), RUNTIME),
                    import_text("type ", results, "./models.js"),
                    'import { SCHEMA } from "./schema.js";',
                ]
            ).strip(),
        },
        "exports": [
            import_text("type ", typescript.EXPORTED_TYPES, RUNTIME, "export"),
            import_text("", typescript.EXPORTED, RUNTIME, "export"),
        ],
        "undocumented": ", ".join(_undocumented(api)),
        "where": docstrings.where(api.servers),
    }


def _service(api: ir.Api) -> dict[str, Any]:
    """The members of the value that describes the whole service."""
    servers = {each.name: each.url for each in api.servers if each.name}
    return {
        "title": api.title,
        "version": api.version,
        "operations": [Name(python.constant(each.group, each.method)) for each in api.operations],
        "schema": Name("SCHEMA"),
        "apiKeyHeader": api.api_key_header,
        "rateScale": api.rate_scale,
        **({"servers": servers} if servers else {}),
    }


def _reasons(api: ir.Api) -> dict[str, str]:
    """The enum of the reasons for refusals, empty without one, and what shows each of them."""
    enum = next((each.enum for each in api.reasons), "")
    head = f"export const REASONS: Readonly<Record<{enum or 'string'}, Recognition>> = "
    return {"reason": enum, "reasons": literal(typescript_data.reasons(api), column=len(head))}


def _enum(api: ir.Api, enum: ir.Enum) -> dict[str, Any]:
    head = f"export const {enum.name} = "
    values = literal(list(enum.values), column=len(head) + len(" as const"))
    told = {each.name: each.description for each in api.reasons if each.enum == enum.name}
    doc = typescript_docs.enum_doc(enum, told)
    return {"ir": enum, "doc": doc, "value": f"{head}{values} as const;"}


def _model(model: ir.Model) -> dict[str, Any]:
    source = docstrings.shared_source(model.fields)
    fields = [
        (typescript_docs.field_doc(each, source), typescript.field_text(each, model.role))
        for each in model.fields
    ]
    return {"name": model.name, "doc": typescript_docs.model_doc(model), "fields": fields}


def _union(union: ir.Union) -> dict[str, Any]:
    models = list(dict.fromkeys(variant.model for variant in union.variants))
    either = [*models, *(["UnknownObject"] if union.role == "response" else [])]
    return {
        "doc": typescript_docs.union_doc(union),
        "text": _alias(union.name, either),
    }


def _alias(name: str, parts: list[str]) -> str:
    flat = f"export type {name} = {' | '.join(parts)};"
    lines = "".join(f"\n  | {part}" for part in parts)
    return flat if len(flat) <= WIDTH else f"export type {name} ={lines};"


def _operation(api: ir.Api, each: ir.Operation) -> dict[str, Any]:
    item = typescript.result_type(each)
    kind, call, returns = "Operation", "call", f"Promise<{item}>"
    if each.pagination:
        kind, call, returns = "ListOperation", "paginate", f"Paginator<{item}>"
    elif each.batch:
        kind, call, returns = "BatchOperation", "batch", f"Promise<BatchResult<{item}>>"
    elif each.countersigned:
        call = "countersigned"
    actions = [
        action for action in api.actions if each.batch and action.model in each.batch.actions
    ]
    constant = python.constant(each.group, each.method)
    head = f"export const {constant}: {kind}<{item}> = "
    data = literal(typescript_data.operation(api, each), column=len(head))
    return {
        "ir": each,
        "constant": constant,
        "kind": kind,
        "item": item,
        "text": f"{head}{data};",
        "doc": typescript_docs.operation_doc(each, actions),
        "method": _method(each.method, *_given(api, each), returns, call, constant),
        "actions": _actions_type(each, actions),
    }


def _actions_type(operation: ir.Operation, actions: list[ir.Action]) -> str:
    """The type of what a batch takes. Empty for any other operation."""
    parts = [f"{{ readonly type: {literal(a.type)}; readonly data: {a.model} }}" for a in actions]
    return _alias(_actions_name(operation), parts) if parts else ""


def _actions_name(operation: ir.Operation) -> str:
    return f"{python.pascal(operation.group)}{python.pascal(operation.method)}Action"


def _given(api: ir.Api, operation: ir.Operation) -> tuple[str, str]:
    """The parameter of a method beside the options, and what it passes on."""
    if operation.batch:
        return f"actions: readonly {_actions_name(operation)}[]", "actions"
    if operation.countersigned:
        return "other: Signer", "other"
    if operation.params is None:
        return "", "undefined"
    fields = next(model.fields for model in api.models if model.name == operation.params)
    needed = any(each.required and each.auto is None for each in fields)
    return f"request: {operation.params}{'' if needed else ' = {}'}", "request"


def _method(name: str, given: str, passed: str, returns: str, call: str, *first: str) -> str:
    """A method of a group."""
    parameters = [*([given] if given else []), "options?: CallOptions"]
    head = f"  {typescript.camel(name)}({', '.join(parameters)}): {returns} {{"
    if len(head) > WIDTH:
        lines = "".join(f"    {each},\n" for each in parameters)
        head = f"  {typescript.camel(name)}(\n{lines}  ): {returns} {{"
    arguments = ", ".join([*first, passed, "options"])
    return f"{head}\n    return this._caller.{call}({arguments});\n  }}"


# -- groups -----------------------------------------------------------------------------------


def _group(api: ir.Api, group: ir.Group) -> dict[str, Any]:
    operations = [_operation(api, each) for each in api.operations if each.group == group.name]
    batches = [each for each in api.operations if each.batch]
    actions = [
        _action(action, batch)
        for action in api.actions
        for batch in batches
        if batch.batch and action.model in batch.batch.actions
        if action.group == group.name and not action.standalone
    ]
    text = "\n".join(each["method"] + each["actions"] for each in [*operations, *actions])
    constants = {each["constant"] for each in [*operations, *actions]}
    return {
        "group": group,
        "methods": [*operations, *actions],
        "types": [each["actions"] for each in operations if each["actions"]],
        "group_imports": [
            each
            for each in (
                import_text("type ", used(text), "../../runtime/index.js"),
                import_text("", {"Group"}, "../../runtime/index.js"),
                import_text("type ", types_in(text, api), "../models.js"),
                import_text("", constants, "../operations.js"),
            )
            if each
        ],
    }


def _action(action: ir.Action, batch: ir.Operation) -> dict[str, Any]:
    constant = python.constant(batch.group, batch.method)
    returns = f"Promise<{typescript.result_type(batch)}>"
    given = f"request: {action.model}"
    first = (constant, literal(action.type))
    return {
        "ir": action,
        "constant": constant,
        "doc": typescript_docs.action_doc(action, batch),
        "method": _method(action.method, given, "request", returns, "act", *first),
        "actions": "",
    }


def _undocumented(api: ir.Api) -> list[str]:
    """The methods whose signing types are not documented."""
    methods: list[ir.Operation | ir.Action] = [*api.operations, *api.actions]
    names = [
        f"{each.group}.{each.method}"
        for each in methods
        if each.signing and each.signing.source != "documented"
    ]
    return list(dict.fromkeys(names))


# -- imports ---------------------------------------------------------------------------------


def _used_by_models(api: ir.Api) -> set[str]:
    fields = [
        typescript.field_text(each, model.role) for model in api.models for each in model.fields
    ]
    unions = [_union(each)["text"] for each in api.unions]
    return used(" ".join([*fields, *unions]))


def _used_by_operations(operations: Iterable[dict[str, Any]]) -> set[str]:
    items = " ".join(each["item"] for each in operations)
    return {"Api", *used(items), *(each["kind"] for each in operations)}
