"""The site for those who ask a machine: `llms.txt`, an index of its pages, and `llms-full.txt`, all of them."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

from docs.site.sources import ROOT


def write_plain(sphinx: Sphinx) -> None:
    """Write each page of a built site as text, too, and both files, in the order of its contents."""
    # A second builder in one process would run the transforms of the first.
    folders = ("-d", sphinx.doctreedir, sphinx.srcdir, sphinx.outdir)
    command = (sys.executable, "-m", "sphinx", "--builder", "text", "--quiet", *folders)
    subprocess.run(command, cwd=ROOT, check=True)
    site = Path(sphinx.outdir)
    pages = list(dict.fromkeys(_below("index", sphinx.env)))
    texts = {page: (site / f"{page}.txt").read_text("utf-8") for page in pages}
    lines = [f"- [{sphinx.env.titles[page].astext()}]({page}.txt)" for page in pages[1:]]
    (site / "llms.txt").write_text("\n".join([texts.pop("index"), *lines, ""]), encoding="utf-8")
    (site / "llms-full.txt").write_text("\n\n".join(texts.values()), encoding="utf-8")


def _below(page: str, environment: BuildEnvironment) -> Iterator[str]:
    """A page, and the pages of its contents."""
    yield page
    for each in environment.toctree_includes.get(page, ()):
        yield from _below(each, environment)
