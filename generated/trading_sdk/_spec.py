# Do not edit: written by `python -m codegen generate` from spec/openapi.yaml.

"""The spec that this package was generated from."""

from __future__ import annotations

SHA256 = "04b26d33eb381707f2f443543a29cd8428f566b283b64816a5cb836c671956cb"
"""SHA-256 of the spec/openapi.yaml that this package was generated from."""
