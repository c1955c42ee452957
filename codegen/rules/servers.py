"""Rules on servers: where the service is, and the names by which users choose."""

from __future__ import annotations

import re
from collections.abc import Iterator

from codegen.read.load import Node, Problem
from codegen.rules.place import Place

BASE = r"(https://[A-Za-z0-9.-]+|http://(localhost|127\.0\.0\.1))(:[0-9]+)?(/[A-Za-z0-9_.~-]+)*"
"""A URL that the SDK takes. Its path is a prefix of the paths of all operations."""


def _servers(root: Node) -> Iterator[Problem]:
    """Several servers have names. One alone may have none: then users write its URL themselves."""
    servers = Place(root, "#").each("servers")
    seen: set[object] = set()
    for server in servers:
        if not re.fullmatch(BASE, str(server.node.get("url"))):
            advice = "must be like https://host:port/prefix; plain http is for this machine alone"
            yield Problem(server.at("url"), advice)
        name = server.node.get("x-name")
        if name is None:
            if len(servers) > 1:
                advice = "give each of several servers an x-name, by which users choose it"
                yield Problem(server.pointer, advice)
        elif name in seen:
            yield Problem(server.at("x-name"), f"another server is {name!r}, too")
        seen.add(name)


RULES = (_servers,)
