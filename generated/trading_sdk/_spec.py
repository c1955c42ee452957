# Do not edit: written by `python -m codegen generate` from spec/openapi.yaml.

"""The spec that this package was generated from."""

from __future__ import annotations

SHA256 = "38958e0155c854abcd603fcf00dc63d13198eb77d156710ee08c1f755f4710f7"
"""SHA-256 of the spec/openapi.yaml that this package was generated from."""
