"""`python -m tests.judge [PART ...]`: play version 0.2.0 and this tree, and list each word that differs.

The parts are `vectors`, `faults` and `worlds`. `expected.yaml` names the belief behind each difference that is meant;
any other one fails, and so does a row there that no difference matches.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tarfile
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

import yaml

from tests.judge.player import PARTS
from tests.judge.verdict import Expected, differences, judged

ROOT = Path(__file__).parents[2]
OLD = "5bcb604957ea9d176c32fa035e1bee5564e42ece"
"""The commit of 0.2.0."""
_ROOMS = (".", "generated", "runtime", "sandbox", "toolkit")


def unpacked(repository: Path, commit: str, folder: Path) -> None:
    """The files of a commit, in a folder.

    Raises:
        SystemExit: the clone does not have it.
    """
    archive = subprocess.run(
        ["git", "archive", commit], cwd=repository, capture_output=True, check=False
    )
    if archive.returncode:
        raise SystemExit(
            f"the judge plays version 0.2.0, and this clone does not have its commit {commit[:8]}: "
            "git fetch --unshallow brings it"
        )
    with tarfile.open(fileobj=BytesIO(archive.stdout)) as tar:
        tar.extractall(folder, filter="data")


def started(tree: Path, part: str, old: Path, words: Path) -> subprocess.Popen[bytes]:
    """A process that plays a part with the packages of a tree, and the vectors of 0.2.0."""
    player = Path(__file__).with_name("player.py")
    command = [sys.executable, str(player), part, str(old / "spec" / "vectors"), str(words)]
    path = os.pathsep.join(str((tree / room).resolve()) for room in _ROOMS)
    environment = {**os.environ, "PYTHONPATH": path, "PYTHONHASHSEED": "0"}
    return subprocess.Popen(command, cwd=tree, env=environment)


def played(part: str, old: Path, folder: Path) -> list[dict[str, str]]:
    """The words of 0.2.0 and of this tree, by the places where they were said."""
    files = [folder / "before", folder / "after"]
    players = [
        started(tree, part, old, words) for tree, words in zip((old, ROOT), files, strict=True)
    ]
    statuses = [player.wait() for player in players]
    if any(statuses):
        raise SystemExit(f"{part}: a player ended before its time")
    lines = [map(json.loads, words.read_text("utf-8").splitlines()) for words in files]
    return [dict(each) for each in lines]


def rows() -> list[Expected]:
    """The differences that are meant, each with the words of its belief."""
    told = yaml.safe_load(Path(__file__).with_name("expected.yaml").read_text("utf-8"))
    beliefs = told["beliefs"]
    return [Expected(**{**row, "belief": beliefs[row["belief"]]}) for row in told["differences"]]


def main(arguments: Sequence[str]) -> int:
    """Play the parts; 1 if a difference is not expected."""
    parser = argparse.ArgumentParser(prog="python -m tests.judge", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART")
    parts = parser.parse_args(arguments).parts or list(PARTS)
    if unknown := [part for part in parts if part not in PARTS]:
        parser.error(f"{unknown[0]} is no part: {', '.join(PARTS)}")
    problems: list[str] = []
    with TemporaryDirectory(prefix="judge-") as folder:
        old = Path(folder, "0.2.0")
        unpacked(ROOT, OLD, old)
        for part in parts:
            before, after = played(part, old, Path(folder))
            found = differences(before, after)
            meant = [row for row in rows() if row.where.startswith(f"{part}: ")]
            explained, unexpected = judged(found, meant)
            problems += unexpected
            summary = (
                f"{part}: {len(before)} words, {len(found)} differ, {len(unexpected)} problems"
            )
            print(*explained, *unexpected, summary, sep="\n", flush=True)
    return int(bool(problems))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
