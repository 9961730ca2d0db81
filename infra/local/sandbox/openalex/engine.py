"""How OpenAlex's engine reads a query: which fields, which mode, which refusals, which scores.

Read in the server's source (ourresearch/openalex-elastic-api: core/search.py, core/validate.py, core/vector_index.py;
August 2026) and in developers.openalex.org/guides/searching.
A query with ` AND `, ` OR `, ` NOT `, two quotes or a wildcard is a Lucene expression; any other is plain text of which
every word must be somewhere in the searched fields. The score is multiplied by the root of the citation count.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from infra.local.sandbox.corpus import Corpus
from infra.local.sandbox.facts import Fact
from infra.local.sandbox.openalex.lucene import Document, Test, has_phrase, parse_query_string
from infra.local.sandbox.openalex.records import is_open
from infra.local.sandbox.openalex.text import postings, terms_of

# The searched fields by the parameter's scope; plain `search` covers full texts as well.
SCOPES: Mapping[str, tuple[str, ...]] = {
    "": ("title", "abstract", "fulltext"),
    "title": ("title",),
    "abstract": ("abstract",),
    "title_and_abstract": ("title", "abstract"),
}
_WEIGHTS = {1: (1.0,), 2: (1.0, 0.1), 3: (1.5, 0.3, 0.05)}
_QUOTED = re.compile(r'"([^"]*)"')
_ONE_QUOTED_WORD = re.compile(r'(?<!~)"([^"\s]+)"(?!~)')
_WHOLE_PHRASE = re.compile(r'^"([^"]*)"(?:~(\d+))?$')
_WILDCARD = re.compile(r'\w{3}\*|\*\w{3}|\w\?\w|\w{3}~|"~')
_LONG_PHRASE, _LONG_PHRASES = 80, 3
_TYPOGRAPHIC = str.maketrans({**dict.fromkeys("“”„‟", '"'), **dict.fromkeys("‘’‚‛", "'"), "\u00ad": None})
MOST_SEMANTIC = 50


class Refused(ValueError):
    """A request that OpenAlex answers with 400."""

    def __init__(self, message: str, error: str = "Invalid query parameters error.") -> None:
        super().__init__(message)
        self.error = error


@dataclass(frozen=True, slots=True)
class Reading:
    """A query as the engine understands it, for the given fields of a work."""

    fields: tuple[str, ...]
    exact: bool
    test: Test
    terms: Sequence[str]


def read_search(text: str, scope: str, *, exact: bool) -> Reading:
    """Read a search text. Raises Refused, and Unparsable where OpenAlex's server fails."""
    text = _ONE_QUOTED_WORD.sub(lambda match: match[1] if set(match[1]) & set("*?") else match[0], text)
    _check_wildcards(text)
    if sum(len(phrase) > _LONG_PHRASE for phrase in _QUOTED.findall(text)) > _LONG_PHRASES:
        raise Refused("This search combines more than 3 long quoted phrases (>80 chars each) with OR.")
    if not exact and set(_QUOTED.sub(" ", text)) & set("*?"):
        raise Refused("Wildcards (* or ?) require exact (no-stem) search.")
    text = text.translate(_TYPOGRAPHIC)
    test, terms = _read(text, exact=exact)
    return Reading(SCOPES[scope], exact, test, terms)


def check_signs(text: str) -> None:
    """Refuse the signs that no search parameter takes."""
    if any(word.startswith("!") for word in text.split()):
        raise Refused(f"The search parameter does not support the ! operator. Problem value: {text}")
    if "|" in text:
        raise Refused(f"The search parameter does not support the | operator. Problem value: {text}")


def _read(text: str, *, exact: bool) -> tuple[Test, Sequence[str]]:
    whole = _WHOLE_PHRASE.match(text.strip())
    if whole and set(whole[1]) & set("*?"):  # a wildcard in a phrase
        wanted = list(enumerate(word.lower() for word in whole[1].split()))
        slop = int(whole[2] or 0)
        return lambda found: any(has_phrase(field, wanted, slop) for field in found), []
    is_boolean = any(sign in text for sign in (" AND ", " OR ", " NOT "))
    has_wildcard = _WILDCARD.search(text) or (exact and re.search(r"\w\?", text))
    if is_boolean or text.count('"') >= 2 or has_wildcard:
        return parse_query_string(_cleaned(text), exact=exact)
    terms = [term for _, term in terms_of(text, exact=exact)]
    if not terms:
        return lambda _: False, terms
    return lambda found: all(any(term in field for field in found) for term in terms), terms


def _cleaned(text: str) -> str:
    """Return the expression without some signs, and without a final and/not, even as the end of a word."""
    text = text.strip().replace("/", " ").replace(":", " ").replace("[", "").replace("]", "")
    if text.lower().endswith(("and", "not")):
        text = text[:-3].strip()
    return text.replace("<", "").replace(">", "")


