"""What `matching` knows of a record, read once: titles, author names, year, volume, first page.

Missing is None or empty and never counts as different. What databases make up is missing too: `(no pagination)`, a
volume that repeats the year, `Anonymous` as author.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from shared.bibliography.dates import MONTHS
from shared.bibliography.group_authors import is_group
from shared.bibliography.identifiers import Identifiers, arxiv_of_doi
from shared.bibliography.name_patterns import OTHERS
from shared.bibliography.paper import Paper
from shared.bibliography.paper_types import NOTICES
from shared.bibliography.person_names import without_suffix
from shared.bibliography.preprints import is_preprint, work_doi
from shared.bibliography.words import words_of
from shared.matching.title_features import Title, read_title, title_forms

_SPREADSHEET_DATE = re.compile(rf"^(\d\d?)-({'|'.join(MONTHS)})$|^({'|'.join(MONTHS)})-(\d\d?)$")
_PAGE = re.compile(r"([a-z]{0,3})0*(\d+)([a-z]?)(?![\d.])")
MAX_PAGES_CHARS = 200  # the pattern above takes quadratic time
_ROMAN_PAGES = re.compile(r"([ivxlc]+)(?:\s*[-–]\s*([ivxlc]+))?$")
_DIGITS = re.compile(r"\d+")
_NO_PERSON = re.compile(rf"\banonymous\b|{OTHERS}")
_ENDS_OF_NONE = ("al", "al.", "alii", "others", "colleagues")


class Name(NamedTuple):
    """An author's family name, folded and run together, and the first letter of the given name."""

    family: str
    initial: str | None
    written: str

    @property
    def words(self) -> frozenset[str]:
        """All longer words of the name, whichever of them is the family name."""
        return _longer_words(self.written)


@lru_cache(maxsize=20_000)
def _longer_words(name: str) -> frozenset[str]:
    return frozenset(word for word in words_of(name) if len(word) > 2)


@dataclass(slots=True)
class Features:
    """One record as the rules see it."""

    paper: Paper
    answer: tuple[str, int]  # the result list that it comes from: a provider, and the number of the list
    identity: frozenset[str]  # ids that name one work: PMID, PMCID, arXiv, Semantic Scholar, OpenAlex, NCT
    doi: str | None  # without a preprint's version; None for arXiv's, which its arXiv id stands for
    links: frozenset[str]  # ids of its other versions
    ids: frozenset[str]  # all of these: two records that share none of them are not joined by an id
    titles: tuple[Title, ...]  # the title and other forms of it
    registration: str | None  # the number under which a trial is registered: only its registration has one
    kind: str | None  # its type if it is a notice about another paper, else "paper"; None: the type is not known
    names: tuple[Name, ...]
    families: frozenset[str]  # the authors' family names
    year: int | None
    volume: str | None
    issue: str | None
    page: str | None
    last_page: str | None
    preprint: bool
    translated: bool  # the title is a translation, as square brackets say


def features(paper: Paper, answer: int = 0) -> Features:
    """Read a record. `answer` numbers its provider's result lists (see `RecordId`)."""
    authors = [_name(author.family, author.given, author.name) for author in paper.authors[:_AUTHORS_READ]]
    names = tuple([name for name in authors if name])
    first, last = _pages(paper.pages) if paper.pages else (None, None)
    identity, doi = _identity(paper.ids), work_doi(paper.ids.doi)
    links = frozenset(_links(paper)) if paper.versions else _NONE
    return Features(
        paper=paper,
        answer=(paper.provider, answer),
        identity=identity,
        doi=doi,
        links=links,
        ids=identity.union(links, (f"doi:{doi}",)) if doi else identity | links if links else identity,
        titles=_titles(paper),
        registration=paper.ids.nct,
        kind=paper.type if paper.type in NOTICES else "paper" if paper.type else None,
        names=names,
        families=frozenset([name.family for name in names]) if names else _NONE,
        year=paper.year,
        volume=_volume(paper.volume, paper.year) if paper.volume else None,
        issue=_issue(paper.issue) if paper.issue else None,
        page=first,
        last_page=last,
        preprint=is_preprint(paper),
        translated=paper.title.startswith("["),
    )


