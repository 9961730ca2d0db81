"""Hints on the words of a query: how they were read, and how to write what they may mean."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from shared.bibliography.paper_ids import scheme_of, value_of
from shared.bibliography.typed_people import may_be_several
from shared.outcomes import Outcome
from shared.query.filters_in_words import filters_in_words
from shared.query.search_signs import in_capitals, suggested, with_not
from shared.query.telling_words import bare_words
from shared.query.understanding import understand
from shared.search.requests.search_request import SearchRequest
from shared.search.wording.worded_years import WordedYears

if TYPE_CHECKING:
    from shared.answers.search import Hint, LegReport

MOST_NOTES = 8  # on parts in the syntax of another service


def hint(reason: str, message: str) -> Hint:
    """A hint of an answer."""
    return {"reason": reason, "message": message}


def syntax_hints(request: SearchRequest) -> list[Hint]:
    """How parts of the wordings that are not syntax of this service were read, or could be written."""
    notes = [note for wording in request.wordings for note in understand(wording).notes]
    notes.sort(key=lambda note: "left out" not in note)  # what was left out is named first
    hints = [hint("syntax", f"Read as follows: {'; '.join(notes[:MOST_NOTES])}.")] if notes else []
    unread = [(wording, suggested(wording)) for wording in request.wordings if not understand(wording).notes]
    hints += [
        hint("operators", f"No sign - or | was read as an operator here. If you mean one, write: {better}")
        for wording, better in unread
        if better and understand(wording).kind != "expression"
    ]
    hints += [
        hint("operators", f"Operators are written in capitals. If you mean them, write: {better}")
        for wording in request.wordings
        if (better := _with_operators(wording))
    ]
    if request.author and may_be_several(request.author):
        name = request.author.strip()[:80]
        hints.append(hint("author", f"{name} was read as one person: write `;` between several."))
    return hints


def _with_operators(wording: str) -> str | None:
    """The wording with its operators in capitals, if they stand between telling words alone, or with NOT."""
    understood = understand(wording)
    if understood.notes or understood.kind == "expression":
        return None
    words = [word for word in bare_words(wording) if word not in ("and", "or", "not")]
    is_list = understood.kind == "sentence" and list(dict.fromkeys(words)) == list(understood.telling)
    if is_list:
        return in_capitals(wording)
    return None if filters_in_words(wording).without_preprints else with_not(wording)


def filter_hints(request: SearchRequest, years: WordedYears | None, left_out: int, today: str | None) -> list[Hint]:
    """The filters that do what words of the wordings say, and how many papers the words' `years` have left out."""
    done = {"date_from": years.date_from, "date_to": years.date_to} if years else {}
    named = dict.fromkeys(
        f"`{name}: {json.dumps(value)}`"
        for wording in request.wordings
        for name, value in unset_filters(request, wording, today).items()
        if value != done.get(name)
    )
    said = []
    if years:
        words = ", ".join(f"`{it}`" for it in years.words)
        dates = ", ".join(f'`{name}: "{value}"`' for name, value in done.items() if value)
        said.append(f"{words} was read as {dates}: {left_out} other papers are left out. To search for it, quote it.")
    if named:
        said.append(f"No {'other ' if years else ''}word is a filter: {', '.join(named)} would do what the query says.")
    return [hint("filters", " ".join(said))] if said else []


def unset_filters(request: SearchRequest, wording: str, today: str | None) -> dict[str, object]:
    """The filters that the words of a wording say on this day, and the request does not have.

    Dates that the words say give way to the request's own: together they may be no range of time.
    """
    if not understand(wording).is_searchable or understand(wording).kind == "expression":
        return {}
    fields = filters_in_words(wording).fields(today)
    given = set(request.model_fields_set)
    if request.date_from or request.date_to:
        given |= {"date_from", "date_to"}
    return {name: value for name, value in fields.items() if name not in given}


def identifier_hints(request: SearchRequest, unknown: Sequence[str], reports: Mapping[str, LegReport]) -> list[Hint]:
    """How identifiers in the query were read, and which of them no provider that answered has."""
    hints = []
    if any(understand(wording).kind == "number" for wording in request.wordings):
        message = "A number alone is nothing to search for: write `PMID:…` or another identifier, or words."
        if request.author:
            message = "The number was also searched for as a word, in papers by the author."
        if request.identifiers:
            numbers = ", ".join(value_of(name) for name in request.identifiers if scheme_of(name) == "pmid")
            message = f"{numbers} was read as a PMID. {message}"
        hints.append(hint("number", message))
    elif request.identifiers:
        names = ", ".join(request.identifiers)
        place = "The paper comes first, unless dates or filters leave it out."
        searched = any(understand(wording).is_searchable for wording in request.wordings)
        how = "Looked up, and the words beside it searched for" if searched else "Looked up instead of searched for"
        hints.append(hint("identifier", f"{how}: {names}. {place}"))
    if unknown and any(Outcome(report["outcome"]).answered for report in reports.values()):
        names = ", ".join(unknown)
        hints.append(hint("not_found", f"No provider that answered has {names}: check it, or search for the title."))
    return hints
