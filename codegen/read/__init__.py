"""From the files of a spec to the intermediate representation.

    source      the files -> a tree of nodes: YAML by `load`, and the OpenAPI Overlays laid over it
    schemas     what a schema is: an object, a union, a class with a name; `field_types` its type
    operations  what an operation says: its body, batch and answer; `parameters`, `errors`
    classes     which schemas become classes
    api         tree -> `ir.Api`, of `methods` and `models`, as in `codegen.ir`

The rules ask the same questions of the tree, also of one that is wrong.
"""
