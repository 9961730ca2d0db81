"""Labelled references, made from the facts of the sandbox: real ones with injected errors, and invented ones.

Every label follows from how a reference was made. The same on every run: all chance comes from seeds that are the
reference's own number. The rules of `shared.references` are written on the half `rules`; the half `report` is only
measured.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations
from typing import Literal

from infra.local.sandbox.facts import Fact, read_facts
from shared.bibliography.words import words_of
from tests.benchmarks.known_items import make_a_typo
from tests.benchmarks.reference_styles import STYLES, Name, PrintedPaper

Half = Literal["rules", "report"]
Change = Callable[[PrintedPaper, random.Random], PrintedPaper | None]
FEWEST_WORDS = 4  # of a title, so that it is distinct
REAL, PAIRS, INVENTED = 420, 180, 150
MOST_TRIED = 5_000  # papers and styles for one combination of errors
DOI_OF_ANOTHER, DOI_MISTYPED = "DOI of another paper", "DOI mistyped"


@dataclass(frozen=True, slots=True)
class LabelledReference:
    """A printed reference with what it was made of."""

    text: str
    style: str
    errors: tuple[str, ...]  # the injected errors, or the kind of invention
    status: Literal["matched", "mismatched", "invented"]  # invented: anything but matched
    half: Half
    ids: frozenset[str] = frozenset()  # of the paper that is meant, and of its versions; in lower case
    named: str | None = None  # the DOI that it carries, where that is another paper's


def ids_of(fact: Fact) -> frozenset[str]:
    """The ids of a paper and of its preprint or article, in lower case."""
    own = (fact.doi, fact.pmid, fact.arxiv_id, *fact.versions)
    return frozenset(str(it).lower().removeprefix("arxiv:").removeprefix("pmid:") for it in own if it)


@cache
def papers() -> tuple[Fact, ...]:
    """The papers that a reference can name: with authors and a year, and a title that only its versions share."""
    facts = [it for it in read_facts() if it.authors and it.authors[0][0] and it.year]
    titles = Counter(" ".join(words_of(it.title)) for it in read_facts())
    own = [it for it in facts if titles[" ".join(words_of(it.title))] == 1 + _shared_by_versions(it)]
    return tuple(
        it for it in own if len(words_of(it.title)) >= FEWEST_WORDS and it.type not in ("erratum", "retraction-notice")
    )


@cache
def _by_id() -> dict[str, Fact]:
    return {str(name).lower(): it for it in read_facts() for name in (it.doi, f"arXiv:{it.arxiv_id}", it.pmid) if name}


def _shared_by_versions(fact: Fact) -> int:
    others = [_by_id().get(name.lower()) for name in fact.versions]
    return sum(words_of(other.title) == words_of(fact.title) for other in others if other)


def printed(fact: Fact, *, with_doi: bool) -> PrintedPaper:
    """What a reference prints of a paper."""
    names: tuple[Name, ...] = tuple((family or "", given or "") for family, given in fact.authors if family)
    doi = fact.doi if with_doi and fact.doi else ""
    place = {name: getattr(fact, name) or "" for name in ("journal", "volume", "issue", "pages")}
    return PrintedPaper(fact.title.strip().rstrip("."), names, int(fact.year or 0), doi=doi, **place)


def _typo(it: PrintedPaper, chance: random.Random) -> PrintedPaper | None:
    return replace(it, title=make_a_typo(it.title.split(), chance)) if it.title.isascii() else None


def _later(years: int) -> Change:
    return lambda it, chance: replace(it, year=it.year + chance.choice((-years, years)))


def _wrong_volume(it: PrintedPaper, chance: random.Random) -> PrintedPaper | None:
    return replace(it, volume=str(int(it.volume) + chance.randint(1, 9))) if it.volume.isdigit() else None


def _swapped_authors(it: PrintedPaper, _: random.Random) -> PrintedPaper | None:
    return replace(it, authors=(it.authors[1], it.authors[0], *it.authors[2:])) if len(it.authors) > 1 else None


def _without_subtitle(it: PrintedPaper, _: random.Random) -> PrintedPaper | None:
    main, mark, _rest = it.title.partition(": ")
    return replace(it, title=main) if mark and len(words_of(main)) >= FEWEST_WORDS else None


def _other_doi(it: PrintedPaper, chance: random.Random) -> PrintedPaper | None:
    own = {it.title.lower()}
    others = [fact.doi for fact in papers() if fact.doi and fact.title.strip().rstrip(".").lower() not in own]
    return replace(it, doi=chance.choice(others)) if it.doi else None


def _mistyped_doi(it: PrintedPaper, chance: random.Random) -> PrintedPaper | None:
    """Two neighbouring characters of the suffix change places; another DOI than any in the corpus."""
    prefix, _, suffix = it.doi.partition("/")
    places = [at for at in range(1, len(suffix) - 1) if suffix[at].isalnum() and suffix[at + 1].isalnum()]
    places = [at for at in places if suffix[at].lower() != suffix[at + 1].lower()]
    if not it.doi or not places:
        return None
    at = chance.choice(places)
    doi = f"{prefix}/{suffix[:at]}{suffix[at + 1]}{suffix[at]}{suffix[at + 2 :]}"
    return replace(it, doi=doi) if doi.lower() not in _by_id() else None


ERRORS: dict[str, Change] = {
    "typo": _typo, "year off by one": _later(1), "year off by five": _later(5), "wrong volume": _wrong_volume,
    "swapped authors": _swapped_authors, "subtitle dropped": _without_subtitle, DOI_OF_ANOTHER: _other_doi,
    DOI_MISTYPED: _mistyped_doi,
}  # fmt: skip


def _real(number: int, errors: Sequence[str], candidates: Sequence[Fact]) -> LabelledReference | None:
    """One reference with these errors; None if this paper cannot have them."""
    chance = random.Random(f"real {number} {errors}")
    fact = candidates[number % len(candidates)]
    style = list(STYLES)[number % len(STYLES)]
    needs_doi = DOI_OF_ANOTHER in errors or DOI_MISTYPED in errors
    it: PrintedPaper | None = printed(fact, with_doi=needs_doi or number % 4 == 0)
    for error in errors:
        it = ERRORS[error](it, chance) if it else None
    if it is None:
        return None
    named = it.doi.lower() if DOI_OF_ANOTHER in errors else None
    return LabelledReference(
        STYLES[style](it), style, tuple(errors), "mismatched" if named else "matched", "rules", ids_of(fact), named
    )


def _all_real(
    candidates: Sequence[Fact], half: Half, count: int, kinds: Sequence[tuple[str, ...]]
) -> Iterator[LabelledReference]:
    """So many references, the errors in turn; a paper that cannot have them makes room for the next."""
    shuffled = random.Random(half).sample(candidates, len(candidates))
    number = 0
    for made in range(count):
        errors = kinds[made % len(kinds)]
        tried = ((at, _real(at, errors, shuffled)) for at in range(number, number + MOST_TRIED))
        at, found = next((at, it) for at, it in tried if it)
        number = at + 1
        yield replace(found, half=half)


def labelled() -> tuple[LabelledReference, ...]:
    """All of them, in a fixed order. The halves have no paper in common."""
    from tests.benchmarks.reference_inventions import invented

    single = [(), *((error,) for error in ERRORS)]
    pairs = [pair for pair in combinations(ERRORS, 2) if set(pair) not in _EXCLUDE_EACH_OTHER]
    found: list[LabelledReference] = []
    halves: tuple[tuple[int, Half], ...] = ((0, "rules"), (1, "report"))
    for parity, half in halves:
        own = papers()[parity::2]
        found += _all_real(own, half, REAL // 2, single)
        found += _all_real(own, half, PAIRS // 2, pairs)
        found += (replace(it, half=half) for it in invented(own, INVENTED // 2, half))
    return tuple(found)


_EXCLUDE_EACH_OTHER = ({"year off by one", "year off by five"}, {DOI_OF_ANOTHER, DOI_MISTYPED})
