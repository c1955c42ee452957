# Do not edit: written by `python -m codegen generate` from spec/openapi.yaml.

"""The spec that this package was generated from."""

from __future__ import annotations

SHA256 = "32f4a023a92407df35b4ef95dafb131b6c3b9d9cfca42456db4f8681bed39c4d"
"""SHA-256 of the spec/openapi.yaml that this package was generated from."""
