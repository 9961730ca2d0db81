"""The papers of the sandbox. Each provider has some of them, as real indexes overlap in part."""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache
from typing import TypeAlias

from infra.local.sandbox.facts import Fact, read_facts
from shared.bibliography.text import fold

BIOMEDICAL = {"trem2-microglia-alzheimer", "crispr-gene-editing", "covid-19", "systematic-reviews-meta-analysis"}
COMPUTING = {"transformers-llm", "retrieval-rag-ir"}
_STOP_WORDS = frozenset(
    ("a", "an", "and", "as", "at", "by", "for", "from", "in", "is", "its", "not", "of", "on", "or", "the", "to", "with")
)


Covers: TypeAlias = Callable[[str, Fact], bool]


@lru_cache(maxsize=2**16)  # every search looks at every paper
def _fraction(*parts: str) -> float:
    """Return a number in [0, 1) that depends only on the parts."""
    return int.from_bytes(hashlib.sha256("|".join(parts).encode()).digest()[:6], "big") / 2**48


def _covers(provider: str, fact: Fact) -> bool:
    """Return whether a provider's index contains a paper."""
    biomedical = bool(BIOMEDICAL & set(fact.topics))
    fraction = _fraction(provider, fact.title, fact.doi or "")
    has_datacite_doi = bool(fact.doi and fact.doi.lower().startswith("10.48550/"))
    match provider:
        case "pubmed":
            return fact.pmid is not None
        case "europe_pmc":
            return bool(fact.pmid or fact.pmcid or (fact.type == "preprint" and biomedical and fact.doi))
        case "crossref":
            return bool(fact.doi) and not has_datacite_doi and fraction < 0.95
        case "openalex":
            return fraction < 0.85
        case "semantic_scholar":  # it has one record for a preprint and its article
            return fraction < 0.8 and not (fact.type == "preprint" and fact.versions)
        case "arxiv":
            return fact.arxiv_id is not None
        case "datacite":  # arXiv's DOIs, of papers that have no other; its data sets are its own (`datacite.records`)
            return has_datacite_doi or (fact.arxiv_id is not None and not fact.doi)
        case "dblp":
            return bool(COMPUTING & set(fact.topics))
        case "clinicaltrials":
            return fact.nct is not None
        case "core":
            return bool(fact.doi or fact.arxiv_id) and fact.is_open_access is not False and fraction < 0.7
        case "paperclip":
            return fact.arxiv_id is not None or (biomedical and (fact.pmcid is not None or fraction < 0.5))
    return fraction < 0.8  # a new provider has most papers


@dataclass(frozen=True, eq=False)
class Corpus:
    """All papers, and each provider's part of them."""

    facts: tuple[Fact, ...]
    _words: dict[int, Counter[str]] = field(default_factory=dict, repr=False)
    _by_field: dict[str, dict[str, list[int]]] = field(default_factory=dict, repr=False)
    _covered: dict[tuple[str, Covers], list[int]] = field(default_factory=dict, repr=False)

    def covered(self, provider: str) -> list[Fact]:
        """Return the papers that the provider has."""
        return [self.facts[number] for number in self._covered_by(provider)]

    def _covered_by(self, provider: str) -> list[int]:
        """The numbers of the papers that the provider has; every search asks for them."""
        key = provider, _covers  # tests replace the function, and share the corpus
        if key not in self._covered:
            self._covered[key] = [n for n, fact in enumerate(self.facts) if _covers(provider, fact)]
        return self._covered[key]

    @cached_property
    def by_name(self) -> dict[str, Fact]:
        """Every paper by each id with which another may cite it, in lower case: DOI, `arXiv:…`, `PMID:…`."""
        pairs = [(name, fact) for fact in self.facts for name in _cited_as(fact)]
        return dict(reversed(pairs))

    def cited(self, provider: str, fact: Fact) -> list[Fact]:
        """Return the papers that a paper cites and that the provider has."""
        known = (self.by_name.get(name.lower()) for name in fact.references)
        return [other for other in known if other and _covers(provider, other)]

    def citing(self, provider: str, fact: Fact) -> list[Fact]:
        """Return the papers that cite a paper and that the provider has."""
        numbers = {number for name in _cited_as(fact) for number in self._citing.get(name, ())}
        return [self.facts[number] for number in sorted(numbers) if _covers(provider, self.facts[number])]

    @cached_property
    def _citing(self) -> dict[str, list[int]]:
        """The papers that cite a name."""
        return _numbered((name, number) for number, fact in enumerate(self.facts) for name in fact.references)

    @cached_property
    def _idf(self) -> dict[str, float]:
        frequencies = Counter(word for number in range(len(self.facts)) for word in self._words_of(number))
        return {word: math.log(1 + len(self.facts) / count) for word, count in frequencies.items()}

    def _words_of(self, number: int) -> Counter[str]:
        """Count the words of one paper; those of the title count three times."""
        if number not in self._words:
            fact = self.facts[number]
            title = _terms(f"{fact.title} {fact.title_translated or ''}")
            self._words[number] = Counter(title * 3 + _terms(fact.abstract or ""))
        return self._words[number]

    def best_first(self, provider: str, text: str, matches: Callable[[Fact], bool]) -> list[Fact]:
        """Return a provider's papers that match, those first that have most of a text's words."""
        wanted = _terms(text)
        found = [
            (-self._score(provider, number, wanted), fact.title, fact.doi or "", number)
            for number, fact in zip(self._covered_by(provider), self.covered(provider), strict=True)
            if matches(fact)
        ]
        return [self.facts[number] for *_, number in sorted(found)]

    def _score(self, provider: str, number: int, wanted: Iterable[str]) -> float:
        counts = self._words_of(number)
        length = sum(counts.values())
        score = sum(
            self._idf[word] * 2.2 * counts[word] / (counts[word] + 0.3 + 0.9 * length / 60)
            for word in wanted
            if word in counts
        )
        return 10 * score * (0.8 + 0.4 * _fraction("taste", provider, self.facts[number].title)) + 0.01

    def _numbers(self, name: str) -> dict[str, list[int]]:
        """The papers by the lower-case value of one field of Fact."""
        if name not in self._by_field:
            values = ((getattr(fact, name), number) for number, fact in enumerate(self.facts))
            self._by_field[name] = _numbered((str(value), number) for value, number in values if value)
        return self._by_field[name]

    def find(self, provider: str, **ids: str | None) -> Fact | None:
        """Return the provider's paper with one of these ids (keywords are fields of Fact), or None."""
        wanted = {str(value).lower() for value in ids.values() if value}
        numbers = {number for name in ids for value in wanted for number in self._numbers(name).get(value, ())}
        found = map(self.facts.__getitem__, sorted(numbers))
        return next((fact for fact in found if _covers(provider, fact)), None)


def _numbered(entries: Iterable[tuple[str, int]]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for name, number in entries:
        found.setdefault(name.lower(), []).append(number)
    return found


def _cited_as(fact: Fact) -> list[str]:
    ids = (fact.doi, fact.arxiv_id and f"arXiv:{fact.arxiv_id}", fact.pmid and f"PMID:{fact.pmid}")
    return [name.lower() for name in ids if name]


@cache  # a search compares the same query with every paper
def _terms(text: str) -> tuple[str, ...]:
    """Return a text's index terms: without stop words, truncated so that microglia also finds microglial."""
    words = fold(text).split()
    return tuple(word[:7] for word in words if word not in _STOP_WORDS) or tuple(words)


@cache
def default_corpus() -> Corpus:
    """Return the corpus of the project; it is read and indexed once per process."""
    return Corpus(read_facts())
