"""A property that is computed when it is first asked for: `functools.cached_property` for what is asked for often.

Until Python 3.12 that one takes a lock, which costs more than most comparisons. Without it, two threads may compute a
value twice: it must depend on its object alone.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

Value = TypeVar("Value")


class computed_once(Generic[Value]):  # noqa: N801  # a decorator, as `property` is
    """Keeps the value in the object's `__dict__`, where Python finds it before it looks here again."""

    def __init__(self, compute: Callable[[Any], Value]) -> None:
        self._compute = compute
        self.__doc__ = compute.__doc__

    def __get__(self, instance: object, owner: type[object]) -> Value:
        value = instance.__dict__[self._compute.__name__] = self._compute(instance)
        return value
