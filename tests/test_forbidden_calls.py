"""No module of ours runs text as code, unpickles, or starts a program but those named below.

Each package is read as a syntax tree, so that a comment does not count and an alias does.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest

from tests.test_arrows import EVERY, parsed

FORBIDDEN_CALLS = {
    *("eval", "exec", "compile", "__import__", "builtins.eval", "builtins.exec"),
    *("os.system", "os.popen", "os.execv", "os.execvp", "os.posix_spawn"),
    *("yaml.load", "yaml.load_all", "yaml.unsafe_load", "yaml.full_load", "yaml.full_load_all"),
    *("yaml.unsafe_load_all", "yaml.UnsafeLoader", "yaml.FullLoader", "yaml.Loader"),
    *("ssl._create_unverified_context", "ssl._create_default_https_context", "tempfile.mktemp"),
    *("asyncio.create_subprocess_shell", "asyncio.create_subprocess_exec"),
}
FORBIDDEN_MODULES = {
    *("pickle", "_pickle", "cPickle", "marshal", "shelve", "dill", "cloudpickle", "jsonpickle"),
    *("joblib", "code", "codeop", "runpy", "pty", "commands", "ctypes", "xml", "xmlrpc"),
    "telnetlib",
    *("importlib", "subprocess"),
}
ALLOWED = {
    # The formatter of what is generated; see below how it is called.
    ("codegen/python/render.py", "subprocess"),
    # The generators of ports; see below.
    ("codegen/__main__.py", "subprocess"),
    # Git, which keeps the specs of other revisions.
    ("codegen/changes/sources.py", "subprocess"),
    # The program that the user of the kit names, by a list of arguments and without a shell.
    ("conformance/program.py", "subprocess"),
    # Sphinx, with the builder of plain texts.
    ("docs/site/plain.py", "subprocess"),
    # It writes JUnit and reads no XML.
    ("conformance/report.py", "xml.etree"),
    # Whether the extra [sandbox] is installed; nothing is imported by a name from outside.
    ("sandbox/trading_sandbox/__init__.py", "importlib.util"),
    # The program that the user of `guard` names, by a list of arguments and without a shell.
    ("toolkit/trading_toolkit/guard.py", "subprocess"),
    # The versions of what is installed.
    ("toolkit/trading_toolkit/command/doctor.py", "importlib.metadata"),
    # Reads the spec that the package of a client brings, as data.
    ("toolkit/trading_toolkit/columns.py", "importlib.resources"),
}


def names(tree: ast.AST) -> dict[str, str]:
    """What each imported name stands for."""
    found: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.asname or alias.name: alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {a.asname or a.name: f"{node.module}.{a.name}" for a in node.names}
    return found


LAST_NAMES = {each.rpartition(".")[2] for each in FORBIDDEN_CALLS}


def uses(tree: ast.Module) -> Iterator[str]:
    """Every forbidden call, reference or import of a module."""
    known = names(tree)
    for node in ast.walk(tree):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            inside = [a.name for a in node.names] if isinstance(node, ast.Import) else [node.module]
            yield from (m for m in inside if m and m.partition(".")[0] in FORBIDDEN_MODULES)
            yield from (f"{m}.*" for m in inside if any(a.name == "*" for a in node.names))
        elif isinstance(node, ast.Name) and known.get(node.id, node.id) in FORBIDDEN_CALLS:
            yield known.get(node.id, node.id)
        elif isinstance(node, ast.Attribute) and node.attr in LAST_NAMES:
            head, dot, rest = ast.unparse(node).partition(".")
            full = known.get(head, head) + dot + rest
            if full in FORBIDDEN_CALLS:
                yield full
        elif isinstance(node, ast.keyword) and node.arg in ("shell", "verify"):
            given = ast.unparse(node)
            yield from {given} & {"shell=True", "verify=False"}


def test_no_module_runs_text_or_unpickles() -> None:
    found = [
        (name, use) for name in EVERY for use in uses(parsed(name)) if (name, use) not in ALLOWED
    ]
    assert found == []


@pytest.mark.parametrize(
    ("module", "command", "options"),
    [
        ("python/render.py", "[sys.executable, '-m', 'ruff', ", {"check"}),
        (
            "__main__.py",
            "[sys.executable, '-m', f'ports.{language}.generator', ",
            {"input", "check", "cwd"},
        ),
        # What a user typed comes after --end-of-options, so it is no option of git.
        (
            "changes/sources.py",
            "['git', '-C', str(folder), 'show', '--end-of-options', ",
            {"check", "capture_output"},
        ),
    ],
)
def test_the_only_programs_that_are_started_are_known_and_not_run_by_a_shell(
    module: str, command: str, options: set[str]
) -> None:
    started = [
        node
        for node in ast.walk(parsed(f"codegen/{module}"))
        if isinstance(node, ast.Call) and ast.unparse(node.func).startswith("subprocess.")
    ]
    assert started
    for call in started:
        assert ast.unparse(call.func) == "subprocess.run"
        assert ast.unparse(call.args[0]).startswith(command)
        assert {keyword.arg for keyword in call.keywords} == options


def test_no_way_of_doing_so_is_overlooked() -> None:
    source = (
        "import builtins as b, importlib.util\nfrom yaml import load as read\nfrom yaml import *\n"
        "def f():\n    from pickle import loads\nb.eval('1'), read(x)\nexec\n"
    )
    source += "requests.get(u, verify=False)\nrun('x', shell=True)\n# eval('1')\nself.load()"
    assert set(uses(ast.parse(source))) == {
        *("builtins.eval", "yaml.load", "yaml.*", "pickle", "importlib.util", "exec"),
        *("verify=False", "shell=True"),
    }
