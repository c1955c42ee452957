# Do not edit: written by `python -m codegen generate` from spec/openapi.yaml.

"""The spec that this package was generated from."""

from __future__ import annotations

SHA256 = "c8ddc58a809c846c377337158d71cd87b1f4dc56a81810dc334e7a439166773f"
"""SHA-256 of the spec/openapi.yaml that this package was generated from."""
