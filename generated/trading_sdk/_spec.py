# Do not edit: written by `python -m codegen generate` from spec/openapi.yaml.

"""The spec that this package was generated from."""

from __future__ import annotations

SHA256 = "a728004c7fc24f149174113b5840def37a7858990dd7752996fb100483110477"
"""SHA-256 of the spec/openapi.yaml that this package was generated from."""
