"""Values of JSON, and documents that are almost what they were."""

from __future__ import annotations

import copy
import json
from typing import Any, TypeAlias

from hypothesis import strategies as st

Place: TypeAlias = tuple[Any, Any]
"""A list or an object, and an index or a key of it."""

_ODD: list[Any] = [
    *(None, True, False, 0, 1, -1, 2**63, -(10**40), 0.5, -0.0, 1e308),
    *("", " ", "0", "1", "-0", "+1", "1.", ".5", "1e5", "1e999", "1e9999", "NaN", "Infinity"),
    *("0x10", "1_000", "\u0661", "1\n", "9" * 500, "true", "null", "bid", "BID", "open", "GTC"),
    *("5f0c1f4e-6a0b-4c56-9a3d-0f6b2f9d7a11", "{5f0c1f4e6a0b4c569a3d0f6b2f9d7a11}", "urn:uuid:"),
    *("\x00", "a\r\nb", "\u2028", "\u202e", "\ud800", "\U0001f680", "https://user:pw@host"),
    *([], {}, [[]], [None], [{}], {"": 0}, {"data": None}, {"success": True}, {"success": False}),
    *({"error": "no", "code": 5}, {"data": {"success": False}}, {"success": True, "data": {}}),
]
_NAMES = [
    *("data", "success", "error", "code", "results", "has_more", "next_cursor", ""),
    *("__class__", "__proto__"),
]

odd = st.sampled_from(_ODD).map(copy.deepcopy)
scalars = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
)
values: st.SearchStrategy[Any] = odd | st.recursive(
    scalars | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(_NAMES) | st.text(max_size=8), inner, max_size=4)
    ),
    max_leaves=8,
)


def places(value: Any) -> list[Place]:
    """Every place in a tree, from the outside to the inside."""
    found: list[Place] = []
    holders = [value]
    for holder in holders:
        keys = (
            holder.keys()
            if isinstance(holder, dict)
            else range(len(holder))
            if isinstance(holder, list)
            else ()
        )
        found += [(holder, key) for key in keys]
        holders += [holder[key] for key in keys]
    return found


@st.composite
def mutated(draw: st.DrawFn, tree: Any, new: st.SearchStrategy[Any] = values) -> Any:
    """A tree with one to three changes: a value replaced, removed, added, moved or renamed."""
    changed = copy.deepcopy(tree)
    for _ in range(draw(st.integers(1, 3))):
        if found := places(changed):
            holder, key = found[draw(st.integers(0, len(found) - 1))]
            _CHANGES[draw(st.integers(0, len(_CHANGES) - 1))](draw, found, holder, key, new)
        else:
            return draw(new)
    return changed


def _replace(draw: st.DrawFn, _: list[Place], holder: Any, key: Any, new: Any) -> None:
    holder[key] = draw(new)


def _remove(_: st.DrawFn, __: list[Place], holder: Any, key: Any, ___: Any) -> None:
    del holder[key]


def _add(draw: st.DrawFn, _: list[Place], holder: Any, key: Any, new: Any) -> None:
    if isinstance(holder, dict):
        holder[draw(st.sampled_from(_NAMES) | st.text(max_size=8))] = draw(new)
    else:
        holder.insert(key, draw(new))


def _move(draw: st.DrawFn, found: list[Place], holder: Any, key: Any, _: Any) -> None:
    other, there = found[draw(st.integers(0, len(found) - 1))]
    # A copy: two places must never share a value, nor may one hold itself.
    holder[key] = copy.deepcopy(other[there])


def _rename(draw: st.DrawFn, _: list[Place], holder: Any, key: Any, __: Any) -> None:
    if isinstance(holder, dict):
        holder[draw(st.sampled_from(_NAMES) | st.text(max_size=8))] = holder.pop(key)
    else:
        holder[key] = {draw(st.sampled_from(_NAMES)): holder[key]}


def _wrap(draw: st.DrawFn, _: list[Place], holder: Any, key: Any, __: Any) -> None:
    wrap = draw(st.sampled_from(["list", "data", "envelope", "text"]))
    inner = holder[key]
    wrapped = {"list": [inner], "data": {"data": inner}, "text": json.dumps(inner)}
    holder[key] = wrapped.get(wrap, {"success": True, "data": inner, "error": None, "code": None})


_CHANGES = (_replace, _replace, _remove, _add, _move, _rename, _wrap)


@st.composite
def damaged(draw: st.DrawFn, content: bytes) -> bytes:
    """Bytes with one to three changes: some cut out, written over, doubled or put in."""
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, len(content)))
        end = draw(st.integers(start, min(len(content), start + 8)) | st.just(len(content)))
        put = draw(st.binary(max_size=4) | st.just(content[start:end] * 2))
        content = content[:start] + put + content[end:]
    return content
