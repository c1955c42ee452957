"""Tables of pyarrow, or what to install: the records of a day, and merging what was read with what is stored."""

from __future__ import annotations

from datetime import date

from trading_toolkit.lists import CHANGED_AT, MADE_AT

try:
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.csv as pa_csv
    import pyarrow.dataset as pa_dataset
    import pyarrow.fs as pa_fs
    import pyarrow.json as pa_json
    import pyarrow.parquet as pa_parquet
except ImportError as error:
    raise ImportError("this needs pyarrow: pip install 'trading-service-sdk[toolkit]'") from error

__all__ = [
    "days_of",
    "merged",
    "of_day",
    "pa",
    "pa_csv",
    "pa_dataset",
    "pa_fs",
    "pa_json",
    "pa_parquet",
]

_ORDER = "_order"
_COUNT = "_count"


def days_of(table: pa.Table) -> list[date]:
    """The days (UTC) on which the records of a table were made, oldest first."""
    return sorted(table.column(MADE_AT).cast(pa.date32()).unique().to_pylist())


def of_day(table: pa.Table, day: date) -> pa.Table:
    """The records that were made on a day."""
    return table.filter(pc.field(MADE_AT).cast(pa.date32()) == pa.scalar(day))


def merged(stored: pa.Table, read: pa.Table, key: str | None) -> pa.Table:
    """The records of a day, oldest first: those stored, and those that were read now.

    Of two versions of one record the one that changed last counts, else the one that was read last. Without
    a key equal records stand as often as in that of the two tables which has more of them.
    """
    if key is not None:
        return _in_order(_latest(pa.concat_tables([stored, read]), key), key)
    names = stored.column_names
    counts = [
        table.group_by(names).aggregate([([], "count_all")]).rename_columns([*names, _COUNT])
        for table in (stored, read)
    ]
    most = pa.concat_tables(counts).group_by(names).aggregate([(_COUNT, "max")])
    repeated = most.column(f"{_COUNT}_max").to_pylist()
    rows = [row for row, times in enumerate(repeated) for _ in range(times)]
    return _in_order(most.select(names).take(pa.array(rows, pa.int64())), None)


def _latest(both: pa.Table, key: str) -> pa.Table:
    """One record for each key."""
    if CHANGED_AT in both.column_names:
        read = both.append_column(_ORDER, _numbers(both))
        both = read.sort_by([(CHANGED_AT, "ascending"), (_ORDER, "ascending")]).drop_columns(_ORDER)
    places = pa.table({key: both.column(key), _ORDER: _numbers(both)})
    last = places.group_by(key).aggregate([(_ORDER, "max")])
    return both.take(last.column(f"{_ORDER}_max"))


def _numbers(table: pa.Table) -> pa.Array:
    return pa.array(range(table.num_rows), pa.int64())


def _in_order(table: pa.Table, key: str | None) -> pa.Table:
    """Oldest first, and those of one moment by their values, so that equal tables give equal files."""
    by = [MADE_AT, *([key] if key else (name for name in table.column_names if name != MADE_AT))]
    return table.sort_by([(name, "ascending") for name in by]).combine_chunks()
