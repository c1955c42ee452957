# Do not edit: written by `python -m codegen generate` from spec/openapi.yaml and overlays.

"""The spec that this package was generated from."""

from __future__ import annotations

SHA256 = "7d11313d1167cb91f1e347baff9a525ec1ed3553e65266ea4c3cc90b1dee4a34"
"""SHA-256 of the lines that hold the SHA-256 of spec/openapi.yaml and of each overlay."""

OVERLAYS = ("observed.yaml",)
"""The overlays, in their order."""
