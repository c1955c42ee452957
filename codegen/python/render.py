"""From the IR to the text of every file. Nothing is written outside a temporary folder."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from codegen import ir
from codegen.ir.names import batch_name, constant, pascal, snake
from codegen.packages import PACKAGE
from codegen.python import docstrings, reference, syntax
from codegen.python.argument_notes import notes
from codegen.python.classes import classes
from codegen.python.imports import EXPORTED, imports
from codegen.python.mappings import batches, likes, mappings, stand_in

TEMPLATES = Path(__file__).parent / "templates"
METHODS = "METHODS.md"

COMMAND = "Do not edit: written by `python -m codegen generate`"
MODELS_DOC = '"""The enums of the service, and the models of its requests and responses."""'
GROUPS_DOC = '"""The groups of the client, like `client.orders`, one module each."""'
RUFF = (
    *("--isolated", "--line-length", str(docstrings.WIDTH), "--target-version", "py310"),
    *("--no-cache", "--quiet"),
)
SORT = ("--select", "I", "--fix", "--config")


def render(api: ir.Api, package: str = PACKAGE, about: str = "") -> dict[str, str]:
    """The files of the generated package, by their paths under the folder that holds it.

    `about` is what its docstring says beyond that of every generated package.
    """
    template = _environment().get_template(f"{PACKAGE}/{METHODS}.jinja")
    page = template.render(methods=reference.methods(api), origin=_origin(api))
    modules = _formatted(unformatted(api, package, about), package)
    return {**modules, f"{package}/{METHODS}": page, f"{package}/py.typed": ""}


def unformatted(api: ir.Api, package: str = PACKAGE, about: str = "") -> dict[str, str]:
    """The modules of the generated package, before ruff formats them."""
    environment = _environment()
    bodies = {"models": f"{MODELS_DOC}\n{classes(api, package)}"}
    context = _package_context(api)
    for name in ("operations", "reasons", "client", "events", "mappings", "_spec", "__init__"):
        template = environment.get_template(f"{PACKAGE}/{name}.py.jinja")
        bodies[name] = template.render(context, package=package, about=about)
    group = environment.get_template(f"{PACKAGE}/groups/group.py.jinja")
    for each in api.groups:
        bodies[f"groups/{each.name}"] = group.render(_group_context(api, each, package))
    bodies["groups/__init__"] = f"{GROUPS_DOC}\n"
    return {
        f"{package}/{name}.py": _module(api, package, name, body)
        for name, body in sorted(bodies.items())
    }


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
    environment.filters.update(
        snake=snake,
        pascal=pascal,
        docstring=docstrings.docstring,
        parameter=syntax.parameter,
        argument=syntax.argument,
        instance=syntax.instance,
        outcome=syntax.outcome,
    )
    return environment


# -- contexts ---------------------------------------------------------------------------------


def _package_context(api: ir.Api) -> dict[str, Any]:
    pages = _pages(api)
    return {
        "api": api,
        "operations": [_operation_context(api, operation) for operation in api.operations],
        "pages": pages,
        "plain_errors": ir.ErrorBody(),
        "reasons": _reasons(api),
        "constants": {**{name: text for text, name in pages.items()}, **_traces(api)},
        "mappings": mappings(api),
        "batches": batches(api),
        "exports": sorted({"Client", *EXPORTED, *_of_types(api)}, key=_by_case),
        "undocumented": _undocumented(api),
        "servers": {each.name: each.url for each in api.servers if each.name},
        "where": docstrings.where(api.servers),
    }


def _of_types(api: ir.Api) -> list[str]:
    """The types, what may be given for them, and what users need to read an answer that may be a union."""
    unknown = ["UnknownObject"] if any(union.role == "response" for union in api.unions) else []
    return [
        *api.type_names,
        *likes(api),
        *(each.name for each in mappings(api)),
        *batches(api),
        *unknown,
    ]


def _pages(api: ir.Api) -> dict[str, str]:
    """The constant of each distinct pagination, by its text: PAGES, PAGES_2, PAGES_3."""
    distinct = dict.fromkeys(
        syntax.instance(each.pagination) for each in api.operations if each.pagination
    )
    # No operation has such a constant, for no method is a number.
    return {text: "PAGES" if n == 1 else f"PAGES_{n}" for n, text in enumerate(distinct, start=1)}


def _traces(api: ir.Api) -> dict[str, str]:
    """The trace of each operation and action, by its constant. An action of the same name shares it."""
    return {
        syntax.trace_constant(each): syntax.instance(each.trace)
        for each in (*api.operations, *api.actions)
        if each.trace
    }


def _reasons(api: ir.Api) -> dict[str, str]:
    """The member of each reason for a refusal -> what shows it."""
    enums = {enum.name: enum for enum in api.enums}
    return {
        f"{each.enum}.{syntax.member_of(enums[each.enum], each.name)}": syntax.recognition(each)
        for each in api.reasons
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


def _group_context(api: ir.Api, group: ir.Group, package: str) -> dict[str, Any]:
    batches = [operation for operation in api.operations if operation.batch]
    mine = [batch_name(each.group, each.method) for each in batches if each.group == group.name]
    return {
        "group": group,
        "stand_in": stand_in(mine, package),
        "operations": [
            _operation_context(api, operation)
            for operation in api.operations
            if operation.group == group.name
        ],
        "actions": [
            _action_context(api, action, batch)
            for action in api.actions
            for batch in batches
            if batch.batch and action.model in batch.batch.actions
            if action.group == group.name and not action.standalone
        ],
    }


def _operation_context(api: ir.Api, operation: ir.Operation) -> dict[str, Any]:
    fields = _fields(api, operation.params)
    actions = [action for action in api.actions if _has(operation.batch, action)]
    return {
        "ir": operation,
        "name": f"{operation.group}.{operation.method}",
        "constant": constant(operation.group, operation.method),
        "fields": fields,
        **syntax.call_of(operation),
        "outside": syntax.outside_of_body(operation),
        "account": next((field.name for field in fields if field.auto == "account"), None),
        "doc": docstrings.operation_doc(operation, fields, actions, notes(api, operation.params)),
        "overloads": syntax.overloads(operation, fields),
        "actions": actions,
        "mapping": batch_name(operation.group, operation.method),
    }


def _action_context(api: ir.Api, action: ir.Action, batch: ir.Operation) -> dict[str, Any]:
    fields = _fields(api, action.model)
    result = batch.result.type.items if batch.result else None
    assert result is not None and result.name is not None
    return {
        "ir": action,
        "batch": constant(batch.group, batch.method),
        "fields": fields,
        "returns": result.name,
        "doc": docstrings.action_doc(action, batch, fields, notes(api, action.model)),
        "overloads": syntax.overloads(action, fields),
    }


def _has(batch: ir.Batch | None, action: ir.Action) -> bool:
    return batch is not None and action.model in batch.actions


def _fields(api: ir.Api, model: str | None) -> list[ir.Field]:
    found = [each.fields for each in api.models if each.name == model]
    return syntax.by_need(found[0]) if found else []


def _by_case(name: str) -> tuple[bool, bool, str]:
    """The order in which ruff sorts `__all__`: constants, classes, the rest."""
    return (not name.isupper(), not name[0].isupper(), name)


# -- modules ----------------------------------------------------------------------------------


def _module(api: ir.Api, package: str, name: str, body: str) -> str:
    """A whole module: the header, its docstring, the imports that its body needs, its body."""
    doc, quotes, rest = body.partition('"""\n')
    local = _local_names(api, package)
    here = f"{package}.{name}".replace("/", ".").removesuffix(".__init__")
    needed = imports(rest, {each: module for each, module in local.items() if module != here})
    # Deferred annotations would hide from a program which keys a TypedDict requires.
    deferred = "" if name == "mappings" else "from __future__ import annotations\n\n"
    return f"# {_origin(api)}\n\n{doc}{quotes}\n{deferred}{needed}\n\n\n{rest}"


