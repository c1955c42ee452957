# Do not edit: written by `python -m codegen generate` from spec/openapi.yaml.

"""The spec that this package was generated from."""

from __future__ import annotations

SHA256 = "0b3bf9b87bf91a13042ebabd6e11d759b12bd6e20ccc6a9a82cb275a1a0dead1"
"""SHA-256 of the spec/openapi.yaml that this package was generated from."""
