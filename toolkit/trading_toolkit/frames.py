"""Records as a table of pandas or Polars."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Literal, overload

from trading_toolkit import columns
from trading_toolkit.arrow import pa
from trading_toolkit.errors import ToolkitError

if TYPE_CHECKING:
    import pandas
    import polars


@overload
def to_frame(
    records: Iterable[Any],
    library: Literal["pandas"] = "pandas",
    *,
    decimals: Literal["decimal", "float"] = "decimal",
    of: type[Any] | None = None,
) -> pandas.DataFrame: ...
@overload
def to_frame(
    records: Iterable[Any],
    library: Literal["polars"],
    *,
    decimals: Literal["decimal", "float"] = "decimal",
    of: type[Any] | None = None,
) -> polars.DataFrame: ...
def to_frame(
    records: Iterable[Any],
    library: Literal["pandas", "polars"] = "pandas",
    *,
    decimals: Literal["decimal", "float"] = "decimal",
    of: type[Any] | None = None,
) -> Any:
    """The records of one kind, like `client.trades.history()`, as a table with a row each.

    Times are UTC, and enums are text. Every column is there, also if no record has a value for it.

    Args:
        records: Records of one class: a paginator, a list, a page. A dataset of `history.read`, or a table
            of pyarrow, is taken as well.
        library: `pandas` or `polars`, which must be installed.
        decimals: `decimal` keeps money exact; `float` is faster to compute with, and rounds.
        of: The class of the records, like `Trade`: it gives the columns if there are no records.

    Raises:
        ToolkitError: The records are of several classes, or there are none and `of` is not given.
    """
    for name, value, known in (
        ("library", library, ("pandas", "polars")),
        ("decimals", decimals, ("decimal", "float")),
    ):
        if value not in known:
            raise ToolkitError(f"{name} must be {' or '.join(map(repr, known))}, not {value!r}")
    table = _table(records, of)
    if decimals == "float":
        table = table.cast(pa.schema([_as_float(each) for each in table.schema]))
    if library == "pandas":
        return table.to_pandas()
    import polars

    return polars.from_arrow(table)


def _table(records: Any, of: type[Any] | None) -> pa.Table:
    if isinstance(records, pa.Table):
        return records
    if hasattr(records, "to_table"):
        return records.to_table()
    try:
        rows = list(records)
    except TypeError:
        raise ToolkitError(
            f"{records!r} holds no records; give a list of them, or a paginator"
        ) from None
    kinds = {type(each) for each in rows} | ({of} if of else set())
    if len(kinds) != 1:
        names = ", ".join(sorted(getattr(each, "__name__", str(each)) for each in kinds))
        raise ToolkitError(
            f"records of one class are a table, not of {names}"
            if kinds
            else "there are no records, so write of=CLASS, like of=Trade, for the columns"
        )
    [kind] = kinds
    if not columns.is_record(kind):
        raise ToolkitError(
            f"a {getattr(kind, '__name__', kind)} is no record of the SDK, like those of client.orders.history()"
        )
    return columns.table(kind, rows)


def _as_float(field: pa.Field) -> pa.Field:
    return field.with_type(pa.float64()) if pa.types.is_decimal(field.type) else field
