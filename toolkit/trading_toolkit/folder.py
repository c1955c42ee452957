"""The folder of a list that is kept: its files, and how a crash at any moment leaves each of them whole.

    _sync.json                       which list it is, and the files of the last sync that ended
    _pass/000001.arrow ...           what the sync under way has read, and the cursor that follows
    day=2026-11-23/records.parquet   the records of a day (UTC), oldest first

A file is replaced in one step. Merging what was read into the days gives the same files however often it is
done, so an interrupted sync merges again.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import date, datetime
from decimal import Decimal
from typing import Any

import attrs
from attrs import define, field, frozen

from trading_toolkit.arrow import pa, pa_csv, pa_dataset, pa_fs, pa_json, pa_parquet
from trading_toolkit.errors import ToolkitError, machine_errors, on_machine
from trading_toolkit.sharing import locked

VERSION = 2
STATE = "_sync.json"
PASS = "_pass"
FORMATS = ("parquet", "csv", "jsonl")
_OBJECT_STORES = frozenset({"s3", "gcs", "abfs"})
"""Where a file is not there before it is written whole, and renaming is copying."""


@frozen(kw_only=True)
class DayFile:
    """What a sync wrote for one day."""

    rows: int
    sha256: str
    may_change: bool = True
    """Whether a record of it may change yet, like an open order."""

    ids: Sequence[int] | None = None
    """The least and the greatest id of its records; None where they have none, and in folders of 0.2."""


@define(kw_only=True)
class State:
    """What a folder holds, as of the last sync that ended."""

    service: str
    """URL of the service that the records are of."""

    name: str
    """Name of the list."""

    arguments: dict[str, Any]
    format: str
    columns: list[list[str]]
    since: int | None = None
    """The next sync reads from this time on, in ms; None if it reads the whole list."""

    whole_at: int | None = None
    """When the last reading of the whole list began, by the clock of the service. Unit: ms."""

    synced_at: int | None = None
    """When the last sync that ended began, by the clock of the service. Unit: ms."""

    days: dict[str, DayFile] = field(factory=dict)

    def to_json(self) -> bytes:
        """As it is written; `from_json` reads it."""
        return json.dumps({"version": VERSION, **attrs.asdict(self)}, indent=1).encode()

    @classmethod
    def from_json(cls, text: bytes, where: str) -> State:
        """What was written.

        Raises:
            ToolkitError: it is damaged, or of another version.
        """
        try:
            members = json.loads(text)
            version = members.pop("version")
            if version in (1, VERSION):
                days = {day: DayFile(**each) for day, each in members.pop("days").items()}
                return cls(**members, days=days)
        except (ValueError, KeyError, TypeError, AttributeError):
            raise ToolkitError(
                f"{where} is damaged; the records beside it are whole: move them away, and sync to a new folder"
            ) from None
        raise ToolkitError(
            f"{where} is of version {version}; this release reads versions 1 and {VERSION}"
        )


class Folder:
    """A folder on any filesystem that pyarrow knows."""

    def __init__(self, folder: str | os.PathLike[str], filesystem: Any = None) -> None:
        """Take a path, a URI like `s3://bucket/folder`, or a path on a filesystem of pyarrow or fsspec."""
        text = _name(folder)
        if filesystem is not None:
            given: Any = pa_fs.PyFileSystem(pa_fs.FSSpecHandler(filesystem))
            self._files = filesystem if isinstance(filesystem, pa_fs.FileSystem) else given
            self.path = text.rstrip("/")
        elif "://" in text:
            try:
                self._files, self.path = pa_fs.FileSystem.from_uri(text)
            except (pa.ArrowException, OSError) as error:
                raise ToolkitError(f"{text} cannot be used as a folder: {error}") from None
        else:
            self._files, self.path = pa_fs.LocalFileSystem(), os.path.abspath(text)
        self._is_local = isinstance(self._files, pa_fs.LocalFileSystem)

    def __str__(self) -> str:
        return self.path

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Keep other processes of this machine from syncing to it. A process that dies lets go of it."""
        if not self._is_local:
            yield
            return
        with locked(os.path.join(self.path, ".lock"), f"another sync is writing to {self}"):
            yield

    # -- files ------------------------------------------------------------------------------------

    def read(self, name: str) -> bytes | None:
        """The content of a file; None if there is none."""
        path = f"{self.path}/{name}"
        try:
            with self._files.open_input_stream(path) as file:
                content: bytes = file.read()
                return content
        except FileNotFoundError:
            return None
        except OSError as error:
            raise on_machine(path, error) from None

    def write(self, name: str, content: bytes | pa.Buffer) -> None:
        """Replace a file in one step.

        Raises:
            ToolkitError: it cannot be written. The file is as it was before.
        """
        target = f"{self.path}/{name}"
        parent, _, base = target.rpartition("/")
        first = target if self._files.type_name in _OBJECT_STORES else f"{parent}/.{base}.part"
        try:
            self._files.create_dir(parent, recursive=True)
            with self._files.open_output_stream(first) as file:
                file.write(content)
            if self._is_local:
                with open(first, "rb") as written:
                    os.fsync(written.fileno())
            if first != target:
                self._files.move(first, target)
        except (OSError, pa.ArrowException) as error:
            with suppress(OSError):
                self._files.delete_file(first)
            if isinstance(error, OSError):
                raise on_machine(target, error) from None
            raise ToolkitError(f"cannot write {target}: {error}") from None

    def names(self, inside: str = "") -> list[str]:
        """Names of the files and folders in it, sorted."""
        where = f"{self.path}/{inside}".rstrip("/")
        selector = pa_fs.FileSelector(where, allow_not_found=True)
        with machine_errors(where):
            return sorted(each.base_name for each in self._files.get_file_info(selector))

    def forget_pass(self) -> None:
        """Remove what the pass under way has read; the last segment goes first, so that none is skipped."""
        for name in reversed(self.segments()):
            with machine_errors(f"{self.path}/{PASS}/{name}"):
                self._files.delete_file(f"{self.path}/{PASS}/{name}")

    def segments(self) -> list[str]:
        """Names of the segments of the pass under way, in the order in which they were read."""
        return [name for name in self.names(PASS) if name.endswith(".arrow")]

    def segment(self, name: str, columns: Sequence[int] | None = None) -> pa.RecordBatchFileReader:
        """A segment, of which only what is asked for is read; `columns` are places in its schema."""
        path = f"{self.path}/{PASS}/{name}"
        try:
            with machine_errors(path):
                file = self._files.open_input_file(path)
                return pa.ipc.open_file(
                    file, options=pa.ipc.IpcReadOptions(included_fields=columns)
                )
        except pa.ArrowInvalid as error:
            raise ToolkitError(
                f"{path} is damaged: {error}. Delete {self.path}/{PASS}, and sync again: it reads that part anew"
            ) from None

    # -- state ------------------------------------------------------------------------------------

    def state(self) -> State | None:
        """What the last sync left; None in a folder that holds nothing.

        Raises:
            ToolkitError: it is damaged, of another version, or the folder holds something else.
        """
        text = self.read(STATE)
        if text is not None:
            return State.from_json(text, f"{self.path}/{STATE}")
        others = [name for name in self.names() if not name.startswith(".")]
        if others:
            raise ToolkitError(
                f"{self} holds {others[0]} and no {STATE}: sync to a folder of its own"
            )
        return None

    # -- days -------------------------------------------------------------------------------------

    def missing(self, state: State) -> list[str]:
        """The days of the last sync whose file is not there any more."""
        names = [f"{self.path}/{self.day_file(day, state.format)}" for day in state.days]
        with machine_errors(self.path):
            found = self._files.get_file_info(names)
        return [
            day
            for day, each in zip(state.days, found, strict=True)
            if each.type is not pa_fs.FileType.File
        ]

    def day_file(self, day: str, format: str) -> str:
        """The name of the file of a day."""
        return f"day={day}/records.{format}"

    def day(self, day: str, format: str, schema: pa.Schema) -> pa.Table:
        """The records of a day; none if there is no file.

        Raises:
            ToolkitError: the file is damaged.
        """
        name = self.day_file(day, format)
        content = self.read(name)
        try:
            return schema.empty_table() if content is None else decoded(content, format, schema)
        except (pa.ArrowException, ValueError) as error:
            raise ToolkitError(
                f"{self.path}/{name} is damaged: {error}. Delete it, and sync again: the list is read from its "
                "beginning then"
            ) from None

    def dataset(self, state: State, schema: pa.Schema) -> pa_dataset.Dataset:
        """The records of all days, and the column `day`. Those of CSV and JSON lines are read at once."""
        day = pa.field("day", pa.date32())
        columns = schema.append(day)
        if state.format == "parquet" and state.days:
            return pa_dataset.dataset(
                [f"{self.path}/{self.day_file(each, state.format)}" for each in sorted(state.days)],
                schema=columns,
                filesystem=self._files,
                format="parquet",
                partitioning=pa_dataset.partitioning(pa.schema([day]), flavor="hive"),
                partition_base_dir=self.path,
            )
        tables = [
            table.append_column(day, pa.repeat(pa.scalar(date.fromisoformat(each)), table.num_rows))
            for each in sorted(state.days)
            for table in [self.day(each, state.format, schema)]
        ]
        return pa_dataset.dataset(tables or columns.empty_table(), schema=columns)


