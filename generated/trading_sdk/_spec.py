# Do not edit: written by `python -m codegen generate` from spec/openapi.yaml.

"""The spec that this package was generated from."""

from __future__ import annotations

SHA256 = "3d99ffd9f85a7b6d87358bc4311c773415f585e17c6fd2948b1887ad9dc3c962"
"""SHA-256 of the spec/openapi.yaml that this package was generated from."""
