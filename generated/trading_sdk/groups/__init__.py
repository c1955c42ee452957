# Do not edit: written by `python -m codegen generate` from spec/openapi.yaml
# (sha256 b958d76d9ac64eeb4c183dc46b9360c6c6c73be1327502eb40f4db184a9b23a1).

"""What `client.GROUP` is, one group a module."""

from __future__ import annotations
