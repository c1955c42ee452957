# Do not edit: written by `python -m codegen generate` from spec/openapi.yaml.

"""The spec that this package was generated from."""

from __future__ import annotations

SHA256 = "05088f9603282edd3003c3c0c6eb9ee55c3949f0d80f15f248e75c2ba3fcc444"
"""SHA-256 of the spec/openapi.yaml that this package was generated from."""
