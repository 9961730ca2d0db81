"""A search query for providers: words and filters in one form, which every provider translates to its own syntax.

The text and the names keep the caller's capitals, which mean something to readers of names and symbols. `cache_key` is
the same for all spellings of one query: NFKC, case-folded except the operators, filters in one form and order. Nothing
that changes the meaning is folded.
"""

from __future__ import annotations

import calendar
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import date
from typing import Any

from shared.bibliography.journal_names import JournalNames, journal_names
from shared.bibliography.paper_types import with_kinds
from shared.bibliography.typed_names import PersonName
from shared.bibliography.typed_people import read_people
from shared.canonical_json import canonical, digest
from shared.query.syntax import Node, Words, normalise, tidy
from shared.query.understanding import Understood, understand

# The names of the filters, as providers declare them and legs report them as unsupported.
FILTERS = (
    "date",
    "journal",
    "author",
    "open_access",
    "min_citations",
    "publication_types",
    "exclude_preprints",
    "exclude_retracted",
    "language",
    "field_of_study",
    "operators",  # "phrases", AND, OR, NOT
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """A search of one provider; dates are `YYYY`, `YYYY-MM` or `YYYY-MM-DD`, both inclusive.

    Without a text, the filters alone (an author) say what to search for.
    """

    text: str
    limit: int = 100
    date_from: str | None = None
    date_to: str | None = None
    journal: str | None = None
    author: str | None = None
    open_access: bool = False
    min_citations: int | None = None
    publication_types: tuple[str, ...] = ()
    exclude_preprints: bool = False
    exclude_retracted: bool = False
    language: str | None = None  # ISO 639-1: `shared.bibliography.languages`
    field_of_study: str | None = None  # a name of `shared.bibliography.fields_of_study`
    sort: str = "relevance"  # or "citations", "date"
    widen: bool = True  # whether a source that finds few papers may be queried again in a wider form

    @property
    def operation(self) -> str:
        """The name of the provider operation."""
        return "search"

    @property
    def understood(self) -> Understood:
        """The kind of the text, its tree, its telling words, and the title that it may be."""
        return understand(self.text)

    @property
    def node(self) -> Node:
        """The words and operators as a tree; no words if only filters say what to search for."""
        return self.understood.node

    @property
    def telling(self) -> tuple[str, ...]:
        """The words that engines which require every word should get, as they were written."""
        return self.understood.telling

    @property
    def first_day(self) -> date | None:
        """The first day of `date_from`."""
        return first_day(self.date_from) if self.date_from else None

    @property
    def last_day(self) -> date | None:
        """The last day of `date_to`."""
        return last_day(self.date_to) if self.date_to else None

    @property
    def in_whole_years(self) -> bool:
        """Whether the dates, if there are any, begin with the first and end with the last day of a year."""
        first, last = self.first_day, self.last_day
        return (not first or (first.month, first.day) == (1, 1)) and (not last or (last.month, last.day) == (12, 31))

    @property
    def people(self) -> tuple[tuple[PersonName, ...], ...]:
        """The readings of each name in `author`, the likeliest first: papers are by all of these people."""
        return read_people(self.author) if self.author else ()

    @property
    def journal_names(self) -> JournalNames | None:
        """All names of the journal in `journal`: full, abbreviation and acronym; None without a journal."""
        return journal_names(self.journal) if self.journal else None

    @property
    def wanted_types(self) -> tuple[str, ...]:
        """`publication_types` with their kinds: `review` admits systematic reviews, too."""
        return tuple(with_kinds(self.publication_types))

    @property
    def filters(self) -> tuple[str, ...]:
        """The names (of FILTERS) that this query uses."""
        in_use = {
            "date": bool(self.date_from or self.date_to),
            "operators": not isinstance(self.node, Words),
            **{name: bool(getattr(self, name)) for name in FILTERS if name not in ("date", "operators")},
        }
        return tuple(name for name in FILTERS if in_use[name])

    def cache_key(self) -> str:
        """A digest that is equal for equal queries, whatever their spelling."""
        form = {
            **asdict(self),
            "text": normalise(self.text),
            # `what the WHO says` and `what the who says` are sent with other words
            "telling": [word.casefold() for word in self.telling],
            "journal": normalise(self.journal) if self.journal else None,
            "author": normalise(self.author) if self.author else None,
            "date_from": self.first_day.isoformat() if self.first_day else None,
            "date_to": self.last_day.isoformat() if self.last_day else None,
            "publication_types": sorted(set(self.publication_types)),
        }
        return digest(canonical(form, spaced=True))


def query_to_json(query: Query) -> dict[str, Any]:
    """The query as JSON-ready data, for the provider's event: its fields by name."""
    return {**asdict(query), "publication_types": list(query.publication_types)}


def query_from_json(data: Mapping[str, Any]) -> Query:
    """The query that `query_to_json` wrote. Raises TypeError on unknown or missing fields."""
    types = tuple(data.get("publication_types") or ())
    return Query(**{**data, "text": tidy(str(data["text"])), "publication_types": types})


def first_day(partial: str) -> date:
    """`2020` -> 2020-01-01, `2020-05` -> 2020-05-01. Raises ValueError when there is no such day."""
    return date.fromisoformat((partial + "-01-01")[:10] if len(partial) < 10 else partial)


def last_day(partial: str) -> date:
    """`2020` -> 2020-12-31, `2020-02` -> 2020-02-29. Raises ValueError when there is no such day."""
    if len(partial) == 4:
        return date.fromisoformat(partial + "-12-31")
    if len(partial) == 7:
        start = date.fromisoformat(partial + "-01")
        return start.replace(day=calendar.monthrange(start.year, start.month)[1])
    return date.fromisoformat(partial)
