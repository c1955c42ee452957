# Do not edit: written by `python -m codegen generate` from spec/openapi.yaml
# (sha256 f43b0413acf210d0f53023770e2b78f4898e267c86451b2fe061328cfb7bee73).

"""What `client.GROUP` is, one group a module."""

from __future__ import annotations