def _origin(api: ir.Api) -> str:
    """What a generated file says of itself first."""
    return f"{COMMAND} from spec/openapi.yaml{' and overlays' if api.overlays else ''}."


def _local_names(api: ir.Api, package: str) -> dict[str, str]:
    """The module of each name of the generated package."""
    models = [*api.type_names, *likes(api)]
    constants = [constant(op.group, op.method) for op in api.operations]
    return {
        **dict.fromkeys(models, f"{package}.models"),
        **dict.fromkeys([*constants, "API"], f"{package}.operations"),
        "REASONS": f"{package}.reasons",
        **{pascal(g.name): f"{package}.groups.{g.name}" for g in api.groups},
        "Client": f"{package}.client",
    }


def _formatted(files: dict[str, str], package: str) -> dict[str, str]:
    """The files as the pinned ruff formats them."""
    with tempfile.TemporaryDirectory() as folder:
        for path, text in files.items():
            target = Path(folder, path)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8", newline="\n")
        first_party = f'lint.isort.known-first-party = ["{package}", "trading_runtime"]'
        subprocess.run(
            [sys.executable, "-m", "ruff", "check", *RUFF, *SORT, first_party, folder], check=True
        )
        subprocess.run([sys.executable, "-m", "ruff", "format", *RUFF, folder], check=True)
        return {path: Path(folder, path).read_text(encoding="utf-8") for path in files}
