# Do not edit: written by `python -m codegen generate` from spec/openapi.yaml.

"""The spec that this package was generated from."""

from __future__ import annotations

SHA256 = "1719f5e683806c3076b07ed649e5a3a7500ec0c7f948b37a5a8204a4ace3fa61"
"""SHA-256 of the spec/openapi.yaml that this package was generated from."""