def _name(folder: str | os.PathLike[str]) -> str:
    """The name of a folder.

    Raises:
        ToolkitError: it is no text that pyarrow can open.
    """
    try:
        text = os.fspath(folder)
        if "\0" not in text:
            text.encode()
            return text
    except (TypeError, AttributeError, UnicodeEncodeError):
        pass
    raise ToolkitError(
        f"{folder!r} is no name of a folder: it must be a path or a URI, and its text UTF-8"
    )


def encoded(table: pa.Table, format: str) -> bytes:
    """A table as the content of a file; the same table gives the same bytes."""
    sink = io.BytesIO()
    if format == "parquet":
        pa_parquet.write_table(table, sink, compression="zstd")
    elif format == "csv":
        sink.write(_csv(table))
    else:
        for row in table.to_pylist():
            sink.write(json.dumps(row, default=_plain).encode() + b"\n")
    return sink.getvalue()


def decoded(content: bytes, format: str, schema: pa.Schema) -> pa.Table:
    """The table in a file.

    Raises:
        pyarrow.ArrowException: it is not whole, or has other columns.
    """
    source = pa.BufferReader(content)
    if format == "parquet":
        return pa_parquet.read_table(source).cast(schema)
    if format == "csv":
        return pa_csv.read_csv(source, convert_options=_csv_columns(schema))
    if not content:  # pyarrow reads no file without lines
        return schema.empty_table()
    options = pa_json.ParseOptions(explicit_schema=schema, unexpected_field_behavior="error")
    return pa_json.read_json(source, parse_options=options)


