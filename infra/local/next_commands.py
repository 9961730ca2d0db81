"""The calls that an answer offers, as command lines that can be pasted: the API names its own operations."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from shared.answers.search import Action

    _Arguments: TypeAlias = Mapping[str, Any]

# Fields of a search request that are options of `search`, with their help texts; those of FLAGS have no value.
FILTERS = {
    "max_results": "the number of papers to show",
    "date_from": "earliest publication date: YYYY, YYYY-MM or YYYY-MM-DD",
    "date_to": "latest publication date, in the same forms",
    "author": "the name of an author",
    "journal": "the title of a journal",
    "publication_types": "only papers of these types, separated by commas",
    "open_access": "only papers of which a free copy exists",
    "providers": "query only these sources, separated by commas",
    "sort": "relevance, date or citations",
    "cursor": "the next page, as a search prints it; of the service at LITERATURE_SEARCH_URL",
}
FLAGS = ("open_access",)
# The table always asks for it: it is not an option.
_ALWAYS_SENT = ("query", "detail")
ON_A_SERVICE = (
    "needs a service that keeps its results: run `make serve` or `literature-search serve --sandbox`, and set "
    "LITERATURE_SEARCH_URL=http://127.0.0.1:8080"
)


def program() -> str:
    """How this program was started: by its console script, or as a module of a checkout."""
    return "literature-search" if Path(sys.argv[0]).stem == "literature-search" else "python -m infra.local"


def next_lines(actions: Sequence[Action], *, sandbox: bool, remote: bool) -> Iterator[str]:
    """A line for each action that a command can do. Without a `remote` service no page follows: the tables are gone."""
    for action in actions:
        why, arguments = action["why"], action["arguments"]
        if "cursor" in arguments and not remote:
            yield f"next ({why}): {ON_A_SERVICE}"
        elif words := _words(action["tool"], arguments):
            why = "the first results as BibTeX" if action["tool"] == "get_papers" else why
            # Before the texts: behind `--`, an option is one of them.
            command = [words[0], *(["--sandbox"] if sandbox else []), *words[1:]]
            yield f"next ({why}): {_started()} {shlex.join(command)}"


def _started() -> str:
    """The start of a command line: a checkout has a Python of its own, which need not be on the path."""
    if program() == "literature-search":
        return program()
    here = Path(sys.executable)
    return f"{shlex.quote(os.path.relpath(here) if here.is_relative_to(Path.cwd()) else str(here))} -m infra.local"


def _words(operation: str, arguments: _Arguments) -> list[str] | None:
    """The words of the command for an operation of the API; None if no command does it."""
    return _COMMANDS[operation](arguments) if operation in _COMMANDS else None


def _search(arguments: _Arguments) -> list[str] | None:
    options: list[str] = []
    for name, value in arguments.items():
        if name in FILTERS:
            options += _option(f"--{name.replace('_', '-')}", value)
        elif name not in _ALWAYS_SENT:
            return None
    query = arguments.get("query") or ""
    return ["search", *options, *(_option("--query", query) if query.startswith("-") else [query] if query else [])]


def _option(name: str, value: object) -> list[str]:
    if isinstance(value, bool):
        return [name] if value else []
    text = ",".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
    return [f"{name}={text}"] if text.startswith("-") else [name, text]


def _positional(texts: Sequence[str]) -> list[str]:
    """Arguments without a name, also those that look like an option."""
    return ["--", *texts] if any(text.startswith("-") for text in texts) else [*texts]


# Operation of the API -> the words of its command.
_COMMANDS: dict[str, Callable[[_Arguments], list[str] | None]] = {
    "literature_search": _search,
    "get_papers": lambda it: ["export", *_positional(it["ids"])],
    "find_passages": lambda it: ["passages", "--ids", *it["ids"], "--", it["question"]],
    "similar": lambda it: ["similar", *_positional(it["seeds"])],
    "resolve_references": lambda it: ["resolve", *_positional(it["references"])],
}
