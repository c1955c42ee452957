# Do not edit: written by `python -m codegen generate` from spec/openapi.yaml.

"""The spec that this package was generated from."""

from __future__ import annotations

SHA256 = "9037569b310cedad38a277b7bde0b8b02a69bfff793422a39b1537e469668fc5"
"""SHA-256 of the spec/openapi.yaml that this package was generated from."""
