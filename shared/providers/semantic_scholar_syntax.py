"""Semantic Scholar's two query languages, its filters, and its forms of ids.

Manual: https://api.semanticscholar.org/api-docs/graph
The relevance search takes plain words, requires each of them, and finds nothing for one with a hyphen. The bulk search
takes an expression (Elasticsearch's `simple_query_string`): `a + (b | "c d") -e`, read from left to right without
precedence, so that every group needs its parentheses.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from shared.bibliography.paper_ids import scheme_of, value_of
from shared.bibliography.text import fold
from shared.providers.title_phrases import title_phrases
from shared.query.greek import spellings
from shared.query.query import Query
from shared.query.syntax import OPERATORS, Node, Tagged, is_truncated_phrase, leaves, render
from shared.query.telling_words import most_telling

# The prefix of an id in the API, by this service's id scheme.
ID_PREFIXES = {
    "s2": "", "doi": "DOI:", "pmid": "PMID:", "pmcid": "PMCID:", "arxiv": "ARXIV:", "corpus": "CorpusId:",
}  # fmt: skip
MOST_WORDS = 8  # with more, hardly any paper has all of them
SAME_TITLE = 0.75  # Dice's coefficient of the words of two titles; one of four words may have a typing error
SORTS = {"relevance": "citationCount:desc", "citations": "citationCount:desc", "date": "publicationDate:desc"}
# What the engine's words can stand for: it searches titles and abstracts together.
_IN_TEXT = frozenset(("title", "abstract", "title_abstract", "mesh", "keyword", "all_text"))
_HYPHENS = str.maketrans(dict.fromkeys("-\u2010\u2011\u2012\u2013\u2014\u2212", " "))
_SIGNS = re.compile(r'[+|"()~\\*]+')
_LONG = re.compile(r"[^\W\d_]{5,40}")
_PREFIX = re.compile(r"\w{3,}\*")


def plain_words(text: str) -> str:
    """The words of a text, without hyphens: the search finds nothing for words with one."""
    return " ".join(text.translate(_HYPHENS).split())


def search_words(query: Query) -> tuple[str, ...]:
    """The telling words of a query, the most telling ones of a long one."""
    return most_telling(query.telling, MOST_WORDS) if len(query.telling) > MOST_WORDS else query.telling


def wider_words(words: Sequence[str]) -> tuple[str, ...] | None:
    """The words in their other Greek spelling, or else the few most telling ones; None if neither is different."""
    others = tuple(spellings(word)[-1] for word in words)
    if others != tuple(words):
        return others
    return most_telling(words, 3 if len(words) < 6 else 4) if len(words) > 3 else None


def whole_title(query: Query) -> str | None:
    """A sentence as the title that it may be, without hyphens; keywords and questions are rarely one."""
    understood = query.understood
    return plain_words(understood.title) or None if understood.title and understood.kind == "sentence" else None


def is_same_title(one: str, other: str) -> bool:
    """Whether two titles have nearly the same words."""
    ours, theirs = set(fold(one).split()), set(fold(other).split())
    return 2 * len(ours & theirs) >= SAME_TITLE * (len(ours) + len(theirs))


def expression(node: Node) -> str:
    """The tree for the bulk search. Raises UnsupportedFilter if it has no term for titles and abstracts."""
    return render(node, words=_required, phrase=_phrase, tagged=_tagged, and_=" + ", or_=" | ", not_=" -")


def any_title(titles: Sequence[str]) -> str:
    """Any of the titles, each as its phrases, for the bulk search."""
    return " | ".join(_phrase(phrase) for title in titles for phrase in title_phrases(title))


def required(words: Sequence[str]) -> str:
    """The words for the bulk search, each required, in either spelling of its Greek letters."""
    return " + ".join(filter(None, map(_required, words)))


def similarly_spelt(words: Sequence[str]) -> str | None:
    """The few most telling words for the bulk search, each required, or one that is spelled nearly the same.

    None if no word is long enough to be misspelled. The engine stems words, but not those with `~`.
    """
    found = [_word(word) for word in most_telling(words, 4)]
    forms = [
        f"({word} | {word}~{1 if len(word) < 6 else 2})" if _LONG.fullmatch(word) else word for word in found if word
    ]
    return " + ".join(forms) if forms != found else None


def _required(text: str) -> str:
    """Words that are all required, in parentheses if there are several."""
    words = [_either(word) for word in text.split()]
    found = [word for word in words if word]
    return found[0] if len(found) == 1 else f"({' + '.join(found)})" if found else ""


def _either(word: str) -> str:
    forms = list(dict.fromkeys(filter(None, map(_word, spellings(word)))))
    return f"({' | '.join(forms)})" if len(forms) > 1 else "".join(forms)


def _word(word: str) -> str:
    """One word without the language's signs, of which only `*` at the end of a word is the caller's wildcard.

    An operator in capitals that stands as a word (`tau[tiab]-AND`) is a word: it gets small letters.
    """
    bare = (part.lstrip("-/") for part in _SIGNS.sub(" ", word).split())  # of `Na+/K+-ATPase`, too
    parts = [part.lower() if part in OPERATORS else part for part in bare if fold(part)]
    if _PREFIX.fullmatch(word):
        return word
    return parts[0] if len(parts) == 1 else f"({' + '.join(parts)})" if parts else ""


def _phrase(text: str) -> str:
    """A phrase; with a wildcard in it, its words, which are then checked on the records."""
    if "*" in text:
        return _required(text)
    words = " ".join(_SIGNS.sub(" ", text).split())
    return f'"{words}"' if fold(words) else ""


def _tagged(term: Tagged) -> str | None:
    if term.field not in _IN_TEXT:
        return None
    return (_phrase if term.phrase else _required)(term.text)


def must_be_checked(node: Node) -> bool:
    """Whether an expression has terms that the search cannot express: with field tags, or phrases with wildcards."""
    terms = (*leaves(node), *leaves(node, excluded=True))
    return any(isinstance(leaf, Tagged) or is_truncated_phrase(leaf) for leaf in terms)


def tag_warnings(node: Node) -> list[str]:
    """The warnings for field tags: the API has none, so terms are searched in titles and abstracts, or left out."""
    tagged = [leaf for part in (False, True) for leaf in leaves(node, excluded=part) if isinstance(leaf, Tagged)]
    widened = ", ".join(leaf.written for leaf in tagged if leaf.field in _IN_TEXT - {"title_abstract", "all_text"})
    left_out = ", ".join(leaf.written for leaf in tagged if leaf.field not in _IN_TEXT)
    warnings = []
    if widened:
        warnings.append(f"Semantic Scholar has no field tags: it searched titles and abstracts for {widened}"[:400])
    if left_out:
        warnings.append(f"Semantic Scholar has no field tags: left out, and checked afterwards: {left_out}"[:400])
    return warnings


def best_first(records: Sequence[Any], words: Sequence[str]) -> list[Any]:
    """Records in the order of the words that they have, titles first; neither the bulk search nor an author's papers
    have an order by relevance.
    """
    return sorted(records, key=lambda record: sum(words_in(record, words)), reverse=True)


def words_in(record: Any, words: Sequence[str]) -> tuple[int, int]:
    """How many of the words' parts a record has in its title or abstract, and how many in its title."""
    wanted = parts_of(words)
    texts = [record.get(name) for name in ("title", "abstract")] if isinstance(record, dict) else ["", ""]
    title, abstract = (set(fold(text).split()) if isinstance(text, str) else set() for text in texts)
    return len(wanted & (title | abstract)), len(wanted & title)


def parts_of(words: Sequence[str]) -> set[str]:
    """The words as they are compared: folded, without hyphens."""
    return {part for word in words for part in fold(word).split()}


def api_id(name: str) -> str:
    """`pmcid:PMC123` -> `PMCID:123`."""
    return ID_PREFIXES[scheme_of(name)] + value_of(name).removeprefix("PMC")
