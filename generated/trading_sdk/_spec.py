# Do not edit: written by `python -m codegen generate` from spec/openapi.yaml.

"""The spec that this package was generated from."""

from __future__ import annotations

SHA256 = "250e0c80c1bbf2bfca36aa3173f449aebce52a31aa0386c4c9ad3b28e1f83c96"
"""SHA-256 of the spec/openapi.yaml that this package was generated from."""
