"""The generator: spec/openapi.yaml -> generated/, and the IR that ports are generated from. Not shipped.

A spec passes through these rooms, in this order:

    read      files -> tree of nodes, each with its JSON pointer -> ir.Api, free of any language
    rules     tree -> every problem that stops the generator, before the IR is built
    python    ir.Api -> the text of every file, by the templates

`changes` compares two IRs, `documents` writes what follows from the IR itself: its JSON Schema, and tables
of the documentation. `packages` lists what is shipped, `options` reads the command line; `__main__` is the only module that
writes files. It starts the generators of the ports, each a program of its own under ports/, which
reads the IR as JSON and nothing of this package.
"""
