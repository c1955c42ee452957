"""Read a spec: from a YAML file to a tree of nodes that know their JSON pointers."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from functools import lru_cache, wraps
from pathlib import Path
from typing import IO, Any, TypeVar, cast

import yaml
from attrs import evolve, field, frozen
from yaml.composer import ComposerError
from yaml.constructor import ConstructorError
from yaml.error import Mark

T = TypeVar("T")


@frozen
class Problem:
    """Something wrong with a spec, and the JSON pointer to it."""

    pointer: str
    message: str

    def __str__(self) -> str:
        return f"{self.pointer}: {self.message}"


class SpecError(Exception):
    """Nothing is generated, because the spec is wrong. `problems` holds all that was found."""

    def __init__(self, problems: list[Problem]) -> None:
        super().__init__("\n".join(str(problem) for problem in problems))
        self.problems = problems


Record = dict[str, set[str]]
"""The objects of a spec that were asked for something, by their pointers, and the words that were asked for."""


@frozen
class Node:
    """A value of the spec and its JSON pointer. Every step to another node follows `$ref`.

    With a record it notes what is read of the spec: `get` asks for a word and for all that stands
    below it, every other step for an object alone. `in`, `value` and `quiet` only look.
    """

    value: Any
    pointer: str
    root: Any = field(repr=False)
    references: tuple[str, ...] = field(default=(), eq=False)
    """The pointers of the references that led here."""
    beside: Mapping[str, str] = field(factory=dict, eq=False)
    """The words laid over those of the object, each with the pointer of the object that has it."""
    record: Record | None = field(default=None, eq=False, repr=False)
    _steps: dict[str | int, Node] = field(factory=dict, init=False, eq=False, repr=False)
    """The nodes that were stepped to, for most rules take the same steps."""

    @property
    def recorded(self) -> Node:
        """The same node with a new record."""
        return evolve(self, record={})

    @property
    def quiet(self) -> Node:
        """The same node without a record."""
        if self.record is None:
            return self
        return Node(self.value, self.pointer, self.root, self.references, self.beside)

    def __getitem__(self, key: str | int) -> Node:
        self._note()
        child = self._step(key)
        child._note()
        return child

    def at(self, key: str | int) -> str:
        """The pointer to what stands under a key."""
        return f"{self.beside.get(str(key), self.pointer)}/{escaped(key)}"

    def __contains__(self, key: str) -> bool:
        return isinstance(self.value, dict) and key in self.value

    def get(self, key: str, default: Any = None) -> Any:
        """The plain value under a key."""
        self._note(key)
        return self.value.get(key, default) if isinstance(self.value, dict) else default

    def child(self, key: str) -> Node | None:
        """The node under a key, or None."""
        self._note()
        return self[key] if isinstance(self.value, dict) and key in self.value else None

    def items(self) -> Iterator[tuple[str, Node]]:
        """The nodes of an object, by their keys. Nothing is asked of them yet."""
        self._note()
        return ((key, self._step(key)) for key in self.value)

    def elements(self) -> Iterator[Node]:
        """The nodes of a list."""
        self._note()
        return (self[index] for index in range(len(self.value)))

    def below(self, *keys: str) -> Node | None:
        """The node under several words, one after the other, or None if one of them is missing."""
        node = self
        for key in keys:
            if key not in node:
                return None
            node = node[key]
        return node

    def named(self, word: str) -> dict[str, Node]:
        """The nodes of the object under a word, by their names. None, if there is no such object."""
        holder = self.below(word)
        return dict(holder.items()) if holder and isinstance(holder.value, dict) else {}

    def each(self, word: str) -> list[Node]:
        """The nodes of the list under a word. None, if there is no such list."""
        holder = self.below(word)
        return [*holder.elements()] if holder and isinstance(holder.value, list) else []

    @property
    def place(self) -> str:
        """Its own pointer: where a reference stands, and not what it refers to."""
        return self.references[0] if self.references else self.pointer

    @property
    def schema_name(self) -> str | None:
        """Its name, if it is a component schema."""
        head, _, name = self.pointer.rpartition("/")
        return name if head == "#/components/schemas" else None

    def _step(self, key: str | int) -> Node:
        known = self._steps.get(key)
        if known is None:
            known = _follow(Node(self.value[key], self.at(key), self.root, record=self.record))
            self._steps[key] = known
        return known

    def _note(self, word: str | None = None) -> None:
        if self.record is None:
            return
        for pointer in (*self.references, self.pointer):
            self.record.setdefault(pointer, set())
        if word is not None:
            self.record.setdefault(self.beside.get(word, self.pointer), set()).add(word)


def kept(ask: Callable[[Any], T]) -> Callable[[Any], T]:
    """The same function, which keeps its last answer: most rules ask the same of the same tree.

    A tree does not change while it is asked.
    """
    last: tuple[Any, T] | None = None

    @wraps(ask)
    def answer(tree: Any) -> T:
        nonlocal last
        if last is None or last[0] is not tree:
            last = tree, ask(tree)
        return last[1]

    return answer


@kept
def walk(node: Node) -> list[Node]:
    """A node and every node below it. References are not followed."""
    found = []
    waiting = [node]
    while waiting:
        here = waiting.pop()
        found.append(here)
        keys: Iterable[Any] = ()
        if isinstance(here.value, dict):
            keys = here.value
        elif isinstance(here.value, list):
            keys = range(len(here.value))
        children = [Node(here.value[key], here.at(key), here.root) for key in keys]
        waiting.extend(reversed(children))
    return found


@lru_cache(typed=True)
def escaped(key: str | int) -> str:
    """A key as one step of a JSON pointer."""
    return str(key).replace("~", "~0").replace("/", "~1")


def _follow(node: Node) -> Node:
    """The node that a reference points to. Keys beside the `$ref` are laid over it."""
    seen = set()
    while isinstance(node.value, dict) and "$ref" in node.value:
        reference = node.value["$ref"]
        if not isinstance(reference, str) or reference in seen:
            raise SpecError([Problem(node.pointer, f"$ref {reference!r} points to nothing")])
        seen.add(reference)
        beside = {key: value for key, value in node.value.items() if key != "$ref"}
        target = _resolve(node, reference)
        node = Node(
            {**target, **beside} if beside else target,
            reference,
            node.root,
            references=(*node.references, node.pointer),
            beside={key: node.beside.get(key, node.pointer) for key in beside},
            record=node.record,
        )
    return node


def _resolve(node: Node, reference: str) -> Any:
    if not reference.startswith("#/"):
        raise SpecError([Problem(node.pointer, f"$ref {reference!r} points outside this file")])
    value = node.root
    for step in reference[2:].split("/"):
        key = step.replace("~1", "/").replace("~0", "~")
        if isinstance(value, list):
            value = {str(index): element for index, element in enumerate(value)}
        if not isinstance(value, dict) or key not in value:
            raise SpecError([Problem(node.pointer, f"$ref {reference!r} points to nothing")])
        value = value[key]
    if not isinstance(value, dict):
        raise SpecError([Problem(node.pointer, f"$ref {reference!r} does not point to a mapping")])
    return value


class Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
    """A safe loader, by libyaml where it is there, that also refuses duplicate keys.

    It reads the core schema of YAML 1.2, as OpenAPI demands: `no` and `12:30` are texts, 010 is ten.
    """

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        keys: set[object] = set()
        for key_node, _ in node.value if len(node.value) > 1 else ():
            key = self.construct_object(key_node, deep=True)
            if isinstance(key, Hashable) and key in keys:
                raise ConstructorError(None, None, f"duplicate key {key!r}", key_node.start_mark)
            keys |= {key} if isinstance(key, Hashable) else set()
        mapping: dict[Hashable, Any] = super().construct_mapping(node, deep)
        return mapping


DEPTH = 100
"""So deep a spec may nest."""


def _check(file: IO[bytes]) -> None:
    """Refuse what would make a tree endless, or deeper than a stack: aliases, and many levels."""
    depth = 0
    for event in yaml.parse(file, Loader=Loader):
        if isinstance(event, yaml.AliasEvent):
            mark = cast(Mark, event.start_mark)  # or that of libyaml, which says as much
            raise ComposerError(None, None, "aliases are refused; use $ref", mark)
        depth += isinstance(event, yaml.CollectionStartEvent)
        depth -= isinstance(event, yaml.CollectionEndEvent)
        if depth > DEPTH:
            raise RecursionError


def _integer(loader: Loader, node: yaml.ScalarNode) -> int:
    text = node.value
    return int(text, 0) if text[:2] in ("0o", "0x") else int(text)


_CORE = {
    "null": (r"~|null|Null|NULL|", ["~", "n", "N", ""]),
    "bool": (r"true|True|TRUE|false|False|FALSE", list("tTfF")),
    "int": (r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+", list("-+0123456789")),
    "float": (
        r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?|[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)",
        list("-+.0123456789"),
    ),
}
"""How the core schema of YAML 1.2 (10.3.2) writes each type, and the first characters of it."""

Loader.yaml_implicit_resolvers = {}
for _type, (_text, _first) in _CORE.items():
    Loader.add_implicit_resolver(f"tag:yaml.org,2002:{_type}", re.compile(f"(?:{_text})$"), _first)
Loader.add_constructor("tag:yaml.org,2002:int", _integer)


def load(path: Path) -> tuple[Node, str]:
    """The root of a spec, and the SHA-256 of its file.

    Raises:
        SpecError: The file cannot be read, or is not a YAML mapping.
    """
    try:
        with path.open("rb") as file:
            content = file.read()
            # Read from the file again, so that YAML's errors name it.
            file.seek(0)
            _check(file)
            file.seek(0)
            tree = Loader(file).get_single_data()
    except OSError as error:
        raise SpecError([Problem("#", f"cannot read {path}: {error.strerror}")]) from None
    except (yaml.YAMLError, ValueError) as error:
        raise SpecError([Problem("#", f"not YAML: {error}")]) from None
    except RecursionError:
        raise SpecError([Problem("#", "nested too deep")]) from None
    if not isinstance(tree, dict):
        raise SpecError([Problem("#", "not a mapping")])
    return Node(tree, "#", tree), hashlib.sha256(content).hexdigest()
