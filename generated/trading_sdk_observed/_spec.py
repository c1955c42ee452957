# Do not edit: written by `python -m codegen generate` from spec/openapi.yaml and overlays.

"""The spec that this package was generated from."""

from __future__ import annotations

SHA256 = "4e6291e8f6c6faeccc8d8c3482bdb3d161c0767eb8b8020cbdf05d748a32174e"
"""SHA-256 of the lines that hold the SHA-256 of spec/openapi.yaml and of each overlay."""

OVERLAYS = ("observed.yaml",)
"""The overlays, in their order."""
