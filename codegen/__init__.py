"""The generator: spec/openapi.yaml -> generated/, and the IR that ports are generated from. Not shipped.

A spec passes through these modules, in this order:

    source          files -> tree of nodes, each with its JSON pointer: `load` reads a file of YAML,
                    `overlays` changes the tree as an OpenAPI Overlay says
    rules           tree -> every problem that stops the generator
    build           tree -> ir.Api, free of any language
    python.render   ir.Api -> the text of every file, by the templates

`document` builds what concerns the service as a whole. `crash` makes a failure of the generator a
problem with a pointer. `spec`, `field_types` and `signing_schemes` answer the questions that rules
and build both ask of the tree. `python` is the room that writes Python. `packages` lists what is
shipped, `options` reads the command line; `__main__` is the only module that writes files. It starts
the generators of the ports, each a program of its own under ports/, which reads the IR as JSON and
nothing of this package.
"""
