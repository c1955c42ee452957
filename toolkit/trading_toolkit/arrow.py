"""Tables of pyarrow, or what to install: the records of a day, and merging what was read with what is stored."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence, Set
from datetime import date
from typing import Any

from trading_toolkit.errors import ToolkitError
from trading_toolkit.lists import CHANGED_AT, LATER, MADE_AT, RecordList

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
    "keys_of",
    "latest",
    "merged",
    "of_day",
    "pa",
    "pa_csv",
    "pa_dataset",
    "pa_fs",
    "pa_json",
    "pa_parquet",
    "repeated",
    "without",
]

_ORDER = "_order"
_COUNT = "_count"


def days_of(table: pa.Table) -> list[date]:
    """The days (UTC) on which the records of a table were made, oldest first."""
    return sorted(table.column(MADE_AT).cast(pa.date32()).unique().to_pylist())


def of_day(table: pa.Table, day: date) -> pa.Table:
    """The records that were made on a day."""
    return table.filter(pc.field(MADE_AT).cast(pa.date32()) == pa.scalar(day))


def merged(stored: pa.Table, read: pa.Table, kind: RecordList) -> pa.Table:
    """The records of a day, oldest first: those stored, and those that were read now.

    Of two versions of one record the one that changed last counts, else the one that was read last. Without
    a key equal records stand as often as in that of the two tables which has more of them.

    Raises:
        ToolkitError: two different records have one id.
    """
    if kind.key is not None:
        return _in_order(latest(pa.concat_tables([stored, read]), kind), kind.key)
    names = stored.column_names
    most = _counts([stored, read], names)
    repeated = most.column(_COUNT).to_pylist()
    if LATER in names:
        repeated = _completed(stored, read, most, repeated)
    rows = [row for row, times in enumerate(repeated) for _ in range(times)]
    return _in_order(most.select(names).take(pa.array(rows, pa.int64())), None)


def _counts(tables: Sequence[pa.Table], names: Sequence[str]) -> pa.Table:
    """How often each row stands in that of the tables which has it most often."""
    counts = [
        table.group_by(names).aggregate([([], "count_all")]).rename_columns([*names, _COUNT])
        for table in tables
    ]
    most = pa.concat_tables(counts).group_by(names).aggregate([(_COUNT, "max")])
    return most.rename_columns([*names, _COUNT])


def _completed(stored: pa.Table, read: pa.Table, most: pa.Table, times: list[int]) -> list[int]:
    """How often each row stands in both tables together, where a value may have come to some of them meanwhile."""
    names = [name for name in stored.column_names if name != LATER]
    needed = Counter[tuple[Any, ...]]()
    for key, number in zip(*_keyed(_counts([stored, read], names), names, _COUNT), strict=True):
        needed[key] = number
    whole = list(zip(*_keyed(most, names, LATER), times, strict=True))
    for key, value, number in whole:
        needed[key] -= number if value else 0
    return [number if value else max(0, needed[key]) for key, value, number in whole]


def _keyed(table: pa.Table, names: Sequence[str], name: str) -> tuple[list[Any], list[Any]]:
    """The keys of the rows of a table, and their values in another column."""
    return keys_of(table, names), table.column(name).to_pylist()


def latest(both: pa.Table, kind: RecordList) -> pa.Table:
    """One record for each key.

    Raises:
        ToolkitError: two different records have one key.
    """
    assert kind.key is not None
    key = [*kind.key]
    if CHANGED_AT in both.column_names:
        read = both.append_column(_ORDER, _numbers(both))
        both = read.sort_by([(CHANGED_AT, "ascending"), (_ORDER, "ascending")]).drop_columns(_ORDER)
    places = both.select(key).append_column(_ORDER, _numbers(both))
    last = places.group_by(key).aggregate([(_ORDER, "max")])
    if last.num_rows < both.num_rows:
        _check_versions(both, kind.key, kind.constant)
    return both.take(last.column(f"{_ORDER}_max"))


def _check_versions(both: pa.Table, key: Sequence[str], constant: Sequence[str]) -> None:
    """Refuse two records of one key that are no versions of one record."""
    names = [*key, *(name for name in constant if name not in key)]
    different = both.group_by(names).aggregate([])
    suspects = without(different, key, repeated(different, key), keep=True)
    versions: dict[tuple[Any, ...], dict[str, Any]] = {}
    for of, row in zip(keys_of(suspects, key), suspects.to_pylist(), strict=True):
        known = versions.setdefault(of, row)
        wrong = [
            name
            for name in names
            if known[name] != row[name] and None not in (known[name], row[name])
        ]
        if wrong:
            texts = (", ".join(f"{name} {each[name]}" for name in wrong) for each in (known, row))
            named = " of ".join(map(str, of))
            raise ToolkitError(f"{key[0]} {named} is two records: {' and '.join(texts)}")
        versions[of] = {name: known[name] if row[name] is None else row[name] for name in names}


def keys_of(table: pa.Table, key: Sequence[str]) -> list[tuple[Any, ...]]:
    """The key of each row."""
    return list(zip(*(table.column(name).to_pylist() for name in key), strict=True))


def repeated(table: pa.Table, key: Sequence[str]) -> frozenset[tuple[Any, ...]]:
    """The keys that more than one row has."""
    names = [*key]
    counts = table.group_by(names).aggregate([([], "count_all")])
    return frozenset(keys_of(counts.filter(pc.field("count_all") > 1), names))


def without(
    table: pa.Table, key: Sequence[str] | None, keys: Set[Sequence[Any]], *, keep: bool = False
) -> pa.Table:
    """The rows that have none of some keys, or with `keep` the rows that have one."""
    if key is None or not keys:
        return table.slice(0, 0) if keep else table
    return table.filter(
        pa.array([(each in keys) is keep for each in keys_of(table, key)], pa.bool_())
    )


def _numbers(table: pa.Table) -> pa.Array:
    return pa.array(range(table.num_rows), pa.int64())


def _in_order(table: pa.Table, key: Sequence[str] | None) -> pa.Table:
    """Oldest first, and those of one moment by their values, so that equal tables give equal files."""
    by = [MADE_AT, *(key or (name for name in table.column_names if name != MADE_AT))]
    return table.sort_by([(name, "ascending") for name in by]).combine_chunks()
