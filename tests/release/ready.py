"""`python -m tests.release.ready [FOLDER]`: fail unless this tree is a release, or what was built of it is not that tree's.

With a folder it compares the wheel, the sdist and the npm package in it with the tree, which may be on its way to a release.
"""

from __future__ import annotations

import json
import re
import sys
import tarfile
import zipfile
from collections.abc import Iterator, Sequence
from email import message_from_string
from pathlib import Path
from urllib.parse import urlsplit

from conformance.cases import listed
from tests.release.__main__ import RELEASED, ROOT, released
from tests.release.npm import PORT, npm_version, python_version, source_url

KNOWN = PORT / "known-failures.txt"
SPEC_HASH = re.compile(r'"([0-9a-f]{64})"')


def unready(
    version: str, source: str, changelog: str, recorded: bool, known: Sequence[str]
) -> Iterator[str]:
    """Why a tree is no release.

    Args:
        version: its version.
        source: the URL of the repository.
        changelog: the text of CHANGELOG.md.
        recorded: whether spec/released.json is this tree's.
        known: the cases of the conformance kit that the TypeScript port does not pass.
    """
    if not re.fullmatch(r"\d+\.\d+\.\d+", version):
        yield f"{version} is no version of a release: python -m tests.release.cut makes it one"
    if not re.search(
        rf"\A[^#]*# Changelog\n[^#]*\n## \[{re.escape(version)}\] - \d{{4}}-\d\d-\d\d\n", changelog
    ):
        yield f"the first section of CHANGELOG.md is not [{version}] with its date"
    if not recorded:
        yield "spec/released.json is not of this tree: python -m tests.release record"
    if known:
        yield f"{KNOWN} still names {', '.join(known)}: the port has to pass them"
    address = urlsplit(source)
    if address.scheme != "https" or f".{address.hostname}".endswith(".example"):
        yield f"{source} is nobody's: say in pyproject.toml where the repository is (Source, under [project.urls], and below it)"


def differences(built: Path, version: str, source: str, spec: str) -> Iterator[str]:
    """What was built of another tree, or of another version, or leads nowhere.

    Args:
        built: the folder with the wheel, the sdist and the npm package.
        version: the version of the tree.
        source: the URL of the repository.
        spec: the hash of the spec.
    """
    (wheel,), (sdist,), (npm,) = (list(built.glob(f"*.{end}")) for end in ("whl", "tar.gz", "tgz"))
    with zipfile.ZipFile(wheel) as archive:
        (name,) = [each for each in archive.namelist() if each.endswith(".dist-info/METADATA")]
        yield from _metadata(wheel.name, archive.read(name).decode(), version, source)
        yield from _hash(wheel.name, archive.read("trading_sdk/_spec.py").decode(), spec)
    with tarfile.open(sdist) as archive:
        root = f"trading_service_sdk-{version}"
        yield from _metadata(sdist.name, _text(archive, f"{root}/PKG-INFO"), version, source)
        text = _text(archive, f"{root}/generated/trading_sdk/_spec.py")
        yield from _hash(sdist.name, text, spec)
    with tarfile.open(npm) as archive:
        found = json.loads(_text(archive, "package/package.json"))
        if found["version"] != npm_version(version):
            yield f"{npm.name}: its version is {found['version']}, not {npm_version(version)}"
        if found["repository"]["url"] != f"git+{source}.git":
            yield f"{npm.name}: its repository is {found['repository']['url']}, not {source}"
        yield from _links(npm.name, _text(archive, "package/README.md"), source)
        yield from _hash(npm.name, _text(archive, "package/dist/generated/spec.js"), spec)


def _metadata(name: str, text: str, version: str, source: str) -> Iterator[str]:
    found = message_from_string(text)
    if found["Version"] != version:
        yield f"{name}: its version is {found['Version']}, not {version}"
    if f"Source, {source}" not in found.get_all("Project-URL", []):
        yield f"{name}: it does not name {source}"
    yield from _links(name, str(found.get_payload()), source)


def _links(name: str, page: str, source: str) -> Iterator[str]:
    links = re.findall(r"\]\(([^)\s]+)\)", page)
    dead = [link for link in links if not re.match("https://|#", link)]
    dead += [link for link in links if "/blob/v" in link and not link.startswith(f"{source}/")]
    if dead or not links:
        yield f"{name}: its description links to {', '.join(dead) or 'nothing'}"


def _hash(name: str, module: str, spec: str) -> Iterator[str]:
    if SPEC_HASH.findall(module) != [spec]:
        yield f"{name}: it was generated from another spec"


def _text(archive: tarfile.TarFile, name: str) -> str:
    member = archive.extractfile(name)
    assert member is not None, name
    return member.read().decode()


def main(arguments: list[str]) -> int:
    """Check the tree, or what was built of it; the exit status."""
    source = source_url(ROOT)
    if arguments:
        spec = (ROOT / "generated" / "trading_sdk" / "_spec.py").read_text("utf-8")
        (wanted,) = SPEC_HASH.findall(spec)
        found = list(differences(Path(arguments[0]), python_version(ROOT), source, wanted))
    else:
        changelog = (ROOT / "CHANGELOG.md").read_text("utf-8")
        recorded = RELEASED.read_text("utf-8") == released()
        known = listed((ROOT / KNOWN).read_text("utf-8"))
        found = list(unready(python_version(ROOT), source, changelog, recorded, known))
    sys.stdout.writelines(f"{each}\n" for each in found)
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
