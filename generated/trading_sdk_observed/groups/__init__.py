# Do not edit: written by `python -m codegen generate` from spec/openapi.yaml and overlays.

"""The groups of the client, like `client.orders`, one module each."""

from __future__ import annotations
