# Do not edit: written by `python -m codegen generate` from spec/openapi.yaml
# (sha256 2743bd13b66459c2924256098223867e1fe45ef655ef9eac9b1dd595e7c3213d).

"""What `client.GROUP` is, one group a module."""

from __future__ import annotations
