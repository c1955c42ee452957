# Do not edit: written by `python -m codegen generate` from spec/openapi.yaml.

"""The spec that this package was generated from."""

from __future__ import annotations

SHA256 = "32503e0d082b6c5324764394f5e95854ba3c9dd02db94bad5dc698ed0c84f1af"
"""SHA-256 of the spec/openapi.yaml that this package was generated from."""
