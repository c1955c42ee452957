"""The facts of the interface, once: typed from service-interface.md by hand, for all tests.

Nothing here is derived from spec/openapi.yaml or from a package of ours, so that a slip in either
shows. Numbers in comments are sections of the interface document; a note is one of field-notes.md.
What a new endpoint brings is one `Operation` in `orders.py` or `accounts.py`.
"""

from __future__ import annotations

from tests.interface import accounts, orders
from tests.interface.model import (
    Field as Field,
    Fields as Fields,
    Json as Json,
    Limit as Limit,
    Trace as Trace,
)
from tests.interface.operation import Operation as Operation
from tests.interface.records import (
    API_KEY_HEADER as API_KEY_HEADER,
    ENUMS as ENUMS,
    OBSERVED_STATUSES as OBSERVED_STATUSES,
    PAGINATION as PAGINATION,
    RATE_SCALE as RATE_SCALE,
    SIGNED_FIELDS as SIGNED_FIELDS,
    WRAPPED_ERROR as WRAPPED_ERROR,
)
from tests.interface.samples import page as page, wrapped as wrapped

OPERATIONS = {each.name: each for each in (*orders.OPERATIONS, *accounts.OPERATIONS)}
"""What has an endpoint, by its name on the client."""

METHODS = {**OPERATIONS, **{each.name: each for each in orders.ONLY_IN_BATCHES}}
"""What the client offers: every endpoint, and the actions that only a batch has."""

ACTIONS = {each.action: each for each in METHODS.values() if each.action is not None}
"""By their `type` in a batch."""

SIGNED = {name: each for name, each in OPERATIONS.items() if each.signing_type is not None}
"""What is signed as a whole."""

READS = {name: each for name, each in OPERATIONS.items() if each.verb == "GET"}

PAGINATED = {name: each for name, each in OPERATIONS.items() if each.is_paginated}
