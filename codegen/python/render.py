"""From the IR to the text of every file. Nothing is written outside a temporary folder."""

from __future__ import annotations

import ast
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from attrs import frozen
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from codegen import ir
from codegen.ir.names import pascal
from codegen.packages import PACKAGE
from codegen.python import converters, docstrings, mappings, models, operations, streams
from codegen.python.methods import methods
from codegen.python.syntax import EXPORTED, MODULES, constant
from codegen.read.models import Schemas
from codegen.read.streams import Streams

TEMPLATES = Path(__file__).parent / "templates"
METHODS = "METHODS.md"
STREAMS = "STREAMS.md"

COMMAND = "Do not edit: written by `python -m codegen generate`"
ALWAYS = (
    *("__init__", "_spec", "client", "events", "groups/__init__", "mappings", "models"),
    *("operations", "reasons"),
)
"""The modules that every package has. There is one more for each group."""
RUFF = (
    *("--isolated", "--line-length", str(docstrings.WIDTH), "--target-version", "py310"),
    *("--no-cache", "--quiet"),
)
SORT = (
    *("--select", "I,RUF022", "--fix"),
    *("--config", "lint.isort.combine-as-imports = true", "--config"),
)


@frozen
class Contents:
    """What a package is made of."""

    api: ir.Api
    schemas: Schemas
    package: str = PACKAGE
    """Its name."""
    about: str = ""
    """What its docstring says beyond that of every generated package."""
    stable: tuple[ir.Api, Schemas] | None = None
    """Those of the stable package, from which it imports what is equal."""
    streams: Streams | None = None
    """Its websocket, if it has one."""


def render(contents: Contents) -> dict[str, str]:
    """The files of the generated package, by their paths under the folder that holds it."""
    api, package, origin = contents.api, contents.package, _origin(contents.api)
    pages = {METHODS: _text(METHODS, {"methods": docstrings.offered(api), "origin": origin})}
    if contents.streams:
        pages[STREAMS] = _text(STREAMS, {**streams.context(contents.streams), "origin": origin})
    return {
        **_formatted(unformatted(contents), package),
        **{f"{package}/{name}": page for name, page in pages.items()},
        f"{package}/py.typed": "",
    }


def unformatted(contents: Contents) -> dict[str, str]:
    """The modules of the generated package, before ruff formats them."""
    api, package = contents.api, contents.package
    context = {
        **_context(api),
        **_types(contents),
        "package": package,
        "about": contents.about,
        "has_streams": contents.streams is not None,
    }
    bodies = {name: _text(f"{name}.py", context) for name in ALWAYS}
    for group, offered in zip(api.groups, methods(api).values(), strict=True):
        doc = f"`client.{group.name}`: {group.description}"
        meaning = docstrings.meaning(each.doc for each in offered)
        bodies[f"groups/{group.name}"] = _text(
            "groups/group.py",
            {
                "group": group,
                "methods": offered,
                "package": package,
                "doc": f"{doc}\n\n{meaning}",
            },
        )
    if contents.streams:
        bodies["streams"] = _text("streams.py", streams.context(contents.streams))
    known = {**_IMPORTED, **_local_names(api, package)}
    return {
        f"{package}/{name}.py": _module(f"{package}/{name}", body, known, _origin(api))
        for name, body in sorted(bodies.items())
    }


def _text(template: str, context: dict[str, Any]) -> str:
    return _environment().get_template(f"{PACKAGE}/{template}.jinja").render(context)


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
        cell=docstrings.cell,
        code=docstrings.code,
        docstring=docstrings.docstring,
        endpoint=docstrings.endpoint,
        is_class=mappings.is_class,
        key_type=mappings.key_type,
        literal=repr,
        pascal=pascal,
        signed_as=docstrings.signed_as,
    )
    return environment


# -- contexts ---------------------------------------------------------------------------------


def _context(api: ir.Api) -> dict[str, Any]:
    return {
        "api": api,
        "shared": operations.shared(api),
        "operations": operations.operations(api),
        "service": operations.service(api),
        "reasons": operations.reasons(api),
        "mappings": mappings.mappings(api),
        "batches": mappings.batches(api),
        "exports": _exports(api),
        "undocumented": _undocumented(api),
        "where": docstrings.where(api.servers),
    }


