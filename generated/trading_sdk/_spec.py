# Do not edit: written by `python -m codegen generate` from spec/openapi.yaml.

"""The spec that this package was generated from."""

from __future__ import annotations

SHA256 = "9127afbe898b544347afb61e11298cea32d316d19c3235ca364ab6a63ea76a02"
"""SHA-256 of the spec/openapi.yaml that this package was generated from."""
