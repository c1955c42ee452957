"""The controls of a sandbox: each is defined once, for Python, for HTTP and for the docs.

`declared` declares them, `local` carries them out.
"""
