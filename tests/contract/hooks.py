"""Hooks and a check of our own for Schemathesis, which schemathesis.toml names."""

from __future__ import annotations

import json
import os
from collections import defaultdict
from pathlib import Path
from typing import Any

import schemathesis
from hypothesis import strategies as st
from schemathesis import Case, CheckContext, HookContext, Response

from codegen.read.load import load
from tests.contract.known import Known, has_many_requests, own_fields, property_names, signable
from tests.contract.signing import Signer

SETUP_VARIABLE = "TRADING_CONTRACT_SETUP"

SETUP = json.loads(os.environ[SETUP_VARIABLE])
DOCUMENT = load(Path(os.environ["TRADING_CONTRACT_SPEC"]))[0].value
DECLARED = property_names(DOCUMENT)
ACTIONS = {
    schema["x-batch-action"]["type"]: schema["x-batch-action"]["signing-type"]
    for schema in DOCUMENT["components"]["schemas"].values()
    if "x-batch-action" in schema
}
OWN_WALLET = frozenset({"agent_wallet"})
OWN = {
    post["x-signing-type"]: OWN_WALLET
    for post in (path.get("post", {}) for path in DOCUMENT["paths"].values())
    if "x-signing-type" in post and "agent_wallet" in own_fields(post, DOCUMENT)
}
AIMED = {
    "orders/stop/cancel": {"order_id": "stop_order_id"},
    "orders/edit": {each: f"resting_{each}" for each in ("order_id", "symbol", "price", "amount")},
    "positions/tpsl": {"symbol": "resting_symbol", "side": "closing_side"},
    "lake/remove_max_leverage": {"lake": "capped_lake"},
    "positions/add_isolated_margin": {"symbol": "isolated_symbol"},
}
"""Fields of operations that few of the known values suit: of all known orders few rest in the book."""
SIGNER = Signer(SETUP["owner"], SETUP["agent"], ACTIONS, OWN)
KNOWN = Known(SETUP["known"])

schemathesis.openapi.format(
    "decimal", st.from_regex(r"(0|[1-9][0-9]{0,5})(\.[0-9]{1,4})?", fullmatch=True)
)


@schemathesis.hook
def before_call(context: HookContext, case: Case[Any], kwargs: dict[str, Any]) -> None:
    """Complete and sign a request just before it is sent, since a signature expires."""
    case.query = KNOWN.put(case.query)
    if isinstance(case.body, dict):
        body = KNOWN.put(signable(case.body, DECLARED))
        if isinstance(body.get("all_symbols"), bool) and isinstance(body.get("symbol"), str):
            # The orders of BTC are there for the other operations to be carried out.
            body |= {"all_symbols": False, "symbol": "SOL"}
        elif body.get("all_symbols") is True:
            body |= {"all_symbols": False}
        for field, name in AIMED.get(case.operation.path.removeprefix("/api/v1/"), {}).items():
            if field in body:
                body |= {field: KNOWN.put(body[field], name)}
        raw = case.operation.definition.raw
        signing_type, scheme = raw.get("x-signing-type"), raw.get("x-signing-scheme")
        if scheme:
            case.body = SIGNER.countersigned(body, signing_type, scheme["countersigned"])
        else:
            # Only the batch has none: each of its actions is signed on its own.
            case.body = SIGNER.body(body, signing_type) if signing_type else SIGNER.batch(body)


@schemathesis.hook
def after_call(context: HookContext, case: Case[Any], response: Response) -> None:
    """Learn from what the service answered."""
    if response.status_code == 200 and case.method != "OPTIONS":
        KNOWN.learn(response.json())


@schemathesis.check
class OnlyWrongStepsAreServerErrors:
    """A 500 is the answer to a wrong tick or lot, in the live dialect (field note 17), and to nothing else."""

    def after_response(self, ctx: CheckContext, response: Response, case: Case[Any]) -> None:
        """Look at one answer."""
        if response.status_code >= 500:
            error = response.json()["error"]
            assert response.status_code == 500, error
            assert "is not a multiple of the" in error, error


@schemathesis.check
class EveryOperationIsReached:
    """Every operation got the wanted number of requests, if so many can be made, and carried some out."""

    def __init__(self, *, examples: int = 100) -> None:
        self.examples = examples
        self.statuses: defaultdict[str, dict[str, int]] = defaultdict(dict)
        self.few: set[str] = set()

    def after_response(self, ctx: CheckContext, response: Response, case: Case[Any]) -> None:
        """Note a status, by its case, since a check may be run again for the same one."""
        self.statuses[case.operation.label][case.id] = response.status_code
        if not has_many_requests(case.operation.definition.raw, DOCUMENT):
            self.few.add(case.operation.label)

    def after_run(self, ctx: CheckContext) -> None:
        """Print what each operation answered; fail when that is too little."""
        wrong = []
        for operation, statuses in sorted(self.statuses.items()):
            answers = sorted(statuses.values())
            told = {status: answers.count(status) for status in dict.fromkeys(answers)}
            print(f"{operation}: {len(answers)} examples, answers {told}")
            if len(answers) < self.examples and operation not in self.few:
                wrong.append(f"{operation}: only {len(answers)} examples")
            if not any(200 <= status < 300 for status in answers):
                wrong.append(f"{operation}: never carried out, answers {told}")
        assert not wrong, "\n".join(wrong)
