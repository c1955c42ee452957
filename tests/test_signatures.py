"""Whoever asks Python for the types of what the packages export gets them: editors, docs and dependency injection do."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from types import ModuleType
from typing import Any, get_type_hints

import trading_sandbox
import trading_sdk
import trading_sdk_observed
import trading_toolkit

PACKAGES = (trading_sdk, trading_sdk_observed, trading_sandbox)


def modules() -> Iterator[ModuleType]:
    """The packages with the groups of a client; of the toolkit, the modules whose extra is installed."""
    yield from PACKAGES
    for package in (trading_sdk, trading_sdk_observed):
        for group in pkgutil.iter_modules([f"{package.__path__[0]}/groups"]):
            yield importlib.import_module(f"{package.__name__}.groups.{group.name}")
    for found in pkgutil.iter_modules(trading_toolkit.__path__):
        if not found.name.startswith("_"):
            try:
                yield importlib.import_module(f"trading_toolkit.{found.name}")
            except ImportError:
                continue


def exported() -> dict[str, Any]:
    """Every public class and function of ours, and every public method, by its qualified name."""
    found: dict[str, Any] = {}
    for module in modules():
        names = getattr(module, "__all__", [name for name in vars(module) if name[0] != "_"])
        for name in names:
            value = getattr(module, name)
            if _is_ours(value):
                found[f"{value.__module__}.{value.__qualname__}"] = value
            if inspect.isclass(value) and _is_ours(value):
                found.update(_methods(value))
    return found


def _methods(owner: type[Any]) -> Iterator[tuple[str, Any]]:
    for name in ("__init__", *(name for name in dir(owner) if name[0] != "_")):
        value = inspect.getattr_static(owner, name)
        for wrapper in ("__func__", "fget", "func"):
            value = getattr(value, wrapper, value)
        if inspect.isfunction(value) and _is_ours(value):
            yield f"{value.__module__}.{value.__qualname__}", value


def _is_ours(value: Any) -> bool:
    kinds = inspect.isclass(value) or inspect.isfunction(value)
    return kinds and value.__module__.startswith("trading_")


def has_foreign_annotations(value: Any) -> bool:
    """Whether a base class of somebody else brings annotations, which nobody else can make resolve."""
    bases = value.__mro__ if isinstance(value, type) else ()
    return any(vars(base).get("__annotations__") and not _is_ours(base) for base in bases)


def test_every_annotation_of_what_a_package_exports_resolves() -> None:
    found, problems = exported(), {}
    for name, value in found.items():
        if not has_foreign_annotations(value):
            try:
                get_type_hints(value)
            except Exception as error:
                problems[name] = repr(error)

    assert problems == {}
    assert len(found) > 600
    assert {"trading_sdk.client.Client", "trading_sdk.groups.orders.Orders.create"} <= {*found}
