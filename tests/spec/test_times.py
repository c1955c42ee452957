"""Which integers in ms are moments, for which a caller may give a datetime, and which are durations."""

from __future__ import annotations

import re
from collections.abc import Iterator

from codegen.ir import Api
from tests.codegen.specs import observed

MOMENTS = re.compile(r"\w+_at|(start|end)_time|timestamp|t|T")
DURATIONS = {"expiry_window", "deposit_min_duration_ms"}


def named(api: Api, unit: str) -> Iterator[str]:
    members = api.conventions.signed_body.members
    for field in (*members, *(field for model in api.models for field in model.fields)):
        if field.unit == unit or any(part.unit == unit for part in field.type.parts()):
            yield field.name


def test_moments_and_durations_have_units_of_their_own() -> None:
    api, _ = observed()

    assert [name for name in named(api, "ms") if not MOMENTS.fullmatch(name)] == []
    assert set(named(api, "duration in ms")) == DURATIONS
