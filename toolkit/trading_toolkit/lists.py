"""The lists that can be kept: which record of a list is which, and from when on a list is read again."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any

from attrs import frozen

from trading_runtime import BaseClient, ListOperation, Paginator
from trading_toolkit.errors import ToolkitError, check_client, check_text

KEYS: Mapping[str, tuple[str, ...]] = {
    "trades.history": ("history_id", "symbol"),
    "positions.history": ("history_id", "symbol"),
    "funding.payments": ("history_id", "symbol"),
    "orders.history": ("order_id", "symbol"),
    "twap.history": ("order_id", "symbol"),
}
"""The fields that identify a record, by list; a service may count ids by market. The records of any other list have no
id: a record is all of its values, and how often these stand in the list."""

_ORDER = ("side", "client_order_id")
CONSTANT: Mapping[str, tuple[str, ...]] = {"orders.history": _ORDER, "twap.history": _ORDER}
"""The fields that all versions of a record share, by list. Of any other list with ids these are all fields but
`MADE_AT`, which a service corrects."""

LATER = "transaction_id"
"""A field that is empty in a new record, and has a value later."""

CHANGED_AT = "updated_at"
"""The time of the last change of a record, where it has one."""

STATUS = "order_status"
"""The field that says whether a record may change yet, where it has one."""

MADE_AT = "created_at"
"""When a record was made: it decides the day that the record is kept under."""

LARGE_PAGE = 1_000
"""Records of the largest page to ask for where the spec names no limit."""

_PAGING = ("cursor", "limit", "start_time", "end_time", "offset")


@frozen
class RecordList:
    """A list of one client, with the arguments that it is read with."""

    name: str
    """Name of its operation, like `trades.history`."""

    model: type[Any]
    """Class of its records."""

    arguments: Mapping[str, Any]
    """The arguments that say which list it is, like the symbol of a market."""

    key: tuple[str, ...] | None
    """The fields that identify a record; None where all of its values do."""

    constant: tuple[str, ...]
    """The fields in which two records of one key do not differ; a value may come later."""

    largest_page: int
    """Records of the largest page to ask for."""

    starts: bool
    """Whether the list can be read from a time on (`start_time`)."""

    def pages(
        self, client: BaseClient, *, cursor: str | None, since: int | None, limit: int | None
    ) -> Paginator[Any]:
        """Its pages, from a cursor on, or else from its beginning."""
        group, _, method = self.name.partition(".")
        start = since if self.starts else None
        paging = {"cursor": cursor, "start_time": start, "limit": limit}
        given = {name: value for name, value in paging.items() if value is not None}
        found: Paginator[Any] = getattr(getattr(client, group), method)(**self.arguments, **given)
        return found


def record_list(client: BaseClient, name: str, arguments: Mapping[str, Any]) -> RecordList:
    """The list of a name: `trades` stands for `trades.history`.

    Raises:
        ToolkitError: the client has no such list, or an argument is wrong or missing.
    """
    check_client(client)
    check_text("the name of a list", name)
    lists = {
        each.name: each
        for each in client.api.operations.values()
        if isinstance(each, ListOperation)
    }
    full = name if "." in name else f"{name}.history"
    operation = lists.get(full)
    if operation is None:
        near = get_close_matches(full, lists, 1, 0.75)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        raise ToolkitError(f"there is no list {name!r}; there are {', '.join(lists)}{hint}")
    group, _, method = full.partition(".")
    parameters = inspect.signature(getattr(getattr(client, group), method)).parameters
    for each in arguments:
        if each in _PAGING or each not in parameters:
            known = ", ".join(name for name in parameters if name not in _PAGING)
            raise ToolkitError(f"{full} is not kept by {each!r}; its arguments are {known}")
    account = arguments.get("account", client.account_address)
    given = dict(arguments)
    if operation.account is not None:
        if account is None:
            raise ToolkitError(
                f"{full} needs an account: write account=..., or give the client one"
            )
        given[operation.account] = account
    missing = [
        each.name
        for each in parameters.values()
        if each.default is each.empty and each.name not in given
    ]
    if missing:
        raise ToolkitError(f"{full} needs {', '.join(missing)}, like {missing[0]}=...")
    if operation.result is None or MADE_AT not in operation.result.__annotations__:
        raise ToolkitError(
            f"the records of {full} have no {MADE_AT}, and so no day to keep them under"
        )
    key = KEYS.get(full)
    values = (name for name in operation.result.__annotations__ if name != MADE_AT)
    constant = CONSTANT.get(full, tuple(values))
    largest, starts = operation.pagination.max_limit or LARGE_PAGE, "start_time" in parameters
    return RecordList(full, operation.result, given, key, constant, largest, starts)
