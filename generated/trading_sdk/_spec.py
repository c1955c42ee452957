# Do not edit: written by `python -m codegen generate` from spec/openapi.yaml.

"""The spec that this package was generated from."""

from __future__ import annotations

SHA256 = "2743bd13b66459c2924256098223867e1fe45ef655ef9eac9b1dd595e7c3213d"
"""Hash of spec/openapi.yaml. No other file holds it, so that one word changes few files."""
