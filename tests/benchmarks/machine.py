"""What a measurement was made on: the machine, and the versions of all that was compared."""

from __future__ import annotations

import os
import platform
import re
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
    kib = _told("/proc/meminfo", r"MemTotal: *(\d+)")
    return {
        "CPU": _told("/proc/cpuinfo", r"model name\s*: (.*)") or platform.processor(),
        "cores": str(os.cpu_count()),
        "memory": f"{int(kib) / 2**20:.0f} GiB" if kib else "not known",
        "kernel": f"{platform.system()} {platform.release()} {platform.machine()}",
        "Python": f"{platform.python_implementation()} {platform.python_version()}",
    }


def versions() -> Mapping[str, str]:
    """The versions of the packages that were compared, and of what ours depend on."""
    return {name: version(name) for name in PACKAGES}


def _told(file: str, pattern: str) -> str:
    """What a file of the system says; empty if there is no such file."""
    found = re.search(pattern, Path(file).read_text("utf-8")) if Path(file).is_file() else None
    return found[1] if found else ""
