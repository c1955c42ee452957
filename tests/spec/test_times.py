"""Which integers in ms are moments, for which a caller may give a datetime, and which are durations."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from codegen.__main__ import read

SPEC = Path(__file__).parents[2] / "spec"
API = read(SPEC / "openapi.yaml", [SPEC / "overlays" / "observed.yaml"])
MOMENTS = {
    *("created_at", "updated_at", "start_time", "end_time", "timestamp", "t", "T"),
    *("last_interest_accrual_at", "last_interest_payout_at"),
}
DURATIONS = {"expiry_window", "deposit_min_duration_ms"}


def named(unit: str) -> Iterator[str]:
    members = API.conventions.signed_body.members
    for field in (*members, *(field for model in API.models for field in model.fields)):
        if field.unit == unit or any(part.unit == unit for part in field.type.parts()):
            yield field.name


def test_moments_and_durations_have_units_of_their_own() -> None:
    assert set(named("ms")) == MOMENTS
    assert set(named("duration in ms")) == DURATIONS