_NONE: frozenset[str] = frozenset()  # one for all: most records lack something


def _identity(ids: Identifiers) -> frozenset[str]:
    """One test for each kind of id: a loop over their names takes three times as long, for every record."""
    found: list[str] = []
    if ids.pmid:
        found.append("pmid:" + ids.pmid)
    if ids.pmcid:
        found.append("pmcid:" + ids.pmcid)
    if ids.arxiv:
        found.append("arxiv:" + ids.arxiv)
    if ids.paper_id:
        found.append("paper_id:" + ids.paper_id)
    if ids.openalex:
        found.append("openalex:" + ids.openalex)
    if ids.nct:
        found.append("nct:" + ids.nct)
    arxiv = arxiv_of_doi(ids.doi) if ids.doi else None
    if arxiv:
        found.append(f"arxiv:{arxiv}")
    return frozenset(found) if found else _NONE


def _links(paper: Paper) -> Iterator[str]:
    for version in paper.versions:
        arxiv = version.arxiv or arxiv_of_doi(version.doi)
        if arxiv:
            yield f"arxiv:{arxiv}"
        if version.pmid:
            yield f"pmid:{version.pmid}"
        doi = work_doi(version.doi)
        if doi:
            yield f"doi:{doi}"


def _titles(paper: Paper) -> tuple[Title, ...]:
    if not paper.alternative_titles and "[" not in paper.title:
        return (read_title(paper.title),)
    forms = [form for text in (paper.title, *paper.alternative_titles) for form in title_forms(text)]
    return tuple(dict.fromkeys(read_title(form) for form in forms))


_AUTHORS_READ = 25  # more do not change a comparison


@lru_cache(maxsize=16384)
def _name(family: str | None, given: str | None, whole: str | None) -> Name | None:
    """A person's name; None for a group, which databases list or leave out as they please."""
    if whole:
        given, _, family = whole.rpartition(" ")
    words = words_of(without_suffix(family or "")[0])  # PubMed's `King` is DBLP's `King Jr.`
    written = whole or family or ""
    if not words or is_group(written) or _is_no_person(written.lower()):
        return None
    initial = "".join(words_of(given[:2]))[:1] if given else ""
    return Name("".join(words), initial or None, whole or f"{given or ''} {family}")


def _is_no_person(name: str) -> bool:
    """Whether a name in lower case contains `anonymous` or `et al`; a quick test goes first, as few names do."""
    may_be = "et al" in name or "anonymous" in name or name.endswith(_ENDS_OF_NONE)
    return may_be and _NO_PERSON.search(name) is not None


@lru_cache(maxsize=4096)
def _issue(text: str) -> str | None:
    return "".join(words_of(text)).lstrip("0") or None


def _volume(text: str, year: int | None) -> str | None:
    """The first number of it; none where it repeats the year or an arXiv id (`abs/2303.18223`)."""
    number: str | None = text
    if not (text.isascii() and text.isdigit()):  # most are a number and nothing else
        found = None if text.startswith("abs/") else _DIGITS.search(text)
        number = found[0] if found else None
    volume = number.lstrip("0") if number else None
    return None if not volume or volume == str(year) else volume


@lru_cache(maxsize=16384)
def _pages(text: str) -> tuple[str | None, str | None]:
    """First and last page; `139-54` ends at 154, and `06-Oct` is what a spreadsheet makes of 6-10."""
    text = text[:MAX_PAGES_CHARS].casefold().strip()
    date = _SPREADSHEET_DATE.match(text)
    if date:
        first, last = (date[1] or date[3]), (date[2] or date[4])
        numbers = [str(MONTHS.index(part) + 1) if part in MONTHS else part.lstrip("0") for part in (first, last)]
        return numbers[0], numbers[1]
    found = _PAGE.findall(text)
    if not found:
        roman = _ROMAN_PAGES.match(text)
        return (roman[1], roman[2]) if roman else (None, None)
    first = "".join(found[0])
    if len(found) == 1:
        return first, None
    start, end = found[0][1], found[1][1]
    return first, start[: len(start) - len(end)] + end
