"""The controls of a sandbox: each is defined once, for Python, for HTTP and for the docs.

`accounts`, `markets` and `exchange` declare them, `local` carries them out.
"""
