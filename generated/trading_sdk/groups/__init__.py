# Do not edit: written by `python -m codegen generate` from spec/openapi.yaml
# (sha256 4f3e08ccbba0170a9028fdfc19468d55bca854b9a57cfbebb2ecfc962b429397).

"""What `client.GROUP` is, one group a module."""

from __future__ import annotations
