"""The rule of each case that was written before cases named theirs, by its name; the first glob wins."""

from __future__ import annotations

import re
from fnmatch import fnmatch
from pathlib import Path

RULES_PAGE = Path(__file__).resolve().parents[2] / "spec" / "vectors" / "rules.md"

RULE_OF: tuple[tuple[str, str], ...] = (
    ("signing/sort-*", "sign-order"),
    ("signing/text-*", "sign-escapes"),
    ("signing/integers-*", "sign-integers"),
    ("signing/booleans-and-nulls", "sign-null"),
    ("signing/empty-values", "sign-null"),
    ("signing/set-auto-lend-disabled-*", "sign-null"),
    ("signing/header-*", "sign-header"),
    ("signing/create-order-window-*", "sign-header"),
    ("signing/own-fields-named-like-header", "sign-header"),
    ("signing/nested-fields-named-like-body", "sign-reserved"),
    ("signing/reserved-field-*", "sign-reserved"),
    ("signing/*-with-leading-one", "sign-base58"),
    ("signing/key-rfc-8032-*", "sign-base58"),
    ("signing/key-all-zero-seed", "sign-base58"),
    ("signing/key-*", "sign-key"),
    ("signing/float-*", "sign-no-float"),
    ("signing/nan-*", "sign-no-float"),
    ("signing/infinity-*", "sign-no-float"),
    ("signing/non-ascii-*", "sign-ascii"),
    ("signing/half-surrogate-*", "sign-ascii"),
    ("signing/own-key-proto", "sign-order"),
    ("signing/*-agent", "sign-agent"),
    ("signing/*", "sign-body"),
    ("batch/batch-refused-*actions", "batch-size"),
    ("batch/batch-refused-*", "batch-refused"),
    ("batch/*", "batch-wrapped"),
    ("decode/decimal-*", "decode-decimals"),
    ("decode/trade-page-exact-decimals", "decode-decimals"),
    ("decode/integer-*", "decode-integers"),
    ("decode/*-beyond-double", "decode-integers"),
    ("decode/unusable-fractional-id", "decode-integers"),
    ("decode/*-100-levels*", "json-depth"),
    ("decode/*-101-levels*", "json-depth"),
    ("decode/*-5000-*s", "json-depth"),
    ("decode/unusable-5000-*", "json-depth"),
    ("decode/ignored-brackets-*", "json-depth"),
    ("decode/ignored-side-by-side*", "json-depth"),
    ("decode/ignored-*", "json-unknown"),
    ("decode/unusable-byte*", "json-utf-8"),
    ("decode/unusable-half-surrogate*", "json-utf-8"),
    ("decode/*duplicate-key*", "json-last-name"),
    *(
        (f"decode/unusable-{each}*", "json-grammar")
        for each in (
            "comma",
            "control",
            "escape",
            "leading-zero",
            "line-break",
            "open-fraction",
            "infinity",
            "nan",
            "single-quotes",
            "text-behind",
            "cut-short",
            "empty",
            "html",
        )
    ),
    ("decode/order-placed-white-space", "json-grammar"),
    ("decode/order-placed-escaped-name", "json-grammar"),
    ("decode/*-unknown-enum-values", "decode-open-enums"),
    ("decode/*-unknown-cause", "decode-open-enums"),
    ("decode/*-unknown-fields", "decode-unknown-fields"),
    ("decode/order-placed-*", "decode-envelope"),
    ("decode/*-batch-*", "decode-batch"),
    ("decode/batch-*", "decode-batch"),
    ("decode/refused-under-200*", "decode-refused-in-2xx"),
    ("decode/refused-inside-*", "decode-refused-in-2xx"),
    ("decode/refused-*", "decode-refused"),
    ("decode/unusable-*page*", "decode-pages"),
    ("decode/*-page*", "decode-pages"),
    *(
        (f"decode/unusable-{each}*", "decode-contradiction")
        for each in (
            "acknowledged-error",
            "error-beside",
            "failure",
            "success-null",
            "two-order-ids",
        )
    ),
    *(
        (f"decode/unusable-{each}*", "decode-no-answer")
        for each in (
            "acknowledged-data-alone",
            "acknowledged-empty",
            "settings-bare",
            "revoked-empty",
        )
    ),
    ("decode/unusable-acknowledged-other-data", "decode-acknowledged"),
    ("decode/unusable-*", "decode-shape"),
    ("decode/acknowledged-*", "decode-acknowledged"),
    ("decode/*", "decode-envelope"),
)


def rule_of(name: str) -> str:
    """The rule of a case, by its folder and name."""
    return next(rule for glob, rule in RULE_OF if fnmatch(name, glob))


def rules() -> dict[str, str]:
    """Every rule of the page, by its name."""
    rows = re.findall(
        r"^\| `([a-z0-9-]+)` \| (.+) \|$", RULES_PAGE.read_text("utf-8"), re.MULTILINE
    )
    return dict(rows)
