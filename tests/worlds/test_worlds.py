"""The short form of `nox -s worlds`: in no world does the client say what is not true."""

from __future__ import annotations

import pytest

from tests.worlds.play import play, play_random
from tests.worlds.traits import WORLDS, World
from tests.worlds.walk import walked


@pytest.mark.parametrize("world", WORLDS, ids=lambda world: world.name)
def test_no_word_is_false_in_a_world(world: World) -> None:
    tally = play(world, messages=60, seed=12)

    assert not tally.false, tally.examples
    assert tally.said["endless"] == 0
    settled = tally.said["executed"] + tally.said["not executed"]
    assert settled > 0 or world.name in HOPELESS


HOPELESS = {"withdrawals, list lags 40 s"}
"""Where every message stays unsettled."""


@pytest.mark.parametrize("seed", range(4))
def test_no_word_is_false_in_random_worlds(seed: int) -> None:
    tally = play_random(35, seed, messages=12)

    assert not tally.false, tally.examples
    assert tally.said["endless"] == 0
    assert {"executed", "not executed", "unsettled"} <= set(tally.said)


def test_no_word_is_false_in_any_order_of_four_events() -> None:
    tally = walked(4)

    assert not tally.false, tally.examples
    assert tally.messages > 600
    assert {"executed", "not executed"} <= set(tally.said)


def test_no_word_is_false_in_some_orders_of_seven_events() -> None:
    tally = walked(7, every=101)

    assert not tally.false, tally.examples
