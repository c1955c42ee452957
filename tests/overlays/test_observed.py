"""Every endpoint that the live service has and the interface document lacks, called at a socket."""

from __future__ import annotations

import ast
import json
from operator import attrgetter
from pathlib import Path
from typing import Any

import pytest
from solders.pubkey import Pubkey
from solders.signature import Signature

import trading_sdk
import trading_sdk_observed as sdk
from codegen.options import parsed
from codegen.python.render import Contents, unformatted
from codegen.read.source import read as read_source
from tests.codegen.specs import REAL, changed, observed, read, shipped, tree
from tests.doubles.server import Server
from tests.interface import METHODS
from tests.overlays.fields import of_overlay, of_row
from tests.overlays.table import ROWS, Row
from tests.spec.test_sources import sentences
from tests.spec_fuzz.wire import PACKAGE, failures
from trading_sdk_observed import Keypair
from trading_sdk_observed.operations import API

ROOT = Path(__file__).parents[2]
SPEC = ROOT / "spec" / "openapi.yaml"
OVERLAY = ROOT / "spec" / "overlays" / "observed.yaml"
MAIN, SUB = Keypair(bytes([1] * 32)), Keypair(bytes([2] * 32))
CALLED = [row for name, row in ROWS.items() if name != "subaccounts.create"]


@pytest.mark.parametrize("row", CALLED, ids=lambda row: row.name)
def test_an_endpoint_takes_and_answers_what_the_table_says(row: Row) -> None:
    assert of_overlay(observed()[0], row.name) == of_row(row)


def test_every_endpoint_gets_what_it_takes_and_its_answer_is_read() -> None:
    """By the overlay; tests/spec_fuzz says the same of the documented ones."""
    api, schemas = observed()
    known = {each.id for each in shipped()[0].operations}
    called = [o.id for o in api.operations if o.id not in known and not o.countersigned]
    files = unformatted(Contents(api, schemas, PACKAGE))

    assert list(failures(read_source(SPEC, [OVERLAY]).root.value, api, files, called)) == []


# -- a message that two keys sign -----------------------------------------------------------------


def is_signed(address: str, signature: str, type_: str, data: Any, body: Any) -> bool:
    """Whether a signature is that of section 5.1, as another implementation reads it."""
    times = {name: body[name] for name in ("timestamp", "expiry_window")}
    message = {**times, "type": type_, "data": data}
    text = json.dumps(message, sort_keys=True, separators=(",", ":"))
    key = Pubkey.from_string(address)
    return Signature.from_string(signature).verify(key, text.encode())


def test_a_subaccount_is_created_with_both_signatures() -> None:
    row = ROWS["subaccounts.create"]
    with Server() as service, sdk.Client(service.url, signer=MAIN) as client:
        service.will_answer({"success": True, "data": {}})
        client.subaccounts.create(subaccount=SUB)

    (request,) = service.taken()
    body = request.json
    first, second = body["sub_signature"], body["main_signature"]
    assert (request.method, request.path) == (row.verb, row.path)
    assert sorted(body) == [
        *("expiry_window", "main_account", "main_signature"),
        *("sub_signature", "subaccount", "timestamp"),
    ]
    assert (body["main_account"], body["subaccount"]) == (MAIN.address, SUB.address)
    assert is_signed(SUB.address, first, "subaccount_initiate", {"account": MAIN.address}, body)
    assert is_signed(MAIN.address, second, str(row.signing_type), {"signature": first}, body)


# -- the package ----------------------------------------------------------------------------------


def test_the_package_has_every_observed_endpoint_and_all_that_is_documented() -> None:
    told = {name: (each.method, each.path) for name, each in API.operations.items()}
    documented = {name: each for name, each in METHODS.items() if each.endpoint}

    assert len(ROWS) == 57
    assert told == {
        **{name: (each.verb, each.path) for name, each in documented.items()},
        **{name: (row.verb, row.path) for name, row in ROWS.items()},
    }
    assert API.actions.keys() == {name for name, each in METHODS.items() if each.action}


