"""The controls of a sandbox that runs in another process."""

from __future__ import annotations

import json
from collections.abc import Mapping
from http.client import HTTPConnection, HTTPException
from typing import Any
from urllib.parse import urlsplit

from trading_runtime import UNSET
from trading_sandbox.controls.declared import Controls
from trading_sandbox.controls.definition import Control
from trading_sandbox.controls.schema import from_json_value, to_json_value
from trading_sandbox.engine.records import Refused

_ERRORS: Mapping[str, type[Exception]] = {
    "Refused": Refused,
    "TypeError": TypeError,
    "ValueError": ValueError,
}


class RemoteSandbox(Controls):
    """Every control of `Sandbox`, for one that runs elsewhere, such as `python -m trading_sandbox`.

    It has the same methods, and they raise the same errors; RuntimeError if no sandbox answers. It
    keeps nothing open, and any number of threads may use it.

    Args:
        url: The URL of the sandbox, as it prints it.
        timeout: How long a control may take, in seconds. A long `advance` takes a while.

    Raises:
        ValueError: the URL is not that of a sandbox.
    """

    def __init__(self, url: str, timeout: float = 60.0) -> None:
        parts = urlsplit(url)
        if parts.scheme != "http" or not parts.hostname or parts.path not in ("", "/"):
            raise ValueError(f"url must be like http://127.0.0.1:8787, not {url!r}")
        if parts.username is not None:
            # The sandbox checks no password, and the repr would show it.
            raise ValueError("url holds a user name, and a sandbox knows none; leave it out")
        self._host, self._port = parts.hostname, parts.port
        self._timeout = timeout
        self.url = url.rstrip("/")
        """Base URL for a client."""

    def __repr__(self) -> str:
        return f"RemoteSandbox({self.url!r})"

    def _invoke(self, control: Control, arguments: Mapping[str, Any]) -> Any:
        sent = {name: each for name, each in arguments.items() if each is not UNSET}
        status, answer = self._post(control.name, json.dumps(to_json_value(sent)))
        if status == 200:
            return from_json_value(answer["result"], control.result)
        text = str(answer.get("error")).removeprefix(f"{control.name}: ")
        raise _ERRORS.get(answer.get("type", ""), RuntimeError)(text)

    def _post(self, name: str, body: str) -> tuple[int, dict[str, Any]]:
        # Without the proxies of the environment: a sandbox is on this machine, or close to it.
        connection = HTTPConnection(self._host, self._port, timeout=self._timeout)
        try:
            headers = {"Content-Type": "application/json"}
            connection.request("POST", f"/sandbox/v1/{name}", body, headers)
            response = connection.getresponse()
            answer = json.loads(response.read())
        except (OSError, HTTPException, ValueError) as error:
            raise RuntimeError(f"no sandbox answers at {self.url}: {error!r}") from error
        finally:
            connection.close()
        if not isinstance(answer, dict):
            raise RuntimeError(f"what answers at {self.url} is no sandbox")
        return response.status, answer
