"""A release says what it changed: its version and its CHANGELOG.md."""

from __future__ import annotations

import io
import json
import tarfile
import zipfile
from pathlib import Path

import pytest

from codegen.changes.compare import Change
from tests.release.__main__ import ROOT
from tests.release.check import Breakage, problems
from tests.release.cut import dated, final
from tests.release.npm import PORT, absolute, package_json, python_version
from tests.release.python_api import breakages, public_api
from tests.release.ready import differences, unready

GONE = Change(kind="removed", place="CreateOrder.price", text="the field is gone")
NEW = Change(kind="added", place="Side", text="values: both")
WORDS = Change(kind="reworded", place="Side", text="other description")
REMOVED = Breakage("Retry.patience", "Public object was removed")


def changelog(text: str) -> str:
    return f"# Changelog\n\n## [Unreleased]\n\n{text}\n\n## [0.1.0]\n\n`CreateOrder.price`, `Retry.patience`\n"


@pytest.mark.parametrize(
    ("module", "name", "line", "gone"),
    [
        ("trading_sdk", "Client", "def reconcile", "Client.reconcile"),
        ("trading_sdk", "ApiError", "retry_after", "ApiError.retry_after"),
        ("trading_sdk.events", "CallEnded", "", "CallEnded"),
        ("trading_sdk_observed", "Client", "twap", "Client.twap"),
        ("trading_sandbox", "Sandbox", "def snapshot", "Sandbox.snapshot"),
        ("trading_toolkit", "ToolkitError", "", "ToolkitError"),
        ("trading_toolkit.history", "sync", "", "history.sync"),
    ],
)
def test_what_users_import_is_watched_wherever_it_is_written(
    module: str, name: str, line: str, gone: str
) -> None:
    old = public_api(ROOT)
    left = [each for each in old[module][name].splitlines() if f" {line}" not in each]
    names = {**old[module], name: "\n".join(left)}
    if not line:
        del names[name]

    assert list(breakages(old, {**old, module: names})) == [(gone, "Public object was removed")]


def test_arguments_and_what_an_error_can_be_caught_as_are_watched() -> None:
    old = {"sdk": {"E": "class E(TradingError, ValueError):\n    def __init__(a, *, b=1): ..."}}
    new = {"sdk": {"E": "class E(TradingError):\n    def __init__(a, *, c): ..."}}

    assert sorted(breakages(old, new)) == [
        ("E", "Base class was removed"),
        ("E", "Parameter was added as required"),
        ("E", "Parameter was removed"),
    ]
    assert (
        "class RequestError(TradingError, ValueError"
        in public_api(ROOT)["trading_sdk"]["RequestError"]
    )


@pytest.mark.parametrize(
    ("change", "released", "enough", "too_low"),
    [
        (GONE, "0.1.0", "0.2.0.dev0", "0.1.1"),
        (GONE, "1.2.3", "2.0.0", "1.3.0"),
        (NEW, "0.1.0", "0.1.1", "0.1.0"),
        (NEW, "1.2.3", "1.3.0", "1.2.4"),
        (WORDS, "1.2.3", "1.2.4", "1.2.3"),
        (WORDS, "0.1.0", "0.1.1", "0.1.0"),
    ],
)
def test_the_version_follows_what_changed(
    change: Change, released: str, enough: str, too_low: str
) -> None:
    said = changelog("`CreateOrder` has no `price` any more")

    assert list(problems(released, enough, said, [change], [])) == []
    (problem,) = problems(released, too_low, said, [change], [])
    assert problem == (
        f"the version is {too_low}: after {released}, with what changed, "
        f"at least {enough.removesuffix('.dev0')}"
    )


def test_what_breaks_is_named_in_the_changelog() -> None:
    assert list(problems("1.2.3", "1.2.3", changelog(""), [], [])) == []
    (empty,) = problems("0.1.0", "0.1.1", changelog(""), [NEW], [])
    assert empty == "the spec changed, and the first section of CHANGELOG.md is empty"
    # A change of the runtime alone raises the version, too.
    assert len(list(problems("1.0.0", "1.1.0", changelog("`Retry.patience`"), [], [REMOVED]))) == 1
    said = changelog("Orders of any price.")

    assert list(problems("0.1.0", "0.2.0", said, [GONE], [REMOVED])) == [
        "CreateOrder.price: the field is gone; the first section of CHANGELOG.md does not name it",
        "Retry.patience: Public object was removed; "
        "the first section of CHANGELOG.md does not name it",
    ]


DATED = "# Changelog\n\nWords.\n\n## [1.2.3] - 2026-11-24\n\n- New.\n\n## [1.2.2]\n"
PLACE = "https://forge.test/us/sdk"


