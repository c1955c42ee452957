# Do not edit: written by `python -m codegen generate` from spec/openapi.yaml.

"""The spec that this package was generated from."""

from __future__ import annotations

SHA256 = "9c302098abc54d4d84301ffc2d024103a27c9a53946bd2981b4f93659cf47601"
"""SHA-256 of the spec/openapi.yaml that this package was generated from."""
