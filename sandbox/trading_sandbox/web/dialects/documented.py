"""The dialect of the interface document, which is the default."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

from trading_sandbox.web.auth import DEFAULT_WINDOW_MS
from trading_sandbox.web.commands import BUILDERS
from trading_sandbox.web.dialects.dialect import Dialect
from trading_sandbox.web.lists import LISTS
from trading_sandbox.web.reads import READS
from trading_sandbox.web.refusals import answer_of, refusal_of
from trading_sandbox.web.responses import RESPONSES
from trading_sdk import models
from trading_sdk.operations import API

DIALECT = Dialect(
    api=API,
    spec=Path(models.__file__).with_name("openapi.json"),
    builders=BUILDERS,
    answers={**RESPONSES, **READS},
    long_answers={},
    lists=LISTS,
    channels=(),
    not_for_agents="api_keys.",
    open_to_pages=False,
    approves_builders=False,
    # As many with a key as without (sections 5.4 and 8); how many is from field note 44.
    credits=(Decimal(125), Decimal(125)),
    omitted_windows=({"expiry_window": DEFAULT_WINDOW_MS}, {}),
    refuse=answer_of,
    refusal_of=refusal_of,
)
MODELLED = DIALECT.modelled
