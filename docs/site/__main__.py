"""`python -m docs.site FOLDER`: build the site there. A warning, a broken link or another host fails it."""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

from sphinx.application import Sphinx

from codegen.__main__ import read
from docs.site.check import problems
from docs.site.plain import write_plain
from docs.site.reference import interface, reference
from docs.site.sources import ROOT, gather, write


def build(sources: Path, site: Path) -> int:
    """Build the site of some sources in a folder, which is made anew; 0 if all is well."""
    shutil.rmtree(site, ignore_errors=True)
    with tempfile.TemporaryDirectory() as doctrees:
        # Every warning is an error, and all of them are told.
        sphinx = Sphinx(
            sources,
            sources,
            site,
            doctrees,
            "html",
            {"nitpicky": True},
            status=None,
            warningiserror=True,
        )
        sphinx.build()
        if sphinx.statuscode:
            return sphinx.statuscode
        write_plain(sphinx)
    found = list(problems(site.resolve()))
    print("\n".join(found or [f"Built {site / 'index.html'}"]))
    return 1 if found else 0


def main(site: Path) -> int:
    """Build the site of this repository in a folder."""
    with tempfile.TemporaryDirectory() as folder:
        sources = Path(folder)
        gather(sources)
        api = read(ROOT / "spec" / "openapi.yaml")
        for path, text in reference(api).items():
            write(sources / path, text)
        rules = {path: path.read_text("utf-8") for path in sources.glob("interface/*.md")}
        for page, text in interface(api, rules).items():
            write(page, text)
        return build(sources, site)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
