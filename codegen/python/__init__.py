"""The room that writes Python: ir.Api -> the text of every file of a package under generated/.

`render` makes the files by the templates, which stand in the folders of what they make. What the templates are given
follows the modules of a package: `models` (with `converters`), `mappings`, `operations`, and `methods` for the groups.
`docstrings` has what the docs say, and `syntax` the names, types and values of Python that those of the IR become.
names.json lists the names that no spec may give to its own.
"""
