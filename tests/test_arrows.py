"""Who may import whom, and that the runtime knows no word of the service.

trading_sandbox -> trading_sdk_observed -> trading_sdk -> trading_runtime -> third-party packages
trading_toolkit -> trading_runtime, and third-party packages; it takes the client of either package
trading_toolkit.command -> all product packages: it makes clients, and starts the sandbox
codegen -> third-party packages only
ports (their generators) -> the IR as JSON, and third-party packages
docs -> codegen, conformance, and the packages that the site documents
conformance -> spec/vectors (files) and trading_sandbox; it knows ports by their pipes alone

Within the runtime: client -> recovery -> call -> signing, codec, http -> the modules beside the packages.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import trading_runtime
from tests.codegen.specs import REAL, tree

ROOT = Path(__file__).parents[1]
PACKAGES = {
    "trading_sandbox": ROOT / "sandbox" / "trading_sandbox",
    "trading_sdk": ROOT / "generated" / "trading_sdk",
    "trading_sdk_observed": ROOT / "generated" / "trading_sdk_observed",
    "trading_runtime": ROOT / "runtime" / "trading_runtime",
    "trading_toolkit": ROOT / "toolkit" / "trading_toolkit",
    "trading_toolkit.command": ROOT / "toolkit" / "trading_toolkit" / "command",
    "codegen": ROOT / "codegen",
    "conformance": ROOT / "conformance",
    "ports": ROOT / "ports" / "typescript" / "generator",
    "docs": ROOT / "docs",
}
ARROWS = {
    "trading_sandbox": {"trading_sdk", "trading_sdk_observed", "trading_runtime"},
    "trading_sdk": {"trading_runtime"},
    "trading_sdk_observed": {"trading_sdk", "trading_runtime"},
    "trading_runtime": set(),
    "trading_toolkit": {"trading_runtime"},
    "trading_toolkit.command": {
        *("trading_sandbox", "trading_sdk", "trading_sdk_observed", "trading_runtime"),
        "trading_toolkit",
    },
    "codegen": set(),
    "conformance": {"trading_sandbox"},
    "ports": set(),
    "docs": {
        *("codegen", "conformance", "trading_runtime", "trading_sdk", "trading_sdk_observed"),
        "trading_toolkit",
    },
}
# What the wheel depends on, and what its extra [sandbox] adds; nacl is what pynacl is imported as.
THIRD_PARTY = {
    "trading_runtime": {
        *("attr", "attrs", "base58", "cattrs", "msgspec", "nacl", "requests", "urllib3"),
        *("typing_extensions", "websockets"),
    },
    "trading_sdk": {"attr", "attrs", "typing_extensions"},
    "trading_sdk_observed": {"attr", "attrs", "typing_extensions"},
    "trading_sandbox": {
        *("attr", "attrs", "base58", "cattrs", "starlette", "uvicorn", "pytest"),
        "typing_extensions",
    },
    "trading_toolkit": {
        *("attr", "attrs", "jinja2", "markupsafe", "matplotlib", "pandas", "polars", "pyarrow"),
        "rich",
    },
    "trading_toolkit.command": {"attr", "attrs", "click", "pyarrow", "rich", "tomli"},
    # Little, so that it may contradict the SDK.
    "conformance": {"attrs"},
    "ports": {"jinja2"},
    "docs": {"attr", "attrs", "sphinx"},
}
RUNTIME = "trading_runtime"
NOT_THIRD_PARTY = {*PACKAGES, "tests", "noxfile"}


def imports(module: ast.Module, package: str) -> Iterator[str]:
    """The top-level package of everything that a module imports, wherever it does so."""
    for node in ast.walk(module):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield package if node.level else (node.module or "").partition(".")[0]
        elif isinstance(node, ast.Call):
            called = node.func
            name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
            if name in ("__import__", "import_module"):
                yield ast.unparse(node)


def sources(package: str) -> list[Path]:
    return sorted(PACKAGES[package].rglob("*.py"))


EVERY = {str(path.relative_to(ROOT)): package for package in PACKAGES for path in sources(package)}
"""The package of each module."""


@cache
def parsed(name: str) -> ast.Module:
    return ast.parse((ROOT / name).read_text("utf-8"))


STANDARD = sys.stdlib_module_names | {"tomllib"}
"""The modules of Python; it has tomllib from 3.11 on."""


def test_a_module_imports_only_along_the_arrows() -> None:
    found = []
    for name, package in EVERY.items():
        imported = set(imports(parsed(name), package))
        outside = imported - STANDARD - {package}
        ours = outside & NOT_THIRD_PARTY
        refused = ours - ARROWS[package]
        if package in THIRD_PARTY:
            refused |= outside - ours - THIRD_PARTY[package]
        found += [f"{name} imports {each}" for each in sorted(refused)]

    assert found == []


def test_every_package_is_walked_and_no_way_of_importing_is_overlooked() -> None:
    assert all(len(sources(package)) > 2 for package in PACKAGES)
    roots = [ROOT / "sandbox", ROOT / "generated", ROOT / "runtime", ROOT / "toolkit"]
    packages = {path.parent.name for root in roots for path in root.glob("*/__init__.py")}
    assert packages <= PACKAGES.keys()
    source = "import a.b as m\ndef f():\n    from c.d import e\nfrom . import g\nimport_module('x')"
    assert set(imports(ast.parse(source), "here")) == {"a", "c", "here", "import_module('x')"}
    assert "recovery.reconcile" in GRAPH["client.client"], "imported by a function"


# -- what is public ------------------------------------------------------------------------------


def public() -> set[str]:
    """The public names of the runtime: what its package imports from its modules."""
    values = vars(trading_runtime).items()
    return {name for name, value in values if not isinstance(value, ModuleType)}


LATE = {"trading_runtime.stream"}
"""Public modules that the package does not import, because msgspec would slow `import trading_sdk` down."""


def test_other_packages_use_what_the_runtime_names_as_public() -> None:
    found = []
    for name in (name for name, package in EVERY.items() if package != RUNTIME):
        froms = [node for node in ast.walk(parsed(name)) if isinstance(node, ast.ImportFrom)]
        inner = {node.module for node in froms if (node.module or "").startswith(f"{RUNTIME}.")}
        used = {alias.name for node in froms if node.module == RUNTIME for alias in node.names}
        refused = {*(inner - LATE), *(used - public())}
        found += [f"{name} uses {each}" for each in refused]

    assert found == []


# -- the wings of the runtime ---------------------------------------------------------------------

WINGS: dict[str, set[str]] = {
    "signing": set(),
    "codec": set(),
    "http": set(),
    "call": {"signing", "codec", "http"},
    "recovery": {"call", "codec", "http"},
    "client": {"recovery", "call", "signing", "codec", "http"},
    "stream": {"call", "codec", "http"},
}
"""The wings, and which of the others each of them may import. A module beside them imports none.