def _check_wildcards(text: str) -> None:
    whole = _WHOLE_PHRASE.match(text.strip())
    for phrase in _QUOTED.findall(text):
        if set(phrase) & set("*?") and len(phrase.split()) > 1 and not whole:
            raise Refused(f'Wildcards (* or ?) do not work inside this quoted phrase: "{phrase}".')
    for word in text.replace('"', " ").split():
        if len(word) > 1 and word[0] in "*?":
            raise Refused(f'Leading wildcards are not supported (too expensive): "{word}".')
        if word.find("*") > 0 and not re.search(r"\w{3}\Z", word.partition("*")[0]):
            raise Refused(f'A * wildcard needs at least 3 leading characters: "{word}".')


def texts_of(fact: Fact, corpus: Corpus) -> dict[str, str]:
    """Return the searched texts of a work. Subjects and references stand for the full text of an open copy."""
    text = {"title": fact.title, "abstract": fact.abstract or "", "fulltext": ""}
    if is_open(fact):
        cited = (other.title for other in corpus.cited("openalex", fact))
        text["fulltext"] = "\n".join((text["abstract"], *fact.keywords, *fact.mesh, *cited))
    return text


def document_of(fact: Fact, corpus: Corpus, reading: Reading) -> Document:
    """Return the analysed fields that a reading searches."""
    texts = texts_of(fact, corpus)
    return [postings(texts[name], exact=reading.exact) for name in reading.fields]


def scored(facts: Iterable[Fact], readings: Sequence[Reading], corpus: Corpus) -> list[tuple[Fact, float]]:
    """Return the works that pass every reading, the best first."""
    held = [(fact, [document_of(fact, corpus, reading) for reading in readings]) for fact in facts]
    found = [
        (fact, documents)
        for fact, documents in held
        if all(reading.test(fields) for reading, fields in zip(readings, documents, strict=True))
    ]
    weights = [_rarity(reading.terms, [documents[at] for _, documents in held]) for at, reading in enumerate(readings)]
    hits = [(fact, _score(fact, readings, documents, weights)) for fact, documents in found]
    return sorted(hits, key=lambda hit: (-hit[1], hit[0].title, hit[0].doi or ""))


def _rarity(terms: Iterable[str], documents: Sequence[Document]) -> dict[str, float]:
    counts = {term: sum(any(term in field for field in fields) for fields in documents) for term in terms}
    return {term: math.log(1 + (len(documents) + 1) / (count + 0.5)) for term, count in counts.items()}


def _score(
    fact: Fact, readings: Sequence[Reading], documents: Sequence[Document], rarity: Sequence[Mapping[str, float]]
) -> float:
    score = 0.01
    for reading, fields, weight in zip(readings, documents, rarity, strict=True):
        for boost, field in zip(_WEIGHTS[len(list(fields))], fields, strict=True):
            length = sum(map(len, field.values())) or 1
            score += boost * sum(
                weight[term] * 2.2 * len(field[term]) / (len(field[term]) + 0.3 + 0.9 * length / 60)
                for term in reading.terms
                if term in field
            )
    return round(10 * score * (1 + math.sqrt(fact.citation_count) if fact.citation_count else 0.5), 5)


def nearest(text: str, facts: Iterable[Fact], corpus: Corpus) -> list[tuple[Fact, float]]:
    """Return the fifty works that share most of the text's content words: a stand-in for nearness of embeddings.

    As in the server, nearness counts more than citations, which raise it by half at most.
    """
    terms = {term for _, term in terms_of(text[:2000], exact=False)}
    held = [(fact, texts_of(fact, corpus)) for fact in facts]
    documents = [[postings(f"{texts['title']}\n{texts['abstract']}", exact=False)] for _, texts in held]
    rarity = _rarity(terms, documents)
    whole = sum(rarity.values()) or 1.0
    near = [
        (fact, sum(rarity[term] for term in terms if term in field) / whole)
        for (fact, _), (field,) in zip(held, documents, strict=True)
    ]
    best = sorted((hit for hit in near if hit[1] > 0), key=lambda hit: (-hit[1], hit[0].title))[:MOST_SEMANTIC]
    hits = [(fact, 0.5 + share / 2, fact.citation_count or 0) for fact, share in best]
    rescored = [(fact, round(score * (1 + (score - 0.5) * cited / (cited + 100)), 5)) for fact, score, cited in hits]
    return sorted(rescored, key=lambda hit: (-hit[1], hit[0].title))


def names_match(text: str, names: Iterable[str]) -> bool:
    """Return whether one of the names has every word of the text, whatever its accents: a search of authors."""
    wanted = _unaccented_words(text)
    return bool(wanted) and any(_unaccented_words(name) >= wanted for name in names)


@lru_cache(maxsize=8192)  # a search compares the same names with every query
def _unaccented_words(text: str) -> frozenset[str]:
    plain = "".join(sign for sign in unicodedata.normalize("NFKD", text) if not unicodedata.combining(sign))
    return frozenset(term for _, term in terms_of(plain, exact=True))


def begins_phrase(text: str, name: str) -> bool:
    """Return whether the words of a text stand in a name as a phrase of which the last word may be cut."""
    wanted = [(place, term) for place, (_, term) in enumerate(terms_of(text, exact=True))]
    if not wanted:
        return False
    wanted[-1] = (wanted[-1][0], wanted[-1][1] + "*")
    return has_phrase(postings(name, exact=True), wanted)
