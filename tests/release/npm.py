"""`python -m tests.release.npm FOLDER`: put into a folder what `npm pack` makes the package of.

The port has no version and no URL of its own: both are those of the Python package. Links of its pages lead to the
repository, because the files that they name in it are not in the package.
"""

from __future__ import annotations

import json
import posixpath
import re
import shutil
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
PORT = Path("ports/typescript")
PAGES = {PORT / "README.md": "README.md", Path("CHANGELOG.md"): "CHANGELOG.md"}
PAGES |= {Path("docs") / name: f"docs/{name}" for name in ("recovery.md",)}
"""Where each page stands in the repository, and in the package."""
UNPUBLISHED = ("private", "scripts", "devDependencies")
"""Members of package.json that a user has no use for."""
BUILT = (".js", ".js.map", ".d.ts", ".d.ts.map")
"""What the compiler makes of a module."""

LINK = re.compile(r"\]\((?![a-z]+:|#)([^)\s]+)\)")
"""A link of Markdown to a file of the repository."""


def absolute(text: str, folder: str, source: str, version: str) -> str:
    """A page with links that work wherever it is read.

    Args:
        text: Markdown, with the links of the repository.
        folder: where the page stands in the repository; empty at its root.
        source: the URL of the repository.
        version: the version whose files the links lead to; its tag is `v0.2.0`.
    """

    def whole(link: re.Match[str]) -> str:
        path = posixpath.normpath(posixpath.join(folder, link[1]))
        return f"]({source}/blob/v{version}/{path})"

    return LINK.sub(whole, text)


def npm_version(version: str) -> str:
    """A version of Python as npm writes it."""
    return re.sub(r"\.dev(\d+)$", r"-dev.\1", version)


def package_json(port: dict[str, Any], source: str, version: str) -> dict[str, Any]:
    """The package.json that is published, of that of the port."""
    return {
        **{name: value for name, value in port.items() if name not in UNPUBLISHED},
        "version": npm_version(version),
        "homepage": f"{source}/tree/v{version}/{PORT.as_posix()}",
        "repository": {
            "type": "git",
            "url": f"git+{source}.git",
            "directory": PORT.as_posix(),
        },
        "bugs": {"url": f"{source}/issues"},
    }


def modules(port: Path) -> list[Path]:
    """The modules that are published, from the folder of the sources: all but the program for the kit."""
    found = [each.relative_to(port / "src") for each in sorted((port / "src").rglob("*.ts"))]
    return [each for each in found if each.parts[0].removesuffix(".ts") != "conformance"]


def stage(root: Path, folder: Path, source: str, version: str) -> None:
    """Write the package into a folder, which is made anew. The port must be built."""
    port = root / PORT
    shutil.rmtree(folder, ignore_errors=True)
    for module in modules(port):
        built = [Path("dist", module).with_suffix(ending) for ending in BUILT]
        for file in (Path("src", module), *built):
            (folder / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(port / file, folder / file)
    for page, name in PAGES.items():
        text = absolute((root / page).read_text("utf-8"), page.parent.as_posix(), source, version)
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    shutil.copy(root / "LICENSE", folder)
    told = package_json(json.loads((port / "package.json").read_text("utf-8")), source, version)
    (folder / "package.json").write_text(f"{json.dumps(told, indent=2)}\n", encoding="utf-8")


def source_url(root: Path) -> str:
    """Where the repository is, as pyproject.toml says."""
    (found,) = re.findall(r'^Source = "(.*)"$', (root / "pyproject.toml").read_text("utf-8"), re.M)
    return str(found)


def python_version(root: Path) -> str:
    """The version of the Python package."""
    text = (root / "runtime" / "trading_runtime" / "__init__.py").read_text("utf-8")
    (found,) = re.findall(r'^__version__ = "(.*)"$', text, re.M)
    return str(found)


if __name__ == "__main__":
    stage(ROOT, Path(sys.argv[1]), source_url(ROOT), python_version(ROOT))
