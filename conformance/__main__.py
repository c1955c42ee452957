"""``python -m conformance [options] -- PROGRAM [ARGUMENT ...]``; README.md explains everything."""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from attrs import asdict

from conformance import report
from conformance.cases import LEVELS, Case, all_cases, listed, matches, selected
from conformance.program import Trouble
from conformance.runner import Result, run


def main(arguments: Sequence[str]) -> int:
    """Run the kit; the exit status."""
    options, command = _parse(arguments)
    cases = all_cases()
    if options.print:
        for case in selected(cases, options.level, options.print, options.skip):
            print(json.dumps(asdict(case), indent=2, default=sorted))
        return 0
    if options.list:
        for case in cases:
            print(f"{case.level:<11} {case.name:<60} {case.rule}")
        return 0
    known = _read_known(options.known_failures, cases)
    chosen = selected(cases, options.level, options.only, [])
    kept = [case for case in chosen if not matches(case.name, options.skip)]
    if not kept:
        print("no case matches", file=sys.stderr)
        return 2
    began = time.monotonic()
    try:
        results, hello = run(
            kept,
            command,
            timeout=options.timeout,
            jobs=options.jobs,
            known=known,
            fail_fast=options.fail_fast,
        )
    except Trouble as trouble:
        print(f"the program: {trouble}", file=sys.stderr)
        return 2
    _write(options, results, hello)
    if shown := report.shown_failures(results, options.show, questions=options.questions):
        print(shown, end="\n\n")
    left_out, seconds = len(chosen) - len(kept), time.monotonic() - began
    print(report.table(results, hello, left_out=left_out, seconds=seconds))
    return 1 if report.failures(results) else 0


def _write(options: argparse.Namespace, results: list[Result], hello: Mapping[str, object]) -> None:
    if options.json:
        options.json.write_text(report.as_json(results, hello), "utf-8")
    if options.junit:
        options.junit.write_text(report.as_junit(results), "utf-8")


def _parse(arguments: Sequence[str]) -> tuple[argparse.Namespace, list[str]]:
    own, command = list(arguments), []
    if "--" in own:
        at = own.index("--")
        own, command = own[:at], own[at + 1 :]
    parser = argparse.ArgumentParser(
        prog="python -m conformance",
        usage="%(prog)s [options] -- PROGRAM [ARGUMENT ...]",
        description="Prove a port of the SDK: conformance/README.md has the protocol.",
        allow_abbrev=False,
    )
    more: dict[str, Any] = {"action": "append", "default": []}
    parser.add_argument("--level", choices=list(LEVELS), **more)
    parser.add_argument("--only", metavar="GLOB", **more)
    parser.add_argument("--skip", metavar="GLOB", **more)
    parser.add_argument("--known-failures", metavar="FILE", type=Path)
    parser.add_argument("--timeout", metavar="S", type=float, default=20.0)
    parser.add_argument("--jobs", metavar="N", type=int, default=1)
    parser.add_argument("--fail-fast", action="store_true")
    parser.add_argument("--json", metavar="FILE", type=Path)
    parser.add_argument("--junit", metavar="FILE", type=Path)
    parser.add_argument("--show", metavar="N", type=int, default=20)
    parser.add_argument("--questions", action="store_true")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--print", metavar="GLOB", **more)
    options = parser.parse_args(own)
    if not (command or options.list or options.print):
        parser.error("give the program behind --, like: -- node dist/conformance.js")
    if options.timeout <= 0 or options.jobs < 1:
        parser.error("--timeout and --jobs are above 0")
    return options, command


def _read_known(path: Path | None, cases: Sequence[Case]) -> list[str]:
    """The globs of a file of known failures; one that matches no case ends the run."""
    if path is None:
        return []
    globs = listed(path.read_text("utf-8"))
    for glob in globs:
        if not any(matches(case.name, [glob]) for case in cases):
            raise SystemExit(f"{path}: {glob} matches no case")
    return globs


def _run(arguments: Sequence[str]) -> int:
    """The exit status; that of SIGPIPE, as in a shell, if nobody reads the output any more."""
    try:
        status = main(arguments)
        sys.stdout.flush()
    except BrokenPipeError:
        # What is left to write goes nowhere, or Python would complain when it ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    return status


if __name__ == "__main__":
    sys.exit(_run(sys.argv[1:]))
