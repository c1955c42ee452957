"""What docs/observability.md says of events is so, and what it makes of them works."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import attrs
import pytest
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import StatusCode
from prometheus_client import REGISTRY, CollectorRegistry

from tests.doubles.orders import order
from tests.readme import ROOT, snippets
from trading_sandbox import Sandbox
from trading_sdk import Client, OutcomeUnknownError, events

PAGE = (ROOT / "docs" / "observability.md").read_text(encoding="utf-8")
TABLES = [
    [cell.strip() for cell in line.strip("|").split(" | ")]
    for line in PAGE.splitlines()
    if line.startswith("| `")
]


def names_in(text: str) -> list[str]:
    return re.findall(r"`(\w+)`", text)


def own_fields(event: Any) -> list[str]:
    return [each.name for each in attrs.fields(event) if each.name not in ("operation", "call")]


def test_the_page_has_every_event_with_its_fields() -> None:
    rows = {
        names_in(row[0])[0]: names_in(row[2])
        for row in TABLES
        if len(row) == 3 and row[0][1].isupper()
    }

    assert rows == {
        name: own_fields(getattr(events, name)) for name in events.__all__ if name != "Event"
    }


def test_the_page_explains_every_field() -> None:
    explained = {name for row in TABLES if row[0][1].islower() for name in names_in(row[0])}
    fields = {
        field.name for name in events.__all__ for field in attrs.fields(getattr(events, name))
    }

    assert explained == fields


def recipe(word: str) -> dict[str, Any]:
    """What a snippet of the page defines."""
    names: dict[str, Any] = {}
    (text,) = [text for _, text in snippets() if word in text]
    exec(compile(text, word, "exec"), names)
    return names


@pytest.fixture
def registry(monkeypatch: pytest.MonkeyPatch) -> CollectorRegistry:
    """Another run of the snippet has filled the one of the process."""
    fresh = CollectorRegistry()
    monkeypatch.setattr(REGISTRY, "register", fresh.register)
    return fresh


def settings_and_an_order(on_event: Callable[[events.Event], object]) -> None:
    """Read the settings, at the second attempt, and place an order without getting an answer."""
    with (
        Sandbox() as exchange,
        Client(exchange.url, signer=exchange.create_account(), on_event=on_event) as client,
    ):
        exchange.faults.inject("account.settings", "status", status=503)
        client.account.settings()
        exchange.faults.inject("orders.create", "close")
        with pytest.raises(OutcomeUnknownError):
            client.orders.create(**order())


def test_the_counters_count_outcomes_and_retries(registry: CollectorRegistry) -> None:
    count = recipe("prometheus_client")["count"]
    settings_and_an_order(count)

    def value(name: str, operation: str, **labels: str) -> float | None:
        return registry.get_sample_value(f"trading_{name}", {"operation": operation, **labels})

    # One by the page.
    assert value("calls_total", "account.settings", outcome="success") == 2
    assert value("calls_total", "orders.create", outcome="unknown") == 1
    assert value("retries_total", "account.settings", fault="MAYBE_SENT") == 1
    assert value("call_seconds_count", "account.settings") == 2


def test_the_spans_hold_the_attempts_of_each_call_and_its_end() -> None:
    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    spans = recipe("opentelemetry")["Spans"](provider.get_tracer("test"))
    settings_and_an_order(spans)

    read, placed = exporter.get_finished_spans()
    assert (read.name, placed.name) == ("account.settings", "orders.create")
    assert said(read) == [
        *("AttemptSent", "AttemptAnswered", "AttemptRetried"),
        *("AttemptSent", "AttemptAnswered", "CallEnded"),
    ]
    assert read.attributes == {"http.response.status_code": 200, "trading.attempts": 2}
    assert read.status.status_code is StatusCode.UNSET
    assert said(placed) == ["AttemptSent", "CallEnded"]
    assert placed.status.status_code is StatusCode.ERROR
    assert spans._open == {}


def said(span: ReadableSpan) -> list[str]:
    return [each.name for each in span.events]
