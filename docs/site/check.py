"""What a reader of the built site would stumble over: links to nowhere, and anything asked of another host."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LOADED = {
    "script": "src",
    "img": "src",
    "iframe": "src",
    "source": "src",
    "link": "href",
}
"""The attribute by which an element makes the browser load something, without a click."""
STYLE_URL = re.compile(r"url\(\s*['\"]?(https?:|//)|@import\s+['\"](https?:|//)")


class Page(HTMLParser):
    """The anchors of a page, what it links to, and what it loads."""

    def __init__(self, file: Path) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.feed(file.read_text("utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value for name, value in attrs if value is not None}
        self.anchors.update(found[name] for name in ("id", "name") if name in found)
        if tag == "a" and "href" in found:
            self.links.append(found["href"])
        elif found.get(LOADED.get(tag, "")):
            self.loaded.append(found[LOADED[tag]])


def problems(site: Path) -> Iterator[str]:
    """What is wrong with the site in a folder, a line each."""
    pages = {file: Page(file) for file in sorted(site.rglob("*.html"))}
    for file, page in pages.items():
        name = file.relative_to(site)
        for address in page.loaded:
            if urlsplit(address).netloc:
                yield f"{name} loads {address} from another host"
        for address in [*page.links, *page.loaded]:
            if _leads_nowhere(address, file, pages):
                yield f"{name} links to {address}, which is not there"
    for style in sorted(site.rglob("*.css")):
        if STYLE_URL.search(style.read_text("utf-8")):
            yield f"{style.relative_to(site)} loads something from another host"


def _leads_nowhere(address: str, file: Path, pages: dict[Path, Page]) -> bool:
    """Whether a link within the site has no file, or no anchor in its page."""
    parts = urlsplit(address)
    if parts.scheme or parts.netloc:
        return False
    target = (file.parent / unquote(parts.path)).resolve() if parts.path else file
    if not target.is_file():
        return True
    return bool(parts.fragment) and unquote(parts.fragment) not in pages[target].anchors
