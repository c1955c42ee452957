"""Makes small mistakes in a runtime, one at a time, and tells which case of the kit notices each first."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from fnmatch import fnmatch
from typing import NamedTuple

from conformance.cases import Case, all_cases, matches
from conformance.program import Trouble
from conformance.runner import run


class Mutation(NamedTuple):
    """A text of a module and what stands in its place; `globs` name the cases that are about it."""

    name: str
    module: str
    old: str
    new: str
    globs: tuple[str, ...]


def about(module: str, globs: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    """The globs of a module, or else of the room that it stands in."""
    return globs.get(module) or globs[module.partition("/")[0]]


def changed(source: str, mutation: Mutation) -> str:
    """A module with the mutation in it.

    Raises:
        ValueError: its text does not stand there exactly once, so the table is out of date.
    """
    if source.count(mutation.old) != 1:
        found = f"{source.count(mutation.old)} times in {mutation.module}"
        raise ValueError(f"{mutation.name}: {mutation.old!r} stands {found}")
    return source.replace(mutation.old, mutation.new)


def noticed(
    mutation: Mutation, cases: Sequence[Case], command: Sequence[str], timeout: float
) -> str | None:
    """The first case that fails for a program with the mutation: of those about it, then of all others."""
    mine = [case for case in cases if matches(case.name, mutation.globs)]
    others = [case for case in cases if case not in mine and case.kind != "scenario"]
    stories = [case for case in cases if case not in mine and case.kind == "scenario"]
    return next(_failed((mine, others, stories), command, timeout), None)


def _failed(
    groups: Sequence[Sequence[Case]], command: Sequence[str], timeout: float
) -> Iterator[str]:
    for group in filter(None, groups):
        try:
            results, _ = run(group, command, timeout=timeout, fail_fast=True)
        except Trouble as trouble:
            yield f"hello: {trouble}"
            return
        yield from (each.case.name for each in results if each.outcome == "failed")


def judge(
    mutations: Sequence[Mutation],
    judged: Callable[[Mutation, Sequence[Case]], str | None],
    reasons: Mapping[str, str],
    globs: Sequence[str],
) -> int:
    """Judge the mutations whose name matches, print what was noticed by which case; the exit status.

    Args:
        reasons: Why nothing notices a mutation, by its name.
    """
    chosen = [each for each in mutations if not globs or any(fnmatch(each.name, g) for g in globs)]
    cases, survivors = all_cases(), 0
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        verdicts = pool.map(lambda each: judged(each, cases), chosen)
        for mutation, case in zip(chosen, verdicts, strict=True):
            reason = reasons.get(mutation.name)
            survivors += case is None and reason is None
            told = case or (f"survives: {reason}" if reason else f"NOT NOTICED: {mutation.new}")
            print(f"{mutation.module:<20} {mutation.name:<28} {told}", flush=True)
    print(f"{len(chosen)} mutations, {survivors} not noticed")
    return 1 if survivors else 0
