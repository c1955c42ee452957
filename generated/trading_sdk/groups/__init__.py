# Do not edit: written by `python -m codegen generate` from spec/openapi.yaml
# (sha256 ed7645d8737c9b29f364c7b2dae04f6eacefba956d1463b6d2be6422c41fc891).

"""What `client.GROUP` is, one group a module."""

from __future__ import annotations
