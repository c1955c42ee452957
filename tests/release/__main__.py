"""`python -m tests.release`: fail if the version and CHANGELOG.md do not say what changed.

`python -m tests.release record` keeps the spec and the Python API of this tree as those of the last release.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import attrs

from codegen.__main__ import read
from codegen.changes.compare import compare
from codegen.changes.sources import side
from tests.release.check import Breakage, problems
from tests.release.npm import python_version
from tests.release.python_api import breakages, public_api

ROOT = Path(__file__).parents[2]
SPEC = ROOT / "spec" / "openapi.yaml"
RELEASED = ROOT / "spec" / "released.json"
"""The last release: its version, the IR of its spec, and the Python API of its packages."""
LINES = 3
"""Down to this depth the file has a line for each member: for each model, operation and exported name."""


def check() -> list[str]:
    """What a release of this tree would keep from its users."""
    last = side(str(RELEASED), SPEC, read)
    assert last.version is not None
    old = json.loads(RELEASED.read_text("utf-8"))["python"]
    broken = [Breakage(*each) for each in breakages(old, public_api(ROOT))]
    changes = compare(last.api, read(SPEC))
    changelog = (ROOT / "CHANGELOG.md").read_text("utf-8")
    return list(problems(last.version, python_version(ROOT), changelog, changes, broken))


def released() -> str:
    """This tree as the last release: what `RELEASED` holds then."""
    ir = attrs.asdict(read(SPEC), filter=_says_something)
    release = {"version": python_version(ROOT), "ir": ir, "python": public_api(ROOT)}
    return f"{compact(release, LINES)}\n"


def _says_something(member: attrs.Attribute[Any], value: Any) -> bool:
    """Whether a member is not what it is by default, which a reader fills in."""
    default: Any = member.default
    filled = default.factory() if hasattr(default, "factory") else default
    return member.name == "ir_version" or value != filled


def compact(value: object, lines: int) -> str:
    """JSON with a line for each member down to a depth, so that git shows what a release changed."""
    if not lines or not isinstance(value, dict | list | tuple):
        return json.dumps(value, ensure_ascii=False)
    if not isinstance(value, dict):
        return "[\n" + ",\n".join(compact(each, lines - 1) for each in value) + "\n]"
    members = (f"{json.dumps(key)}: {compact(each, lines - 1)}" for key, each in value.items())
    return "{\n" + ",\n".join(members) + "\n}"


def main(arguments: list[str]) -> int:
    """Check, or record; the exit status."""
    if arguments == ["record"]:
        RELEASED.write_text(released(), encoding="utf-8")
        return 0
    found = check()
    sys.stdout.writelines(f"{each}\n" for each in found)
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
