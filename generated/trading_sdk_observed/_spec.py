# Do not edit: written by `python -m codegen generate` from spec/openapi.yaml and overlays.

"""The spec that this package was generated from."""

from __future__ import annotations

SHA256 = "9039b31e8afb96586d72dfb0060c88abee8645eb7c882ef0269ca35ff142edc0"
"""SHA-256 of the lines that hold the SHA-256 of spec/openapi.yaml and of each overlay."""

OVERLAYS = ("observed.yaml",)
"""The overlays, in their order."""
