"""What is wrong in spec/streams.yaml is refused with its place."""

from __future__ import annotations

import json
from pathlib import Path

import attrs
import pytest
import yaml

from codegen.__main__ import read
from codegen.packages import ROOT, SHIPPED, SPEC
from codegen.read import source, streams
from codegen.read.load import SpecError
from ports.typescript.generator.render import render

PACKAGE = SHIPPED["trading_sdk_observed"]


@pytest.mark.parametrize(
    ("place", "value", "told"),
    [
        (
            ("channels", "bbo", "x-kind"),
            "photo",
            "#/channels/bbo/x-kind: must be one of event, picture",
        ),
        (
            ("channels", "bbo", "x-keys"),
            ["symbol"],
            "#/channels/bbo/x-keys: has no effect; a channel has address, description, messages,",
        ),
        (
            ("channels", "bbo", "x-key"),
            ["side"],
            "#/channels/bbo/x-key: 'side' is none of its x-parameters",
        ),
        (
            ("channels", "bbo", "x-parameters", "symbol"),
            {"default": "BTC"},
            "#/channels/bbo/x-parameters/symbol: has no description, which a parameter needs",
        ),
        (
            ("components", "messages", "TradesHappened", "title"),
            "Trades",
            "#/components/messages/TradesHappened/title: has no effect; a message has payload,",
        ),
        (
            ("components", "schemas", "BestPricesFrame", "properties", "b"),
            {"type": "number"},
            "#/components/schemas/BestPricesFrame/properties/b: has no type that an answer may have",
        ),
    ],
)
def test_what_the_generator_does_not_take_is_refused(
    place: tuple[str, ...], value: object, told: str, tmp_path: Path
) -> None:
    assert PACKAGE.streams is not None
    document = yaml.safe_load(PACKAGE.streams.path.read_text("utf-8"))
    node = document
    for key in place[:-1]:
        node = node[key]
    node[place[-1]] = value
    path = tmp_path / "streams.yaml"
    path.write_text(yaml.safe_dump(document), "utf-8")

    with pytest.raises(SpecError) as caught:
        streams.read(path, source.read(SPEC, PACKAGE.overlays).root)

    assert told in str(caught.value)


def test_every_channel_of_the_page_is_there() -> None:
    assert PACKAGE.streams is not None
    read = streams.read(PACKAGE.streams.path, source.read(SPEC, PACKAGE.overlays).root)
    assert {each.name for each in read.channels} == {
        *("prices", "book", "bbo", "trades", "candle", "mark_price_candle", "account_info"),
        *("account_positions", "account_orders", "account_order_updates", "account_trades"),
        *("account_leverage", "account_margin", "account_transfers"),
    }


def test_the_port_has_the_types_of_all_frames() -> None:
    assert PACKAGE.streams is not None
    told = streams.read(PACKAGE.streams.path, source.read(SPEC, PACKAGE.overlays).root)
    api = attrs.asdict(read(SPEC))

    assert "streams.ts" not in render(api)
    given = json.loads(json.dumps({**api, "streams": attrs.asdict(told)}))
    made = render(given)["streams.ts"]
    assert made == (ROOT / "ports/typescript/src/generated/streams.ts").read_text("utf-8")
    for channel in told.channels:
        assert f'readonly source: "{channel.name}";' in made
