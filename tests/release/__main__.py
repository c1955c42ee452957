"""`python -m tests.release`: fail if the version and CHANGELOG.md do not say what changed.

`python -m tests.release record` keeps the spec and the Python API of this tree as those of the last release.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import attrs

from codegen.__main__ import read
from codegen.changes.compare import compare
from codegen.changes.sources import side
from tests.release.check import Breakage, problems
from tests.release.python_api import breakages, dumped, loaded, public_api

ROOT = Path(__file__).parents[2]
SPEC = ROOT / "spec" / "openapi.yaml"
RELEASED_SPEC = ROOT / "spec" / "released.json"
RELEASED_API = ROOT / "runtime" / "released-api.json"


def version() -> str:
    """The version of this tree."""
    return str(public_api(ROOT)["__version__"].value).strip("'\"")


def check() -> list[str]:
    """What a release of this tree would keep from its users."""
    released = side(str(RELEASED_SPEC), SPEC, read)
    assert released.version is not None
    old = loaded(RELEASED_API.read_text("utf-8"))
    broken = [Breakage(*each) for each in breakages(old, public_api(ROOT))]
    changes = compare(released.api, read(SPEC))
    changelog = (ROOT / "CHANGELOG.md").read_text("utf-8")
    return list(problems(released.version, version(), changelog, changes, broken))


def record() -> None:
    """Keep this tree as the last release."""
    release = {"version": version(), "ir": attrs.asdict(read(SPEC))}
    RELEASED_SPEC.write_text(json.dumps(release, indent=1) + "\n", encoding="utf-8")
    RELEASED_API.write_text(dumped(public_api(ROOT)), encoding="utf-8")


def main(arguments: list[str]) -> int:
    """Check, or record; the exit status."""
    if arguments == ["record"]:
        record()
        return 0
    found = check()
    sys.stdout.writelines(f"{each}\n" for each in found)
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