def _csv_columns(schema: pa.Schema) -> pa_csv.ConvertOptions:
    return pa_csv.ConvertOptions(
        column_types=schema,
        null_values=[""],
        strings_can_be_null=True,
        quoted_strings_can_be_null=False,
    )


def _csv(table: pa.Table) -> bytes:
    """A table as CSV: numbers plain, texts in quotes, and nothing for null. That of pyarrow writes `0E-18`."""
    head = ",".join(map(_quoted, table.column_names))
    lines = map(",".join, zip(*map(_cells, table.columns), strict=True))
    return "".join(f"{line}\n" for line in (head, *lines)).encode()


def _cells(column: pa.ChunkedArray) -> list[str]:
    """The values of a column as CSV."""
    write = _csv_writer(column.type)
    values = (column if write is _plain else column.cast(pa.string())).combine_chunks()
    known = values.dictionary_encode()
    texts = list(map(write, known.dictionary.to_pylist()))
    return ["" if place is None else texts[place] for place in known.indices.to_pylist()]


def _csv_writer(type_: pa.DataType) -> Callable[[Any], str]:
    if pa.types.is_decimal(type_):
        return _plain
    return _quoted if pa.types.is_string(type_) else str


def _quoted(text: str) -> str:
    inner = text.replace('"', '""')
    return f'"{inner}"'


def _plain(value: Decimal | datetime) -> str:
    """A value of a column as JSON text."""
    if isinstance(value, Decimal):
        return f"{value:f}".rstrip("0").rstrip(".")  # a column has 18 decimals
    return value.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def sha256(content: bytes) -> str:
    """What tells whether a file is the one that was written."""
    return hashlib.sha256(content).hexdigest()


def to_day(text: str) -> date | None:
    """The day of a folder like `day=2026-11-23`; None if it is no such folder."""
    with suppress(ValueError):
        if text.startswith("day="):
            return date.fromisoformat(text.removeprefix("day="))
    return None
