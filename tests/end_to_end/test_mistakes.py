"""What newcomers get wrong: each is told what is wrong, where, and what would be right.

The mistakes and their messages stand in mistakes.txt, in the form of a session of Python.
"""

from __future__ import annotations

import copy
import os
import pickle
import re
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from uuid import uuid4

import base58
import pytest
import requests
from requests.adapters import HTTPAdapter

import trading_sdk
import trading_sdk_observed
from tests.doubles.orders import market_order, resting
from tests.doubles.signer import OTHER_KEY, ScriptedSigner
from tests.doubles.transport import ScriptedTransport
from trading_sandbox import Sandbox
from trading_sdk import (
    ApiError,
    CancelOrder,
    Client,
    CreateMarketOrder,
    CreateOrder,
    Keypair,
    Order,
    OutcomeUnknownError,
    Retry,
)

TABLE = Path(__file__).with_name("mistakes.txt")
ROWS = re.findall(r"^>>> (.*)\n(.*)$", TABLE.read_text("utf-8"), re.MULTILINE)
ORDER = resting()
ONCE = Retry(max_attempts=1)
NAMED: tuple[Any, ...] = (
    *(Sandbox, Decimal, copy, date, datetime, pickle, requests),
    *(base58, time, uuid4),
)
"""What the lines of the table use by its own name."""


class NumpyFloat(float):
    """numpy.float64 is a float, too."""


class NaT(datetime):
    """pandas.NaT is a datetime, too."""

    def utcoffset(self) -> None:
        raise ValueError("NaTType does not support utcoffset")

    def __repr__(self) -> str:
        return "NaT"


NUMPY_TRUE = type("bool", (), {"__module__": "numpy", "__repr__": lambda _: "np.True_"})()


def told(error: BaseException) -> str:
    """What a newcomer reads, and the reason of a refusal, which a program reads."""
    reason = f" [{error.reason}]" if isinstance(error, ApiError) and error.reason else ""
    return f"{type(error).__name__}: {error}{reason}"


@pytest.mark.parametrize(("mistake", "message"), ROWS, ids=[mistake for mistake, _ in ROWS])
def test_a_mistake_is_told_what_is_right(mistake: str, message: str, names: dict[str, Any]) -> None:
    with pytest.raises(Exception) as caught:
        eval(mistake, names)
    text = ".*".join(map(re.escape, message.split("…")))
    assert re.fullmatch(text, told(caught.value)), told(caught.value)


def test_what_looks_like_a_mistake_and_is_none(names: dict[str, Any]) -> None:
    client: Client = names["client"]
    orders = client.orders.history()
    client.orders.create(**ORDER)

    # Iterating again fetches again, and a short list is no mistake either.
    assert list(orders) == list(orders) != []
    # A range of one moment is one.
    assert client.trades.history(start_time=1767225600000, end_time=1767225600000).to_list() == []
    # Only funding.history documents a maximum; where there is none the service decides.
    assert client.orders.history(limit=100_000).to_list() == list(orders)
    # A forked process opens connections of its own.
    child = os.fork()
    if child == 0:
        os._exit(0 if list(orders) else 1)
    assert os.waitpid(child, 0)[1] == 0


def test_the_log_warns_of_a_percentage_that_may_be_meant_as_a_fraction(
    caplog: pytest.LogCaptureFixture,
) -> None:
    for given in ("0.01", "0.1", "0"):
        CreateMarketOrder(**market_order(slippage_percent=given))
    told = "CreateMarketOrder.slippage_percent: 0.01 means 0.01 %; give a fraction times 100"
    logged = [each.getMessage() for each in caplog.records if each.name == "trading_sdk"]
    assert logged == [told]


