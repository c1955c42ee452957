"""Every operation that faults are tried on, and how to tell the result of its call."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, get_args

from attrs import frozen

from tests.faults.calls import PAGES, PREPARE, Pages, Prepare
from trading_runtime.operation import ListOperation
from trading_sdk import (
    AccountSettings,
    ActionResult,
    FundingRecord,
    Order,
    OrderPlaced,
    SharesMinted,
    SpotBalanceEvent,
    SpotWithdrawal,
    Subaccount,
    Trade,
    WithdrawalReceipt,
)
from trading_sdk.operations import API

Kind = Literal["GET", "signed read", "idempotent POST", "POST without id", "POST with id"]
KINDS: tuple[Kind, ...] = get_args(Kind)


@frozen(kw_only=True)
class Subject:
    """An operation, or a batch action that has a method of its own."""

    name: str
    prepare: Prepare
    right: Callable[[Any], bool]
    """Whether a result is that of the call."""
    pages: Pages | None = None
    """The paginator of a list operation, one record a page, at least three pages."""

    @property
    def sent_as(self) -> str:
        """The operation that the service sees."""
        return self.name if self.name in API.operations else "orders.batch"

    @property
    def kind(self) -> Kind:
        """The column of the fault matrix; apart are what is signed and what may follow a 429."""
        if self.name in API.operations and API.operations[self.name].method == "GET":
            return "GET"
        known = API.operations.get(self.name) or API.actions[self.name]
        return _KIND_OF[known.retry]

    @property
    def reads(self) -> bool:
        return self.kind in ("GET", "signed read")

    @property
    def lists(self) -> bool:
        return isinstance(API.operations.get(self.name), ListOperation)


_KIND_OF: Mapping[str, Kind] = {
    "safe": "signed read",
    "idempotent": "idempotent POST",
    "never": "POST without id",
    "by-key": "POST with id",
}

# -- the table ------------------------------------------------------------------------------


def _is(kind: type) -> Callable[[Any], bool]:
    return lambda result: isinstance(result, kind)


def _one(kind: type) -> Callable[[Any], bool]:
    return lambda result: [type(each) for each in result] == [kind]


def _nothing(result: Any) -> bool:
    return result is None


def _all_done(results: Sequence[ActionResult]) -> bool:
    return [each.success for each in results] == [True, True]


def _a_key(result: Any) -> bool:
    return len(result.api_key) > 20


_RIGHT: Mapping[str, Callable[[Any], bool]] = {
    "orders.create": _is(OrderPlaced),
    "orders.create_stop": _is(OrderPlaced),
    "orders.edit": _is(OrderPlaced),
    "orders.cancel_stop": _nothing,
    "orders.batch": _all_done,
    "orders.history": _one(Order),
    "trades.history": _one(Trade),
    "spot.withdraw": _is(WithdrawalReceipt),
    "spot.balance_history": _one(SpotBalanceEvent),
    "spot.withdrawal_history": _one(SpotWithdrawal),
    "account.settings": _is(AccountSettings),
    "account.update_spot_settings": _nothing,
    "account.set_auto_lend_disabled": _nothing,
    "subaccounts.list": _one(Subaccount),
    "subaccounts.transfer": _nothing,
    "vaults.add_max_leverage": _nothing,
    "vaults.remove_max_leverage": _nothing,
    "vaults.remove_blacklist": _nothing,
    "vaults.claim_manager": _is(SharesMinted),
    "funding.history": _one(FundingRecord),
    "api_keys.create": _a_key,
    "api_keys.revoke": _a_key,
    "api_keys.list": lambda result: "api_keys" in result,
    "orders.cancel": _is(ActionResult),
    "orders.create_market": _is(ActionResult),
    "orders.set_position_tpsl": _is(ActionResult),
}

SUBJECTS: Mapping[str, Subject] = {
    name: Subject(name=name, prepare=PREPARE[name], right=right, pages=PAGES.get(name))
    for name, right in _RIGHT.items()
}
"""Every operation of the service, and the actions that only a batch has; by name."""
