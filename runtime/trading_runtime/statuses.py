# Do not edit: written by `python -m codegen generate` from codegen/ir/__init__.py.

"""The fault that a status shows, as data."""

from __future__ import annotations

FAULTS = {
    "3XX": "unusable",
    "408": "maybe_sent",
    "460": "maybe_sent",
    "499": "maybe_sent",
    "409": "duplicate",
    "429": "rate_limited",
    "4XX": "refused",
    "501": "refused",
}
"""A status, or all of a hundred like `4XX`; a status itself comes first."""
