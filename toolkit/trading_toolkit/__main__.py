"""`trading-sdk`, also as `python -m trading_toolkit`."""

from __future__ import annotations

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
    return run(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
