"""Cases of `scenarios/`: whole stories at a sandbox, step by step."""

from __future__ import annotations

import tempfile
import time
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from conformance.cases import Case
from conformance.checks.asking import Ask, compare
from conformance.checks.scripts import settlements_difference
from conformance.compare import Difference, difference
from conformance.program import PortAnswer, Trouble
from conformance.values import Value

_LOG = 10_000
"""As many requests as the sandbox keeps."""


def played_out(case: Case, ask: Ask) -> Difference | None:
    """A story at a sandbox goes as it is told, and leaves what it says."""
    exchange = ask.exchange
    exchange.start_over()
    with tempfile.TemporaryDirectory() as directory:
        story = _Story(ask, str(Path(directory) / "intents.jsonl"))
        try:
            for number, step in enumerate(case.given["steps"]):
                found = story.play(step, f"steps[{number}]")
                if found:
                    return found
        finally:
            story.close()
    return _of_log(case.expect.get("requests", {}), exchange.control("requests", {"limit": _LOG}))


def _of_log(expected: Mapping[str, int], log: list[dict[str, Any]]) -> Difference | None:
    made = Counter(each["operation"] for each in log)
    return difference(
        expected, {name: made[name] for name in expected}, path="requests at the sandbox"
    )


class _Story:
    """What was opened and named in the steps so far."""

    def __init__(self, ask: Ask, journal: str) -> None:
        self._ask = ask
        self._names: dict[str, Value] = {"url": ask.exchange.url, "journal": journal}
        self._open: list[str] = []
        self._steps: Mapping[str, Callable[[Mapping[str, Any], str], Difference | None]] = {
            "control": self._control,
            "pause": self._pause,
            "open": self._opened,
            "call": self._call,
            "reconcile": self._reconcile,
            "resend": self._resend,
            "unsettled": self._unsettled,
            "acknowledge": self._acknowledge,
            "close": self._closed,
        }

    def play(self, step: Mapping[str, Any], path: str) -> Difference | None:
        """Take a step; what went otherwise than it is told."""
        (kind,) = step.keys() & self._steps.keys()
        return self._steps[kind](self._resolved(step), f"{path} ({kind} {step[kind]})")

    def close(self) -> None:
        """Close what is still open."""
        for name in self._open:
            try:
                self._ask("close", client=name)
            except Trouble:
                return  # it was started again, and knows of no client

    def _resolved(self, value: Any) -> Any:
        """A part of a step with what was named before in the place of `{"$ref": ...}`."""
        if isinstance(value, list):
            return [self._resolved(each) for each in value]
        if not isinstance(value, dict):
            return value
        if value.keys() == {"$ref"}:
            name, *path = value["$ref"].split(".")
            found = self._names[name]
            for each in path:
                found = found[int(each)] if isinstance(found, list) else found[each]
            return found
        return {name: self._resolved(each) for name, each in value.items()}

    # -- the steps -----------------------------------------------------------------------------

    def _control(self, step: Mapping[str, Any], path: str) -> Difference | None:
        found = self._ask.exchange.control(step["control"], step.get("arguments", {}))
        self._name(step, found)
        return difference(step["result"], found, path=path, part=True) if "result" in step else None

    def _pause(self, step: Mapping[str, Any], _: str) -> None:
        time.sleep(float(step["pause"]))

    def _opened(self, step: Mapping[str, Any], path: str) -> Difference | None:
        client = {"base_url": self._names["url"], **step["client"]}
        answer = self._ask("open", client=client, **{"as": step["open"]})
        if answer.kind == "result":
            self._open.append(step["open"])
        return compare(step.get("expect", {"result": None}), answer, path=path)

    def _call(self, step: Mapping[str, Any], path: str) -> Difference | None:
        keep = {"keep": step["keep"]} if "keep" in step else {}
        answer = self._ask(
            "call",
            client=step["client"],
            operation=step["call"],
            arguments=step.get("arguments", {}),
            **keep,
        )
        self._name(step, answer.value)
        return compare(step["expect"], answer, path=path, part=True)

    def _reconcile(self, step: Mapping[str, Any], path: str) -> Difference | None:
        timeout = {"timeout": {"$float": str(step["timeout"])}} if "timeout" in step else {}
        answer = self._ask("reconcile", client=step["client"], error=step["reconcile"], **timeout)
        self._name(step, answer.value)
        if "error" in step["expect"] or answer.kind == "error":
            return compare(step["expect"], answer, path=path)
        found = settlements_difference(step["expect"]["result"], answer.value)
        return found and Difference(f"{path}: {found.path}", found.expected, found.got)

    def _resend(self, step: Mapping[str, Any], path: str) -> Difference | None:
        answer = self._ask("resend", client=step["client"], error=step["resend"])
        return compare(step["expect"], answer, path=path, part=True)

    def _unsettled(self, step: Mapping[str, Any], path: str) -> Difference | None:
        answer = self._ask("unsettled", client=step["unsettled"])
        self._name(step, answer.value)
        return compare(step["expect"], answer, path=path, part=True)

    def _acknowledge(self, step: Mapping[str, Any], path: str) -> Difference | None:
        answer = self._ask("acknowledge", client=step["client"], error=step["acknowledge"])
        return compare({"result": None}, answer, path=path)

    def _closed(self, step: Mapping[str, Any], path: str) -> Difference | None:
        self._open.remove(step["close"])
        answer: PortAnswer = self._ask("close", client=step["close"])
        return compare({"result": None}, answer, path=path)

    def _name(self, step: Mapping[str, Any], value: Value) -> None:
        if "as" in step:
            self._names[step["as"]] = value
