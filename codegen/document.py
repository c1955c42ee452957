"""From the checked tree to the parts of the IR that concern the service as a whole."""

from __future__ import annotations

from collections.abc import Iterator

from codegen import ir, spec_classes
from codegen.load import Node
from codegen.spec import source_of


def api_key_header(root: Node) -> str | None:
    """The name of the header that carries an API key."""
    schemes = root["components"].child("securitySchemes")
    names = [scheme.get("name") for _, scheme in schemes.items()] if schemes else []
    return names[0] if names else None


def servers(root: Node) -> Iterator[ir.Server]:
    """Where the service is."""
    for server in root["servers"].elements() if "servers" in root else ():
        yield ir.Server(name=server.get("x-name"), url=server.get("url"), description=text(server))


def groups(root: Node, nodes: list[tuple[str, str, Node]]) -> Iterator[ir.Group]:
    """The groups of operations, each with the tag of its operations."""
    tags = {tag.get("name"): tag for tag in root["tags"].elements()}
    titles = {node.get("x-group"): node.get("tags", [""])[0] for _, _, node in nodes}
    for name, title in titles.items():
        description = text(tags[title]) if title in tags else ""
        yield ir.Group(name=name, title=title, description=description or title)


def enums(root: Node) -> Iterator[ir.Enum]:
    """Every enum of the spec."""
    for name, schema in spec_classes.enums(root)[0].items():
        yield ir.Enum(
            name=name,
            description=text(schema),
            values=tuple(schema.get("enum")),
            source=source_of(schema, "enum"),
            names=schema.get("x-enum-names", {}),
            deprecated=tuple(schema.get("x-enum-deprecated", ())),
        )


def text(node: Node) -> str:
    """The description of anything, or no text."""
    return str(node.get("description") or "").strip()
