"""A site with a broken link, or that asks another host for something, is not built."""

from __future__ import annotations

from pathlib import Path

import pytest

from docs.site.check import problems


@pytest.mark.parametrize(
    ("part", "problem"),
    [
        ('<a href="other.html#there">', None),
        ('<a href="https://exchange.example/">', None),
        ('<a href="#here" id="here">', None),
        ('<a href="#gone">', "links to #gone, which is not there"),
        ('<a href="other.html#gone">', "links to other.html#gone, which is not there"),
        ('<a href="gone.html">', "links to gone.html, which is not there"),
        ('<img src="gone.png">', "links to gone.png, which is not there"),
        ('<script src="//cdn.example/x.js">', "loads //cdn.example/x.js from another host"),
        (
            '<link href="https://x.example/" rel="icon">',
            "loads https://x.example/ from another host",
        ),
    ],
)
def test_links_to_nowhere_are_named(part: str, problem: str | None, tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text(part, encoding="utf-8")
    (tmp_path / "other.html").write_text('<h1 id="there">', encoding="utf-8")

    assert list(problems(tmp_path)) == ([f"index.html {problem}"] if problem else [])


def test_a_style_that_loads_a_font_of_another_host_is_named(tmp_path: Path) -> None:
    (tmp_path / "own.css").write_text("a { background: url(own.png) }", encoding="utf-8")
    (tmp_path / "fonts.css").write_text("a { src: url('https://x.example') }", encoding="utf-8")

    assert list(problems(tmp_path)) == ["fonts.css loads something from another host"]


WARNINGS = {
    "[gone](gone.md)": "cross-reference target not found: 'gone.md'",
    "[gone](other.md#gone)": "local id not found in doc 'other': 'gone'",
    "```python\n1 = = $\n```": "resulted in an error at token",
}


@pytest.mark.docs
@pytest.mark.filterwarnings("ignore")
def test_a_warning_fails_the_build(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from docs.site.__main__ import build
    from docs.site.sources import DOCS

    parts = ("# Index", *WARNINGS, "```{toctree}\nother\n```\n")
    (tmp_path / "_static").mkdir()
    (tmp_path / "_static" / "site.css").touch()
    for name in ("conf.py", "scorer.js"):
        (tmp_path / name).write_bytes((DOCS / name).read_bytes())
    (tmp_path / "index.md").write_text("\n\n".join(parts), encoding="utf-8")
    (tmp_path / "other.md").write_text("# Other\n", encoding="utf-8")

    assert build(tmp_path, tmp_path / "site") != 0
    told = capsys.readouterr().err
    assert [each for each in WARNINGS.values() if each not in told] == []
