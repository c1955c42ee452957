"""The Python snippets of README.md, for the test that runs them and for the type checkers."""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def snippets() -> list[str]:
    """The text of every ```python block, in order."""
    return re.findall(r"```python\n(.*?)```", README, flags=re.DOTALL)


def write(folder: Path) -> None:
    """Write each snippet to a file of its own."""
    for number, text in enumerate(snippets(), 1):
        (folder / f"readme_snippet_{number}.py").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]))
