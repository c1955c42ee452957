"""The docs of the generated package: what docstrings say, their text as a literal, and the page METHODS.md."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable

from codegen import ir
from codegen.ir.names import attribute_name
from codegen.python import syntax

WIDTH = 100
MARKS = {
    "documented": "",
    "observed": "(observed)",
    "assumed": "(assumed)",
}
"""How the docs mark what is not in the interface document, by its source."""
MEANING = (
    "What is marked is not in the interface document: (observed) was seen on the live service in several places,"
    " (assumed) was seen once, is contradicted, or chosen by us."
)
"""What the marks mean, once in each module that has them."""
DEPRECATED = "Deprecated."
ACTION_RESULT = "The result of the action, of the type that a batch has. A failed action is raised."


def docstring(text: str, *, indent: int) -> str:
    """Text as a docstring literal. Whatever the text holds, it cannot end the literal."""
    width = WIDTH - indent
    blocks = [_wrapped(block, width) for block in re.split(r"\n\s*\n", text.strip())]
    lines = "\n\n".join(blocks).split("\n")
    pad = " " * indent
    escaped = [_escaped(line) for line in lines]
    if len(escaped) == 1 and len(escaped[0]) + 6 <= width:
        return f'"""{escaped[0]}"""'
    return "\n".join(
        [f'"""{escaped[0]}', *(f"{pad}{line}".rstrip() for line in escaped[1:]), f'{pad}"""']
    )


def _wrapped(block: str, width: int) -> str:
    """A paragraph, wrapped to the width. Each item of an indented list is wrapped on its own."""
    if "\n    " in block or block.startswith("    "):
        items = re.sub(r"\n {8,}", " ", block).split("\n")
        return "\n".join(_filled(item, width, indent=8) for item in items)
    return _filled(" ".join(block.split()), width - 3)


def _filled(text: str, width: int, indent: int = 0) -> str:
    return textwrap.fill(
        text,
        width,
        subsequent_indent=" " * indent,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _escaped(line: str) -> str:
    """A line inside a triple-quoted literal."""
    text = line.replace("\\", "\\\\")
    text = re.sub('"{3,}|"+$', lambda quotes: '\\"' * len(quotes[0]), text)
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


# -- fields and models ------------------------------------------------------------------------


def of_fields(api: ir.Api, model: ir.Model) -> dict[str, str]:
    """What the docs say of each field of a model, by its name in JSON."""
    source = shared_source(model.fields)
    return {
        field.name: described(field, source, takes(api, field) if model.role == "request" else "")
        for field in model.fields
    }


def described(field: ir.Field, source: ir.Source = "documented", takes: str = "") -> str:
    """What a field means and takes, its unit, its limits, and its source unless that is `source`."""
    notes = [DEPRECATED] if field.deprecated else []
    notes += [takes] if takes else []
    if syntax.name_of(field) != field.name:
        notes.append(f"In JSON: `{field.name}`.")
    notes += unit(field)
    notes += format_of(field.type)
    notes += members(field.type)
    if field.default is not None:
        notes.append(f"Default: {field.default}.")
    notes += filled_in(field)
    if field.pattern:
        notes.append(f"Pattern: `{field.pattern}`.")
    notes += limits(field)
    if field.source != source and MARKS[field.source]:
        notes.append(MARKS[field.source])
    return " ".join([" ".join(field.description.split()), *notes])


def unit(field: ir.Field) -> list[str]:
    """The unit of a field, if it has one."""
    origin = field.sources.get("x-unit", "documented")
    mark = "" if origin == "documented" else f" ({origin})"
    return [f"Unit: {field.unit}{mark}."] if field.unit else []


def filled_in(field: ir.Field) -> list[str]:
    """What the client sends if the caller gives nothing."""
    texts = {
        "uuid": "A new random one unless given; None sends none.",
        "account": "The client's own unless given.",
    }
    return [texts[field.auto]] if field.auto else []


def takes(api: ir.Api, field: ir.Field) -> str:
    """What an argument takes. Empty if its type in `help()` and its description say so."""
    if field.cursor:
        return "None, the `next_cursor` of a last page, is refused: leave it out to start at the beginning."
    type_ = syntax.taken_type(field)
    of_each = type_.items
    told = _values(api, of_each or type_, field.description)
    if told and of_each:
        return f"Each is {told}."
    return f"{told[:1].upper()}{told[1:]}." if told else ""


def _values(api: ir.Api, type_: ir.Type, description: str) -> str:
    """The values of an enum, the keys of a mapping, or the other form of a time."""
    if syntax.is_time(type_):
        return "an integer, or an aware datetime"
    given = api.types.get(type_.name or "")
    if isinstance(given, ir.Model):
        return f"a `{given.name}`, or a mapping of its fields"
    if given is None:
        return ""
    values = [f"`{value}`" for value in given.values]
    return "" if all(value in description for value in values) else f"one of {', '.join(values)}"


def limits(field: ir.Field) -> list[str]:
    """The limits of a field, but for those that nobody breaks."""
    known = (
        ("At least {}.", field.minimum if field.unit != syntax.TIME else None),
        ("At most {}.", field.maximum),
        ("At least {} characters.", field.min_length if field.min_length != 1 else None),
        ("At most {} characters.", field.max_length),
        ("At least {} items.", field.min_items if field.min_items != 1 else None),
        ("At most {} items.", field.max_items),
        ("Not before `{}`.", field.not_before),
    )
    return [text.format(limit) for text, limit in known if limit is not None]


def format_of(type_: ir.Type) -> list[str]:
    """The format of a text, if the spec says one that its type in code does not tell."""
    if type_.items:
        return format_of(type_.items)
    return [f"Format: {type_.format}."] if type_.format else []


def members(type_: ir.Type) -> list[str]:
    """What the members of a tuple mean, and the unit inside a list."""
    if type_.items:
        unit = [f"Unit: {type_.items.unit}."] if type_.items.unit else []
        return unit + [text.replace("Holds:", "Each holds:") for text in members(type_.items)]
    texts = [
        f"{' '.join(each.description.rstrip('.').split()) or each.kind}"
        + (f" ({each.unit})" if each.unit else "")
        for each in type_.members
    ]
    return [f"Holds: {', '.join(texts)}."] if texts else []


def enum_doc(enum: ir.Enum) -> str:
    """The docstring of an enum."""
    values = ", ".join(f"`{value}`" for value in enum.deprecated)
    return _joined([enum.description, f"Deprecated: {values}." if values else ""])


def shared_source(fields: Iterable[ir.Field]) -> ir.Source:
    """The source that all of several fields have, else `documented`."""
    sources: list[ir.Source] = [field.source for field in fields]
    return sources[0] if len(sources) > 1 and len(set(sources)) == 1 else "documented"


def model_doc(model: ir.Model) -> str:
    """The docstring of a model, with the source that its fields share. What they mean is said under each."""
    mark = MARKS[shared_source(model.fields)]
    section = model.section and f"Interface: {model.section[0].lower()}{model.section[1:]}."
    return _joined([model.description, section or "", f"Its fields are {mark}." if mark else ""])


def _arguments(api: ir.Api, model: str | None) -> list[str]:
    """The section of the arguments of a method, a line for each, and which model says more of them."""
    fields = syntax.by_need(api.fields_of(model))
    lines = [f"    {_line(api, each)}" for each in fields]
    return ["\n".join(["Args:", *lines]), f"`{model}` says more of the arguments."] if lines else []


def _line(api: ir.Api, field: ir.Field) -> str:
    """What an argument means; and what it takes, as far as the line holds that."""
    first, *_ = re.split(r"(?<=[.!?])\s+", " ".join(field.description.split()))
    line = f"{syntax.name_of(field)}: {first}{f' {DEPRECATED}' if field.deprecated else ''}"
    for note in filter(None, [*filled_in(field), takes(api, field), *unit(field)]):
        if len(line) + len(note) < WIDTH - len("            "):
            line += f" {note}"
    return line


def _joined(blocks: Iterable[str]) -> str:
    return "\n\n".join(block for block in blocks if block)


# -- methods ----------------------------------------------------------------------------------


def operation_doc(api: ir.Api, operation: ir.Operation, actions: Iterable[ir.Action]) -> str:
    """The docstring of an operation's method."""
    arguments = _arguments(api, operation.params)
    if scheme := operation.countersigned:
        needed = "Signs with the other key, like a `Keypair`. The client's own signs with it."
        arguments = [f"Args:\n    {attribute_name(scheme.other.address)}: {needed}"]
    if batch := operation.batch:
        most = f"{batch.min_items} to {batch.max_items} actions"
        each = f"each one of {', '.join(batch.actions)}; or a mapping with its `type` and `data`"
        arguments = [f"Args:\n    {batch.field}: {most}, {each}, as on the wire."]
    returns = ACTION_RESULT if operation.outcome else ""
    if operation.result and not operation.outcome:
        returns = " ".join([*operation.result.description.split(), *members(operation.result.type)])
    is_traced = any(method.trace for method in (operation, *actions))
    return _method_doc(
        operation,
        operation.description,
        f"`{operation.http_method} {operation.path}`{signed(operation)}",
        *arguments,
        f"Returns:\n    {returns}" if returns else "",
        errors(operation, operation.retry, is_traced=is_traced),
    )


