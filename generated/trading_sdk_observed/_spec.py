# Do not edit: written by `python -m codegen generate` from spec/openapi.yaml and overlays.

"""The spec that this package was generated from."""

from __future__ import annotations

SHA256 = "99c5b220c67e5c5c7f2a8e042c6c0dac4087c308ac642c52e0ae714f237a153d"
"""SHA-256 of the lines that hold the SHA-256 of spec/openapi.yaml and of each overlay."""

OVERLAYS = ("observed.yaml",)
"""The overlays, in their order."""
