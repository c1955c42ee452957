"""Small mistakes in the runtime, each of which the kit must notice.

`python -m tests.conformance.mutations [GLOB ...]` makes one after another in a copy of the runtime, and runs the cases that
are about it, then all others. It prints what was noticed, by which case, and ends with 1 if anything was not.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from conformance.cases import Case
from tests.conformance.mistakes import Mutation, about, changed, judge, noticed

ROOT = Path(__file__).parents[2]
RUNTIME = ROOT / "runtime"
PROGRAM = (sys.executable, "-m", "tests.conformance.python_program")


class Row(NamedTuple):
    """A mutation of a module, as its table has it."""

    name: str
    old: str
    new: str


_GLOBS: dict[str, tuple[str, ...]] = {
    "signing": ("signing/*", "batch/*"),
    "codec/fields": ("encode/*",),
    "codec/pages": ("decode/*", "json/*", "settle/*", "pages/*"),
    "codec/batch": ("encode/*batch*", "decode/*", "outcome/*"),
    "codec/answers": ("decode/*", "json/*", "encode/refused-*", "outcome/batch-*"),
    "codec/times": ("encode/*",),
    "codec/requests": ("encode/*",),
    "codec": ("decode/*", "json/*", "encode/refused-*"),
    "call/caller": ("outcome/*", "settle/settle-another-*"),
    "call": ("outcome/*",),
    "intent": ("outcome/*",),
    "http": ("outcome/*",),
    "rate_limit": ("outcome/*",),
    "errors": ("outcome/*",),
    "statuses": ("outcome/*",),
    "recovery": ("settle/*",),
}

ROWS: dict[str, tuple[Row, ...]] = {
    "signing/canonical": (
        Row("keys-unsorted", "for name in sorted(members)}", "for name in members}"),
        Row("non-ascii-signed", "(kind is str and value.isascii())", "kind is str"),
        Row("white-space", 'separators=(",", ":")', 'separators=(", ", ": ")'),
        Row("floats-signed", "frozenset({int, bool, type(None)})", "frozenset({int, bool, float, type(None)})"),
        Row("non-ascii-names-signed", "if type(key) is str and key.isascii()", "if type(key) is str"),
    ),
    "signing/request": (
        Row("agent-always-named", "if address != account:", "if address:"),
        Row("agent-never-named", 'owner["agent_wallet"] = address', "pass"),
        Row("window-not-reserved", '"timestamp", "expiry_window"})', '"timestamp"})'),
        Row("default-window-signed", '"expiry_window": expiry_window, "timestamp": timestamp}\n    # Every', '"expiry_window": 30000, "timestamp": timestamp}\n    # Every'),
        Row("signature-in-hexadecimal", "return base58.b58encode(signature).decode()", "return signature.hex()"),
    ),
    "signing/keys": (
        Row("halves-not-compared", "if secret[_SEED:] != keypair._key.verify_key.encode():", "if not secret:"),
    ),
    "codec/fields": (
        Row("leading-zeros-sent", "(0|[1-9][0-9]*)", "[0-9]+"),
        Row("exponents-sent", r'(\.[0-9]+)?")', r'(\.[0-9]+)?([eE][0-9]+)?")'),
        Row("digits-unbounded", "_MAX_DIGITS = 100", "_MAX_DIGITS = 1000"),
        Row("uuid-without-hyphens", "(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}", "-?([0-9a-fA-F]{4}-?){3}[0-9a-fA-F]{12}"),
        Row("id-made-for-null", "if value is UNSET or value is _LEFT_OUT:", "if value is UNSET or value is _LEFT_OUT or value is None:"),
        Row("unknown-keys-taken", "if unknown := [key for key in value if key not in fields]:", "if unknown := []:"),
        Row("missing-keys-taken", "if missing := [name for name in required if name not in value]:", "if missing := []:"),
        Row("one-bit-more", "<= found < 2 ** (bits - 1)", "<= found <= 2 ** (bits - 1)"),
        Row("exponent-written", 'return format(value, "f")', "return str(value)"),
        Row("text-for-boolean", "if not isinstance(value, bool):\n        raise TypeError(expected(\"True or False\", value))\n    return value", "return bool(value)"),
    ),
    "codec/times": (
        Row("seconds-sent", "if found in _SECONDS:", "if False:"),
        Row("microseconds-sent", "elif found >= _MICROSECONDS:", "elif found > _MICROSECONDS:"),
    ),
    "codec/requests": (
        Row("null-not-sent", "UNSET if field.default in (UNSET, attrs.NOTHING) else None)", "None)"),
        Row("query-unescaped", "return f\"{path}?{urlencode(texts, doseq=True)}\" if texts else path", 'return path + "?" + "&".join(f"{k}={v}" for k, v in texts.items())'),
    ),
    "codec/answers": (
        Row("first-error-inside", "read_refusal(self._operation, payload, content)", "read_refusal(self._operation, content, payload)"),
        Row("nothing-is-an-answer", "if content is payload and says_nothing(operation, payload):", "if False:"),
        Row("failed-batch-refused", "if failed and not (isinstance(content, dict) and content.get(key)):", "if failed:"),
        Row("new-id-of-failure", "if why is not None:", "if False:"),
        Row("results-uncounted", "if len(results) != len(self._new_ids):", "if False:"),
        Row("success-beside-error", "if result.error is not None:", "if False:"),
        Row("whole-failed-all-succeeded", "elif failed:", "elif False:"),
        Row("any-failure-believed", "if why := doubt(self._operation, status, payload, content):", "if False:"),
        Row("part-is-the-whole", "if status == 206:", "if False:"),
        Row("action-always-believed", "if not refuses(code):", "if False:"),
        Row("around-not-looked-at", "if not all(result.success for result in results):", "if False:"),
        Row("around-of-a-failure-alone", "if not all(result.success for result in results):", "if failed:"),
        Row("success-around-doubted", 'known = {operation.result_key} if failed else {operation.result_key, "success"}', "known = {operation.result_key}"),
        Row("code-around-believed", "if not refuses(read_refusal(", "if False and not (read_refusal("),
        Row("code-of-action-untold", "NO_REASON, found.codes[0])", "NO_REASON, None)"),
        Row("empty-error-of-an-action", "_drop_empty_errors(content, key)\n        results", "results"),
        Row("not-json-is-unusable", "raise DecodeError(name, reason, body, status, is_json=False)", "raise DecodeError(name, reason, body, status)"),
    ),
    "codec/envelopes": (
        Row("error-beside-success", 'if any(map(says_something, errors)):', "if False:"),
        Row("empty-error-beside-success", "if any(map(says_something, errors)):", "if errors:"),
        Row("error-alone-refuses", "if said or None in (refusal.text, refusal.code):", "if said:"),
        Row("error-and-code-unknown", "if said or None in (refusal.text, refusal.code):", "if True:"),
        Row("success-not-checked", 'if any(level.get("success", True) is not True for level in levels):', "if False:"),
        Row("two-values-taken", "if values[0] != values[1] and", "if False and"),
        Row("data-not-looked-at", "return _success(payload) is True and said_again", "return _success(payload) is True"),
    ),
    "codec/refusals": (
        Row("plural-not-seen", '{"success", *names, *(f"{name}s" for name in names)}', '{"success", *names}'),
        Row("depth-not-seen", "waiting.extend(value.values())", "pass"),
        Row("states-believed", 'frozenset({"state", "status"})', "frozenset()"),
        Row("data-is-no-result", 'if any(name == "data" and not isinstance(value, dict)', 'if any(False and not isinstance(value, dict)'),
        Row("boolean-codes", "return type(value) is int or", "return isinstance(value, int) or"),
        Row("any-kind-of-code", 'if not all(_is_code(value) and value == code for name, value in values if name == "code"):', "if False:"),
        Row("several-codes", "if not all(_is_code(value) and value == code for", "if not all(_is_code(value) for"),
        Row("any-2xx-refuses", "return None if status == 200 else", "return None if status else"),
    ),
    "codec/pages": (
        Row("repeated-cursor", "elif found in seen:", "elif False:"),
        Row("surplus-cursor", "if not page.has_more and not found:", "if not page.has_more:"),
        Row("start-not-seen", "seen: set[str | None] = {cursor}", "seen: set[str | None] = set()"),
        Row("page-without-success", "if names.says_success and", "if False and"),
        Row("part-of-a-page", "_PAGE = (200, 203)", "_PAGE = (200, 202, 203, 206)"),
        Row("unreadable-fails-the-page", "if self._instead is None or not isinstance(payload, list):", "if True:"),
    ),
    "codec/parser": (
        Row("exponents-unbounded", "MAX_DIGITS, MAX_EXPONENT = 100, 999", "MAX_DIGITS, MAX_EXPONENT = 100, 9999"),
        Row("integers-unbounded", "MIN_INTEGER, MAX_INTEGER = -(2**63), 2**63 - 1", "MIN_INTEGER, MAX_INTEGER = -(2**63), 2**63 - 2"),
    ),
    "call/retry": (
        Row("idempotent-repeated", 'Fault.MAYBE_SENT: frozenset({"safe"}),', 'Fault.MAYBE_SENT: frozenset({"safe", "idempotent"}),'),
        Row("by-key-after-429", 'Fault.RATE_LIMITED: frozenset({"safe", "idempotent"}),', 'Fault.RATE_LIMITED: frozenset({"safe", "idempotent", "by-key"}),'),
        Row("one-attempt-more", "failed.number >= policy.max_attempts", "failed.number > policy.max_attempts"),
        Row("quota-ignored", "failed.quota_left < 1", "failed.quota_left < 0"),
        Row("at-the-deadline", "delay < failed.time_left", "delay <= failed.time_left"),
        Row("longest-wait-refused", "<= policy.max_retry_after", "< policy.max_retry_after"),
        Row("delay-not-doubled", "policy.base_delay * 2.0**doublings", "policy.base_delay * (1 + doublings)"),
        Row("delay-unbounded", "bound = min(policy.max_delay, policy.base_delay", "bound = max(0.0, policy.base_delay"),
        Row("wait-not-added", "return (failed.retry_after or 0) + jitter * bound", "return jitter * bound"),
        Row("later-duplicate-refused", "if failed.fault is Fault.DUPLICATE and failed.number > 1:", "if False:"),
        Row("refusal-unknown", "(Fault.RATE_LIMITED, Fault.DUPLICATE, Fault.REFUSED)", "(Fault.RATE_LIMITED, Fault.DUPLICATE)"),
        Row("success-earns-all", "_RETRY, _SUCCESS = 10, 1", "_RETRY, _SUCCESS = 10, 10"),
    ),
    "http/fault": (
        Row("any-code-refuses", "if refuses(failure.code)", "if True"),
    ),
    "errors": (
        Row("zeros-in-front", 'r"0*(', 'r"('),
        Row("any-status-as-code", "return name_of_fault(int(number[1])) in _REFUSING", "return True"),
        Row("no-code-of-other-lengths", "return number is not None", "return False"),
        Row("hundred-before-status", "FAULTS.get(str(status)) or FAULTS.get(hundred, ", "FAULTS.get(hundred) or FAULTS.get(str(status), "),
    ),
    "statuses": (
        Row("501-unknown", '"501": "refused"', '"501": "maybe_sent"'),
        Row("408-refused", '"408": "maybe_sent"', '"408": "refused"'),
        Row("redirect-refused", '"3XX": "unusable"', '"3XX": "refused"'),
    ),
    "call/caller": (
        Row("any-account", "if (intent.base_url, intent.account) != (self.base_url, self.account or \"\"):", "if False:"),
        Row("signed-once", "            self._prepare(call)\n", "            if call.number == 1:\n                self._prepare(call)\n"),
        Row("own-answer-unchecked", "_check_own(call, result, response, self.issued)", "pass"),
        Row("new-id-not-kept", "elif issued.setdefault((name, id_), message) != message:", "elif False:"),
        Row("new-id-of-zero", "isinstance(id_, int) and id_ < 1", "isinstance(id_, int) and id_ < 0"),
        Row("unsent-id-kept", "(*_NOT_SENT, ApiError)", "ApiError"),
        Row("refused-id-kept", "(is_refusal(error) and not is_duplicate(error))", "False"),
        Row("duplicate-frees", "(is_refusal(error) and not is_duplicate(error))", "is_refusal(error)"),
        Row("failed-action-keeps", "if isinstance(result, BatchResult):", "if False:"),
        Row("executed-action-frees", "if not each.success]", "]"),
        Row("decimals-as-text", "return told == Decimal(said)", "return str(told) == said"),
        Row("echo-not-compared", "if told is not None and not _same(told, value):", "if False:"),
    ),
    "call/message": (
        Row("keys-of-withdrawals-held", "if kind.trace and kind.trace.id else None", ""),
    ),
    "intent": (
        Row("ids-given-twice", "or self._calls.setdefault(id_, call) != call:", "or self._calls.setdefault(id_, call) is None:"),
        Row("ids-twice-in-a-batch", "if id_ in given[:index] or", "if"),
        Row("ids-not-kept", "self._calls.setdefault(id_, call) != call", "self._calls.get(id_, call) != call"),
    ),
    "rate_limit": (
        Row("budget-waits-always", 'if is_limited else None', "or None"),
        Row("credits-unscaled", 'remaining=_EXACT.divide(Decimal(budget["r"]), self._scale)', 'remaining=Decimal(budget["r"])'),
    ),
    "codec/batch": (
        Row("eleven-actions", "if not 1 <= len(actions) <= batch.max_items:", "if not 1 <= len(actions):"),
        Row("ids-twice", "if id_ in latest and id_ not in ended:", "if False:"),
        Row("edit-ends-id", "if target and not target.inherits:", "if target:"),
    ),
    "recovery/evidence": (
        Row("values-not-compared", "return self._message.minted and self._agrees(record)", "return self._message.minted"),
        Row("given-ids-trusted", "return self._message.minted and self._agrees(record)", "return self._agrees(record)"),
        Row("amounts-not-compared", "at_most(getattr(record, field), sent.get(name)) for", "True for"),
        Row("rounding-unclear", "if self._message.minted and (differing :=", "if False and (differing :="),
        Row("rounding-of-a-given-id", "if self._message.minted and (differing :=", "if (differing :="),
        Row("other-values-rounded", "if not all(is_number(told) for _, told, _ in differing):", "if False:"),
        Row("unreadable-ignored", "if self._unreadable and not found.settled:", "if False:"),
        Row("unreadable-beside-its-own", "if self._unreadable and not found.settled:", "if self._unreadable:"),
        Row("unreadable-of-other-ids", "return letters(told).endswith(letters(own))", "return True"),
        Row("unreadable-without-an-id", "            return told is not None\n", "            return False\n"),
        Row("cancelled-before", "return self._is_changed(record) and changed_at >= self._since", "return self._is_changed(record)"),
        Row("replacement-unseen", "if replacements := self._possible_replacements(now[0]):", "if replacements := ():"),
        Row("edit-at-any-time", "at_once = self._message.minted or self._made_at(record) in ends", "at_once = True"),
        Row("unknown-status-proves", "return self._is_changed(record) or not any(", "return True or not any("),
        Row("reused-name-believed", "if self._may_be_reused(latest, targets):", "if False:"),
        Row("reused-name-of-a-closed-one", "return bool(earlier) and not (is_replacement and all(", "return bool(earlier) and not (all("),
        Row("replacement-taken-for-reuse", "return bool(earlier) and not (", "return bool(earlier) or not ("),
        Row("changed-in-place-unseen", "any(same(getattr(record, each, None), sent.get(name)) for each in (field, name))", "False"),
        Row("touch-unseen", "return was_touched or self._has_new_values(record)", "return self._has_new_values(record)"),
        Row("initial-price-alone", "sent.get(name)) for each in (field, name))", "sent.get(name)) for each in (field,))"),
        Row("unreadable-target-ignored", "return all(not isinstance(told, str) or same(told, sent) for told, sent in pairs)", "return False"),
        Row("old-unreadable-counts", "return self._names_in(fields)", "return True"),
        Row("old-unreadable-ignored", "return self._names_in(fields)", "return False"),
    ),
    "recovery/history_scan": (
        Row("times-of-lists-believed", "min(done, self._sighted[place, done])", "done"),
    ),
    "recovery/reconcile": (
        Row("lag-not-waited", "return max(done, default=until) + round(self.caller.history_lag * 1_000)", "return max(done, default=until)"),
        Row("promise-ignored", "    if caller.unique_ids is not None:\n        messages", "    if False:\n        messages"),
        Row("short-page-believed", "if is_late_enough and scan.are_whole():", "if is_late_enough:"),
        Row("undated-believed", "if not scan.dated or (", "if False or ("),
    ),
    "recovery/lists": (
        Row("page-read-once", "MAX_READS = 5", "MAX_READS = 2"),
        Row("size-asked-again", "self._refused.add(name)\n\n    def _wait", "self._refused.discard(name)\n\n    def _wait"),
        Row("whole-page-unconfirmed", "(self._confirmed if is_all else self._refused).add(name)", "self._confirmed.add(name)"),
        Row("page-of-a-cap-asked-sized", "page, following = self.page(name, None, set(), sized=False)", "page, following = self.page(name, None, set())"),
        Row("rate-limit-not-waited", "self._before_wait(why)\n        self._caller.clock.sleep(seconds)", "self._before_wait(why)"),
    ),
    "recovery/settlement": (
        Row("any-409-believed", "executed = said and message.minted", "executed = message.minted"),
        Row("given-key-believed", "executed = said and message.minted", "executed = said"),
        Row("other-words-believed", "re.fullmatch(said,", "re.search(said,"),
    ),
    "clock": (
        Row("one-clock-alone", "behind = min(0, skew.floor) if skew else 0", "behind = 0"),
        Row("service-time-alone", "behind = min(0, skew.floor) if skew else 0", "behind = skew.floor if skew else 0"),
        Row("staleness-ignored", "_MAX_STALENESS = 2 * _SECOND", "_MAX_STALENESS = 0"),
    ),
}  # fmt: skip
_GLOBS["clock"] = ("settle/*", "outcome/skew*", "outcome/server*")


SURVIVORS = {
    "missing-keys-taken": "the constructor of the model refuses them, too; the words differ alone",
    "undated-believed": "the message stays unsettled all the same; the words of the reason differ alone",
}
"""Mutations that change nothing a port could be held to, and why."""


MUTATIONS = tuple(
    Mutation(row.name, module, row.old, row.new, about(module, _GLOBS))
    for module, rows in ROWS.items()
    for row in rows
)


def judged(mutation: Mutation, cases: Sequence[Case]) -> str | None:
    """The case that first notices a mutation, made in a copy of the runtime."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "trading_runtime"
        shutil.copytree(
            RUNTIME / "trading_runtime", copy, ignore=shutil.ignore_patterns("__pycache__")
        )
        module = copy / f"{mutation.module}.py"
        module.write_text(changed(module.read_text("utf-8"), mutation), "utf-8")
        path = f"PYTHONPATH={folder}{os.pathsep}{ROOT}"
        command = ("env", path, "PYTHONDONTWRITEBYTECODE=1", *PROGRAM)
        return noticed(mutation, cases, command, timeout=20.0)


if __name__ == "__main__":
    sys.exit(judge(MUTATIONS, judged, SURVIVORS, sys.argv[1:]))
