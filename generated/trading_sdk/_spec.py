# Do not edit: written by `python -m codegen generate` from spec/openapi.yaml.

"""The spec that this package was generated from."""

from __future__ import annotations

SHA256 = "2b2314720bc7562e5e25cc593e99f8efc2520efc039b3d21ac959d51ac6997a5"
"""SHA-256 of the spec/openapi.yaml that this package was generated from."""
