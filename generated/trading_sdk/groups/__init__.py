# Do not edit: written by `python -m codegen generate` from spec/openapi.yaml
# (sha256 aef55d3eac7db1d0e3d8f56bd8e130accd0f95c9f7b515300babb4c20c075d33).

"""What `client.GROUP` is, one group a module."""

from __future__ import annotations
