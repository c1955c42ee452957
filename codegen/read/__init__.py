"""From the files of a spec to the intermediate representation.

    source      the files -> a tree of nodes: YAML by `load`, and the OpenAPI Overlays laid over it
    schemas     what a schema is: an object, or the type of a field
    operations  what an operation says: its parameters, body, batch and answer
    classes     which schemas become classes
    api         tree -> `ir.Api`, of `methods` and `models`

The rules ask the same questions of the tree, also of one that is wrong.
"""