def _types(contents: Contents) -> dict[str, Any]:
    """What the modules of the models and the mappings define, and what they import from the stable package."""
    api, stable = contents.api, contents.stable
    made = models.classes(api, contents.schemas)
    same = models.shared(api, made, models.classes(*stable)) if stable else set[str]()
    known = models.aliases(stable[0]) if stable else {}
    alike = [alias for name, alias in models.aliases(api).items() if name in same and name in known]
    imported = [*(name for name in api.types if name in same), *alike]
    return {
        "stable_types": imported,
        "stable_mappings": mappings.shared(api, stable[0], same) if stable else [],
        "given": mappings.of_fields(api, [name for name in same if f"{name}Like" in alike]),
        "converters": converters.functions(api, same)[""],
        "types": (types := list(models.defined(api, made, imported))),
        "meaning": docstrings.meaning(types),
    }


def _exports(api: ir.Api) -> list[str]:
    """What users import from the package."""
    names = ("Client", *EXPORTED, *_of_models(api), *mappings.mappings(api))
    return list(dict.fromkeys(names))


def _undocumented(api: ir.Api) -> list[str]:
    """The methods whose signing types are not documented."""
    methods: list[ir.Operation | ir.Action] = [*api.operations, *api.actions]
    signed = [each for each in methods if each.signing and each.signing.source != "documented"]
    return list(dict.fromkeys(each.name for each in signed))


# -- modules ----------------------------------------------------------------------------------

_IMPORTED = {name: module for module, names in MODULES.items() for name in names}
"""The module of each name that is imported from another package."""


def _module(path: str, body: str, known: dict[str, str], origin: str) -> str:
    """A whole module: the header, its docstring, the imports that its body needs, its body."""
    doc, quotes, rest = body.partition('"""\n')
    here = path.replace("/", ".").removesuffix(".__init__")
    needed = _imports(rest, known, here)
    # Deferred annotations would hide from a program which keys a TypedDict requires.
    deferred = "" if path.endswith("/mappings") else "from __future__ import annotations\n\n"
    return f"# {origin}\n\n{doc}{quotes}\n{deferred}{needed}\n\n\n{rest}"


def _imports(body: str, modules: Mapping[str, str], here: str) -> str:
    """The import statements that the body of the module `here` needs: exactly those, found by its names."""
    tree = ast.parse(body)
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    if "__all__" in used:
        used |= {str(node.value) for node in ast.walk(tree) if isinstance(node, ast.Constant)}
    used -= {node.name for node in ast.walk(tree) if isinstance(node, ast.ClassDef | ast.alias)}
    needed: dict[str, list[str]] = {}
    for name in sorted(used):
        if modules.get(name, here) != here:
            needed.setdefault(modules[name], []).append(name)
    return "\n".join(
        f"from {module} import {', '.join(names)}" for module, names in sorted(needed.items())
    )


def _origin(api: ir.Api) -> str:
    """What a generated file says of itself first."""
    return f"{COMMAND} from spec/openapi.yaml{' and overlays' if api.overlays else ''}."


def _local_names(api: ir.Api, package: str) -> dict[str, str]:
    """The module of each name of the generated package."""
    constants = map(constant, api.operations)
    return {
        **dict.fromkeys(_of_models(api), f"{package}.models"),
        **dict.fromkeys([*constants, "API"], f"{package}.operations"),
        "REASONS": f"{package}.reasons",
        **{pascal(each.name): f"{package}.groups.{each.name}" for each in api.groups},
        "Client": f"{package}.client",
    }


def _of_models(api: ir.Api) -> list[str]:
    """The types of the module of the models, and those of what callers may give for them."""
    return [*api.types, *models.aliases(api).values()]


def _formatted(files: dict[str, str], package: str) -> dict[str, str]:
    """The files as the pinned ruff formats them."""
    with tempfile.TemporaryDirectory() as folder:
        for path, text in files.items():
            target = Path(folder, path)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8", newline="\n")
        first_party = (
            f'lint.isort.known-first-party = ["{package}", "{PACKAGE}", "trading_runtime"]'
        )
        subprocess.run(
            [sys.executable, "-m", "ruff", "check", *RUFF, *SORT, first_party, folder], check=True
        )
        subprocess.run([sys.executable, "-m", "ruff", "format", *RUFF, folder], check=True)
        return {path: Path(folder, path).read_text(encoding="utf-8") for path in files}
