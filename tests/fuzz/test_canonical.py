"""The canonical text: what json.dumps writes of what may be signed, and nothing of the rest."""

from __future__ import annotations

import json
import random
from decimal import Decimal
from typing import Any

from hypothesis import given, strategies as st

from tests.contract.signing import is_signable
from tests.fuzz.mutations import values
from trading_runtime.errors import SigningError
from trading_runtime.signing.canonical import canonical_text

printable = st.characters(min_codepoint=32, max_codepoint=126)
ascii_text = st.text(printable, max_size=12)
allowed = st.recursive(
    st.none() | st.booleans() | st.integers() | ascii_text,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.lists(inner, max_size=3).map(tuple)
        | st.dictionaries(ascii_text, inner, max_size=3)
    ),
    max_leaves=8,
)


def shuffled(value: Any, chance: random.Random) -> Any:
    if isinstance(value, dict):
        items: list[Any] = [(key, shuffled(item, chance)) for key, item in value.items()]
        return dict(chance.sample(items, len(items)))
    if isinstance(value, (list, tuple)):
        return type(value)(shuffled(item, chance) for item in value)
    return value


@given(
    allowed | values | st.sampled_from([1.5, b"a", {1}, {1: 2}, object(), Decimal(1)]),
    st.integers(),
)
def test_a_value_is_written_as_json_dumps_does_in_any_order_or_refused(
    value: Any, seed: int
) -> None:
    try:
        text = canonical_text(shuffled(value, random.Random(seed)))
    except SigningError as error:
        assert not is_signable(value)
        assert error.__cause__ is None and error.__context__ is None
        assert str(error).isascii()
        return
    assert is_signable(value)
    assert text == json.dumps(value, sort_keys=True, separators=(",", ":"))
    assert canonical_text(json.loads(text)) == text
