"""Makes every small change to a module, one at a time, and tells which of them no test notices."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from attrs import field, frozen

ROOT = Path(__file__).parents[2]
COPIED = ("codegen", "conformance", "ports/typescript/generator", "spec", "tests")
PACKAGES = (
    "generated/trading_sdk",
    "generated/trading_sdk_observed",
    "runtime/trading_runtime",
    "sandbox/trading_sandbox",
)
UNNOTICED = frozenset({"survived", "no tests", "suspicious", "not checked"})
"""What mutmut calls a mutant that made no test fail; a crash or an endless loop is noticed."""

_SETTINGS = """
[tool.mutmut]
source_paths = ["src"]
only_mutate = ["src/trading_runtime/{path}.py"]
also_copy = ["codegen", "conformance", "ports", "spec"]
pytest_add_cli_args = {arguments}
pytest_add_cli_args_test_selection = {tests}
use_git_change_detection = false
timeout_constant = 5.0
timeout_multiplier = 4.0
"""
_ARGUMENTS = [
    *("-p", "no:cacheprovider"),
    # A mutant that makes one test hang is noticed, and need not hang through all of them.
    *("-o", "faulthandler_timeout=20", "-o", "faulthandler_exit_on_timeout=true"),
]
_RESULT = re.compile(
    r"^ *trading_runtime\.(?P<module>[a-z_.]+)\.(?P<name>x[_ǁ]\S*): (?P<status>.+)$", re.M
)
_FUNCTION = re.compile(r"^(?:x_|xǁ(?P<owner>\w+)ǁ)(?P<name>\w+)__mutmut_\d+$")


def _flush_left(diff: str) -> str:
    """A diff without the indentation that all its lines have, of which mutmut takes off some."""
    lines = diff.splitlines()
    indent = min((len(line) - len(line[1:].lstrip()) for line in lines), default=1)
    return "\n".join(line[0] + line[indent:] for line in lines)


@frozen
class Mutant:
    """A change to one function; two of the same text in one function count as one."""

    function: str
    """Module and function, as `codec.requests.query` or `http.body.read_body`."""

    diff: str = field(converter=_flush_left)
    """The lines that went, after `-`, and those that came in their place, after `+`."""

    @property
    def module(self) -> str:
        """The module of the runtime, as `codec.requests`."""
        return ".".join(self.function.split(".")[:2])


@frozen
class Outcome:
    """What became of the mutants of one module."""

    module: str
    mutants: int
    survivors: tuple[Mutant, ...]

    @property
    def score(self) -> float:
        """Per cent of the mutants that a test noticed."""
        return 100 - 100 * len(self.survivors) / self.mutants


def run(module: str, tests: Sequence[str], folder: Path) -> Outcome:
    """Try all mutants of a module of the runtime on some tests, on a copy in the empty `folder`.

    Raises:
        RuntimeError: mutmut failed, as it does if a test fails without any mutant.
    """
    paths = [
        str(path.resolve().relative_to(ROOT))
        for test in tests
        for path in sorted((ROOT / "tests" / "runtime").glob(f"{test}.py"))
    ]
    _copy(module, paths, folder)
    # Under CI Hypothesis tries the same examples each time, and knows no deadline.
    environment = {**os.environ, "CI": "true"}
    ran = subprocess.run([_mutmut(), "run"], cwd=folder, env=environment, capture_output=True)
    if ran.returncode:
        last = (ran.stdout + ran.stderr)[-4000:].decode("utf-8", "replace")
        raise RuntimeError(f"mutmut failed: {last}")
    found = [*_RESULT.finditer(_ask(folder, "results", "--all", "true"))]
    return _outcome(module, [each for each in found if each["module"] == module], paths, folder)


def _copy(module: str, tests: Sequence[str], folder: Path) -> None:
    # Mutmut finds the tests of a mutant by the name of its module, and takes `src` for no part
    # of that name, but any other folder for one.
    unwanted = shutil.ignore_patterns("node_modules", "__pycache__")
    for package in PACKAGES:
        shutil.copytree(ROOT / package, folder / "src" / Path(package).name, ignore=unwanted)
    for name in COPIED:
        shutil.copytree(ROOT / name, folder / name, ignore=unwanted)
    settings = _SETTINGS.format(path=module.replace(".", "/"), tests=tests, arguments=_ARGUMENTS)
    project = (ROOT / "pyproject.toml").read_text("utf-8")
    (folder / "pyproject.toml").write_text(project + settings, "utf-8")


def _outcome(
    module: str, found: Sequence[re.Match[str]], tests: Sequence[str], folder: Path
) -> Outcome:
    if not found:
        raise RuntimeError(f"there is no mutant of {module}")
    if all(each["status"] == "timeout" for each in found):
        raise RuntimeError(f"no test of {module} ran: mutmut calls each mutant a timeout")
    unnoticed = [each["name"] for each in found if each["status"] in UNNOTICED]
    if not _passes_anew(module, "none", tests, folder):
        raise RuntimeError(f"a test of {module} fails without any mutant")
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        passed = list(pool.map(lambda name: _passes_anew(module, name, tests, folder), unnoticed))
    names = [name for name, each in zip(unnoticed, passed, strict=True) if each]
    return Outcome(module, len(found), tuple(_mutant(module, name, folder) for name in names))


def _passes_anew(module: str, name: str, tests: Sequence[str], folder: Path) -> bool:
    """Whether all the tests pass with a mutant from the first import on.

    mutmut forks from a process that has run them, and runs those that it saw call the function. What
    the runtime makes at import, or keeps in a cache, comes of the code without the change there.
    """
    mutant = f"trading_runtime.{module}.{name}"
    environment = {**os.environ, "MUTANT_UNDER_TEST": mutant, "PYTHONPATH": "src", "CI": "true"}
    pytest = (sys.executable, "-m", "pytest", "-x", "-q", *_ARGUMENTS, *tests)
    ran = subprocess.run(pytest, cwd=folder / "mutants", env=environment, capture_output=True)
    return ran.returncode == 0


def _mutant(module: str, name: str, folder: Path) -> Mutant:
    shown = _ask(folder, "show", f"trading_runtime.{module}.{name}").splitlines()
    changed = [line for line in shown if re.match(r"[-+](?![-+][-+] )", line)]
    parts = _FUNCTION.match(name)
    function = ".".join(filter(None, parts.groups())) if parts else name
    return Mutant(f"{module}.{function}", "\n".join(changed))


def _ask(folder: Path, *arguments: str) -> str:
    return subprocess.run(
        [_mutmut(), *arguments], cwd=folder, capture_output=True, text=True, check=True
    ).stdout


def _mutmut() -> str:
    return str(Path(sys.executable).with_name("mutmut"))
