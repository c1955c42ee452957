# Do not edit: written by `python -m codegen generate` from spec/openapi.yaml.

"""The spec that this package was generated from."""

from __future__ import annotations

SHA256 = "3cedbdeba5067ea06fcaa2cb3eeba4344c06f1b69910b50bb4bb6aa99e11cc7b"
"""SHA-256 of the spec/openapi.yaml that this package was generated from."""