@pytest.mark.parametrize(
    ("version", "source", "changelog", "recorded", "problem"),
    [
        ("1.2.3.dev0", PLACE, DATED.replace("1.2.3", "1.2.3.dev0"), True, "no version of a rel"),
        ("1.2.3", "https://forge.example/sdk", DATED, True, "is nobody's"),
        ("1.2.3", "https://us.forge.example/sdk", DATED, True, "is nobody's"),
        ("1.2.3", "http://forge.test/us/sdk", DATED, True, "is nobody's"),
        ("1.2.3", PLACE, DATED.replace(" - 2026-11-24", ""), True, "with its date"),
        ("1.2.2", PLACE, DATED, True, "is not [1.2.2] with its date"),
        ("1.2.3", PLACE, DATED, False, "released.json is not of this tree"),
    ],
)
def test_what_is_no_release_is_told(
    version: str, source: str, changelog: str, recorded: bool, problem: str
) -> None:
    assert list(unready("1.2.3", PLACE, DATED, recorded=True, known=[])) == []
    (port,) = unready("1.2.3", PLACE, DATED, recorded=True, known=["settle/a", "decode/*"])
    assert port.startswith("ports/typescript/known-failures.txt still names settle/a, decode/*")
    (found,) = unready(version, source, changelog, recorded=recorded, known=[])
    assert problem in found


def test_a_release_dates_the_first_section() -> None:
    text = "# Changelog\n\n## [Unreleased]\n\nThe version is 1.3.0.dev0.\n\n- New.\n\n## [1.2.3]\n"

    assert dated(text, "1.3.0.dev0", "2026-11-24") == (
        "# Changelog\n\n## [1.3.0] - 2026-11-24\n\n- New.\n\n## [1.2.3]\n"
    )
    with pytest.raises(SystemExit, match=r"The version is 1\.4\.0\.dev0\."):
        dated(text, "1.4.0.dev0", "2026-11-24")


def test_both_ports_tell_the_version_that_is_coming() -> None:
    program = (ROOT / PORT / "src" / "conformance.ts").read_text("utf-8")
    assert f'version: "{final(python_version(ROOT))}"' in program


def test_links_of_a_page_lead_to_the_files_of_the_version() -> None:
    page = "[a](b.md#c), [d](../e), [f](#g), [h](https://i.test/j)"

    assert absolute(page, "docs/guides", PLACE, "1.2.3") == (
        f"[a]({PLACE}/blob/v1.2.3/docs/guides/b.md#c), [d]({PLACE}/blob/v1.2.3/docs/e), "
        "[f](#g), [h](https://i.test/j)"
    )


SPEC = "a" * 64


def packed(
    folder: Path, version: str, source: str, spec: str, page: str = "[a](https://b)"
) -> None:
    """A wheel, an sdist and an npm package, with what is compared of each."""
    told = f"Metadata-Version: 2.4\nName: x\nVersion: {version}\nProject-URL: Source, {source}\n\n{page}\n"
    module = f'SPEC_SHA256 = "{spec}"\n'
    with zipfile.ZipFile(folder / "x.whl", "w") as wheel:
        wheel.writestr(f"x-{version}.dist-info/METADATA", told)
        wheel.writestr("trading_sdk/_spec.py", module)
    root = "trading_service_sdk-1.2.3"
    port = package_json({}, source, version)
    for name, files in {
        "x.tar.gz": {f"{root}/PKG-INFO": told, f"{root}/generated/trading_sdk/_spec.py": module},
        "x.tgz": {
            "package/package.json": json.dumps(port),
            "package/README.md": page,
            "package/dist/generated/spec.js": module,
        },
    }.items():
        with tarfile.open(folder / name, "w:gz") as archive:
            for path, text in files.items():
                member = tarfile.TarInfo(path)
                member.size = len(text.encode())
                archive.addfile(member, io.BytesIO(text.encode()))


def test_packages_of_another_tree_are_told(tmp_path: Path) -> None:
    page = "[a](docs/a.md) [b](https://other.test/blob/v1.2.4/b.md)"
    packed(tmp_path, "1.2.3", PLACE, SPEC)
    assert list(differences(tmp_path, "1.2.3", PLACE, SPEC)) == []
    packed(tmp_path, "1.2.4", "https://other.test", "b" * 64, page)

    found = "\n".join(differences(tmp_path, "1.2.3", PLACE, SPEC))
    for name in ("x.whl", "x.tar.gz", "x.tgz"):
        assert f"{name}: its version is 1.2.4, not 1.2.3" in found
        assert (
            f"{name}: its description links to docs/a.md, https://other.test/blob/v1.2.4/b.md"
            in found
        )
        assert f"{name}: it was generated from another spec" in found
    assert found.count(f"it does not name {PLACE}") == 2
    assert "x.tgz: its repository is git+https://other.test.git" in found
