"""The list of tools, and the log line of every call."""

from __future__ import annotations

import functools
import inspect
import logging
import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from .errors import ToolError, bad_request
from .json_types import JsonObject, ToolAnswer
from .transport import without_empty

SHOWN_CHARS = 500
MAX_DIGITS, SHOWN_VALUE = 9, 40
_OF_SCHEDULE = ("expression", "timezone", "name")
_ADDRESS = re.compile(r"[{\[]|://")  # of a webhook, which may have a key: also in JSON text that cannot be read
logger = logging.getLogger("literature_search.tools")
Function = TypeVar("Function", bound=Callable[..., ToolAnswer])


@dataclass(frozen=True, slots=True)
class ToolFunction:
    """A function that agents may call; `writes` when it adds to the knowledge graph by default.

    `deletes` when it can remove something of the caller's.
    """

    name: str
    title: str
    description: str
    function: Callable[..., ToolAnswer]
    writes: bool
    deletes: bool = False


TOOL_FUNCTIONS: dict[str, ToolFunction] = {}


def tool(title: str, *, writes: bool = False, deletes: bool = False) -> Callable[[Function], Function]:
    """List a function under its own name, with its docstring as description, and log its calls."""

    def listed(function: Function) -> Function:
        logged = log_tool_call(function)
        name = function.__name__
        TOOL_FUNCTIONS[name] = ToolFunction(name, title, inspect.getdoc(function) or "", logged, writes, deletes)
        return logged

    return listed


def without_defaults(function: Callable[..., ToolAnswer], arguments: JsonObject) -> JsonObject:
    """The arguments that have a value other than the function's default; one that is written as text is the same."""
    defaults = {name: str(it.default) for name, it in inspect.signature(function).parameters.items()}
    return without_empty({name: value for name, value in arguments.items() if str(value) != defaults[name]})


def refuse_beside(other: str, names: Sequence[str], given: JsonObject) -> None:
    """Raises ToolError for the first of these arguments that is given, without effect beside the other one."""
    for name in names:
        if name in given:
            hint = f"Leave {name} out: it would have no effect. Or leave {other} out."
            raise bad_request(name, f"is taken only without {other}", hint)


def whole_number(name: str, value: object) -> int | None:
    """An argument that a tool calculates with; None where it has no value. Raises ToolError for what is no number.

    Language models write numbers as texts, and some JSON writers 1000 as 1000.0; the API reads these as well.
    """
    if value is None or value == "":
        return None
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    text = str(value).strip()
    if isinstance(value, bool) or not text.isdecimal() or len(text) > MAX_DIGITS:
        raise bad_request(name, f"must be a whole number of at most {MAX_DIGITS} digits, not {text[:SHOWN_VALUE]!r}")
    return int(text)


def _shown(name: str, value: Any) -> Any:
    """An argument in a log line, long text as its beginning; of a schedule nothing with a webhook's address."""
    if name == "schedule" and value:
        shown = {key: value[key] for key in _OF_SCHEDULE if key in value} if isinstance(value, Mapping) else value
        return shown if isinstance(shown, dict) or not _ADDRESS.search(str(shown)) else "not shown: it has an address"
    text = value if isinstance(value, str) else str(value)
    return value if len(text) <= SHOWN_CHARS else text[:SHOWN_CHARS]


def log_tool_call(function: Function) -> Function:
    """Log each call: tool, arguments, context, outcome, duration; never a key."""

    @functools.wraps(function)
    def logged(*args: Any, **kwargs: Any) -> ToolAnswer:
        bound = inspect.signature(function).bind(*args, **kwargs)
        started = time.monotonic()
        outcome = "error"
        try:
            answer = function(*args, **kwargs)
            outcome = "ok" if answer.get("complete", True) else "incomplete"
            return answer
        except ToolError as error:
            outcome = error.code
            raise
        finally:
            shown = {name: it for name, it in bound.arguments.items() if name not in ("context", "idempotency_key")}
            logger.info(
                "tool call",
                extra={
                    "tool": function.__name__,
                    "arguments": {name: _shown(name, it) for name, it in shown.items()},
                    "context": _shown("context", bound.arguments.get("context")),
                    "outcome": outcome,
                    "duration_ms": round((time.monotonic() - started) * 1000),
                },
            )

    return logged  # type: ignore[return-value]
