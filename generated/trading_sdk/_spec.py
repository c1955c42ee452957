# Do not edit: written by `python -m codegen generate` from spec/openapi.yaml.

"""The spec that this package was generated from."""

from __future__ import annotations

SHA256 = "cc23aec6ac4acf6d2b1b87169958fa7bf866be8e62a3cfe4203220ffaf9517a8"
"""SHA-256 of the spec/openapi.yaml that this package was generated from."""
