# Do not edit: written by `python -m codegen generate` from spec/openapi.yaml.

"""The spec that this package was generated from."""

from __future__ import annotations

SHA256 = "0e0872bccd8a3f8778e70ed4baac6974ae51c865bd3986ed3b98ca558e57f6cb"
"""SHA-256 of the spec/openapi.yaml that this package was generated from."""
