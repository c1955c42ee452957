"""An operation that the sandbox does not know is answered in so many words, not by a failure."""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Any, cast

import attrs
import pytest
from requests import Response

from tests.interface import METHODS, OPERATIONS
from tests.sandbox.raw import RawClient, bare_refusal, limit_order, refusal
from trading_runtime import BatchOperation, OpenEnum, Operation
from trading_sandbox import Sandbox
from trading_sandbox.engine.commands import PlaceLimit
from trading_sandbox.web import commands
from trading_sandbox.web.commands import BUILDERS
from trading_sandbox.web.dialects import documented, live
from trading_sandbox.web.dialects.dialect import Dialect
from trading_sandbox.web.lists import LISTS
from trading_sdk import ApiError, Client, CreateOrder, Paginator, SetAutoLendDisabled
from trading_sdk.operations import API

ORDER = limit_order(price="90000")
ANSWERS = cast("dict[str, Any]", documented.DIALECT.answers)
BATCHES = {name for name, each in API.operations.items() if isinstance(each, BatchOperation)}


def served_with(monkeypatch: pytest.MonkeyPatch, larger: Operation[Any]) -> Sandbox:
    """A sandbox of a spec in which an operation has more than it models."""
    operations = {**API.operations, larger.name: larger}.values()
    api = attrs.evolve(API, operations=operations)
    monkeypatch.setattr(documented, "DIALECT", attrs.evolve(documented.DIALECT, api=api))
    return Sandbox(maker=False, taker_delay=0)


@pytest.mark.parametrize("name", sorted(METHODS.keys() - BATCHES))
def test_an_operation_that_is_not_modelled_is_refused(
    client: Client, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    for known in (BUILDERS, LISTS, ANSWERS):
        monkeypatch.delitem(known, name, raising=False)
    with pytest.raises(ApiError, match=rf"{name} is not modelled") as refused:
        result = attrgetter(name)(client)(**METHODS[name].least)
        if isinstance(result, Paginator):
            list(result)

    assert refused.value.status == 501


class WiderSide(OpenEnum):
    """As after a spec that has a new value."""

    BID = "bid"
    BOTH = "both"


@attrs.frozen(kw_only=True)
class WiderOrder(CreateOrder):
    side: WiderSide = attrs.field(converter=WiderSide)  # type: ignore[assignment]


def test_a_value_of_an_enum_that_is_not_modelled_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    larger = attrs.evolve(API.operations["orders.create"], params=WiderOrder)
    with served_with(monkeypatch, larger) as sandbox:
        user = RawClient.of(sandbox)
        told = bare_refusal(user.call("orders.create", **{**ORDER, "side": "both"}), 501)
        assert told == "WiderSide both is not modelled by this sandbox"
        assert user.orders() == []
        assert user.call("orders.create", **ORDER).status_code == 200


def _without_stops(account: str, model: Any) -> Any:
    return PlaceLimit(
        account=account,
        symbol=model.symbol,
        side=model.side.value,
        price=model.price,
        amount=model.amount,
        tif=model.tif.value,
        reduce_only=model.reduce_only,
        client_order_id=str(model.client_order_id),
    )


@pytest.mark.parametrize("batch", [False, True])
def test_a_field_that_no_command_is_made_of_is_refused_where_it_is_given(
    client: Client, monkeypatch: pytest.MonkeyPatch, batch: bool
) -> None:
    """As after a spec that has a new field, which the sandbox would ignore."""

    def place(**more: Any) -> object:
        if batch:
            return client.orders.batch([CreateOrder(**ORDER, **more)])
        return client.orders.create(**ORDER, **more)

    monkeypatch.setitem(BUILDERS, "orders.create", _without_stops)
    place()
    with pytest.raises(ApiError, match=r"The field stop_loss of orders.create is not") as refused:
        place(stop_loss={"stop_price": "80000"})
    assert refused.value.status == 501
    assert len(list(client.orders.history())) == 1


def test_what_a_read_does_not_look_at_is_refused(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    without = attrs.evolve(LISTS["trades.history"], filters=frozenset({"account"}))
    monkeypatch.setitem(LISTS, "trades.history", without)
    monkeypatch.setitem(ANSWERS, "account.settings", lambda service, fields, reply: {})
    assert list(client.trades.history()) == []
    reads: tuple[tuple[str, Callable[[], object]], ...] = (
        ("parameter symbol of trades.history", lambda: list(client.trades.history(symbol="BTC"))),
        ("field account of account.settings", client.account.settings),
    )
    for what, read in reads:
        with pytest.raises(ApiError, match=rf"The {what} is not modelled") as refused:
            read()
        assert refused.value.status == 501


def test_a_field_that_a_signed_read_does_not_look_at_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As after a spec that has a new field of `api_keys.list`, which has none."""
    larger = attrs.evolve(API.operations["api_keys.list"], params=SetAutoLendDisabled)
    with served_with(monkeypatch, larger) as sandbox:
        refused = RawClient.of(sandbox).call("api_keys.list", disabled=True)
        assert refusal(refused, 501).startswith("The field disabled of api_keys.list is not")


@pytest.mark.parametrize("name", ["orders.create", "orders.batch"])
def test_a_query_that_is_not_modelled_is_refused(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """As after a spec that has a new parameter of a request with a body."""
    larger = attrs.evolve(API.operations[name], in_url=("venue",))
    path = larger.path
    with served_with(monkeypatch, larger) as sandbox:
        user = RawClient.of(sandbox)

        def send(path: str) -> Response:
            if name == "orders.batch":
                return user.post(path, {"actions": [user.action("Create", ORDER)]})
            return user.post(path, user.signed(OPERATIONS[name], ORDER))

        assert send(path).status_code == 200
        told = bare_refusal(send(f"{path}?venue=a"), 501)
        assert told == f"The parameter venue of {name} is not modelled by this sandbox"
        assert len(user.orders()) == 1


@pytest.mark.parametrize("dialect", [documented.DIALECT, live.DIALECT])
def test_every_field_of_the_spec_is_read(dialect: Dialect) -> None:
    methods = {**dialect.api.operations, **dialect.api.actions}
    answers: dict[str, Any] = {**dialect.answers, **dialect.builders}
    modelled = answers.keys() & methods.keys()
    unread = {name: commands.unread(methods[name], answers[name]) for name in modelled}
    assert not any(unread.values()), unread
