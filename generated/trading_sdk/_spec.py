# Do not edit: written by `python -m codegen generate` from spec/openapi.yaml.

"""The spec that this package was generated from."""

from __future__ import annotations

SHA256 = "850cb1991ea7d4b6d0f764f530a361f14df9088f395494076b1e56941f57c93b"
"""SHA-256 of the spec/openapi.yaml that this package was generated from."""
