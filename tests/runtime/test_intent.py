"""What a call is about to do, as it is written down and read again."""

from __future__ import annotations

from attrs import field, frozen

from trading_runtime.call.message import recorded
from trading_runtime.codec.requests import unstructure
from trading_runtime.operation import Operation


def test_what_is_written_down_of_a_message_is_what_the_repr_of_its_model_shows() -> None:
    @frozen(kw_only=True)
    class Login:
        name: str
        password: str = field(repr=False)
        otp: str | None = field(default=None, repr=False)
        device: str | None = None

    login = Operation[None](name="session.open", method="POST", path="/", params=Login)
    data = unstructure(Login(name="a", password="b", otp="c", device="d"))
    assert data == {"name": "a", "password": "b", "otp": "c", "device": "d"}
    assert recorded(login, data, None).fields == {"name": "a", "device": "d"}
