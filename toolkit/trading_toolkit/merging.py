"""What a pass read becomes part of the files of the days on which the records were made.

A record that the service lists under another day than before moves there. Merging the same pass again gives the same
files, so a sync that was interrupted here merges again.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import attrs
from attrs import frozen

from trading_toolkit.arrow import keys_of, latest, merged, pa, repeated, without
from trading_toolkit.errors import ToolkitError
from trading_toolkit.folder import STATE, DayFile, State, encoded, sha256
from trading_toolkit.lists import STATUS
from trading_toolkit.passes import Pass
from trading_toolkit.readings import ENDED

_DAY = "_day"


@frozen
class _Moves:
    """The records that stood under other days than the list has them under."""

    leaving: Mapping[str, frozenset[Sequence[Any]]] = attrs.Factory(dict)
    """By day, the keys of the records that do not belong there any more."""

    twice: int = 0
    """How often a record stood under one more day than it should."""


def merge(running: Pass, state: State) -> int:
    """Write what was read into the files of its days, and into the state; return how many records are new.

    Raises:
        ToolkitError: A file is damaged, records of a file are neither there nor in the list any more, two different
            records have one id, or a file cannot be written. The files of such days are as they were, and the next
            sync reads this part of the list again.
    """
    folder, before = running.folder, rows(state)
    try:
        moves = _moves(running, state)
    except ToolkitError:
        folder.forget_pass()
        raise
    problems = list[str]()
    others = {*running.days(), *folder.missing(state)} - {*moves.leaving}
    for name, content in _contents(sorted(others), running, state, moves, problems):
        folder.write(name, content)
    # A record leaves a file once the other one has it.
    leaving = (
        [] if problems else list(_contents(sorted(moves.leaving), running, state, moves, problems))
    )
    if problems:
        folder.write(STATE, state.to_json())
        folder.forget_pass()
        raise ToolkitError("; ".join(problems))
    if leaving:
        folder.write(STATE, _before_leaving(state, moves).to_json())
    for name, content in leaving:
        folder.write(name, content)
    return rows(state) - before + moves.twice


def _before_leaving(state: State, moves: _Moves) -> State:
    """What a sync that is killed while records leave files has to know: fewer records are right, any ids possible."""
    days = {day: attrs.evolve(state.days[day], ids=None) for day in moves.leaving}
    return attrs.evolve(state, days={**state.days, **days})


def rows(state: State) -> int:
    """Records in the folder."""
    return sum(each.rows for each in state.days.values())


def _contents(
    days: Sequence[str], running: Pass, state: State, moves: _Moves, problems: list[str]
) -> Iterator[tuple[str, bytes]]:
    """The names and contents of the files of some days, which the state has from then on."""
    for day in days:
        try:
            records = _records(running, state, day, moves.leaving.get(day, frozenset()))
        except ToolkitError as error:
            problems.append(str(error))
            continue
        content = encoded(records, state.format)
        state.days[day] = DayFile(
            rows=records.num_rows,
            sha256=sha256(content),
            may_change=_may_change(records),
            ids=_ids(records, running.kind.key),
        )
        yield running.folder.day_file(day, state.format), content


def _may_change(records: pa.Table) -> bool:
    if STATUS not in records.column_names:
        return True
    return not set(records.column(STATUS).unique().to_pylist()) <= ENDED


def _records(running: Pass, state: State, day: str, leaving: frozenset[Sequence[Any]]) -> pa.Table:
    """The records of a day, as they are stored and as they were read."""
    folder, kind = running.folder, running.kind
    file = f"{folder}/{folder.day_file(day, state.format)}"
    whole = folder.day(day, state.format, running.schema)
    stored = without(whole, kind.key, leaving)
    read = without(running.records_of(day), kind.key, leaving)
    try:
        records = merged(stored, read, kind)
    except ToolkitError as error:
        raise ToolkitError(
            f"{error}. If the one in {file} is wrong, delete the file, and sync again"
        ) from None
    before = state.days[day].rows if day in state.days else 0
    now = records.num_rows + whole.num_rows - stored.num_rows
    if now < before:
        raise ToolkitError(
            f"{file} had {before:,} records, and the file and the list have {now:,} of them now. Put the file back"
            " from a copy; if there is none, move the folder away, and sync to a new one"
        )
    return records


# -- records under another day ------------------------------------------------------------------------


def _moves(running: Pass, state: State) -> _Moves:
    """Which records leave which days.

    Raises:
        ToolkitError: A file is damaged, or a record of another day has the same id.
    """
    kind, folder, schema = running.kind, running.folder, running.schema
    if kind.key is None or not running.segments:
        return _Moves()
    read = {day: running.records_of(day, kind.key) for day in running.days()}
    overlapping = _overlapping(state, {day: _ids(keys, kind.key) for day, keys in read.items()})
    stored = {day: folder.day(day, state.format, schema).select(kind.key) for day in overlapping}
    places = [_under(day, keys) for each in (stored, read) for day, keys in each.items()]
    if not places:
        return _Moves()
    once_a_day = pa.concat_tables(places).group_by([*kind.key, _DAY]).aggregate([])
    moved = repeated(once_a_day, kind.key)
    if not moved:
        return _Moves()

    def versions(day: str, table: pa.Table) -> pa.Table:
        return _under(day, without(table, kind.key, moved, keep=True))

    held = [versions(day, folder.day(day, state.format, schema)) for day in stored]
    every = pa.concat_tables([*held, *(versions(day, running.records_of(day)) for day in read)])
    try:
        right = latest(every, kind)
    except ToolkitError as error:
        raise ToolkitError(
            f"{error}. If the list is right now, move the folder away, and sync to a new one"
        ) from None
    day_of = dict(zip(keys_of(right, kind.key), right.column(_DAY).to_pylist(), strict=True))
    leaving = defaultdict[str, set[Sequence[Any]]](set)
    for key, day in zip(keys_of(every, kind.key), every.column(_DAY).to_pylist(), strict=True):
        if day != day_of[key]:
            leaving[day].add(key)
    places_held = [key for table in held for key in keys_of(table, kind.key)]
    twice = len(places_held) - len(set(places_held))
    return _Moves({day: frozenset(keys) for day, keys in leaving.items()}, twice)


def _overlapping(state: State, read: Mapping[str, Sequence[int] | None]) -> list[str]:
    """The stored days that may have a record which was read under another day.

    Ids count up, so these are few days. A folder of 0.2 does not say which ids a day has.
    """

    def overlap(one: Sequence[int] | None, other: Sequence[int] | None) -> bool:
        return one is None or (other is not None and one[0] <= other[1] and other[0] <= one[1])

    return [
        day
        for day, file in sorted(state.days.items())
        if file.rows and any(overlap(file.ids, ids) for other, ids in read.items() if other != day)
    ]


def _ids(records: pa.Table, key: Sequence[str] | None) -> Sequence[int] | None:
    """The least and the greatest id of some records; None without ids."""
    if key is None or not records.num_rows:
        return None
    ids = records.column(key[0]).to_pylist()
    return min(ids), max(ids)


def _under(day: str, records: pa.Table) -> pa.Table:
    return records.append_column(_DAY, pa.repeat(day, records.num_rows))
