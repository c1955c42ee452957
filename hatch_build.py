"""What a build adds to pyproject.toml: URLs, and the README with links that work on PyPI."""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

LINK = re.compile(r"\]\((?![a-z]+:|#)([^)\s]+)\)")
"""A link of Markdown to a file of the repository."""


def absolute(text: str, folder: str, source: str, version: str) -> str:
    """A page with links that work wherever it is read.

    Args:
        text: Markdown, with the links of the repository.
        folder: where the page stands in the repository; empty at its root.
        source: the URL of the repository.
        version: the version whose files the links lead to; its tag is `v0.2.0`.
    """

    def whole(link: re.Match[str]) -> str:
        path = posixpath.normpath(posixpath.join(folder, link[1]))
        return f"]({source}/blob/v{version}/{path})"

    return LINK.sub(whole, text)


class Metadata(MetadataHookInterface):
    """The URLs and the description on PyPI."""

    PLUGIN_NAME = "custom"

    def update(self, metadata: dict[str, Any]) -> None:
        """Add them to the metadata."""
        source, version = self.config["source"], metadata["version"]
        page = (Path(self.root) / "README.md").read_text("utf-8")
        text = absolute(page, "", source, version)
        metadata["readme"] = {"content-type": "text/markdown", "text": text}
        metadata["urls"] = {
            "Source": source,
            "Documentation": f"{source}/blob/v{version}/docs/index.md",
            "Changelog": f"{source}/blob/v{version}/CHANGELOG.md",
            "Issues": f"{source}/issues",
        }
