# Do not edit: written by `python -m codegen generate` from spec/openapi.yaml.

"""The spec that this package was generated from."""

from __future__ import annotations

SHA256 = "6a70bb5ead4949bfdae1a3446ac4bdaed19aa36c8eab4fef49bd6e952cb28e06"
"""SHA-256 of the spec/openapi.yaml that this package was generated from."""
