"""`python -m tests.ways_of_asking.document` writes docs/ways-of-asking.md: what people type, and what each source gets.

The requests are those that left a running service, so that the document cannot say anything else.
"""

from __future__ import annotations

import html
import os
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from infra.functions import provider_spec
from tests.ways_of_asking.capture import Asked, service
from tests.ways_of_asking.readers.sent import Sent
from tests.ways_of_asking.table import ABOUT, KINDS
from tests.ways_of_asking.way import SOURCES, Way

PATH = Path(__file__).parents[2] / "docs" / "ways-of-asking.md"
MOST_CHARS = 300  # of one request
_INTRODUCTION = """# Ways of asking

What people type, and what each source gets for it. `python -m tests.ways_of_asking.document` writes it from the
requests that left a running service, with the sandbox as every source. Tests fail when it is out of date, and check
each row against expectations from the sources' own documentation: the words that must be required and those that must
not, what an expression means in the grammar of each source, and which papers come first. `make test` checks a sample
of each table, `make test-all` every row.

A second request of a source, after the arrow, is a wider one, sent where the first found fewer than ten papers.
"""


def section(kind: str, ask: Callable[[Way], Asked]) -> str:
    """The table of one kind."""
    rows = [row(way, ask(way)) for way in KINDS[kind]]
    head = ["| typed | what it shows | what each source gets |", "|---|---|---|"]
    return "\n".join([f"## {kind}", "", ABOUT[kind], "", *head, *rows]) + "\n"


def row(way: Way, asked: Asked) -> str:
    """One way of asking, and what came of it."""
    return f"{row_start(way)} {_leaves(asked)} |"


def row_start(way: Way) -> str:
    """What a row says of its way before the requests."""
    return f"| {_code(_typed(way))} | {_escaped(way.why)} |"


def _typed(way: Way) -> str:
    text = way.typed if len(way.typed) <= MOST_CHARS else f"{way.typed[:MOST_CHARS]}… ({len(way.typed)} characters)"
    return " ".join([text, *(f"{name}={value}" for name, value in way.fields.items() if name != "max_results")]).strip()


def _leaves(asked: Asked) -> str:
    if asked.status != 200:
        return f"nothing: {_escaped(asked.answer['errors'][0]['message'])}"
    by_text: dict[str, list[str]] = {}
    for source in SOURCES:
        if text := _requests(asked.sent.get(source, ())):
            by_text.setdefault(text, []).append(provider_spec(source).title)
    lines = [f"{', '.join(names)}: {text}" for text, names in by_text.items()]
    return "<br>".join(lines) or "nothing"


def _requests(sent: Sequence[Sent]) -> str:
    """The essence of each request but of those that only fetch what was found."""
    said = dict.fromkeys(it.text for it in sent if it.use in ("search", "title", "meaning", "names"))
    looked_up = dict.fromkeys(it.text for it in sent if it.use in ("lookup", "records")) if not said else {}
    return " → ".join([*map(_code, _cut(said)), *(f"looked up {_code(text)}" for text in _cut(looked_up))])


def _cut(texts: Iterable[str]) -> list[str]:
    return [text if len(text) <= MOST_CHARS else f"{text[:MOST_CHARS]}…" for text in texts]


def _escaped(text: str) -> str:
    return html.escape(" ".join(text.split()), quote=False).replace("|", "&#124;")


def _code(text: str) -> str:
    return f"<code>{_escaped(text)}</code>" if text else "(none)"


def main() -> None:
    """Write the document."""
    os.environ.setdefault("POWERTOOLS_LOG_LEVEL", "CRITICAL")
    sections = []
    for kind in KINDS:
        with service() as running:
            sections.append(section(kind, running.ask))
    PATH.write_text("\n".join([_INTRODUCTION, *sections]), encoding="utf-8")


if __name__ == "__main__":
    main()
