"""The site for those who ask a machine: `llms.txt`, an index of its pages, and `llms-full.txt`, all of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from docs.site.sources import FENCE

TOCTREE = re.compile(r"```\{toctree\}\n(.*?)```", re.DOTALL)
CAPTION = re.compile(r":caption: (.+)")
ENTRY = re.compile(r"^(?:.*<)?([\w/-]+)>?$")
SUMMARY = 200


def write_plain(sources: Path, site: Path) -> None:
    """Write both files, and beside each page its Markdown."""
    start = (sources / "index.md").read_text("utf-8")
    lines, whole = [TOCTREE.sub("", start).split("\n\n|")[0].strip()], []
    for contents in TOCTREE.findall(start):
        caption = CAPTION.search(contents)
        lines.append(f"\n## {caption[1] if caption else ''}\n")
        for name in pages(sources, contents, ""):
            text = (sources / f"{name}.md").read_text("utf-8")
            target = site / f"{name}.md"
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8")
            title = re.search(r"^# (.+)$", text, re.MULTILINE)
            lines.append(f"- [{title[1] if title else name}]({name}.md): {summary(text)}")
            whole.append(f"<!-- {name}.md -->\n\n{text}")
    (site / "llms.txt").write_text("\n".join([*lines, ""]), encoding="utf-8")
    (site / "llms-full.txt").write_text("\n\n".join(whole), encoding="utf-8")


def pages(sources: Path, contents: str, folder: str) -> Iterator[str]:
    """The pages of some contents, and those of the contents that they have themselves."""
    for line in contents.splitlines():
        entry = ENTRY.match(line)
        if entry and (sources / f"{folder}{entry[1]}.md").is_file():
            name = f"{folder}{entry[1]}"
            yield name
            below = TOCTREE.search((sources / f"{name}.md").read_text("utf-8"))
            if below:
                yield from pages(sources, below[1], name[: name.rfind("/") + 1])


def summary(text: str) -> str:
    """The first paragraph of a page without its links, cut at a word."""
    prose = (part.strip() for part in FENCE.sub("", text).split("\n\n"))
    first = next((each for each in prose if re.match(r"[\w*`\[]", each)), "")
    line = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", " ".join(first.split()))
    return line if len(line) <= SUMMARY else f"{line[:SUMMARY].rpartition(' ')[0]} ..."
