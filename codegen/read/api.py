"""From the checked tree of a spec to `ir.Api`: the service as a whole, its enums and its reasons."""

from __future__ import annotations

from collections.abc import Iterator

from codegen import ir
from codegen.read import classes
from codegen.read.load import Node
from codegen.read.methods import actions, method_names, operation
from codegen.read.models import model, models
from codegen.read.operations import SIGNED, operations, source_of, text

REASONS = "x-reasons"


def build(root: Node, sha256: str, overlays: tuple[str, ...] = ()) -> ir.Api:
    """The whole service as one value. The tree must have passed `rules.check`."""
    nodes = [(path, method, node) for path, method, node in operations(root)]
    names = method_names(root)
    built = tuple(operation(root, names, path, method, node) for path, method, node in nodes)
    return ir.Api(
        title=root["info"].get("title"),
        version=root["info"].get("version"),
        spec_sha256=sha256,
        overlays=overlays,
        api_key_header=api_key_header(root),
        rate_scale=root.get("x-rate-scale", 1),
        rate_headers=ir.RateHeaders(**root.get("x-rate-headers", {})),
        servers=tuple(servers(root)),
        conventions=_conventions(root),
        groups=tuple(groups(root, nodes)),
        enums=tuple(enums(root)),
        models=tuple(models(root, nodes)),
        reasons=tuple(reasons(root)),
        operations=built,
        actions=tuple(actions(root, names, nodes)),
    )


def _conventions(root: Node) -> ir.Conventions:
    # A rule compares it with what the SDK sends, and reads what has an effect.
    schema = root.quiet["components"]["schemas"].child(SIGNED)
    members = model(SIGNED, schema, "request").fields if schema else ()
    return ir.Conventions(signed_body=ir.SignedBody(members=members))


def api_key_header(root: Node) -> str | None:
    """The name of the header that carries an API key."""
    schemes = root["components"].child("securitySchemes")
    names = [scheme.get("name") for _, scheme in schemes.items()] if schemes else []
    return names[0] if names else None


def servers(root: Node) -> Iterator[ir.Server]:
    """Where the service is."""
    for server in root.each("servers"):
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
    for name, schema in classes.enums(root).items():
        yield ir.Enum(
            name=name,
            description=text(schema),
            values=tuple(schema.get("enum")),
            source=source_of(schema, "enum"),
            names=schema.get("x-enum-names", {}),
            deprecated=tuple(schema.get("x-enum-deprecated", ())),
        )


def reasons(root: Node) -> Iterator[ir.Reason]:
    """The reasons of the one enum that tells them, in the order of its values."""
    names = method_names(root)
    for enum, schema in classes.enums(root).items():
        for value in schema.get("enum") if REASONS in schema else ():
            node = schema[REASONS][value]
            yield ir.Reason(
                name=value,
                enum=enum,
                description=text(node),
                texts=tuple(node.get("texts", ())),
                codes={names[key]: code for key, code in node.get("codes", {}).items()},
                statuses=tuple(node.get("statuses", ())),
                operations=tuple(names[key] for key in node.get("operations", ())),
                as_status=node.get("as-status"),
            )
