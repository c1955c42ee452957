"""The store: what is written is read back, in full and only by one sandbox at a time."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from decimal import Decimal
from pathlib import Path
from typing import Any

import attrs
import pytest
from hypothesis import given, settings, strategies as st

from tests.sandbox.desk import Desk, leg
from tests.sandbox.raw import row
from tests.sandbox.trading import NOW, Market, opened
from tests.soak.targets import Target
from trading_sandbox import Sandbox
from trading_sandbox.engine.commands import Command
from trading_sandbox.engine.exchange import COMMANDS, Exchange
from trading_sandbox.engine.records import Changes, Funding, Order
from trading_sandbox.engine.state import Account, MarketState, State, Vault
from trading_sandbox.store.codec import decode_command, decode_state, encode_command, encode_state
from trading_sandbox.store.database import Store
from trading_sandbox.store.records import rows

decimals = st.decimals(allow_nan=False, allow_infinity=False)
st.register_type_strategy(Decimal, decimals)
quickly = settings(max_examples=10)


def fields(kind: type[Any]) -> st.SearchStrategy[Any]:
    """Return any instance of a class, with every field given."""
    given = {field.name: ... for field in attrs.fields(attrs.resolve_types(kind)) if field.init}
    return st.builds(kind, **given)


orders = fields(Order)
states = st.builds(
    State,
    seed=st.integers(),
    started_at=st.integers(),
    now=st.integers(),
    accounts=st.dictionaries(st.text(), fields(Account), max_size=2),
    vaults=st.dictionaries(st.text(), fields(Vault), max_size=2),
    markets=st.dictionaries(st.text(), fields(MarketState), max_size=2),
    orders=st.dictionaries(st.integers(), orders, max_size=3),
    frozen_at=st.none() | st.integers(),
    fees=decimals,
)


@pytest.mark.parametrize("kind", COMMANDS.values(), ids=lambda kind: kind.__name__)
def test_every_command_is_read_back_as_it_was(kind: type[Any]) -> None:
    @quickly
    @given(fields(kind))
    def check(command: Command) -> None:
        assert decode_command(*encode_command(command)) == command

    check()


@quickly
@given(states)
def test_every_state_is_read_back_digit_by_digit(state: State) -> None:
    text = encode_state(state)

    read = decode_state(text)

    assert read == state
    assert encode_state(read) == text


# -- files ---------------------------------------------------------------------------------------


def written(file: Path, statement: str) -> None:
    with closing(sqlite3.connect(file)) as connection:
        connection.execute(statement)
        connection.commit()


def of_another_format(file: Path) -> None:
    opened(file).close()
    written(file, "PRAGMA user_version = 99")


@pytest.mark.parametrize(
    ("write", "words"),
    [
        (lambda file: file.write_text("Dear diary, " * 1000), "is not a state file of the sandbox"),
        (lambda file: file.write_text("x"), "is not a state file of the sandbox"),
        (lambda file: written(file, "CREATE TABLE poems (text)"), "is not a state file of the"),
        (of_another_format, "has format 99"),
        (lambda file: opened(file, seed=8).close(), "was opened with seed 8, not with 7"),
    ],
)
def test_a_foreign_file_is_refused_and_left_as_it_is(
    tmp_path: Path, write: Any, words: str
) -> None:
    file = tmp_path / "state"
    write(file)
    content = file.read_bytes()

    with pytest.raises(ValueError, match=words) as error:
        Store(file, 7)

    assert str(file) in str(error.value)
    assert file.read_bytes() == content
    assert list(tmp_path.iterdir()) == [file]


def test_a_folder_is_no_state_file(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="cannot be opened"):
        Store(tmp_path, 7)


def test_a_file_that_is_in_use_is_refused_until_its_user_ends_or_is_killed(tmp_path: Path) -> None:
    words = "is in use: another sandbox keeps its state there"
    first = opened(tmp_path / "state")
    with pytest.raises(ValueError, match=words):
        Store(tmp_path / "state", 7)
    Market(first).bid("99000")
    first.close()

    other = Target(tmp_path / "state")
    other.start()
    with pytest.raises(ValueError, match=words):
        Store(other.file, 7)
    other.kill()
    other.reap()
    opened(other.file).close()


def test_a_state_file_waits_for_the_disk_if_asked_when_new_and_when_opened_again(
    tmp_path: Path,
) -> None:
    full: dict[str, Any] = {"synchronous": "full"}
    for options, expected in ((full, 2), (full, 2), ({}, 1)):
        with Sandbox(state=tmp_path / "state", maker=False, **options) as sandbox:
            connection = sandbox._controls._service._store._connection
            assert connection.execute("PRAGMA synchronous").fetchone() == (expected,)
            assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_an_exchange_that_was_begun_in_part_is_begun_again(tmp_path: Path) -> None:
    class Halfway(Exception):
        pass

    class Broken(Store):
        def _write_records(self, changes: Changes, seq: int) -> None:
            raise Halfway

    store = Broken(tmp_path / "state", 7)
    with pytest.raises(Halfway):
        store.begin(Exchange.opened(7, NOW, maker_on=False))
    store.close()

    again = Store(tmp_path / "state", 7)
    assert again.is_new
    again.close()


def test_a_state_without_the_fields_that_came_later_is_read(desk: Desk) -> None:
    parent = desk.limit("alice", "bid", "99000", "0.1", stop_loss=leg("95000"))
    desk.trade("alice", "bob", "100000", "0.1")
    older = json.loads(encode_state(desk.exchange.state))
    for market in older["markets"].values():
        del market["pins"]
    del older["orders"][str(parent.order_id)]["attached"]
    position = older["accounts"]["alice"]["positions"]["BTC"]
    for name in ("opened_at", "updated_at", "funding"):
        del position[name]

    read = decode_state(json.dumps(older))
    assert read.markets == desk.exchange.state.markets
    assert read.orders[parent.order_id].attached is None
    old, new = (state.accounts["alice"].position("BTC") for state in (read, desk.exchange.state))
    assert (old.size, old.cost) == (new.size, new.cost)
    assert (old.opened_at, old.updated_at, old.funding) == (0, 0, Decimal(0))
    # Fields that were renamed have their old names there.
    assert older["orders"][str(parent.order_id + 1)]["stop"]["waiting"] is True
    assert [older["accounts"][name]["house"] for name in ("maker", "alice")] == [True, False]
    assert older["forced"] == {}


# -- records --------------------------------------------------------------------------------------


def test_the_numbers_of_a_record_are_kept_as_the_wire_shows_them() -> None:
    prices = {"oracle_price": "1E+5", "bid_impact_price": "99999", "ask_impact_price": "100001"}
    rates = {"funding_rate": "0.00001250", "next_funding_rate": "0E-8"}
    numbers: Any = {name: Decimal(text) for name, text in (prices | rates).items()}
    funding = Funding(symbol="BTC", created_at=NOW, **numbers)
    [kept] = rows(Changes(fundings=[funding]))
    assert row(json.loads(kept.record)) == (
        "oracle_price=100000 bid_impact_price=99999 ask_impact_price=100001 "
        f"funding_rate=0.0000125 next_funding_rate=0 created_at={NOW}"
    )