One wing is a single module, `stream`.
"""


def module_name(path: Path) -> str:
    """Its name within the runtime: `errors`, `http.body`; empty for the package itself."""
    parts = path.relative_to(PACKAGES[RUNTIME]).with_suffix("").parts
    return ".".join(part for part in parts if part != "__init__")


def imported_modules(path: Path) -> set[str]:
    """The modules of the runtime that a module imports, wherever it does so."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(RUNTIME):
            inner = (node.module or "").removeprefix(RUNTIME).lstrip(".")
            names = {".".join(filter(None, (inner, alias.name))) for alias in node.names}
            found |= (names & MODULES) or {inner}
    return found


RUNTIME_SOURCES = sources(RUNTIME)
MODULES = {module_name(path) for path in RUNTIME_SOURCES}
GRAPH = {module_name(path): imported_modules(path) for path in RUNTIME_SOURCES}


def wing(module: str) -> str | None:
    head = module.partition(".")[0]
    return head if head in WINGS else None


def test_a_module_of_the_runtime_imports_only_along_its_arrows() -> None:
    found = []
    for module, imported in GRAPH.items():
        if module:
            allowed = WINGS.get(wing(module) or "", set()) | {wing(module), None}
            refused = {each for each in imported if not each or wing(each) not in allowed}
            found += [f"{module} imports {each}" for each in refused]

    assert found == []