@pytest.mark.parametrize("row", CALLED, ids=lambda row: row.name)
def test_an_endpoint_says_how_it_is_signed_repeated_and_known(row: Row) -> None:
    operation = API.operations[row.name]
    with sdk.Client("http://127.0.0.1:8787") as client:
        doc = " ".join(attrgetter(row.name)(client).__doc__.split())

    assert (operation.signing_type, operation.retry) == (row.signing_type, row.retry)
    signed = f", signed as `{row.signing_type}` ({row.source})" if row.signing_type else ""
    assert f"`{row.verb} {row.path}`{signed}. ({row.source})" in doc
    if row.signing_type:
        assert operation.signing_source == row.source


def test_only_what_the_documented_history_shows_is_reconciled() -> None:
    traced = {row.name for row in CALLED if API.operations[row.name].trace}
    assert traced == {name for name in ROWS if name in METHODS and METHODS[name].trace}


def test_what_both_packages_have_exists_once() -> None:
    both = {*sdk.__all__} & {*trading_sdk.__all__}
    apart = {name for name in both if getattr(sdk, name) is not getattr(trading_sdk, name)}

    assert {"Order", "Side", "SideLike", "CreateOrderDict", "OrdersBatchAction"} <= both
    assert apart == {"Client"}


TOUCHED = {"TriggerPriceType", "TpslConfig", "PositionTpslConfig", "StopOrderConfig"} | {
    *("CreateOrder", "CreateMarketOrder", "CreateStopOrder", "SetPositionTpsl")
}


def test_what_differs_is_defined_anew_with_all_that_holds_it() -> None:
    edited = "/components/schemas/TriggerPriceType/description"
    spec = changed({edited: "Another one."}, tree(REAL))

    files = unformatted(Contents(*read(spec), "other", stable=shipped()))

    module = ast.parse(files["other/models.py"])
    assert {each.name for each in module.body if isinstance(each, ast.ClassDef)} == TOUCHED
    anew = {f"{name}{end}" for name in TOUCHED for end in ("", "Like", "Dict", "Action")}
    imported = {
        alias.name
        for name in ("models", "mappings")
        for each in ast.walk(ast.parse(files[f"other/{name}.py"]))
        if isinstance(each, ast.ImportFrom) and each.module == f"trading_sdk.{name}"
        for alias in each.names
    }
    assert {"Order", "SideLike", "CancelOrderDict", "CancelOrderAction"} <= imported - anew
    assert "OrdersBatchAction" not in imported


def test_nothing_that_the_overlay_adds_is_called_documented() -> None:
    def sources(api: Any) -> dict[str, str]:
        fields = [(m.name, each) for m in api.models for each in m.fields]
        named = {f"{model}.{each.name}": each.source for model, each in fields}
        return {**named, **{each.id: each.source for each in api.operations}}

    known, larger = sources(shipped()[0]), sources(observed()[0])
    added = {name: source for name, source in larger.items() if name not in known}

    assert len(added) > len(ROWS)
    assert [name for name, source in added.items() if source == "documented"] == []
    assert list(sentences(read_source(SPEC, [OVERLAY]).root.value)) == []


def test_the_line_of_the_docs_asks_for_a_package_of_the_overlay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is written then is `trading_sdk_observed` under another name."""
    monkeypatch.chdir(ROOT)
    readme = (ROOT / "spec" / "README.md").read_text("utf-8")
    *_, line = readme.partition("```sh\ngit clone")[2].partition("\n```")[0].splitlines()

    given = line.removeprefix("python -m codegen ").replace("~", str(tmp_path)).split()
    ((out, (package,)),) = parsed(given, None).targets.items()

    assert (out, package.name) == (tmp_path / "my-project", "larger_sdk")
    assert [each.resolve() for each in package.overlays] == [OVERLAY]
