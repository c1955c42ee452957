"""How Sphinx builds the site: `python -m nox -s docs`."""

from pathlib import Path

from sphinx.application import Sphinx

from docs.site.reference import written
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
autodoc_inherit_docstrings = False
autodoc_typehints_format = "short"
add_module_names = False
maximum_signature_line_length = 80
nitpick_ignore_regex = [("py:.*", ".*")]
# `list` is a type, and a field of the toolkit.
suppress_warnings = ["ref.python"]


def setup(app: Sphinx) -> None:
    app.connect("autodoc-process-docstring", written)