def test_the_modules_of_the_runtime_import_each_other_in_no_circle() -> None:
    left = {module: imported & MODULES for module, imported in GRAPH.items()}
    while free := [module for module, imported in left.items() if not imported & left.keys()]:
        for module in free:
            del left[module]
    assert left == {}


# -- the words of the service -------------------------------------------------------------------

ALLOWED = {
    # Section 5: the fields of a signed request and of its message, and the API key (5.4).
    *("account", "agent_wallet", "signature", "timestamp", "expiry_window", "type", "data"),
    "api_key",
    # Sections 4.0 and 2.10: the envelopes, and the x-pagination words that name the latter's parts.
    *("success", "error", "code", "cursor", "next_cursor", "has_more", "limit"),
    # Section 4.5: the wrapping of a batch.
    *("actions", "results"),
    # The name of a fault, and of a reason for refusals.
    "rate_limited",
    # English that any client needs: the address of a signer, the cause and reason of an error, the
    # built-in open.
    *("address", "cause", "reason", "open"),
}


def service_words(node: Any) -> Iterator[str]:
    """Every path, operation name, parameter, field, enum value and signing type of a spec."""
    if isinstance(node, list):
        for item in node:
            yield from service_words(item)
    if not isinstance(node, Mapping):
        return
    yield from (name for name in node if isinstance(name, str) and name.startswith("/"))
    yield from node.get("properties", ())
    yield from (value for value in node.get("enum", ()) if isinstance(value, str))
    yield from (node[key] for key in ("operationId", "x-signing-type") if key in node)
    yield from node.get("x-batch-action", {}).values()
    if "x-method" in node:
        yield f"{node['x-group']}.{node['x-method']}"
    if node.get("in") in ("query", "header"):
        yield node["name"]
    # The keys of an x-source are words of the spec itself.
    for child in (child for name, child in node.items() if name != "x-source"):
        yield from service_words(child)


WORDS = set(service_words(tree(REAL)))


def tokens(source: str) -> Iterator[str]:
    """Every identifier and every string of a module; docstrings may name examples."""
    tree = ast.parse(source)
    statements = [node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)]
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and node not in statements:
            yield str(node.value)
        for name in ("id", "attr", "arg", "name"):
            token = getattr(node, name, None)
            if isinstance(token, str):
                yield token


# Longest first, so that no path is taken for the beginning of another one.
_COMPOUND = [word for word in WORDS if re.search(r"[_./-]|[a-z][A-Z]", word)]
_EITHER = "|".join(re.escape(word) for word in sorted(_COMPOUND, key=len, reverse=True))
COMPOUND = re.compile(rf"(?<!\w)(?:{_EITHER})(?!\w)")


def named_in(token: str) -> set[str]:
    """The words of the service in a token; a plain English one counts only if it is all of it."""
    return {*COMPOUND.findall(token), *({token} & WORDS)} - ALLOWED


def test_the_runtime_holds_no_word_of_the_service() -> None:
    found = []
    for path in RUNTIME_SOURCES:
        source = path.read_text("utf-8")
        said = {token for token in tokens(source) if named_in(token)}
        said |= {"/api/"} if "/api/" in source else set()
        found += [f"{path.name} says {each!r}" for each in said]

    assert found == []


def test_no_word_of_the_service_is_overlooked() -> None:
    expected = ["/api/v1/orders/create", "orders.create", "createOrder", "create_order", "Create"]
    expected += ["symbol", "start_time", "PF-API-KEY", "GTC", "fulfill_taker", "client_order_id"]
    assert set(expected) <= WORDS
    assert ALLOWED <= WORDS and len(WORDS) > 150
    source = "def createOrder():\n    'Like `orders.edit`.'\n    f(symbol=f'give side {y} tif')\n"
    words = {word for token in tokens(source) for word in named_in(token)}
    assert words == {"createOrder", "symbol"}
