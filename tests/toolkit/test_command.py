"""`trading-sdk`, as a trader uses it in a shell."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import shlex
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Any

import click
import pytest

from tests.toolkit.market import PACKAGES, Dialect, exchange, trade
from tests.toolkit.shell import PROGRAM, Shell
from trading_sandbox import Sandbox
from trading_sdk import Keypair
from trading_toolkit.command import program as program_module
from trading_toolkit.command.options import Options
from trading_toolkit.command.show import records

ORDER = "symbol=BTC side=bid price=500 amount=0.1 tif=GTC reduce_only=false"
CANCEL = '{"type":"Cancel","data":{"symbol":"BTC","order_id":%s}}'
CANCELS = f"actions='[{CANCEL},{CANCEL}]'"
AT_ONCE = "--history-lag 0"
"""The lists of the sandbox are never late."""


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with exchange() as found:
        yield found


@pytest.fixture
def shell(
    sandbox: Sandbox,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Shell]:
    yield Shell(sandbox, tmp_path, capsys, monkeypatch)
    sandbox.faults.clear()


# -- wrong inputs -------------------------------------------------------------------------------------

WRONG = {
    "call orders.new": (2, "did you mean 'orders.create'?"),
    "call close": (2, "there is no operation 'close'; those that are signed are"),
    "call markets.info": (2, "an operation of trading_sdk_observed: add --observed"),
    "call orders.create": (2, "needs symbol=... price=... amount=... side=... tif=..."),
    "call orders.create symbol": (2, "'symbol' is no argument: write KEY=VALUE"),
    "call orders.create symbol=A symbol=B": (2, "symbol is given twice"),
    "call orders.create qty=1": (2, "unexpected keyword argument 'qty'; did you mean 'amount'?"),
    f"call orders.create {ORDER}": (2, "nobody can be asked here: add --yes"),
    f"call orders.create --yes {ORDER} take_profit=9": (2, 'JSON, like {"stop_price": "90000"}'),
    f"call orders.create --yes {ORDER.replace('false', 'no')}": (2, "must be true or false"),
    "call orders.edit symbol=BTC price=1 amount=1 order_id=5 --yes": (4, "Order not found"),
    'call orders.batch actions=\'[{"type":"Cancel"}]\' --yes': (2, "'data' is missing"),
    'call orders.batch actions=\'[{"type":"A","type":"B"}]\' --yes': (2, "'type' stands twice"),
    "call trades.history start_time=2026-01-01": (2, "start_time must be a time"),
    "call trades.history start_time=1700000000": (2, "in ms it is 1700000000000"),
    "call api_keys.create --yes": (2, "answers with a new secret: add --show-secret"),
    "explain account.settings": (2, "is not signed, so there is nothing to show"),
    "explain orders.batch actions=[]": (2, "explain one action by its name, like orders.create"),
    "orders show abc": (2, "no order id (a number) and no client order id (a UUID)"),
    "orders show 5": (1, "the order with order_id 5 is not in the list"),
    "orders show 5 --until done": (1, "'done' is no state of an order; those are open"),
    "orders cancel 5 --yes": (1, "is in no list of open orders; nothing was cancelled"),
    "orders list --symbol ''": (2, "--symbol must name a market"),
    f"call orders.create {ORDER} --yes --journal no/j": (5, "there is no folder"),
    "keys new key.json": (2, "'key.json' exists already and is not overwritten"),
    "keys address nowhere": (2, "'nowhere' cannot be read: No such file or directory"),
    "keys new -": (2, "never to stdout"),
    "keys convert key.json no/where": (2, "'no/where' cannot be written: No such file"),
    "cancel-all": (2, "No such command 'cancel-all'. Did you mean 'orders cancel-all'?"),
    "doctor --profile nope": (2, "profiles.toml, which would hold the profile"),
    "trades follow --since soon": (2, "like 2026-11-23T22:00:00Z, not 'soon'"),
    "report page.pdf": (2, "a report is written as .html, .png or .csv, not as 'page.pdf'"),
    "sandbox --prot 1": (2, "unrecognized arguments: --prot 1"),
}
"""What a user may type wrong -> the exit status, and what is said."""


@pytest.mark.parametrize("typed", WRONG)
def test_what_is_typed_wrong_is_refused_with_what_would_be_right(shell: Shell, typed: str) -> None:
    status, said = WRONG[typed]
    assert said in shell.refused(typed, status)
    with shell.client() as client:
        assert list(client.orders.history()) == []


def test_help_is_on_stdout_and_a_missing_command_is_wrong_use(shell: Shell) -> None:
    shown = shell("call orders.create --help")
    assert shown.status == 0
    assert "Usage: trading-sdk call orders.create [OPTIONS] symbol=... price=..." in shown.out
    assert " tif: Time in force. One of `GTC`, `IOC`, `ALO`, `TOB`.\n" in shown.out
    assert "cancel-all" in shell.refused("orders")


# -- operations ---------------------------------------------------------------------------------------


def test_an_order_is_placed_shown_and_cancelled(shell: Shell) -> None:
    placed = shell(f"call orders.create {ORDER} --yes --json")
    order = placed.json["order_id"]
    assert placed.status == 0
    assert shell(f"orders cancel {order} --yes --json {AT_ONCE}").json["cancelled"] == [order]
    shown = shell(f"orders show {order} --until cancelled").out
    assert re.search(r"^order_status +cancelled$", shown, flags=re.MULTILINE)
    told = shell.refused(f"orders cancel {order} --yes", 1)
    assert f"{order} is cancelled; nothing was cancelled" in told


def test_only_what_is_named_is_cancelled(shell: Shell) -> None:
    first, second, third = (shell.rest(price) for price in ("500", "501", "502"))
    other = shell.rest("100", symbol="ETH")
    named = shell(f"orders show {second} --json").json["client_order_id"]
    done = shell(f"orders cancel {first} {named} --yes --json {AT_ONCE}").json
    assert {*done["cancelled"]} == {first, second}
    done = shell(f"orders cancel-all --symbol BTC --yes --json {AT_ONCE}").json
    assert done["cancelled"] == [third]
    assert [each["order_id"] for each in shell("orders list --json").json] == [other]
    assert shell(f"orders cancel-all --yes {AT_ONCE}").status == 0


def test_values_are_read_as_the_argument_wants_them(shell: Shell) -> None:
    legs = 'take_profit=\'{"stop_price": 90000.50, "trigger_price_type": null}\''
    signed = shell(f"explain orders.create {ORDER} {legs} client_order_id=null --json").json
    data = json.loads(signed["canonical"])["data"]
    assert data["take_profit"]["stop_price"] == "90000.50"
    assert "client_order_id" not in data
    vault = Keypair.generate().address
    listed = shell(f"explain vaults.remove_blacklist lake={vault} symbols=BTC,ETH --json")
    assert json.loads(listed.json["canonical"])["data"]["symbols"] == ["BTC", "ETH"]
    nothing = shell("call trades.history start_time=2026-01-01T00:00:00Z --json")
    assert (nothing.status, nothing.json) == (0, [])


def test_a_list_is_read_to_its_end_or_limit(shell: Shell) -> None:
    trade(shell.sandbox, shell.key, times=3)
    with shell.client() as client:
        count = len(client.trades.history().to_list())
    assert len(shell("call trades.history limit=1 --json").json) == count > 2
    assert len(shell("call trades.history --limit 2 --json").json) == 2
    prices = [each["price"] for each in shell("call trades.history --json").json]
    assert all(isinstance(each, str) for each in prices)


def test_a_batch_says_which_action_failed(shell: Shell) -> None:
    ran = shell(f"call orders.batch --yes --json {CANCELS % (shell.rest(), 1)}")
    assert ran.status == 4
    assert [each["success"] for each in ran.json] == [True, False]
    assert "1 of 2 actions failed" in ran.err


# -- outcomes -----------------------------------------------------------------------------------------


def test_an_unknown_outcome_has_its_own_status_and_is_settled(shell: Shell) -> None:
    shell.sandbox.faults.inject("orders.create", "reset", executed=True)
    lost = shell(f"call orders.create {ORDER} --yes")
    assert (lost.status, lost.out) == (3, "")
    listed = shell("unsettled --json")
    assert listed.status == 3 and "--reconcile looks for them" in listed.err
    [open_call] = listed.json
    assert "`trading-sdk unsettled --reconcile` looks for it" in lost.err
    assert open_call["client_id"] in lost.err
    assert (open_call["operation"], open_call["fields"]["price"]) == ("orders.create", "500")
    settled = shell("unsettled --reconcile --json")
    assert settled.status == 0
    assert [each["state"] for each in settled.json] == ["executed"]
    assert shell("unsettled").status == 0


def test_a_withdrawal_is_sent_again_under_its_key(shell: Shell) -> None:
    shell.sandbox.deposit(shell.key, spot={"SOL": "5"})
    shell.sandbox.faults.inject("spot.withdraw", "reset", executed=True)
    lost = shell("call spot.withdraw symbol=SOL amount=1 --yes")
    assert lost.status == 3, lost.err
    looked = shell("unsettled --reconcile --json")
    assert looked.status == 3 and "the reason says what to do" in looked.err
    assert "client.resend(error) sends it again" in looked.json[0]["reason"]
    journal = re.search(r"journal +(\S+\.jsonl): 1 calls", shell("doctor").out)
    [python] = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    assert journal is not None
    exec(python.replace("JOURNAL", journal[1]))
    assert shell("unsettled --json").json == []
    assert len(shell("call spot.withdrawal_history --json").json) == 1


def test_the_timeout_of_reconcile_is_that_of_all_calls(shell: Shell) -> None:
    shell.sandbox.faults.inject("orders.create", "reset", executed=False, times=9)
    for _ in range(3):
        assert shell(f"call orders.create {ORDER} --yes").status == 3
    begun = time.monotonic()
    looked = shell("unsettled --reconcile --timeout 0.5 --json")
    assert looked.status == 3
    assert time.monotonic() - begun < 10
    assert looked.err.count("looking for orders.create of ") == 3
    assert [each["state"] for each in looked.json] == ["unsettled"] * 3
    ran = redirected("unsettled --reconcile --timeout 0.5", "")
    assert "again in " in ran.stdout and "attempt" not in ran.stderr


def test_what_was_not_sent_has_its_own_status(shell: Shell) -> None:
    shell.set(TRADING_BASE_URL="http://127.0.0.1:9")
    told = shell.refused(f"call orders.create {ORDER} --yes", 5)
    assert "not sent, nothing was changed" in told
    assert shell("call account.settings").status == 5
    shell.set(TRADING_BASE_URL=shell.sandbox.url)
    shell.sandbox.faults.inject("account.settings", "status", status=500, times=99)
    assert shell("call account.settings").status == 5


def test_a_journal_that_cannot_be_used_sends_nothing(shell: Shell) -> None:
    with shell.client(journal="mine.jsonl") as client:
        client.unsettled()  # opens it
        busy = shell.refused(f"call orders.create {ORDER} --yes --journal mine.jsonl", 5)
    assert "name another --journal, or wait until no other program uses this one" in busy
    Path("trading-sdk").write_text("")  # where the folder of the journals belongs
    assert "Not a directory" in shell.refused(f"call orders.create {ORDER} --yes", 5)
    with shell.client() as client:
        assert list(client.orders.history()) == []


def redirected(text: str, whither: str) -> subprocess.CompletedProcess[str]:
    """Run a command in a shell that sends its output somewhere."""
    # Without bytecode, of which Python would store as much as fits.
    python = f"PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1 {shlex.join(PROGRAM)}"
    line = ["bash", "-c", f"set -o pipefail; ulimit -f 8; {python} {text} {whither}"]
    return subprocess.run(line, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("status", "ends", "said"),
    [(400, 4, "refused says why"), (503, 3, "`trading-sdk unsettled --reconcile` looks")],
)
@pytest.mark.parametrize("command", ["cancel-all", "cancel {}"])
def test_orders_that_may_still_be_open_are_no_success(
    shell: Shell, command: str, status: int, ends: int, said: str
) -> None:
    order = shell.rest()
    shell.sandbox.faults.inject("orders.batch", "status", status=status, times=99)
    ran = shell(f"orders {command.format(order)} --yes --json {AT_ONCE}")
    assert (ran.status, ran.json["still_open"]) == (ends, [order])
    assert ran.json["unknown"] == [order] * (ends == 3)
    assert said in ran.err
    assert shell("unsettled").status == (3 if ends == 3 else 0)


def test_where_no_list_can_be_read_an_order_may_live(shell: Shell) -> None:
    """Status 5 would say that nothing was changed, and so that it is safe to send again."""
    shell.rest()
    shell.sandbox.faults.inject("orders.history", "status", status=503, times=999)
    for yes in ("", "--yes "):
        ran = shell(f"orders cancel-all {yes}{AT_ONCE}")
        assert ran.status == 3 and "orders may live, nobody could look" in ran.err
    shell.sandbox.faults.inject("orders.create", "reset", executed=False)
    assert shell(f"call orders.create {ORDER} --yes").status == 3
    looked = shell("unsettled --reconcile --timeout 1 --json")
    assert looked.status == 3 and "no list could be read" in looked.err
    assert [each["state"] for each in looked.json] == ["unsettled"]


@pytest.mark.parametrize(
    "command", ["list", f"cancel-all {AT_ONCE}", f"cancel-all --yes {AT_ONCE}"]
)
def test_a_market_without_any_order_is_told_as_a_mistake(shell: Shell, command: str) -> None:
    shell.rest()
    for symbol in ("BTCUSDT", "'BTC '"):
        told = shell.refused(f"orders {command} --symbol {symbol}")
        assert "there are some of BTC" in told and "Cancel" not in told


def test_what_is_empty_names_the_account(shell: Shell) -> None:
    none = f"none of {shell.key.address} at {shell.sandbox.url}\n"
    cancel = f"orders cancel-all {AT_ONCE}"
    lists = ("orders list", "orders list --json", "positions", "call trades.history", "unsettled")
    for each in (*lists, cancel, f"{cancel} --yes"):
        assert (each, shell(each).err) == (each, none)


def test_a_recovered_cancel_all_leaves_no_call_open(shell: Shell) -> None:
    order = shell.rest()
    shell.sandbox.faults.inject("orders.batch", "status", status=503, times=1)
    assert shell(f"orders cancel-all --yes --json {AT_ONCE}").json["cancelled"] == [order]
    assert shell("unsettled --json").json == []


@pytest.mark.parametrize("command", ["cancel-all", "cancel-all --yes"])
def test_what_is_not_certain_within_the_time_is_no_success(shell: Shell, command: str) -> None:
    ran = shell(f"orders {command} --timeout 1 --json")
    assert (ran.status, ran.json["cancelled"]) == (3, [])
    assert "no time is left to wait 15 s more" in ran.json["problems"][0]
    assert "some orders may live: cancel again, which is safe" in ran.err


@pytest.mark.parametrize(
    ("text", "status", "said"),
    [
        (f"call orders.create {ORDER}", 1, "the service accepted it"),
        (f"call orders.batch {CANCELS % (1, 2)}", 4, "2 of 2 actions failed"),
        (f"call orders.batch {CANCELS % ('FIRST', 1)}", 4, "accepted 1 of 2 actions"),
        (f"call orders.batch {CANCELS % ('FIRST', 'SECOND')}", 1, "service accepted it"),
        (f"orders cancel-all {AT_ONCE}", 1, ""),
        (f"orders cancel-all {AT_ONCE}", 3, ""),
    ],
)
def test_a_full_disk_hides_no_outcome(shell: Shell, text: str, status: int, said: str) -> None:
    for name in ("FIRST", "SECOND"):
        text = text.replace(name, str(shell.rest()))
    if status == 3:
        shell.sandbox.faults.inject("orders.batch", "status", status=503, times=99)
    with open("/dev/full", "w") as full:
        ran = shell(f"{text} --yes", stdout=full)
    assert ran.status == status, ran.err
    assert said in ran.err
    assert "2 of 2" not in said or "the service accepted" not in ran.err
    assert "mistake" not in ran.err
    with shell.client() as client:
        assert len(client.orders.history().to_list()) == (3 if "create" in text else 2)


def test_without_any_output_the_outcome_is_told_all_the_same(shell: Shell) -> None:
    done = redirected(f"call orders.create {ORDER} --yes", "<&- >&-")
    assert done.returncode == 0, done.stderr
    told = "the service accepted it, which is no fill; `trading-sdk orders show "
    assert told in done.stderr
    with shell.client() as client:
        assert len(client.orders.history().to_list()) == 1


COPY = "if this answers a second copy, the first was executed; look whether it was before"


def test_a_refusal_that_may_answer_a_repeated_request_says_so(shell: Shell) -> None:
    mine = "5f0c1f4e-6a0b-4c56-9a3d-0f6b2f9d7a11"
    order = shell("call orders.create " + f"{ORDER} client_order_id={mine} --yes --json").json
    edit = f"call orders.edit symbol=BTC order_id={order['order_id']} price=501 amount=0.1 --yes"
    assert shell(edit).status == 0
    ran = shell(edit)
    assert ran.status == 4
    assert COPY in ran.err
    # A duplicate of its own id may be executed: it ends with the status of unknown outcomes.
    ran = shell(f"call orders.create {ORDER} client_order_id={mine} --yes")
    assert ran.status == 3
    assert f"Its client id: {mine}" in ran.err
    for each in (ORDER.replace("BTC", "NOPE"), ORDER.replace("0.1", "0.0000001")):
        ran = shell(f"call orders.create {each} --yes")
        assert (ran.status, COPY in ran.err) == (4, False)
    assert COPY not in shell("call orders.history limit=1 cursor=nowhere").err


# -- positions and histories --------------------------------------------------------------------------


def test_a_folder_has_what_the_service_has(shell: Shell) -> None:
    trade(shell.sandbox, shell.key, times=6)
    synced = shell("history sync trades kept --page-size 2 --json")
    count = synced.json["rows"]
    assert synced.status == 0 and count >= 6
    assert f"trades.history: {count} read, 0 new" in shell("history sync trades kept").out
    assert shell("history verify kept").status == 0
    lines = [json.loads(each) for each in shell("history read kept --json").out.splitlines()]
    assert len(lines) == count
    assert all(re.fullmatch(r"0\.0[1-9]", each["amount"]) for each in lines)
    assert len(shell("history read kept --json --limit 2").out.splitlines()) == 2
    days = sorted({each["created_at"][:10] for each in lines})
    first = shell(f"history read kept --until {days[0]} --json").out.splitlines()
    assert {json.loads(each)["created_at"][:10] for each in first} == {days[0]}
    assert len(shell(f"history read kept --since {days[0]} --json").out.splitlines()) == count
    day = next(Path("kept").glob("day=*/records.parquet"))
    for spoil in partial(day.write_bytes, b"PAR1"), day.unlink:
        spoil()
        for command in "history read kept", "report page.html --from kept":
            told = shell.refused(command, 1)
            assert "`trading-sdk history verify` says what" in told and "mistake" not in told
    damaged = shell("history verify kept")
    assert (damaged.status, "is missing" in damaged.out) == (1, True)


def test_what_aborts_while_python_ends_changes_no_status(shell: Shell) -> None:
    shell("history sync trades kept")
    code = "import atexit, os, sys; from trading_toolkit.__main__ import main"
    code += "; atexit.register(os.abort); sys.exit(main())"
    command = [sys.executable, "-c", code, "history", "verify", "kept", "--json"]
    without_stderr = ["sh", "-c", 'exec "$@" 2>&-', "sh", *command]
    done = subprocess.run(without_stderr, capture_output=True, check=False)
    assert done.returncode == 0
    assert json.loads(done.stdout)["problems"] == []


@pytest.mark.parametrize("dialect", PACKAGES)
def test_a_report_is_written_of_the_service_or_of_folders(shell: Shell, dialect: Dialect) -> None:
    with exchange(dialect) as sandbox:
        key = sandbox.create_account(usdc="100000")
        key.write_file("live.json")
        trade(sandbox, key, times=4)
        shell.set(TRADING_BASE_URL=sandbox.url, TRADING_KEY_FILE="live.json")
        observed, funding = ("--observed", "--funding paid") if dialect == "live" else ("", "")
        made = shell(f"report live.html live.png --json {observed}")
        assert shell(f"history sync trades kept {observed}").status == 0
        if observed:
            assert shell(f"history sync funding.payments paid {observed}").status == 0
            assert "--funding FOLDER adds" in shell("report pnl.csv --from kept").err
        stored = shell(f"report pnl.csv --from kept {funding} --title Mine --json")
    assert made.status == stored.status == 0, made.err + stored.err
    assert made.json["files"] == ["live.html", "live.png"]
    assert Path("live.png").read_bytes().startswith(b"\x89PNG")
    assert made.json["total"] == stored.json["total"]
    assert (made.json["title"], stored.json["title"]) == (key.address, "Mine")
    text = " ".join(stored.json["assumptions"])
    assert f"The folder of trades.history is of {key.address} at http://" in text
    assert ("Funding payments are not known" in text) == (not observed)
    head = "day,symbol,net,realised,fees,funding,volume,fills"
    assert Path("pnl.csv").read_text().startswith(head)
    if observed:
        paid = sum(Decimal(row["funding"]) for row in stored.json["rows"])
        assert paid == Decimal(stored.json["total"]["funding"]) != 0
        assert "Funding is what the list" in text


# -- keys ---------------------------------------------------------------------------------------------


def test_a_key_is_made_for_its_owner_alone_and_shown_only_by_name(shell: Shell) -> None:
    made = shell("keys new new.json --json")
    key = Keypair.from_file("new.json")
    assert made.json == {"address": key.address, "file": "new.json"}
    shown = shell("keys address new.json --show-secret --json").json
    assert shown["private_key"] == key.export_base58()
    assert shell("keys address").out.split()[:2] == ["address", shell.key.address]
    for form in ("json", "base58"):
        assert shell(f"keys convert key.json {form} --to {form}").status == 0
        assert Keypair.from_file(form) == shell.key
        assert Path(form).read_text().startswith("[") == (form == "json")
    modes = [stat.S_IMODE(os.stat(each).st_mode) for each in ("new.json", "json", "base58")]
    assert modes == [0o600] * 3


SECRET_PLACES = (
    *("keys address {}", "keys convert {} x", "doctor --profile {}", "orders show {}"),
    *("call {}", "call orders.create {}", "call orders.create symbol={}", "explain {} a=b"),
    *("{}", "history read {}", "orders cancel {} --yes", "unsettled {}", "unsettled --journal {}"),
    *("trades follow --since {}", "history sync trades --format {} x"),
)


@pytest.mark.parametrize("place", SECRET_PLACES)
def test_a_key_in_the_wrong_place_is_not_repeated(shell: Shell, place: str) -> None:
    secret = Keypair.generate().export_base58()
    ran = shell(place.format(secret))
    assert ran.status != 0
    assert secret not in ran.out + ran.err
    assert not [each for each in shell.home.rglob("*") if secret in each.name]


def test_no_output_holds_a_secret(shell: Shell) -> None:
    created = shell("call api_keys.create --yes --show-secret --json")
    secrets = {shell.key.export_base58(), created.json["api_key"]}
    shell.set(TRADING_API_KEY=created.json["api_key"])
    commands = [
        *("doctor", "doctor --json", "call api_keys.list", "call api_keys.list --json"),
        *(f"explain orders.create {ORDER}", f"call orders.create {ORDER} --yes --verbose"),
        *("keys address", "unsettled", "call account.settings --verbose", "call nope --verbose"),
        f"call api_keys.revoke api_key={created.json['api_key']}",
    ]
    for each in commands:
        ran = shell(each)
        found = [secret for secret in secrets if secret in ran.out + ran.err]
        assert (each, found) == (each, [])
    assert created.json["api_key"] in shell("call api_keys.list --show-secret --json").out


# -- settings -----------------------------------------------------------------------------------------


def test_a_profile_takes_the_place_of_the_environment(shell: Shell) -> None:
    other = shell.sandbox.create_account()
    other.write_file(shell.home / "trading-sdk.json")
    shell.profile(f'[bot]\nbase_url = "{shell.sandbox.url}"\nkey_file = "../trading-sdk.json"\n')
    assert shell("keys address --profile bot").out.split()[1] == other.address
    assert shell("doctor --profile bot --json").status == 0


@pytest.mark.parametrize(
    ("text", "mode", "said"),
    [
        ('[bot]\napi_key = "abcdefgh_secret"', 0o640, "open to other users: chmod 600 it"),
        ("[bot]\nkey_fil = 'x'", 0o600, "key_fil of bot is wrong; a profile has observed"),
        ("[bot]\nobserved = 'yes'", 0o600, "a profile has observed, which is true or false"),
        ("[bots]", 0o600, "has no profile 'bot'; it has bots"),
        ("bot", 0o600, "is no TOML"),
        ("[bot]", 0o600, "profiles.toml names no service: set TRADING_BASE_URL, or base_url"),
        ("[bot]\nbase_url='ftp://x'", 0o600, "profiles.toml: "),
    ],
)
def test_a_profile_that_cannot_be_used_is_refused(
    shell: Shell, text: str, mode: int, said: str
) -> None:
    shell.profile(text, mode)
    told = shell.refused("call account.settings --profile bot")
    assert said in told and "abcdefgh" not in told


def test_a_time_in_another_unit_is_shown_as_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    with click.Context(click.Command("list"), obj=Options()):
        records([{"order_id": 7, "created_at": 1_728_000_000_000_000}])
    assert "1728000000000000" in capsys.readouterr().out


def test_the_live_exchange_is_looked_at(shell: Shell) -> None:
    with Sandbox(seed=7, maker=True, taker_delay=0, dialect="live") as live:
        live.create_account(usdc="10000", spot={"SOL": "5"}).write_file("trader.json")
        shell.set(TRADING_BASE_URL=live.url, TRADING_KEY_FILE="trader.json")
        shell.profile(
            f"[live]\nbase_url = '{live.url}'\nobserved = true\nkey_file = '../trader.json'"
        )
        assert shell("balance --profile live --json").json["spot"] == {"SOL": "5"}
        listed = shell("markets --observed").out
        assert re.search(r"^BTC +1 +0\.00001 +10 ", listed, re.MULTILINE)
        rows = shell("book BTC --depth 3 --observed --json").json
        bids, asks = ([Decimal(row[side]) for row in rows] for side in ("bid", "ask"))
        assert bids == sorted(bids, reverse=True) and asks == sorted(asks) and bids[0] < asks[0]
        assert len(bids) == 3
        for words in "buy 0.01 BTC", "sell 0.1 ETH":
            assert shell(f"order {words} --yes").status == 0
        live.faults.inject("trades.history", "status", status=503, times=50)  # not asked for
        held = shell("positions --observed --json").json
        assert {each["symbol"]: each["size"] for each in held} == {"BTC": "0.01", "ETH": "-0.1"}
        live.advance(3_600_000)
        [paid] = shell("funding --symbol BTC --observed --json").json
        assert (paid["symbol"], paid["amount"]) == ("BTC", "0.01")
        for each in "balance", "markets", "book BTC", "funding":
            needs = "is an operation of trading_sdk_observed: add --observed"
            assert needs in shell.refused(each)


def test_a_short_order_is_the_call_that_it_stands_for(shell: Shell) -> None:
    for words, fields in (
        ("buy 0.01 BTC @ 60000 --post-only", ("bid", "60000", "0.01")),
        ("sell 0.02 BTC @ 990000", ("ask", "990000", "0.02")),
    ):
        placed = shell(f"order {words} --yes --json").json["order_id"]
        made = shell(f"orders show {placed} --json").json
        assert (made["side"], made["initial_price"], made["amount"]) == fields
        assert not made["reduce_only"]
    for words, status, text in (
        ("sell 0.02 ETH @99000 --reduce-only --ioc --yes", 4, ""),  # there is nothing to reduce
        ("buy 0.01 BTC @ 60000", 2, "add --yes"),
        ("buy 0.01 BTC 60000 --yes", 2, "the limit is written as in @ 60000, not as '60000'"),
        ("buy 0.01 BTC @ 1 --post-only --ioc --yes", 2, "--post-only or --ioc, not both"),
        ("buy 0.01 BTC --post-only --yes", 2, "need a limit"),
        ("buy 0.01 BTC @ 1 --slippage 2 --yes", 2, "--slippage is of an order without a limit"),
        ("hold 0.01 BTC --yes", 2, "'hold' is not one of 'buy', 'sell'"),
        ("buy much BTC @ 1 --yes", 2, "'much' is not a plain decimal"),
    ):
        assert text in shell.refused(f"order {words}", status)


def test_results_are_csv_as_they_are_json(shell: Shell) -> None:
    trade(shell.sandbox, shell.key, times=4)
    assert shell("order buy 0.1 BTC @ 500 --yes").status == 0

    def text(value: Any) -> str:
        return "" if value is None else value if isinstance(value, str) else json.dumps(value)

    def table(command: str) -> list[dict[str, str]]:
        return list(csv.DictReader(io.StringIO(shell(f"{command} --csv").out)))

    for command in "orders list", "positions", "positions --all", "call trades.history":
        rows = [*map(dict.items, shell(f"{command} --json").json)]
        assert rows or command == "positions"
        assert table(command) == [{name: text(value) for name, value in row} for row in rows]
    assert shell("history sync trades kept").status == 0
    kept = [json.loads(each) for each in shell("history read kept --json").out.splitlines()]
    assert [row["pnl"] for row in table("history read kept")] == [each["pnl"] for each in kept]
    assert table("history sync trades kept")[0]["new"] == "0"
    assert len(table("doctor")) > 5
    assert shell("unsettled --csv").out == ""
    assert "--json or --csv, not both" in shell.refused("positions --csv --json")


# -- doctor -------------------------------------------------------------------------------------------


def states(shell: Shell) -> dict[str, str]:
    return {each["check"]: each["state"] for each in shell("doctor --json").json}


def test_the_doctor_finds_all_well_and_changes_nothing(shell: Shell) -> None:
    before = sorted(shell.home.rglob("*"))
    found = states(shell)
    assert set(found.values()) == {"ok"}
    assert set(found) >= {"versions", "settings", "key", "account", "network", "clock", "journal"}
    assert sorted(shell.home.rglob("*")) == before


def test_the_doctor_says_what_is_wrong(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    shell.key_file.chmod(0o644)
    ran = shell("doctor")
    assert ran.status == 1
    assert f"key file '{shell.key_file}' is open to other users: chmod 600 it" in ran.out
    shell.key_file.chmod(0o600)
    shell.set(TRADING_BASE_URL="http://127.0.0.1:9")
    assert states(shell)["network"] == "fail"
    shell.set(TRADING_BASE_URL=shell.sandbox.url, TRADING_ACCOUNT=Keypair.generate().address)
    assert states(shell)["signature"] == "fail"
    for name in ("TRADING_BASE_URL", "TRADING_KEY_FILE", "TRADING_ACCOUNT"):
        monkeypatch.delenv(name)
    ran = shell("doctor")
    assert ran.status == 1
    assert "the environment names no service: set TRADING_BASE_URL" in ran.out


# -- a shell ------------------------------------------------------------------------------------------


def test_somebody_is_asked_and_no_sends_nothing(shell: Shell) -> None:
    asked = shell.answered(f"call orders.create {ORDER}", "n\n")
    for shown in (
        *("orders.create, signed as create_order", shell.key.address, shell.sandbox.url),
        *('client_order_id      "(a new one)"', "Send it? [y/N] ", "nothing was sent"),
    ):
        assert shown in asked.err
    assert asked.status == 5
    with shell.client() as client:
        assert list(client.orders.history()) == []
    assert shell.answered(f"call orders.create {ORDER}", "y\n").status == 0


def test_a_message_of_two_keys_is_shown_with_both_addresses(shell: Shell) -> None:
    other = Keypair.generate()
    other.write_file("sub.json")
    asked = shell.answered("call --observed subaccounts.create subaccount=sub.json", "")
    assert other.address in asked.err and shell.key.address in asked.err
    assert asked.status == 5


@pytest.mark.parametrize(
    ("command", "operation"),
    [(f"call orders.create {ORDER}", "orders.create"), ("orders cancel-all", "orders.batch")],
)
def test_ctrl_c_in_a_call_leaves_it_in_the_journal(
    shell: Shell, command: str, operation: str
) -> None:
    shell.rest()
    shell.sandbox.faults.inject(operation, "delay_answer", seconds=60)
    ran = shell.interrupted(f"{command} --yes")
    assert (ran.status, ran.out) == (130, "")
    assert "may have been executed if `trading-sdk unsettled` lists it" in ran.err
    assert "Traceback" not in ran.err
    assert shell("unsettled").status == 3


def test_ctrl_c_ends_a_tail_of_trades_quietly(shell: Shell) -> None:
    trade(shell.sandbox, shell.key, times=1)
    # What a shell starts in the background ignores Ctrl-C, and so would what it starts.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    command = [*PROGRAM, "trades", "follow", "--since", "1759215599188", "--json"]
    pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, **pipes) as running:
        assert running.stdout is not None
        assert '"symbol": ' in running.stdout.readline()
        running.send_signal(signal.SIGINT)
        _, told = running.communicate()
    assert (running.returncode, "Traceback" in told) == (130, False)


@pytest.mark.parametrize(
    ("given", "whither", "ends", "said"),
    [
        ("", "| :", 141, ""),
        ("--json", "> orders.json", 1, "trading-sdk: [Errno 27] File too large\n"),
    ],
)
def test_a_closed_pipe_is_quiet_and_a_full_file_is_not(
    shell: Shell, given: str, whither: str, ends: int, said: str
) -> None:
    for price in range(30):
        shell.rest(str(500 + price))
    done = redirected(f"call orders.history {given}", whither)
    assert (done.returncode, done.stderr) == (ends, said)


@pytest.mark.parametrize(
    ("typed", "completed"),
    [
        ("call --observed markets.ca", "plain,markets.candles"),
        ("call orders.create sy", "plain,symbol="),
        ("call orders.create symbol = BTC side = b", "plain,bid"),  # as Bash cuts it
        ("call orders.create symbol=BTC side=b", "plain,side=bid"),  # as Zsh gives it
    ],
)
def test_a_shell_completes_operations_arguments_and_values(
    typed: str, completed: str, shell: Shell, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["trading-sdk", *typed.split()]
    shell.set(COMP_WORDS=" ".join(words), COMP_CWORD=str(len(words) - 1))
    shell.set(_TRADING_SDK_COMPLETE="bash_complete")
    with pytest.raises(SystemExit):
        shell("")
    assert capsys.readouterr() == (f"{completed}\n", "")


# -- the page -----------------------------------------------------------------------------------------

PAGE = Path(__file__).parents[2] / "docs" / "command.md"


def masked(line: str) -> str:
    """A line without what differs from run to run."""
    for pattern, name in (
        (r"/\S*/(?=data/)", "FOLDER/"),
        (r"\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b", "UUID"),
        (r"\b[1-9A-HJ-NP-Za-km-z]{32,44}\b", "ADDRESS"),
        (r"[\d.]*\d(\.dev\d)?", "N"),
        (r" +", " "),
    ):
        line = re.sub(pattern, name, line)
    return line.strip()


def test_the_session_of_the_page_is_true(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = "".join(re.findall(r"```console\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL))
    commands = 0
    with Sandbox(seed=7, taker_delay=0) as exchange:
        key = exchange.create_account()
        for step in lines.split("$ ")[1:]:
            typed, _, shown = step.partition("\n")
            program, _, arguments = typed.partition(" ")
            if program == "export":
                name, _, value = arguments.partition("=")
                shell.set(**{name: exchange.url if "://" in value else value})
                continue
            monkeypatch.setattr("sys.stdin", io.StringIO(key.export_base58()))
            ran = shell(arguments)
            assert (program, ran.status) == ("trading-sdk", 0), ran.err
            wanted = list(map(masked, shown.splitlines()))
            found = list(map(masked, ran.out.splitlines()))
            if wanted[-1] == "...":
                wanted, found = wanted[:-1], found[: len(wanted) - 1]
            assert found == wanted
            commands += 1
    assert commands > 10


def test_the_page_names_every_command_and_every_status() -> None:
    text = PAGE.read_text("utf-8")
    table = text.split("| command | does |")[1].split("\n\n")[0]
    named = re.findall(r"`([a-z-]+)", "".join(row.split("|")[1] for row in table.splitlines()[2:]))
    top = {each for each in named if each in program_module.cli.commands}
    assert top == set(program_module.cli.commands)
    statuses = re.findall(r"^\| (\d+) ", text, re.MULTILINE)
    assert {str(number) for number, _ in program_module.STATUSES} <= set(statuses)


# -- positions ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("dialect", PACKAGES)
def test_positions_are_closed_and_an_account_is_left_flat(shell: Shell, dialect: Dialect) -> None:
    with Sandbox(seed=7, maker=True, taker_delay=0, dialect=dialect) as sandbox:
        sandbox.create_account(usdc="100000").write_file("flat.json")
        shell.set(TRADING_BASE_URL=sandbox.url, TRADING_KEY_FILE="flat.json")
        more = AT_ONCE + (" --observed" if dialect == "live" else "")
        for words in ("buy 0.02 BTC", "sell 0.5 ETH", "buy 0.01 BTC @ 60000 --post-only"):
            assert shell(f"order {words} --yes").status == 0
        asked = shell(f"flatten {more}")
        assert (asked.status, "add --yes" in asked.err) == (2, True)
        assert "BTC bid at 60000" in asked.err and "ETH -0.5 at " in asked.err
        closed = shell(f"close BTC --yes --json {more}")
        assert (closed.status, closed.json["closed"]) == (0, ["BTC"])
        flat = shell(f"flatten --yes --json {more}")
        assert flat.status == 0, flat.err
        assert len(flat.json["orders"]["cancelled"]) == 1
        assert flat.json["positions"]["closed"] == ["ETH"]
        assert shell(f"close BTC --yes {more}").status == 0
        told = shell.refused(f"close NONE --yes {more}")
        assert "no trade is of 'NONE'; there are some of BTC, ETH" in told
        of_positions = "positions.list" if dialect == "live" else "trades.history"
        for name in ("orders.history", of_positions):
            sandbox.faults.inject(name, "status", times=9, status=403)
        assert shell(f"close BTC --yes {more}").status == 4
        assert shell(f"flatten --yes {more}").status == 3
