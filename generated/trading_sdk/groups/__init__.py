# Do not edit: written by `python -m codegen generate` from spec/openapi.yaml
# (sha256 8b7f38e5b39e72f3e34b6fe0c7ba03bcf73053beff217cdfa6df036e4d2fa8a6).

"""What `client.GROUP` is, one group a module."""

from __future__ import annotations
