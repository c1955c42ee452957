"""Every row of the table, in its order."""

from __future__ import annotations

from tests.benchmarks import calls, generator, imports, pages, sandbox, signing, streams, walks

ROWS = (
    signing.ROW_1,
    calls.ROW_2,
    calls.ROW_3,
    pages.ROW_4,
    pages.ROW_5,
    walks.ROW_6,
    imports.ROW_7,
    signing.ROW_8,
    *calls.ROWS_9,
    generator.ROW_10,
    sandbox.ROW_11,
    sandbox.ROW_12,
    streams.ROW_13,
    streams.ROW_14,
)
