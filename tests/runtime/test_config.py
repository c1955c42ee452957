"""The options of a client: what is refused, and in which words."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import pytest
import requests
from attrs import evolve

from trading_runtime import config
from trading_runtime.call.retry import Retry
from trading_runtime.errors import JournalError, RequestError
from trading_runtime.http.transport import RequestsTransport
from trading_runtime.operation import Action, Api, Batch, BatchOperation, Operation
from trading_runtime.signing.keys import Keypair

SIGNER = Keypair(b"\x01" * 32)
OTHER = Keypair(b"\x07" * 32).address


@pytest.mark.parametrize("value", [100, 30_000, 86_400_000])
def test_a_window_is_a_positive_number_of_ms(value: int) -> None:
    assert config.window(value) == value


@pytest.mark.parametrize("value", [0, -1])
def test_a_window_that_is_not_positive_is_refused(value: int) -> None:
    with pytest.raises(RequestError, match=f"expiry_window must be at least 1, not {value}"):
        config.window(value)


@pytest.mark.parametrize(
    ("value", "meant"),
    [(1, "; 1 seconds are 1000"), (99, "; 99 seconds are 99000"), (86_400_001, "")],
)
def test_a_window_that_was_meant_in_other_units_is_refused(value: int, meant: str) -> None:
    with pytest.raises(RequestError) as caught:
        config.window(value)
    bounds = "from 100 to 86400000 milliseconds"
    assert str(caught.value) == f"expiry_window must be {bounds}, not {value}{meant}"


@pytest.mark.parametrize("value", [30.0, "30000", True, None])
def test_a_window_that_is_no_integer_is_a_type_error(value: Any) -> None:
    with pytest.raises(TypeError, match="expiry_window must be an integer of milliseconds"):
        config.window(value)


@pytest.mark.parametrize("value", [0.001, 1, 600.0])
def test_a_timeout_is_a_positive_number_of_seconds(value: float) -> None:
    assert config.timeout(value) == value
    assert type(config.timeout(value)) is float


@pytest.mark.parametrize("value", [0, -1, 601, 10**400, float("inf"), float("nan"), float("-inf")])
def test_a_timeout_that_waits_for_ever_or_not_at_all_is_refused(value: float) -> None:
    with pytest.raises(RequestError, match="timeout must be above 0 and at most 600 seconds"):
        config.timeout(value)


@pytest.mark.parametrize(
    ("value", "meant"),
    [(601, "; 601 ms are 0.601"), (600_000, "; 600000 ms are 600"), (600_001, "")],
)
def test_a_timeout_in_ms_is_told_in_seconds(value: int, meant: str) -> None:
    with pytest.raises(RequestError) as caught:
        config.timeout(value)
    assert str(caught.value).endswith(f" seconds, not {value}{meant}")


@pytest.mark.parametrize(
    ("value", "url"),
    [
        (1, "https://exchange.example"),
        (3_600, "https://exchange.example"),
        (0, "http://127.0.0.1:9"),
        (0.5, "http://localhost"),
        (0, "https://[::1]:9/exchange"),
    ],
)
def test_a_lag_covers_what_a_service_takes_unless_it_is_on_this_machine(
    value: float, url: str
) -> None:
    assert config.history_lag(value, url) == value


@pytest.mark.parametrize(
    ("value", "url", "text"),
    [
        (0, "https://exchange.example", "history_lag must be at least 1 second, not 0: within it"),
        (0.99, "https://127.0.0.1.example", "history_lag must be at least 1 second, not 0.99: "),
        (3_601, "http://localhost", "history_lag must be at least 0 and at most 3600 seconds, not"),
        (-1, "http://localhost", "history_lag must be at least 0 and at most 3600 seconds, not -1"),
    ],
)
def test_a_lag_that_settles_too_early_or_was_meant_in_ms_is_refused(
    value: float, url: str, text: str
) -> None:
    with pytest.raises(RequestError) as caught:
        config.history_lag(value, url)
    assert str(caught.value).startswith(text)


@pytest.mark.parametrize("value", ["10", None, True, (1, 2)])
def test_a_timeout_that_is_no_number_is_a_type_error(value: Any) -> None:
    with pytest.raises(TypeError, match="timeout must be a number of seconds"):
        config.timeout(value)


def test_the_account_is_the_one_given_or_the_signers_own() -> None:
    assert config.account(None, None) is None
    assert config.account(None, SIGNER) == SIGNER.address
    assert config.account(OTHER, SIGNER) == OTHER
    assert config.account(OTHER, None) == OTHER


@pytest.mark.parametrize("signer", [None, SIGNER])
@pytest.mark.parametrize("text", ["", "main", OTHER[:-1] + "0", SIGNER.export_base58()])
def test_an_account_is_an_address_and_never_a_private_key(
    text: str, signer: Keypair | None
) -> None:
    with pytest.raises(RequestError, match="an address is the Base58 text of 32 bytes") as caught:
        config.account(text, signer)
    assert not text or text not in str(caught.value)


def test_an_account_that_is_no_text_is_a_type_error() -> None:
    with pytest.raises(TypeError, match="account must be a string, not a int"):
        config.account(cast(Any, 5), None)


@pytest.mark.parametrize("value", ["abc", 5, object(), Keypair])
def test_a_signer_has_an_address_and_signs(value: Any) -> None:
    with pytest.raises(TypeError, match="signer must have an address and a sign"):
        config.signer(value)


@pytest.mark.parametrize("value", [None, SIGNER])
def test_no_signer_and_a_keypair_are_taken_as_they_are(value: Keypair | None) -> None:
    assert config.signer(value) is value


def test_an_api_key_that_is_no_text_is_a_type_error() -> None:
    with pytest.raises(TypeError, match="api_key must be a string, not a int"):
        config.headers("X-Key", cast(Any, 5))


def test_signing_types_that_are_no_mapping_are_a_type_error() -> None:
    with pytest.raises(TypeError, match="signing_types must be a mapping"):
        config.signing_types(API, cast(Any, 5))


def test_an_api_key_goes_into_the_header_that_the_service_names() -> None:
    assert config.headers("X-Key", None) == {"Accept": "application/json"}
    assert config.headers("X-Key", "abc_1") == {"Accept": "application/json", "X-Key": "abc_1"}


def test_a_service_without_api_keys_takes_none() -> None:
    assert config.headers(None, None) == {"Accept": "application/json"}
    with pytest.raises(RequestError, match="this service takes no api_key"):
        config.headers(None, "abc")


@pytest.mark.parametrize("value", ["", " a", "a ", "a\r\nX-Evil: 1", "a\0", "ä", "a\tb"])
def test_an_api_key_that_no_header_can_hold_is_refused_without_showing_it(value: str) -> None:
    with pytest.raises(RequestError) as caught:
        config.headers("X-Key", value)
    assert str(caught.value) == "api_key must be printable ASCII without spaces around it"


def test_headers_show_their_names_only() -> None:
    headers = config.headers("X-Key", "canary")
    assert repr(headers) == str(headers) == "Masked(Accept, X-Key)"
    assert "canary" not in f"{headers} {[headers]}"
    assert not hasattr(headers, "__dict__")
    assert len(headers) == 2


def action(name: str, signing_type: str, source: Any) -> Action:
    return Action(
        name=name,
        type="T",
        signing_type=signing_type,
        signing_source=source,
        params=type(name, (), {}),
    )


ACTIONS = [action("a.known", "known", "documented"), action("a.guess", "guess", "assumed")]
API = Api(
    title="Test",
    version="v1",
    operations=[
        Operation(name="a.read", method="GET", path="/read"),
        Operation(name="a.known", method="POST", path="/k", signing_type="known"),
        Operation(
            name="a.seen", method="POST", path="/s", signing_type="seen", signing_source="observed"
        ),
        BatchOperation(
            name="a.batch",
            method="POST",
            path="/b",
            batch=Batch(field="steps", max_items=2, actions={a.params: a for a in ACTIONS}),
        ),
    ],
    api_key_header=None,
)
TYPES = {"a.known": "known", "a.guess": "guess", "a.seen": "seen"}


def test_every_signed_operation_and_action_has_its_type() -> None:
    assert config.signing_types(API, {}) == TYPES


def test_a_type_that_is_not_documented_may_be_replaced() -> None:
    types = config.signing_types(API, {"a.seen": "x", "a.guess": "y"})
    assert types == {**TYPES, "a.seen": "x", "a.guess": "y"}


def test_a_documented_type_may_not_be_replaced() -> None:
    with pytest.raises(RequestError) as caught:
        config.signing_types(API, {"a.known": "x"})
    assert (
        str(caught.value)
        == "signing_types: the signing type of a.known is documented, 'known', and cannot be replaced"
    )


@pytest.mark.parametrize("value", ["", "two words", 5])
def test_a_replacement_must_be_an_operation_type(value: Any) -> None:
    with pytest.raises(
        RequestError, match=r"^signing_types\['a\.seen'\]: .* is not a signing type"
    ):
        config.signing_types(API, {"a.seen": value})


@pytest.mark.parametrize("name", ["a.read", "a.batch", "a.unknown", ""])
def test_only_what_is_signed_has_a_type_to_replace(name: str) -> None:
    with pytest.raises(RequestError) as caught:
        config.signing_types(API, {name: "x"})
    near = "; did you mean 'a.known'?" if name == "a.unknown" else ""
    told = f"signing_types: {name!r} is not one of a.known, a.guess, a.seen{near}"
    assert str(caught.value) == told


# Servers

SERVERS = {"main": "https://api.example", "testnet": "https://testnet.example/v2/"}
TWO = evolve(API, operations=(), servers=SERVERS)


def test_a_server_is_named_or_given_as_a_url() -> None:
    assert config.base_url(TWO, "main") == "https://api.example"
    assert config.base_url(TWO, "testnet") == "https://testnet.example/v2"
    assert config.base_url(TWO, "https://other.example") == "https://other.example"


@pytest.mark.parametrize(
    ("name", "near"), [("", ""), ("Main", "main"), ("test", "testnet"), ("api.example", "")]
)
def test_a_server_that_the_service_does_not_have_is_refused(name: str, near: str) -> None:
    with pytest.raises(RequestError) as caught:
        config.base_url(TWO, name)
    told = "base URL: it is neither a URL nor a server; those are main, testnet"
    assert str(caught.value) == told + (f"; did you mean {near!r}?" if near else "")


def test_a_service_that_names_no_servers_takes_urls_alone() -> None:
    with pytest.raises(RequestError, match="base URL: "):
        config.base_url(API, "main")


# Attempts, clock, journal


def test_a_retry_is_taken_as_it_is() -> None:
    policy = Retry(max_attempts=1)
    assert config.retry(policy) is policy


@pytest.mark.parametrize("value", [3, None, True, {"attempts": 3}, Retry])
def test_what_is_no_retry_is_a_type_error(value: Any) -> None:
    with pytest.raises(TypeError) as caught:
        config.retry(value)
    assert str(caught.value) == (
        f"retry must be a Retry, not a {type(value).__name__}; Retry(max_attempts=1) turns retries off"
    )


@pytest.mark.parametrize("value", ["local", "server"])
def test_a_clock_is_this_machines_or_the_services(value: Any) -> None:
    assert config.clock(value).skew is None


@pytest.mark.parametrize("value", ["", "Local", "utc", None, 5])
def test_any_other_clock_is_refused(value: Any) -> None:
    with pytest.raises(RequestError) as caught:
        config.clock(value)
    assert str(caught.value) == f"clock must be 'local' or 'server', not {value!r}"


def test_no_journal_is_kept_unless_asked_for() -> None:
    assert config.journal(None) is None


def test_a_journal_is_not_opened_before_it_is_needed(tmp_path: Path) -> None:
    for path in (tmp_path / "a", str(tmp_path / "b")):
        assert config.journal(path) is not None
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["file/journal", "a\0b", "no/journal", "."])
def test_a_journal_that_cannot_be_written_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(JournalError, match="journal "):
        config.journal(tmp_path / name)


@pytest.mark.parametrize("value", [5, b"path", True, ["path"]])
def test_a_journal_that_is_no_path_is_a_type_error(value: Any) -> None:
    with pytest.raises(TypeError, match="journal must be the path of a file, not a "):
        config.journal(value)


@pytest.mark.parametrize("value", ["5", True, [1]])
def test_a_wait_that_is_no_number_is_a_type_error(value: Any) -> None:
    with pytest.raises(TypeError, match="timeout must be a number of seconds, not "):
        config.reconcile_timeout(value)


@pytest.mark.parametrize("value", [-1, -0.5, 86_401, float("nan"), float("inf")])
def test_a_wait_below_0_or_above_a_day_is_refused(value: float) -> None:
    with pytest.raises(RequestError, match="timeout must be at least 0 and at most 86400 seconds"):
        config.reconcile_timeout(value)


def test_a_wait_is_in_seconds_or_as_long_as_it_takes() -> None:
    assert config.reconcile_timeout(None) is None
    assert [config.reconcile_timeout(each) for each in (0, 2, 0.5)] == [0.0, 2.0, 0.5]


def test_a_session_itself_is_no_transport_and_the_error_says_what_to_write() -> None:
    session: Any = requests.Session()
    with pytest.raises(TypeError, match=r"write SessionTransport\(session\)$"):
        config.transport(session)


@pytest.mark.parametrize("value", [5, "http", RequestsTransport, object()])
def test_what_cannot_send_is_no_transport(value: Any) -> None:
    with pytest.raises(TypeError, match="transport must be an object with send"):
        config.transport(value)
