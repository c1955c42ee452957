"""`python -m codegen generate | check | ir | diff`: the only part of the generator that writes."""

from __future__ import annotations

import argparse
import difflib
import json
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import attrs

from codegen import ir, ir_schema
from codegen.build import build
from codegen.changes import diff
from codegen.load import SpecError, load
from codegen.render import PACKAGE, render
from codegen.rules import check

ROOT = Path(__file__).resolve().parent.parent


def main(arguments: list[str] | None = None) -> int:
    """Run one command. The exit status is 1 if the spec is wrong, or `check` finds a difference."""
    options = _parser().parse_args(arguments)
    if options.command == "ir" and options.schema:
        return _print(ir_schema.schema())
    if options.command == "diff":
        return diff.run(options.old, options.new, options.spec, read, as_json=options.json)
    try:
        api = read(options.spec)
        if options.command == "ir":
            return _print(attrs.asdict(api))
        files = render(api)
    except SpecError as error:
        sys.stderr.write(f"{options.spec}: nothing was generated\n{error}\n")
        return 1
    if options.command == "check":
        return _check(files, options.out)
    _write(files, options.out)
    sys.stdout.write(f"{options.out / PACKAGE}: {len(files)} files\n")
    return 0


def _print(document: dict[str, Any]) -> int:
    sys.stdout.write(json.dumps(document, indent=2) + "\n")
    return 0


def read(spec: Path) -> ir.Api:
    """The IR of a spec.

    Raises:
        SpecError: The spec cannot be read, or breaks a rule.
    """
    root, sha256 = load(spec)
    check(root)
    return build(root, sha256)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m codegen", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    for name, does in (
        ("generate", "write the package, whole"),
        (
            "check",
            "compare the folder with what would be written; exit 1 and a diff if it differs",
        ),
        ("ir", "print the intermediate representation as JSON"),
    ):
        command = commands.add_parser(name, help=does)
        command.add_argument("--spec", type=Path, default=ROOT / "spec" / "openapi.yaml")
        if name == "ir":
            command.add_argument(
                "--schema", action="store_true", help="print its JSON Schema instead"
            )
        else:
            command.add_argument("--out", type=Path, default=ROOT / "generated")
    _add_diff(commands)
    return parser


def _add_diff(commands: Any) -> None:
    command = commands.add_parser("diff", help=diff.HELP, description=diff.DESCRIPTION)
    command.add_argument("old", metavar="OLD", help=diff.SOURCE)
    command.add_argument("new", metavar="NEW", help="the same, of the newer one")
    command.add_argument("--spec", type=Path, default=ROOT / "spec" / "openapi.yaml")
    command.add_argument("--json", action="store_true", help="print JSON instead of Markdown")


def _write(files: dict[str, str], out: Path) -> None:
    """Replace the whole package. It is written beside the old one first, so it is never incomplete."""
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=out, prefix=".new-") as folder:
        for path, text in files.items():
            target = Path(folder, path)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8", newline="\n")
        if (out / PACKAGE).exists():
            (out / PACKAGE).rename(Path(folder, "old"))
        Path(folder, PACKAGE).rename(out / PACKAGE)


def _check(files: dict[str, str], out: Path) -> int:
    """Compare every file under `out`, byte by byte."""
    made = {path: text.encode() for path, text in files.items()}
    found = {
        path.relative_to(out).as_posix(): path.read_bytes()
        for path in sorted(out.rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts
    }
    drifted = [path for path in sorted({*made, *found}) if made.get(path) != found.get(path)]
    for path in drifted:
        sys.stdout.writelines(_diff(path, found.get(path, b""), made.get(path, b"")))
        is_ours = path.startswith(f"{PACKAGE}/")
        advice = "run `python -m codegen generate`" if is_ours else "it is not generated, delete it"
        sys.stderr.write(f"{out / path}: {advice}\n")
    return 1 if drifted else 0


def _diff(path: str, before: bytes, after: bytes) -> Iterator[str]:
    old, new = (text.decode("utf-8", "replace").splitlines(True) for text in (before, after))
    return difflib.unified_diff(old, new, f"a/{path}", f"b/{path}")


if __name__ == "__main__":
    sys.exit(main())
