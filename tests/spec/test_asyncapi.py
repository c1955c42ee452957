"""The stock parser of AsyncAPI reads spec/streams.yaml, and finds nothing wrong."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
import yaml

from codegen.packages import SHIPPED
from tests.spec.prism import node_binary, node_tool

pytestmark = pytest.mark.node

SCRIPT = Path(__file__).parent / "asyncapi.mjs"


def test_the_stock_parser_reads_the_streams() -> None:
    streams = SHIPPED["trading_sdk_observed"].streams
    assert streams is not None
    parser = node_tool("@asyncapi/parser", "cjs/index.js")
    command = (node_binary(), SCRIPT, parser, streams.path)
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout

    read = json.loads(printed)
    assert read["errors"] == []
    assert read["channels"] == [*yaml.safe_load(streams.path.read_text("utf-8"))["channels"]]
