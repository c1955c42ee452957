"""Every small change that can be made inside the functions of a Python file, one at a time."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping

from attrs import frozen

_OPERATORS: Mapping[type[ast.AST], tuple[str, str]] = {
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.Is: ("is", "is not"),
    ast.IsNot: ("is not", "is"),
    ast.In: ("in", "not in"),
    ast.NotIn: ("not in", "in"),
    ast.Add: ("+", "-"),
    ast.Sub: ("-", "+"),
    ast.Mult: ("*", "//"),
    ast.Div: ("/", "*"),
    ast.FloorDiv: ("//", "*"),
    ast.BitOr: ("|", "&"),
    ast.BitAnd: ("&", "|"),
    ast.And: ("and", "or"),
    ast.Or: ("or", "and"),
}
"""Each operator, and what stands there after the change."""


@frozen
class Site:
    """A piece of the text of a function, and what stands there after the change."""

    function: str
    """Its name within the module, as `Client.send`."""

    line: int
    """Counted from the line of its `def`, which is 0."""

    column: int
    """In bytes of UTF-8, as `ast` counts."""

    before: str
    after: str

    def apply(self, source: str) -> str:
        """The text of the module with this change, and as many lines; LookupError without it."""
        missing = "\n" * (self.before.count("\n") - self.after.count("\n"))
        # Within the parentheses, if there are any: a condition cannot end with a line.
        closed = self.after.endswith(")")
        after = f"{self.after[:-1]}{missing})" if closed else self.after + missing
        starts = [node.lineno for name, node in _functions(source) if name == self.function]
        for start in starts:
            lines = source.encode().splitlines(keepends=True)
            first = start - 1 + self.line
            offset = sum(map(len, lines[:first])) + self.column
            text, old = source.encode(), self.before.encode()
            if text[offset : offset + len(old)] == old:
                return (text[:offset] + after.encode() + text[offset + len(old) :]).decode()
        raise LookupError(f"{self.function} does not have {self.before!r} in line {self.line}")


def sites(source: str) -> list[Site]:
    """All changes of the module, from top to bottom."""
    found: list[Site] = []
    for name, function in _functions(source):
        finder = _Finder(source, name, function.lineno)
        for statement in _without_docstring(function.body):
            finder.visit(statement)
        found += finder.found
    return found


def _functions(source: str) -> Iterator[tuple[str, ast.FunctionDef]]:
    """Functions and methods by their names; a function within another is part of it."""

    def walk(body: Iterable[ast.AST], prefix: str) -> Iterator[tuple[str, ast.FunctionDef]]:
        for node in body:
            if isinstance(node, ast.FunctionDef):
                yield prefix + node.name, node
            elif isinstance(node, ast.ClassDef):
                yield from walk(node.body, f"{prefix}{node.name}.")
            elif isinstance(node, (ast.If, ast.Try)):
                yield from walk(ast.iter_child_nodes(node), prefix)

    return walk(ast.parse(source).body, "")


def _without_docstring(body: list[ast.stmt]) -> list[ast.stmt]:
    first = body[0]
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
        return body[1:]
    return body


class _Finder(ast.NodeVisitor):
    def __init__(self, source: str, function: str, start: int) -> None:
        self._source = source
        self._function = function
        self._start = start
        self.found: list[Site] = []

    def _add(self, node: ast.AST, after: str) -> None:
        before = ast.get_source_segment(self._source, node)
        if before is not None and before != after:
            line = node.lineno - self._start  # type: ignore[attr-defined]
            column: int = node.col_offset  # type: ignore[attr-defined]
            self.found.append(Site(self._function, line, column, before, after))

    def _text(self, node: ast.AST) -> str:
        return ast.get_source_segment(self._source, node) or ""

    def _changed(self, node: ast.AST, operator: ast.AST, left: ast.AST, right: ast.AST) -> None:
        """Replace the operator between two operands."""
        text, begin, end = self._text(node), self._text(left), self._text(right)
        if type(operator) not in _OPERATORS or not (text.startswith(begin) and text.endswith(end)):
            return
        old, new = _OPERATORS[type(operator)]
        between = text[len(begin) : len(text) - len(end)]
        if between.strip() == old:
            self._add(node, begin + between.replace(old, new) + end)

    def visit_Compare(self, node: ast.Compare) -> None:
        if len(node.ops) == 1:
            self._changed(node, node.ops[0], node.left, node.comparators[0])
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        self._changed(node, node.op, node.left, node.right)
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        self._changed(node, node.op, node.values[0], node.values[-1])
        self._add(node, f"({self._text(node.values[0])})")
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        if isinstance(node.op, ast.Not):
            self._add(node, f"bool({self._text(node.operand)})")
        elif isinstance(node.op, ast.USub):
            self._add(node, f"({self._text(node.operand)})")
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        value = node.value
        if isinstance(value, bool):
            self._add(node, str(not value))
        elif isinstance(value, int):
            self._add(node, f"({value + 1})")
        elif isinstance(value, str) and value and self._text(node).startswith('"'):
            self._add(node, '"XX' + self._text(node)[1:])

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        """Texts are looked at by people; what is put into them is not visited."""

    def visit_If(self, node: ast.If) -> None:
        self._add(node.test, f"(not ({self._text(node.test)}))")
        self.generic_visit(node)

    def visit_IfExp(self, node: ast.IfExp) -> None:
        self._add(node, f"({self._text(node.body)})")
        self._add(node, f"({self._text(node.orelse)})")
        self.generic_visit(node)

    def visit_Return(self, node: ast.Return) -> None:
        if node.value is not None and self._text(node.value) != "None":
            self._add(node.value, "None")
        self.generic_visit(node)

    def visit_Expr(self, node: ast.Expr) -> None:
        if isinstance(node.value, ast.Constant):
            return
        if not isinstance(node.value, (ast.Yield, ast.YieldFrom)):
            self._add(node, "pass")
        self.generic_visit(node)

    def visit_Raise(self, node: ast.Raise) -> None:
        self._add(node, "pass")

    def visit_Continue(self, node: ast.Continue) -> None:
        self._add(node, "break")

    def visit_Break(self, node: ast.Break) -> None:
        self._add(node, "continue")

    def visit_Call(self, node: ast.Call) -> None:
        for keyword in node.keywords:
            if keyword.arg is not None and self._text(keyword.value) != "None":
                self._add(keyword.value, "None")
        # The first argument of these is a type, which nothing reads.
        typed = isinstance(node.func, ast.Name) and node.func.id == "cast"
        for argument in node.args[1 if typed else 0 :]:
            self.visit(argument)
        for keyword in node.keywords:
            self.visit(keyword.value)
        self.visit(node.func)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.visit(node.value)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        for statement in _without_docstring(node.body):
            self.visit(statement)
