"""Encode the state and the commands as JSON, and decode them without loss."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any, cast, get_args

import cattrs
from cattrs.gen import make_dict_structure_fn, make_dict_unstructure_fn, override

from trading_sandbox.engine.commands import Command
from trading_sandbox.engine.records import Stop
from trading_sandbox.engine.state import Account, State

_STORED_NAMES: dict[type[Any], dict[str, str]] = {
    Stop: {"untriggered": "waiting"},
    Account: {"is_house_account": "house"},
    State: {"forced_outcomes": "forced"},
}
"""Fields that have another name in state files, those inside before those outside."""

_COMMANDS: dict[str, type[Any]] = {kind.__name__: kind for kind in get_args(Command)}


def _make_converter() -> cattrs.Converter:
    made = cattrs.Converter(detailed_validation=False)
    # Digits and exponent are kept (1E+2 does not become 100), so that a run that was killed and
    # restarted has the same state, digit by digit, as one that was not.
    made.register_unstructure_hook(Decimal, str)
    made.register_structure_hook(Decimal, lambda text, _: Decimal(text))
    for model, names in _STORED_NAMES.items():
        renamed: Any = {name: override(rename=stored) for name, stored in names.items()}
        made.register_unstructure_hook(model, make_dict_unstructure_fn(model, made, **renamed))
        made.register_structure_hook(model, make_dict_structure_fn(model, made, **renamed))
    return made


_converter = _make_converter()
_encoder = json.JSONEncoder(separators=(",", ":"), check_circular=False)


def encode_command(command: Command) -> tuple[str, str]:
    """Return the kind of a command and its fields as JSON."""
    return type(command).__name__, _encoder.encode(_converter.unstructure(command))


def decode_command(kind: str, data: str) -> Command:
    """Return the command that `encode_command` encoded."""
    return cast(Command, _converter.structure(json.loads(data), _COMMANDS[kind]))


def encode_state(state: State) -> str:
    """Return a state as JSON, without its derived fields.

    Two states have the same text exactly when they are equal. The order of dictionary entries
    counts, because orders of the same price trade in it.
    """
    return _encoder.encode(_converter.unstructure(state))


def decode_state(text: str) -> State:
    """Return the state that `encode_state` encoded."""
    return _converter.structure(json.loads(text), State)
