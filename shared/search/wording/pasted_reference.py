"""Queries that read like a reference: a search looks for their words, other calls read them field by field.

`resolve` matches printed references. It needs more than names and a year, which the filters of a search take.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from shared.bibliography.journal_names import known_journal
from shared.bibliography.name_patterns import OTHERS
from shared.bibliography.stop_words import FUNCTION_WORDS, GENERIC_WORDS, QUESTION_WORDS, STOP_WORDS
from shared.bibliography.text import fold
from shared.query.pasted_text import PRINTED_REFERENCE

if TYPE_CHECKING:
    from shared.answers.search import Action, Hint

_OTHERS = re.compile(rf"{OTHERS}\.?,?", re.IGNORECASE)
_YEAR = re.compile(r"\(?(?:1[5-9]|20)[0-9]{2}[a-z]?\)?[,.;]?")
MOST_NAMES, MOST_JOURNAL_WORDS, MOST_SMALL_NAMES = 4, 8, 2


@dataclass(frozen=True, slots=True)
class ShortCitation:
    """A paper by its authors' family names, with `;` between them, its year in four digits, its journal or subject."""

    author: str
    year: str
    journal: str | None = None
    query: str | None = None


@dataclass(frozen=True, slots=True)
class ShortIssue:
    """Papers by their journal's full name, the year in four digits, and their subject."""

    journal: str
    year: str
    query: str


def short_citation(text: str) -> ShortCitation | None:
    """Read `Vaswani 2017`, `Watson & Crick (1953) Nature`, `Smith et al. 2019`; None for other texts.

    `Alzheimer 2019` is one by its form. `CRISPR 2012` is not: a name is not written in capitals. Nor is `Nature 2021`.
    """
    before, others, after = text.partition(found[0]) if (found := _OTHERS.search(text)) else (text, "", "")
    words = before.replace("&", " and ").split()
    known = len(words)  # behind `et al.` stand no more names
    words += after.replace("&", " and ").split()
    years = [place for place, word in enumerate(words) if _YEAR.fullmatch(word)]
    if len(years) != 1 or not 0 < years[0] <= MOST_NAMES * 2 or len(words) - years[0] > MOST_JOURNAL_WORDS + 1:
        return None
    last_name = min(years[0], known) if others else years[0]
    names = [word.strip(",;") for word in words[:last_name] if word.strip(",;") not in ("and", "")]
    rest = [word.strip(",;.") for word in [*words[last_name : years[0]], *words[years[0] + 1 :]] if word.strip(",;.")]
    if not names or len(names) > MOST_NAMES or not all(map(is_family_name, names)):
        return None
    if not others and known_journal(" ".join(names)):
        return None
    if not all(word[:1].isupper() or word in STOP_WORDS for word in rest):
        return None
    about = " ".join(rest) or None
    is_journal = bool(about) and all(word.isalpha() for word in rest)  # `TREM2` is none
    year = words[years[0]].strip("(),.;")[:4]
    return ShortCitation(";".join(names), year, about if is_journal else None, None if is_journal else about)


def journal_issue(text: str) -> ShortIssue | None:
    """Read `Nature 2021 AlphaFold`: the name of a known journal, a year, and what the paper is about.

    `cancer 2020 screening` in small letters is about cancer, and a printed reference is for `resolve`.
    """
    if not text[:1].isupper() or PRINTED_REFERENCE.search(text):
        return None
    words = text.replace(",", " ").split()
    for place, word in enumerate(words[: MOST_JOURNAL_WORDS + 1]):
        if place and _YEAR.fullmatch(word):
            known, about = known_journal(" ".join(words[:place])), " ".join(words[place + 1 :])
            return ShortIssue(known.full, word.strip("(),.;")[:4], about) if known and about else None
    return None


def small_citation(text: str) -> ShortCitation | None:
    """Read `vaswani 2017`, `watson and crick 1953`: one or two words in small letters that may be names, and a year."""
    words = text.replace("&", " and ").split()
    if text != text.lower() or len([word for word in words if word != "and"]) > MOST_SMALL_NAMES + 1:
        return None
    found = short_citation(" ".join(word if word == "and" else word.capitalize() for word in words))
    return found if found and not (found.journal or found.query) else None


def _citations(wordings: Sequence[str], texts: Iterable[str]) -> list[ShortCitation]:
    """The wordings that name a paper by author and year.

    PubMed reads no name without initials. Words in small letters are names here if no paper that was found has them in
    its title or abstract (`texts`): `mouse 2013` has such papers, `vaswani 2017` has none.
    """
    found = list(filter(None, map(short_citation, wordings)))
    small = list(filter(None, map(small_citation, wordings)))
    if small:
        said = fold(" ".join(texts))
        found += [it for it in small if not any(fold(name) in said for name in it.author.split(";"))]
    return found


def is_family_name(word: str) -> bool:
    """Whether a word is written as a name is: `McCarthy`, `O'Brien`, `Lloyd-Jones`."""
    letters = word.replace("-", "").replace("'", "")
    is_word = word.casefold() in FUNCTION_WORDS["en"] | GENERIC_WORDS | QUESTION_WORDS
    return letters.isalpha() and word[0].isupper() and not word.isupper() and not is_word


def pasted_references(wordings: Sequence[str]) -> list[str]:
    """Those of the wordings that read like a printed reference, or like a record of BibTeX or RIS."""
    return [wording for wording in wordings if PRINTED_REFERENCE.search(wording) and not short_citation(wording)]


def reference_hints(wordings: Sequence[str], texts: Iterable[str] = ()) -> list[Hint]:
    """A hint if some wording reads like a reference; `texts` are the titles and abstracts of the papers found."""
    message = "This reads like a printed reference: POST /v1/resolve finds the paper that one means, by its fields."
    hints: list[Hint] = [{"reason": "reference", "message": message}] if pasted_references(wordings) else []
    for it in _citations(wordings, texts):
        names = it.author.replace(";", " and ")
        message = f"If you mean a paper by {names} of {it.year}, search with `author` and the year as filters, "
        hints.append({"reason": "reference", "message": f"{message}without a query: `next_actions` has the call."})
    for issue in filter(None, map(journal_issue, wordings)):
        message = (
            f"If you mean papers in {issue.journal} of {issue.year}, search for the other words with `journal` and "
        )
        hints.append({"reason": "reference", "message": f"{message}the year as filters: `next_actions` has the call."})
    return hints


def reference_actions(wordings: Sequence[str], texts: Iterable[str] = ()) -> list[Action]:
    """The calls that find the papers that the references mean; `texts` as in `reference_hints`."""
    found = pasted_references(wordings)
    why = "finds the paper that the reference means"
    actions: list[Action] = []
    if found:
        actions.append({"tool": "resolve_references", "arguments": {"references": [*found]}, "why": why})
    for it in _citations(wordings, texts):
        about = {name: value for name, value in (("query", it.query), ("journal", it.journal)) if value}
        filters = {**about, "author": it.author, "date_from": it.year, "date_to": it.year}
        actions.append({"tool": "literature_search", "arguments": {**filters, "sort": "citations"}, "why": why})
    for issue in filter(None, map(journal_issue, wordings)):
        within = {"query": issue.query, "journal": issue.journal, "date_from": issue.year, "date_to": issue.year}
        actions.append({"tool": "literature_search", "arguments": within, "why": "searches that journal and year"})
    return actions
