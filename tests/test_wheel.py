"""What `pip install` brings: the product packages, working without the sandbox's dependencies."""

from __future__ import annotations

import subprocess
import sys
import venv
import zipfile
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parents[1]
PACKAGES = {
    *("trading_sdk", "trading_sdk_observed", "trading_runtime"),
    *("trading_sandbox", "trading_toolkit"),
}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def bare_python(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A Python that has the wheel and what it requires without extras, and nothing else."""
    home = tmp_path_factory.mktemp("bare")
    venv.create(home, with_pip=False, symlinks=True)
    (site,) = home.glob("lib/python*/site-packages")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)
    (ours,) = metadata.distributions(path=[str(site)])
    for name in closure(ours.requires or []):
        for file in metadata.files(name) or []:
            if ".." not in file.parts:
                target = site / file
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(Path(str(file.locate())).read_bytes())
    return home / "bin" / "python"


def closure(lines: list[str]) -> set[str]:
    """The distributions that some requirements need, and what those need, without extras."""
    found: set[str] = set()
    while lines:
        requirement = Requirement(lines.pop())
        applies = requirement.marker is None or requirement.marker.evaluate({"extra": ""})
        if applies and requirement.name not in found:
            found.add(requirement.name)
            lines += metadata.requires(requirement.name) or []
    return found


def test_it_holds_the_typed_product_packages_what_they_were_made_from_and_nothing_else(
    wheel: Path,
) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    tops = {name.split("/")[0] for name in names}

    assert {top for top in tops if not top.endswith(".dist-info")} == PACKAGES
    assert {name for name in names if name.endswith("/py.typed")} == {
        f"{package}/py.typed" for package in PACKAGES
    }
    made_from = {name for name in names if name.endswith("/openapi.json")}
    assert made_from == {"trading_sdk/openapi.json", "trading_sdk_observed/openapi.json"}
    page = ROOT / "sandbox" / "trading_sandbox" / "web" / "page"
    assert {name for name in names if "/page/" in name} == {
        f"trading_sandbox/web/page/{file.name}" for file in page.iterdir()
    }


def ran(python: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([python, "-I", *arguments], capture_output=True, text=True, check=False)


def test_it_imports_and_signs_where_only_its_own_requirements_are(bare_python: Path) -> None:
    code = (
        "from trading_sdk import Client, Keypair\n"
        "client = Client('https://exchange.example', signer=Keypair.generate())\n"
        "print(client.explain('orders.cancel', symbol='BTC', order_id=1).canonical)\n"
    )
    assert ran(bare_python, "-c", code).stdout.startswith('{"data":{"order_id":1,"symbol":"BTC"},')


def test_what_only_the_sandbox_or_the_generator_needs_is_not_there(bare_python: Path) -> None:
    code = (
        "from importlib.util import find_spec\n"
        "print([n for n in 'starlette uvicorn jinja2 yaml codegen'.split() if find_spec(n)])\n"
    )
    assert ran(bare_python, "-c", code).stdout == "[]\n"
    started = ran(bare_python, "-m", "trading_sandbox")
    assert started.returncode != 0
    assert "trading-service-sdk[sandbox]" in started.stderr
    read = ran(bare_python, "-c", "from trading_toolkit import history")
    assert "this needs pyarrow: pip install 'trading-service-sdk[toolkit]'" in read.stderr
    assert (
        ran(bare_python, "-c", "from trading_toolkit import orders, portfolio, report").stderr == ""
    )


def test_the_pytest_plugin_asks_for_nothing_but_pytest(bare_python: Path) -> None:
    # Pytest imports it in every environment that has the package, with or without the extra.
    code = (
        "import sys, types\n"
        "pytest = types.ModuleType('pytest')\n"
        "pytest.fixture = lambda function: function\n"
        "sys.modules['pytest'] = pytest\n"
        "import trading_sandbox.pytest_plugin as plugin\n"
        "print(plugin.trading_sandbox.__name__, 'trading_sdk' in sys.modules)\n"
    )
    done = ran(bare_python, "-c", code)

    assert (done.stdout, done.stderr) == ("trading_sandbox False\n", "")


def test_the_wheel_registers_the_pytest_plugin_and_the_command(wheel: Path) -> None:
    (found,) = metadata.distributions(path=[str(wheel)])

    (point,) = found.entry_points.select(group="pytest11")
    assert point.value == "trading_sandbox.pytest_plugin"
    (command,) = found.entry_points.select(group="console_scripts")
    assert (command.name, command.value) == ("trading-sdk", "trading_toolkit.__main__:main")
