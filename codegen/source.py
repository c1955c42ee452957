"""What the generator reads: a spec, and the overlays laid over it, in order."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path

from attrs import frozen

from codegen import overlays
from codegen.load import Node, Problem, SpecError, load


@frozen
class Source:
    """A spec with its overlays applied."""

    root: Node
    sha256: str
    """Of the file of the spec. With overlays, of the lines that hold the SHA-256 of each file."""
    overlays: tuple[str, ...]
    """The names of their files."""
    origins: dict[str, Path]
    """Pointer -> the overlay that was the last to write or remove something there."""

    def as_json(self) -> str:
        """The whole of it as one JSON document."""
        return json.dumps(self.root.value, indent=1, allow_nan=False) + "\n"

    def blamed(self, error: SpecError) -> SpecError:
        """The same problems; each says which overlay it came from, if any."""
        return SpecError([self._blamed(problem) for problem in error.problems])

    def _blamed(self, problem: Problem) -> Problem:
        pointer = problem.pointer
        while pointer and pointer not in self.origins:
            pointer = pointer.rpartition("/")[0]
        if not pointer:
            return problem
        return Problem(problem.pointer, f"{problem.message} (from {self.origins[pointer]})")


def read(spec: Path, overlay_files: Sequence[Path] = ()) -> Source:
    """Read a spec, and apply overlays to it.

    Raises:
        SpecError: A file cannot be read, or an overlay is malformed or matches nothing.
    """
    root, sha256 = load(spec)
    digests, origins = [sha256], dict[str, Path]()
    for path in overlay_files:
        touched, sha256 = overlays.apply(path, spec, root.value)
        digests.append(sha256)
        for pointer in touched:
            # What was below is gone, or is now this overlay's.
            below = [each for each in origins if each.startswith(f"{pointer}/")]
            for each in below:
                del origins[each]
            origins[pointer] = path
    if overlay_files:
        lines = "".join(f"{each}\n" for each in digests)
        sha256 = hashlib.sha256(lines.encode()).hexdigest()
    names = tuple(path.name for path in overlay_files)
    return Source(root, sha256, names, origins)
