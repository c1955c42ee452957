"""Keep the trades of an account in a folder, a Parquet file a day, and read only what is new the next time.

Usage: python examples/download_history.py trades     (the environment: see examples/README.md)

Stop it whenever you like: the next run goes on behind what it has. Any tool that knows Parquet reads the folder, like
`duckdb.sql("from read_parquet('trades/**/*.parquet', hive_partitioning=true)")`.
"""

from __future__ import annotations

import sys

from trading_sdk import Client
from trading_toolkit import history

if __name__ == "__main__":
    folder = sys.argv[1] if sys.argv[1:] else "trades"
    with Client.from_env() as client:
        print(history.sync(client, "trades", folder, progress=True))
    for problem in history.verify(folder).problems:
        print(problem)
