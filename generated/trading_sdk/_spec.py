# Do not edit: written by `python -m codegen generate` from spec/openapi.yaml.

"""The spec that this package was generated from."""

from __future__ import annotations

SHA256 = "40b331eab08bb250c7ff7ed0310b78f93873b9ac51f96cb44da0e4989a24275e"
"""Hash of spec/openapi.yaml, which no other file holds."""
