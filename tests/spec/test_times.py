"""Which integers in ms are moments, for which a caller may give a datetime, and which are durations."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from codegen.__main__ import read

SPEC = Path(__file__).parents[2] / "spec"
API = read(SPEC / "openapi.yaml", [SPEC / "overlays" / "observed.yaml"])
MOMENTS = re.compile(r"\w+_at|(start|end)_time|timestamp|t|T")
DURATIONS = {"expiry_window", "deposit_min_duration_ms"}


def named(unit: str) -> Iterator[str]:
    members = API.conventions.signed_body.members
    for field in (*members, *(field for model in API.models for field in model.fields)):
        if field.unit == unit or any(part.unit == unit for part in field.type.parts()):
            yield field.name


def test_moments_and_durations_have_units_of_their_own() -> None:
    assert [name for name in named("ms") if not MOMENTS.fullmatch(name)] == []
    assert set(named("duration in ms")) == DURATIONS
