"""`python -m codegen generate | check | ir | diff`: the only part of the generator that writes."""

from __future__ import annotations

import difflib
import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

try:
    import attrs

    from codegen import ir, options
    from codegen.changes import diff
    from codegen.documents import documents
    from codegen.ir.schema import schema
    from codegen.packages import PACKAGE, PORTS, ROOT, SHIPPED, Language, Package
    from codegen.python.render import COMMAND, Contents, render
    from codegen.read import source, streams
    from codegen.read.api import build
    from codegen.read.load import SpecError
    from codegen.read.models import schemas
    from codegen.rules import check, problems_of
    from codegen.rules.words import warnings
except ModuleNotFoundError as missing:
    sys.exit(
        f"python -m codegen needs {missing.name}, which is not installed; at the root of the repository run\n"
        "python -m pip install --group codegen (pip 25.1 or newer)"
    )


Files = dict[str, str]
"""The text of each file, by its path under the folder of the packages."""
OPENAPI = "openapi.json"


def main(arguments: list[str] | None = None) -> int:
    """Run one command. The exit status is 1 if the spec is wrong, or `check` finds a difference."""
    given = options.parsed(arguments, __doc__)
    if given.command == "ir" and given.schema:
        return _print(schema())
    if given.command == "diff":
        sides = given.old, given.new, given.spec, read
        return diff.run(*sides, overlays=given.overlay, as_json=given.json)
    try:
        if given.command == "ir":
            api = read(given.spec, given.overlay, lambda text: _warn(given.spec, text))
            return _print(attrs.asdict(api))
        made = {
            out: {package.name: _files(package, given.spec) for package in packages}
            for out, packages in given.targets.items()
        }
    except Exception as crash:
        error = SpecError(problems_of(crash))
        sys.stderr.write(f"{given.spec}: nothing was generated\n{error}\n")
        return 1
    is_check = given.command == "check"
    act = _check if is_check else _generate
    told = _documents(is_check=is_check) if len(given.targets) > 1 else 0
    return max(told, *(act(files, out) for out, files in made.items()))


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
    return _built(source.read(spec, overlays), warn)


def _built(found: source.Source, warn: Callable[[str], None]) -> ir.Api:
    try:
        check(found.root)
        for warning in found.blamed(SpecError(warnings(found.root))).problems:
            warn(str(warning))
        return build(found.root, found.sha256, found.overlays)
    except Exception as crash:
        raise found.blamed(SpecError(problems_of(crash))) from None


def _files(package: Package, spec: Path) -> Files:
    """All files of a package; what it is generated from lies beside its modules."""
    found = source.read(spec, package.overlays)
    api = _built(found, lambda text: _warn(spec, text))
    told = _streams(package, spec, found)
    if package.language != "python":
        modules = _by_port(api, told, package.language)
        return {f"{package.name}/{path}": text for path, text in modules.items()}
    stable = None
    if package.stable:
        other = source.read(package.stable)
        stable = _built(other, lambda _: None), schemas(other.root)
    files = render(Contents(api, schemas(found.root), package.name, package.about, stable, told))
    return {**files, f"{package.name}/{OPENAPI}": found.as_json()}


def _streams(package: Package, spec: Path, found: source.Source) -> streams.Streams | None:
    if package.streams is None:
        return None
    overlays = package.streams.overlays
    whole = found if overlays == package.overlays else source.read(spec, overlays)
    return streams.read(package.streams.path, whole.root)


def _by_port(api: ir.Api, told: streams.Streams | None, language: Language) -> Files:
    """The modules that the generator of a port makes: a program that reads the IR, as `ir` prints it, and the streams."""
    given = attrs.asdict(api) | ({"streams": attrs.asdict(told)} if told else {})
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(
            [sys.executable, "-m", f"ports.{language}.generator", folder],
            input=json.dumps(given).encode(),
            check=True,
            cwd=ROOT,
        )
        paths = sorted(path for path in Path(folder).rglob("*") if path.is_file())
        return {path.relative_to(folder).as_posix(): path.read_bytes().decode() for path in paths}


def _generate(made: Mapping[str, Files], out: Path) -> int:
    for package in made:
        target = out / package
        if package not in SHIPPED and out not in PORTS and not _is_ours(target):
            sys.stderr.write(f"{target}: was not generated, and is not overwritten\n")
            return 1
    for package, files in made.items():
        _write(files, out, package)
        sys.stdout.write(f"{out / package}: {len(files)} files\n")
    return 0


def _documents(*, is_check: bool) -> int:
    """Write or compare what follows from the IR itself, with all that is shipped."""
    stale = {path: text for path, text in documents().items() if path.read_text("utf-8") != text}
    for path, text in stale.items():
        if is_check:
            sys.stderr.write(f"{path}: run `python -m codegen generate`\n")
        else:
            path.write_text(text, encoding="utf-8", newline="\n")
    return int(bool(stale) and is_check)


def _is_ours(target: Path) -> bool:
    """Whether a folder is free, or holds a package that this command wrote."""
    firsts = {target / "__init__.py": f"# {COMMAND}", target / "index.ts": f"// {COMMAND}"}
    return not target.exists() or any(
        first.is_file() and first.read_text(encoding="utf-8", errors="replace").startswith(head)
        for first, head in firsts.items()
    )


def _write(files: Files, out: Path, package: str) -> None:
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


def _check(made: Mapping[str, Files], out: Path) -> int:
    """Compare byte by byte: every file of the packages, and beside the first one all that is there."""
    wanted = {path: text.encode() for files in made.values() for path, text in files.items()}
    found = dict(_found(made, out))
    drifted = [path for path in sorted({*wanted, *found}) if wanted.get(path) != found.get(path)]
    for path in drifted:
        sys.stdout.writelines(_diff(path, found.get(path, b""), wanted.get(path, b"")))
        is_ours = path.partition("/")[0] in made
        advice = "run `python -m codegen generate`" if is_ours else "it is not generated, delete it"
        sys.stderr.write(f"{out / path}: {advice}\n")
    return 1 if drifted else 0


def _found(made: Mapping[str, Files], out: Path) -> Iterator[tuple[str, bytes]]:
    """The files of a folder that are compared, without packages that were not asked for."""
    for path in sorted(out.rglob("*")):
        parts = path.relative_to(out).parts
        stray = PACKAGE in made and parts[0] not in SHIPPED
        if path.is_file() and "__pycache__" not in parts and (stray or parts[0] in made):
            yield path.relative_to(out).as_posix(), path.read_bytes()


def _diff(path: str, before: bytes, after: bytes) -> Iterator[str]:
    old, new = (text.decode("utf-8", "replace").splitlines(True) for text in (before, after))
    return difflib.unified_diff(old, new, f"a/{path}", f"b/{path}")


if __name__ == "__main__":
    sys.exit(main())