def action_doc(api: ir.Api, action: ir.Action, batch: ir.Operation) -> str:
    """The docstring of the method of an action that only batches offer."""
    # The first sentence describes the model, as the summary describes the method.
    details = re.split(r"(?<=[.!?])\s+", action.description, maxsplit=1)[1:]
    place = f"`{batch.http_method} {batch.path}`, as a batch of one `{action.type}` action"
    is_traced = action.trace is not None
    return _method_doc(
        action,
        "".join(details),
        f"{place}{signed(action)}",
        *_arguments(api, action.model),
        f"Returns:\n    {ACTION_RESULT}",
        errors(batch, action.retry, is_traced=is_traced, other="the action failed"),
    )


def _method_doc(method: ir.Method, details: str, place: str, *sections: str) -> str:
    """What a method does, where and how signed, and its section; then arguments, result, errors."""
    section = f"{method.section}." if method.section else MARKS[method.source]
    deprecated = DEPRECATED if method.deprecated else ""
    return _joined([method.summary, deprecated, details, f"{place}. {section}", *sections])


def meaning(texts: Iterable[str]) -> str:
    """What the marks in some texts mean. Empty without any."""
    marked = any(mark in text for text in texts for mark in MARKS.values() if mark)
    return MEANING if marked else ""


def signed(method: ir.Operation | ir.Action) -> str:
    """How a message is signed. Empty if it is not, or each of its actions is."""
    if method.signing is None:
        return ""
    source = "" if method.signing.source == "documented" else f" ({method.signing.source})"
    text = f", signed as `{method.signing.type}`{source}"
    if isinstance(method, ir.Operation) and method.countersigned:
        text += f"; first by the other key, as `{method.countersigned.other_type}`"
    return text


