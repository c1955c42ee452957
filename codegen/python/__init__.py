"""The room that writes Python: ir.Api -> the text of every file of a package under generated/.

`render` makes the files by the templates, which stand in the folders of what they make. `classes` writes the
enums and models, with `attributes`, `converters` and `unions`; `mappings` the types of the mappings that may be given in
place of models; `docstrings` and `argument_notes` what the docs say; `reference` the rows of METHODS.md. `syntax` has
the names, types and values of Python that those of the IR become, `imports` the names that generated modules import.
"""
