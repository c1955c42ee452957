"""`python -m codegen generate | check | ir | diff`: the only part of the generator that writes."""

from __future__ import annotations

import difflib
import json
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

try:
    import attrs

    from codegen import ir, ir_schema, options, source
    from codegen.build import build
    from codegen.changes import diff
    from codegen.crash import problems_of
    from codegen.load import SpecError
    from codegen.render import COMMAND, PACKAGE, render
    from codegen.rules import check
    from codegen.rules.formats import warnings
except ModuleNotFoundError as missing:
    sys.exit(
        f"python -m codegen needs {missing.name}, which is not installed; at the root of the repository run\n"
        "python -m pip install --group codegen"
    )


def main(arguments: list[str] | None = None) -> int:
    """Run one command. The exit status is 1 if the spec is wrong, or `check` finds a difference."""
    given = options.parsed(arguments, __doc__)
    if given.command == "ir" and given.schema:
        return _print(ir_schema.schema())
    if given.command == "diff":
        sides = given.old, given.new, given.spec, read
        return diff.run(*sides, overlays=given.overlay, as_json=given.json)
    try:
        api = read(given.spec, given.overlay, lambda text: _warn(given.spec, text))
        if given.command == "ir":
            return _print(attrs.asdict(api))
        files = render(api, given.package)
    except Exception as crash:
        error = SpecError(problems_of(crash))
        sys.stderr.write(f"{given.spec}: nothing was generated\n{error}\n")
        return 1
    target = given.out / given.package
    if given.command == "check":
        return _check(files, given.out, given.package)
    if given.package != PACKAGE and not _is_ours(target):
        sys.stderr.write(f"{target}: was not generated, and is not overwritten\n")
        return 1
    _write(files, given.out, given.package)
    sys.stdout.write(f"{target}: {len(files)} files\n")
    return 0


def _print(document: dict[str, Any]) -> int:
    sys.stdout.write(json.dumps(document, indent=2) + "\n")
    return 0


def _warn(spec: Path, text: str) -> None:
    sys.stderr.write(f"{spec}: warning: {text}\n")


def read(
    spec: Path, overlays: Sequence[Path] = (), warn: Callable[[str], None] = lambda _: None
) -> ir.Api:
    """The IR of a spec with overlays applied to it, in their order. Warnings go to `warn`.

    Raises:
        SpecError: A file cannot be read, an overlay does not fit the spec, or a rule is broken.
    """
    found = source.read(spec, overlays)
    try:
        check(found.root)
        for warning in found.blamed(SpecError(warnings(found.root))).problems:
            warn(str(warning))
        return build(found.root, found.sha256, found.overlays)
    except Exception as crash:
        raise found.blamed(SpecError(problems_of(crash))) from None


def _is_ours(target: Path) -> bool:
    """Whether a folder is free, or holds a package that this command wrote."""
    first = target / "__init__.py"
    return not target.exists() or (
        first.is_file()
        and first.read_text(encoding="utf-8", errors="replace").startswith(f"# {COMMAND}")
    )


def _write(files: dict[str, str], out: Path, package: str) -> None:
    """Replace the whole package. It is written beside the old one first, so it is never incomplete."""
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=out, prefix=".new-") as folder:
        for path, text in files.items():
            target = Path(folder, path)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8", newline="\n")
        if (out / package).exists():
            (out / package).rename(Path(folder, "replaced package"))
        Path(folder, package).rename(out / package)


def _check(files: dict[str, str], out: Path, package: str) -> int:
    """Compare byte by byte: every file of the package, and for the shipped one all that is beside it."""
    made = {path: text.encode() for path, text in files.items()}
    found = {
        path.relative_to(out).as_posix(): path.read_bytes()
        for path in sorted((out if package == PACKAGE else out / package).rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts
    }
    drifted = [path for path in sorted({*made, *found}) if made.get(path) != found.get(path)]
    for path in drifted:
        sys.stdout.writelines(_diff(path, found.get(path, b""), made.get(path, b"")))
        is_ours = path.startswith(f"{package}/")
        advice = "run `python -m codegen generate`" if is_ours else "it is not generated, delete it"
        sys.stderr.write(f"{out / path}: {advice}\n")
    return 1 if drifted else 0


def _diff(path: str, before: bytes, after: bytes) -> Iterator[str]:
    old, new = (text.decode("utf-8", "replace").splitlines(True) for text in (before, after))
    return difflib.unified_diff(old, new, f"a/{path}", f"b/{path}")


if __name__ == "__main__":
    sys.exit(main())
