"""Semantic Scholar's parameters for the filters of a search, which both of its searches take.

Manual: https://api.semanticscholar.org/api-docs/graph. `venue` takes full names and ISO 4 abbreviations with a comma
between them; whether it distinguishes letter case is not documented, so the caller's spelling is one of them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date

from shared.bibliography.fields_of_study import FIELDS_OF_STUDY
from shared.providers.records.semantic_scholar import TYPES
from shared.query.query import Query
from shared.query.syntax import All, Node, Tagged

_YEARS = re.compile(r"(?<!\d)(?:1[89]|20)\d\d(?!\d)")


@dataclass(frozen=True, slots=True)
class Filters:
    """The parameters, the names of filters that are not sent, and warnings."""

    params: Mapping[str, str] = field(default_factory=dict)
    unsupported: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    def without_venue(self) -> Filters:
        """The same without the journal, which is then checked on the records."""
        warning = "Semantic Scholar found nothing under this name of the journal: it is checked afterwards"
        return replace(
            self,
            params={name: value for name, value in self.params.items() if name != "venue"},
            unsupported=(*self.unsupported, "journal"),
            warnings=(*self.warnings, warning),
        )

    def without_author(self) -> Filters:
        """The same where the author is not searched for, but checked on the records."""
        warning = "Semantic Scholar's search has no filter by author: the names are checked afterwards"
        return replace(self, unsupported=(*self.unsupported, "author"), warnings=(*self.warnings, warning))

    def unsent(self, query: Query) -> Filters:
        """The same where no filter can be sent: they are checked on the records."""
        return replace(self, params={}, unsupported=tuple(dict.fromkeys((*self.unsupported, *_sent(query)))))


def read_filters(query: Query) -> Filters:
    """The filters of a query as parameters."""
    params: dict[str, str] = {}
    unsupported: list[str] = []
    warnings: list[str] = []
    if days := _days(query):
        params["publicationDateOrYear"] = days
    if venues := _venues(query):
        params["venue"] = venues
    elif query.journal:
        unsupported.append("journal")
        warnings.append("Semantic Scholar cannot filter by a journal with a comma in its name")
    if query.field_of_study:
        params["fieldsOfStudy"] = FIELDS_OF_STUDY[query.field_of_study].semantic_scholar
    if query.open_access:
        params["openAccessPdf"] = ""  # a flag: it takes no value
    if query.min_citations:
        params["minCitationCount"] = str(query.min_citations)
    if unknown := sorted(set(query.publication_types) - set(TYPES.values())):
        unsupported.append("publication_types")
        warnings.append(f"Semantic Scholar has no type for {', '.join(unknown)}: all types were searched")
    elif query.publication_types:
        kinds = [theirs for theirs, ours in TYPES.items() if ours in query.wanted_types]
        params["publicationTypes"] = ",".join(kinds)
    return Filters(params, tuple(unsupported), tuple(warnings))


def _sent(query: Query) -> list[str]:
    return [
        name for name in query.filters if name not in ("author", "exclude_preprints", "field_of_study", "operators")
    ]


def _venues(query: Query) -> str:
    """All names of the journal, as the API takes them; a name with a comma, their separator, cannot be escaped."""
    names = query.journal_names
    if names is None:
        return ""
    forms = [*names.forms, _iso4(names.full, names.abbreviation or ""), query.journal or ""]
    return ",".join(dict.fromkeys(form for form in forms if form and "," not in form))


def _iso4(full: str, abbreviation: str) -> str:
    """`N. Engl. J. Med.` of NLM's `N Engl J Med`: a full stop behind each word that is shortened."""
    whole = {word.casefold() for word in full.split()}
    return " ".join(word if word.casefold() in whole else f"{word}." for word in abbreviation.split())


def _days(query: Query) -> str | None:
    """The range of days: the caller's, or else that of a date that the expression requires."""
    first, last = query.first_day, query.last_day
    if not (first or last):
        first, last = _required_years(query.node)
    return f"{first or ''}:{last or ''}" if first or last else None


def _required_years(node: Node) -> tuple[date | None, date | None]:
    parts = node.of if isinstance(node, All) else (node,)
    years = [_YEARS.findall(it.text) for it in parts if isinstance(it, Tagged) and it.field == "date"]
    if len(years) != 1 or not years[0]:
        return None, None
    return date(int(years[0][0]), 1, 1), date(int(years[0][-1]), 12, 31)
