# Do not edit: written by `python -m codegen generate` from spec/openapi.yaml.

"""The spec that this package was generated from."""

from __future__ import annotations

SHA256 = "bfa1cde4a134f2931c07b81fcd1e05c6e1c3586702b5e8e093855d537944d1be"
"""SHA-256 of the spec/openapi.yaml that this package was generated from."""