def errors(
    operation: ir.Operation, retry: ir.RetryClass, *, is_traced: bool, other: str = ""
) -> str:
    """The section of the errors that differ between methods. The client's docstring describes the others."""
    refused = f"the service refused{_statuses(operation, retry)}"
    if operation.pagination:
        return (
            "Raises:\n    RequestError: At once: an argument is wrong.\n"
            f"    ApiError: On iteration: {refused}.\n"
            "    PaginationError: On iteration: the service contradicts itself about the next page."
        )
    text = f"Raises:\n    ApiError: {refused.capitalize()}{f', or {other}' if other else ''}."
    if retry == "safe":
        return text
    then = ", and `client.reconcile` cannot tell; check before you repeat it"
    if is_traced:
        then = ": `client.reconcile(error)` looks for it"
    elif retry == "idempotent":
        then = "; it can safely be sent again"
    return f"{text}\n    OutcomeUnknownError: It may have been executed{then}."


def _statuses(operation: ir.Operation, retry: ir.RetryClass) -> str:
    """The statuses of refusals. From 500 on a status is not one of a change: the change may have been made."""
    end = 600 if retry == "safe" else 500
    ranges = {"4XX": "any 4xx", "5XX": "any 5xx" if end == 600 else "", "default": "any other"}
    named = [str(status) for status in operation.statuses if 400 <= status < end]
    named += [text for each in operation.status_ranges if (text := ranges[each])]
    *most, last = named or [""]
    listed = f"{', '.join(most)} or {last}" if most else last
    return f", with status {listed}" if listed else ""


def where(servers: Iterable[ir.Server]) -> str:
    """What a client takes as the place of its service."""
    names = [f"`{each.name}`" for each in servers if each.name]
    choice = f": {', '.join(names)}, or a URL" if names else ""
    longer = next((each.url for each in servers if each.url.count("/") > 2), None)
    prefix = f" A URL holds the prefix of all paths, like {longer}." if longer else ""
    return f"Where the service is{choice}.{prefix}"


# -- METHODS.md, the page beside the modules that lists every method: cells of a Markdown table ----------


Offered = ir.Operation | ir.Action


def offered(api: ir.Api) -> list[Offered]:
    """What has a method of its own on the client, group by group."""
    groups: dict[str, list[Offered]] = {group.name: [] for group in api.groups}
    every: tuple[Offered, ...] = (*api.operations, *api.actions)
    for each in every:
        if isinstance(each, ir.Operation) or not each.standalone:
            groups[each.group].append(each)
    return [each for group in groups.values() for each in group]


def endpoint(method: Offered) -> str:
    """Where a method sends."""
    if isinstance(method, ir.Operation):
        return code(f"{method.http_method} {method.path}")
    return f"batch action {code(method.type)}"


def signed_as(method: Offered) -> str:
    """The signing type and its source, if that is not the document."""
    if method.signing is None:
        return "each action" if isinstance(method, ir.Operation) and method.batch else "not signed"
    source = method.signing.source
    return code(method.signing.type) + ("" if source == "documented" else f" ({source})")


def cell(text: str) -> str:
    """A cell that shows the text and no markup, whatever the spec says."""
    line = " ".join(text.split())
    line = "".join(each if each.isprintable() else "\N{REPLACEMENT CHARACTER}" for each in line)
    return re.sub(r"([\\`*_\[\]<>&|~])", r"\\\1", line)


def code(name: str) -> str:
    """A cell that shows a name as code; the type of a batch action may be any text."""
    return f"`{name}`" if re.fullmatch(r"[\w ./{}-]+", name) else cell(name)
