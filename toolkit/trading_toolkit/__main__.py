"""`trading-sdk`, also as `python -m trading_toolkit`."""

from __future__ import annotations

import os
import sys


def main() -> int:
    """Run the command; return the exit status."""
    try:
        from trading_toolkit.command.program import run
    except ImportError as error:
        if error.name not in ("click", "rich", "tomli"):
            raise
        sys.stderr.write(
            f"trading-sdk needs {error.name}: pip install 'trading-service-sdk[toolkit]'\n"
        )
        return 2
    except KeyboardInterrupt:
        return 130
    status = run(sys.argv[1:])
    if "pyarrow" in sys.modules:
        # Its threads may abort while Python ends (apache/arrow#34314), and the status would be lost.
        if sys.stderr is not None:  # a shell can close it
            sys.stderr.flush()
        os._exit(status)
    return status


if __name__ == "__main__":
    sys.exit(main())
