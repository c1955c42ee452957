# Do not edit: written by `python -m codegen generate` from spec/openapi.yaml and overlays.

"""The spec that this package was generated from."""

from __future__ import annotations

SHA256 = "b63f1299a0c7d1151704739743972a8baabd559e9f315dd90b08a7ddd1a9a7f1"
"""SHA-256 of the lines that hold the SHA-256 of spec/openapi.yaml and of each overlay."""

OVERLAYS = ("observed.yaml",)
"""The overlays, in their order."""
