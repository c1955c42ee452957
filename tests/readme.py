"""The Python snippets of README.md and docs/, for the test that runs them and the type checkers."""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
README = PAGES[0].read_text(encoding="utf-8")
METHODS = [
    [cell.strip() for cell in line.strip("|").split(" | ")]
    for line in (ROOT / "generated/trading_sdk/METHODS.md").read_text("utf-8").splitlines()
    if line.startswith("| `")
]
"""The rows of the generated page: method, what it does, endpoint, signed as, retry class, section."""


FILE = re.compile(r"# (\w+\.py)\n")
"""The first line of a block that is a file, which other blocks of its page import."""


def blocks(page: Path) -> list[str]:
    """The text of every ```python block of a page."""
    return re.findall(r"```python\n(.*?)```", page.read_text("utf-8"), flags=re.DOTALL)


def snippets() -> list[tuple[str, str]]:
    """The name and the text of every block that stands alone, in order."""
    return [
        (f"{page.stem.lower()}_snippet_{number}", text)
        for page in PAGES
        for number, text in enumerate(blocks(page), 1)
        if not FILE.match(text)
    ]


def write(folder: Path) -> None:
    """Write each block to a file of its own, or to that which it says; of those with one name the last counts."""
    for name, text in snippets():
        (folder / f"{name}.py").write_text(text, encoding="utf-8")
    for text in (text for page in PAGES for text in blocks(page)):
        if name_of := FILE.match(text):
            (folder / name_of[1]).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]))
