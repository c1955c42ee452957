"""What is wrong in spec/streams.yaml is refused with its place."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import attrs
import pytest

from codegen.__main__ import read
from codegen.packages import ROOT, SHIPPED, SPEC
from codegen.read import source, streams
from codegen.read.load import Node, SpecError
from ports.typescript.generator.render import render
from tests.codegen.specs import changed, tree, written

PACKAGE = SHIPPED["trading_sdk_observed"]
assert PACKAGE.streams is not None
STREAMS = PACKAGE.streams


@cache
def spec() -> Node:
    """The spec that the streams belong to."""
    return source.read(SPEC, PACKAGE.overlays).root


BBO = "/channels/bbo"


@pytest.mark.parametrize(
    ("place", "value", "told"),
    [
        (f"{BBO}/x-kind", "photo", ": must be one of event, picture"),
        (f"{BBO}/x-keys", [], ": has no effect; a channel has address, description, messages,"),
        (f"{BBO}/x-key", ["side"], ": 'side' is none of its x-parameters"),
        (f"{BBO}/x-parameters/symbol", {}, ": has no description, which a parameter needs"),
        (
            "/components/messages/TradesHappened/title",
            "T",
            ": has no effect; a message has payload,",
        ),
        (
            "/components/schemas/BestPricesFrame/properties/b",
            {"type": "number"},
            ": has no type that",
        ),
    ],
)
def test_what_the_generator_does_not_take_is_refused(
    place: str, value: object, told: str, tmp_path: Path
) -> None:
    path = written(changed({place: value}, tree(STREAMS.path)), tmp_path)

    with pytest.raises(SpecError) as caught:
        streams.read(path, spec())

    assert f"#{place}{told}" in str(caught.value)


def test_the_port_has_the_types_of_all_frames() -> None:
    told = streams.read(STREAMS.path, spec())
    api = attrs.asdict(read(SPEC))

    assert "streams.ts" not in render(api)
    given = json.loads(json.dumps({**api, "streams": attrs.asdict(told)}))
    made = render(given)["streams.ts"]
    assert made == (ROOT / "ports/typescript/src/generated/streams.ts").read_text("utf-8")
    for channel in told.channels:
        assert f'readonly source: "{channel.name}";' in made
