# Do not edit: written by `python -m codegen generate` from spec/openapi.yaml.

"""The spec that this package was generated from."""

from __future__ import annotations

SHA256 = "e0afd3977d0cc6817269070edc6b132d999b8d498aeae2f671cb3d8a80fb76d1"
"""SHA-256 of the spec/openapi.yaml that this package was generated from."""
