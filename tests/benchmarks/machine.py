"""What a measurement was made on: the machine, and the versions of all that was compared."""

from __future__ import annotations

import os
import platform
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path

OWN = ("attrs", "cattrs", "msgspec", "pynacl", "base58", "requests", "urllib3")
SANDBOX = ("uvicorn", "uvloop", "httptools", "starlette", "wsproto")
PEERS = ("solders", "pydantic", "stripe", "hyperliquid-python-sdk", "ccxt", "alpaca-py")
GENERATORS = ("datamodel-code-generator", "jinja2", "ruff")
PACKAGES = ("trading-service-sdk", *OWN, *SANDBOX, *PEERS, *GENERATORS)


def machine() -> Mapping[str, str]:
    """The machine, as far as it tells."""
    return {
        "CPU": _line("/proc/cpuinfo", "model name") or platform.processor() or "not known",
        "cores": str(os.cpu_count() or "not known"),
        "memory": _memory(),
        "kernel": f"{platform.system()} {platform.release()} {platform.machine()}",
        "Python": f"{platform.python_implementation()} {platform.python_version()}",
    }


def versions() -> Mapping[str, str]:
    """The versions of the packages that were compared, and of what ours depend on."""
    return {name: version(name) for name in PACKAGES}


def _memory() -> str:
    kib = _line("/proc/meminfo", "MemTotal").removesuffix(" kB")
    return f"{int(kib) / 2**20:.0f} GiB" if kib else "not known"


def _line(file: str, name: str) -> str:
    """The value of the first line of that name; empty if there is none."""
    lines = Path(file).read_text("utf-8").splitlines() if Path(file).is_file() else []
    values = (line.partition(":")[2].strip() for line in lines if line.startswith(name))
    return next(values, "")
