"""TypeScript: which names a generated module imports, and the lines that import or export them."""

from __future__ import annotations

from collections.abc import Iterable

from codegen import ir
from codegen.languages import typescript
from codegen.languages.typescript_literals import WIDTH


def types_in(text: str, api: ir.Api) -> set[str]:
    """The models, unions and enums that a text names."""
    return _words(text) & set(api.type_names)


def used(text: str) -> set[str]:
    """The types of the runtime that a text names."""
    return _words(text) & set(typescript.EXPORTED_TYPES)


def _words(text: str) -> set[str]:
    return set(typescript.WORD.findall(text))


def import_text(kind: str, names: Iterable[str], module: str, word: str = "import") -> str:
    """An import or an export, or nothing if no name is needed."""
    found = sorted(names, key=_by_name)
    flat = f'{word} {kind}{{ {", ".join(found)} }} from "{module}";'
    if len(flat) <= WIDTH:
        return flat if found else ""
    lines = "".join(f"  {name},\n" for name in found)
    return f'{word} {kind}{{\n{lines}}} from "{module}";'


def _by_name(name: str) -> list[tuple[str, bool]]:
    """The order in which Biome sorts names: a capital stands before its small letter."""
    return [(letter.lower(), letter.islower()) for letter in name]
