"""How Sphinx builds the site: `python -m nox -s docs`."""

from pathlib import Path
from typing import Any

from sphinx.application import Sphinx
from sphinx.ext.napoleon.docstring import GoogleDocstring

from trading_runtime import __version__

project = "trading-service-sdk"
release = __version__
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx_design"]

# CommonMark, as the repository shows it: anchors of headings are those that it makes.
source_suffix = {".md": "markdown"}
myst_enable_extensions = ["colon_fence", "tasklist"]
myst_enable_checkboxes = True
myst_heading_anchors = 4
highlight_language = "none"

html_theme = "furo"
html_title = f"{project} {release}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_search_scorer = str(Path(__file__).with_name("scorer.js"))
html_copy_source = False
html_show_sourcelink = False
html_use_index = False
html_show_copyright = False

# Docstrings name code in single backticks.
default_role = "code"
autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
nitpick_ignore_regex = [("py:.*", ".*")]


def with_sections(
    _: Sphinx, what: Any, name: str, documented: Any, options: Any, lines: list[str]
) -> None:
    """Make lists of the sections of a docstring. Napoleon itself would take `Unit: token` of a field for its type."""
    if what not in ("attribute", "property"):
        read = GoogleDocstring(lines, None, None, what, name, documented, options)
        lines[:] = read.lines()


def setup(app: Sphinx) -> None:
    app.connect("autodoc-process-docstring", with_sections)
