"""What the generator reads: a spec, and the OpenAPI Overlays 1.0 laid over it, in order.

The standard is https://spec.openapis.org/overlay/v1.0.0.html. Beyond it, an action that matches nothing
is an error, and so is every key that the standard does not have: it would have no effect.
"""

from __future__ import annotations

import copy
import hashlib
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from attrs import frozen
from jsonpath_rfc9535 import JSONPathError, compile

from codegen import dialect
from codegen.read.load import Node, Problem, SpecError, escaped, load

Steps = tuple[int | str, ...]


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
        touched, sha256 = _applied(path, spec, root.value)
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


def _applied(path: Path, spec: Path, tree: dict[str, Any]) -> tuple[list[str], str]:
    """Change the tree of a spec as an overlay says.

    Returns:
        The pointers of what it wrote or removed, and the SHA-256 of its file.

    Raises:
        SpecError: The overlay cannot be read, is malformed, or does not fit the spec.
    """
    try:
        root, sha256 = load(path)
        overlay = root.value
        if problems := [*_misfits(overlay)] or [*_problems(overlay, path, spec)]:
            raise SpecError(problems)
        touched: list[str] = []
        for index, action in enumerate(overlay["actions"]):
            touched += _act(tree, action, f"#/actions/{index}")
    except SpecError as error:
        placed = [Problem(f"{path}{each.pointer}", each.message) for each in error.problems]
        raise SpecError(placed) from None
    return touched, sha256


# -- the shape of an overlay ------------------------------------------------------------------


OVERLAY = dialect.DIALECT["$defs"]["overlay"]


def _misfits(overlay: dict[str, Any]) -> Iterator[Problem]:
    for error in dialect.validator(OVERLAY).iter_errors(overlay):
        yield from dialect.misfit(error, "#", "an overlay", OVERLAY["title"])


def _problems(overlay: dict[str, Any], path: Path, spec: Path) -> Iterator[Problem]:
    """What no form says: an overlay that says what it is for is for this spec, and each target is a path."""
    extends = overlay.get("extends", spec.resolve())
    if (path.parent / extends).resolve() != spec.resolve():
        yield Problem("#/extends", f"{extends!r} is not the spec, {spec}")
    for index, action in enumerate(overlay["actions"]):
        pointer = f"#/actions/{index}"
        if action.get("remove", False) == ("update" in action):
            yield Problem(pointer, "needs either an update or remove: true")
        try:
            compile(action["target"])
        except (JSONPathError, RecursionError) as error:
            reason = " ".join(str(error).split())
            yield Problem(f"{pointer}/target", f"is not a JSONPath of RFC 9535: {reason}")


# -- applying it ------------------------------------------------------------------------------


def _act(tree: dict[str, Any], action: dict[str, Any], pointer: str) -> list[str]:
    """Apply one action to every node that it targets."""
    found = {node.location: node.value for node in compile(action["target"]).finditer(tree)}
    if not found:
        raise SpecError([Problem(f"{pointer}/target", f"{action['target']} matches nothing")])
    touched: list[str] = []
    # The last ones first, so that a removed item moves none that is still to be removed.
    for steps, value in reversed(found.items()):
        if reason := _misfit(steps, value, action):
            raise SpecError([Problem(pointer, f"{_pointer(steps)} {reason}")])
        if "update" in action:
            _update(value, action["update"], _pointer(steps), touched)
        else:
            touched.append(_removed(tree, steps))
    return touched


def _misfit(steps: Steps, value: Any, action: dict[str, Any]) -> str | None:
    """Why an action cannot be applied to a node."""
    if not isinstance(value, (dict, list)):
        return "is neither a mapping nor a list; target what holds it"
    if "update" not in action:
        return None if steps else "is the whole spec, which cannot be removed"
    if isinstance(value, dict) and not isinstance(action["update"], dict):
        return "is a mapping, and can only be merged with one"
    return None


def _removed(tree: Any, steps: Steps) -> str:
    """Remove a node. The pointer is that of the list if it was an item, for the others moved."""
    *path, last = steps
    for step in path:
        tree = tree[step]
    del tree[last]
    return _pointer(steps if isinstance(tree, dict) else tuple(path))


def _update(target: Any, update: Any, pointer: str, touched: list[str]) -> None:
    """Merge an update into a mapping, or append it to a list; a list is appended item by item."""
    if isinstance(target, list):
        new = update if isinstance(update, list) else [update]
        touched += [f"{pointer}/{len(target) + index}" for index in range(len(new))]
        target += copy.deepcopy(new)
        return
    for key, value in update.items():
        at = f"{pointer}/{escaped(str(key))}"
        if key in target and type(target[key]) is type(value) and isinstance(value, (dict, list)):
            _update(target[key], value, at, touched)
        else:
            target[key] = copy.deepcopy(value)
            touched.append(at)


def _pointer(steps: Steps) -> str:
    return "/".join(["#", *(escaped(step) for step in steps)])