@pytest.fixture(scope="module")
def names(exchange: Sandbox, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Any]]:
    """What the lines of the table use."""
    exchange.reset()
    key, agent = exchange.create_account("1000000"), Keypair.generate()
    stranger = Keypair.generate()
    exchange.bind_agent(key, agent)
    wallet = tmp_path_factory.mktemp("keys") / "wallet.json"
    wallet.write_text('{"key": 1}')
    wallet.chmod(0o600)
    journal, secure = wallet.with_name("journal"), exchange.url.replace("http:", "https:")
    with ExitStack() as clients:

        def connect(signer: Any = key, url: str = exchange.url, **options: Any) -> Client:
            return clients.enter_context(Client(url, signer=signer, **options))

        observed = clients.enter_context(trading_sdk_observed.Client(exchange.url, signer=key))
        slow = ScriptedSigner(key, before=lambda: time.sleep(0.12))
        client, closed = connect(), connect()
        closed.close()
        taken = wallet.with_name("taken")
        connect(journal=taken).unsettled()
        trader = connect(exchange.create_account())
        trader.orders.create(**ORDER)
        with connect(journal=journal) as lossy:
            exchange.faults.inject("orders.create", "reset", executed=False)
            with pytest.raises(OutcomeUnknownError) as lost:
                lossy.orders.create(**ORDER)
        yield {
            **vars(trading_sdk),
            **{each.__name__: each for each in NAMED},
            "np": SimpleNamespace(True_=NUMPY_TRUE),
            "pandas": SimpleNamespace(NaT=NaT(2026, 1, 1)),
            "trading_sdk_observed": trading_sdk_observed,
            "observed": observed,
            "url": exchange.url,
            "sandbox": exchange,
            "key": key,
            "stranger": stranger,
            "broken_file": str(wallet),
            "client": client,
            "closed": closed,
            "order": trader.orders.history().first(),
            "agent": connect(agent, account=key.address),
            "seed_text": base58.b58encode(bytes(range(32))).decode(),
            "base58_text": lambda size: base58.b58encode(bytes(range(1, size + 1))).decode(),
            "numpy_like": NumpyFloat(100_000.5),
            "reader": connect(None),
            "lost_error": lost.value,
            "stranger_with_its_journal": connect(stranger, journal=journal),
            "unbound": connect(stranger, account=key.address),
            "agent_without_account": connect(agent),
            "late": connect(slow, expiry_window=100),
            "impostor": connect(ScriptedSigner(key, signs=OTHER_KEY.sign)),
            "with_api_key": connect(api_key="nope"),
            "second_with_its_journal": connect(journal=taken),
            "main_for_its_subaccount": connect(account=exchange.create_subaccount(key).address),
            "no_tls": connect(url=secure, retry=ONCE),
            "transport": ScriptedTransport(),
            "without_tls": _session(verify=False),
            "repeating": _session(retries=3),
            "no_tls_over_session": connect(url=secure, retry=ONCE, session=_session()),
            "nowhere": connect(url="http://127.0.0.1:9", retry=ONCE),
            **_calls(client, connect(exchange.create_account("1000000")), lambda: connect()),
        }


def _session(*, verify: bool = True, retries: int = 0) -> requests.Session:
    session = requests.Session()
    session.trust_env = False
    session.verify = verify
    session.mount("https://", HTTPAdapter(max_retries=retries))
    return session


def _calls(client: Client, seller: Client, connect: Callable[[], Client]) -> dict[str, Any]:
    """Short forms of calls."""

    def create(**changes: Any) -> Any:
        return client.orders.create(**{**ORDER, **changes})

    def filled() -> int:
        """The id of an order that is filled."""
        seller.orders.create(**{**ORDER, "side": "ask", "price": "100000"})
        placed = client.orders.create(**{**ORDER, "price": "100000", "tif": "IOC"})
        return placed.order_id

    def after_with() -> Client:
        with connect() as made:
            return made

    def iterate_after_with() -> list[Order]:
        with connect() as made:
            found = made.orders.history()
        return list(found)

    def refused() -> ApiError:
        with pytest.raises(ApiError) as caught:
            create(price="1.5")
        return caught.value

    return {
        "create": create,
        "filled": filled,
        "if_": lambda found: 1 if found else 2,
        "after_with": after_with,
        "iterate_after_with": iterate_after_with,
        "ORDER": ORDER,
        "without": lambda name: {each: ORDER[each] for each in ORDER if each != name},
        "cancel": CancelOrder(symbol="BTC", order_id=42),
        "create_with_id": CreateOrder(**ORDER, client_order_id=uuid4()),
        "refused_error": refused(),
    }
