"""OpenAlex's search texts: which parameter takes what, and how a query is written for it.

Manual: https://developers.openalex.org/guides/searching
Server: ourresearch/openalex-elastic-api, core/search.py; Lucene's syntax:
https://lucene.apache.org/core/9_11_0/queryparser/org/apache/lucene/queryparser/classic/package-summary.html

Words alone are plain text, of which the server requires every word, in any of the fields. A text with an operator, a
phrase or a wildcard is parsed as Lucene's syntax: what that cannot parse is a server error (500), so that its signs are
left out of every text. There

- the last three letters are lost if the text ends with `and` or `not` (`ligand`), so that it always ends with `)`;
- AND and OR have no precedence, so that every group has parentheses;
- words without an operator between them must stand in one field, so that there is one, up to five: a query with more
  may be sent only once or five times a second.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import quote

from shared.bibliography.languages import read_language
from shared.bibliography.typed_names import read_person
from shared.errors import UnsupportedFilter
from shared.providers.openalex_filters import author_filter, identifier_filter, plain_words, search_filter
from shared.providers.written_terms import grouped
from shared.query.greek import spellings
from shared.query.identifiers import identifier_of
from shared.query.pubmed_tags import is_open_access
from shared.query.syntax import All, Leaf, Node, Phrase, Tagged, Words, has_truncated_phrase, is_truncated_phrase
from shared.query.understanding import Understood

TITLE_ABSTRACT = "search.title_and_abstract"
EVERYWHERE = "search"  # full texts as well
MEANING = "search.semantic"
MEANING_RESULTS = 50  # at most
_UNSTEMMED = ".exact"  # wildcards work only there
_TEXT_BYTES = 2000  # of one text, escaped: with the rest of the URL that is less than the 4 KB of the manual
_OPERATORS = 5
_MANY_WORDS = 3
_LONG_PHRASE, _LONG_PHRASES = 80, 3
_WILDCARD = re.compile(r"\A(?:\w{3,}\*|\w+\?\w+)\Z")
_YEAR = re.compile(r"(?<!\d)(1[89]\d\d|20\d\d)(?!\d)")
# The fields of tags whose terms are searched for in titles and abstracts, with what a warning calls them.
_SEARCHED_AS_TEXT = {
    "title_abstract": "", "all_text": "", "title": "titles", "abstract": "abstracts", "mesh": "MeSH headings",
    "keyword": "keywords",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class SearchText:
    """A parameter and its text ("" if only filters say what to search for), filters of field tags, and warnings.

    `unsupported`: the names of filters that the text does not apply.
    """

    parameter: str = ""
    text: str = ""
    filters: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    unsupported: tuple[str, ...] = ()


def search_text(understood: Understood) -> SearchText:
    """The best form of a query. Raises UnsupportedFilter if OpenAlex cannot be asked for it."""
    if understood.kind == "none":
        return SearchText()
    if isinstance(understood.node, Words):
        found = _of_words(understood, understood.node.text)
    else:
        found = _of_expression(understood.node)
    if len(quote(found.text + ",".join(found.filters), safe="")) > _TEXT_BYTES:
        raise UnsupportedFilter("the expression is too long for OpenAlex's URLs: write fewer terms")
    return found


def wider_text(understood: Understood, *, by_meaning: bool) -> SearchText | None:
    """The form for a second request: one or two words in full texts, more words by their meaning if that is possible.

    Of more words one is probably too many, and a search by meaning requires none; but it does not know rare symbols.
    None for an expression, for wildcards, and if nothing is left of the words.
    """
    if not isinstance(understood.node, Words) or _words_with_wildcards(understood.node.text)[1]:
        return None
    all_words = plain_words(understood.node.text)
    by_meaning = by_meaning and (understood.kind == "question" or len(all_words) >= _MANY_WORDS)
    words, warnings = _cut(all_words if by_meaning else plain_words(" ".join(understood.telling)))
    return SearchText(MEANING if by_meaning else EVERYWHERE, " ".join(words), warnings=warnings) if words else None


def _of_words(understood: Understood, text: str) -> SearchText:
    """Keywords are plain text; a sentence is its telling words, or the whole as a phrase, which may be a title.

    One request for both costs half of two, and a title that is not known as such loses nothing.
    """
    is_sentence = understood.kind in ("question", "sentence")
    written, has_wildcard = _words_with_wildcards(" ".join(understood.telling) if is_sentence else text)
    words, warnings = _cut(written)
    parameter = TITLE_ABSTRACT + _UNSTEMMED * has_wildcard
    operands = [_spelled(word) for word in words]
    title = " ".join(plain_words(understood.title or "")) if is_sentence else ""
    if title and len(quote(title, safe="")) < _TEXT_BYTES // 2 and len(quote(" ".join(words))) < _TEXT_BYTES // 2:
        return SearchText(parameter, f'("{title}" OR {_joined(operands, 1)})', warnings=warnings)
    if has_wildcard or operands != words:
        return SearchText(parameter, _joined(operands, 0), warnings=warnings)
    return SearchText(parameter, " ".join(words), warnings=warnings)


def _of_expression(node: Node) -> SearchText:
    """An expression in one pair of parentheses, and as filters the tagged terms that stand beside all others."""
    parts, none_of = (node.of, node.none_of) if isinstance(node, All) else ((node,), ())
    filters = {part: text for part in parts if isinstance(part, Tagged) and (text := _filter_of(part))}
    left = tuple(part for part in parts if part not in filters)
    if not left and not none_of:
        return SearchText(filters=tuple(filters.values()))
    writer = _Writer(_operator_count(node) <= _OPERATORS)
    text = writer.write(All(left or parts, none_of))
    if not text and not filters:
        raise UnsupportedFilter("OpenAlex cannot search by any of the query's field tags")
    text = text if not text or text.startswith("(") else f"({text})"
    parameter = TITLE_ABSTRACT + _UNSTEMMED * writer.has_wildcard if text else ""
    unsupported = ("operators",) if has_truncated_phrase(node) or writer.left_out_dates else ()
    return SearchText(parameter, text, tuple(filters.values()), tuple(dict.fromkeys(writer.warnings)), unsupported)


def _filter_of(term: Tagged) -> str | None:
    """A tagged term as a filter; None if OpenAlex has none for it."""
    if term.field == "id":
        return identifier_filter(identifier_of(term) or "") or None
    if term.field == "title" and not is_truncated_phrase(term):
        return search_filter("title", term.text, phrase=term.phrase) or None
    if term.field == "author":
        return author_filter(read_person(term.text)) or None
    if is_open_access(term):
        return "open_access.is_oa:true"
    if term.field == "language":
        return f"language:{code}" if (code := read_language(term.text)) else None
    years = _YEAR.findall(term.text)
    return f"publication_year:{min(years)}-{max(years)}" if term.field == "date" and years else None


class _Writer:
    """Writes a tree as Lucene's syntax; notes what could not be written as it was meant."""

    def __init__(self, and_between_words: bool) -> None:
        self.has_wildcard = False
        self.left_out_dates = False  # they are known of every record, so that they can be checked afterwards
        self.warnings: list[str] = []
        self._between = " AND " if and_between_words else " "
        self._long_phrases = 0

    def write(self, node: Node) -> str:
        """The expression, in parentheses if it has an operator; "" if nothing is left."""
        if isinstance(node, Words | Phrase | Tagged):
            return self._leaf(node)
        written = list(filter(None, map(self.write, node.of)))
        excluded = list(filter(None, map(self.write, node.none_of))) if isinstance(node, All) else []
        if not written or len(written) + len(excluded) == 1:
            return "".join(written)
        operator = " AND " if isinstance(node, All) else " OR "
        return f"({operator.join(written)}{''.join(f' NOT {text}' for text in excluded)})"

    def _leaf(self, leaf: Leaf) -> str:
        if isinstance(leaf, Tagged):
            if leaf.field not in _SEARCHED_AS_TEXT:
                self.left_out_dates = self.left_out_dates or leaf.field == "date"
                self.warnings.append(f"OpenAlex cannot search by {leaf.written[:60]} here: left out")
                return ""
            if name := _SEARCHED_AS_TEXT[leaf.field]:
                self.warnings.append(f"OpenAlex cannot limit {leaf.written[:60]} to {name}: title or abstract")
        if is_truncated_phrase(leaf):
            self.warnings.append(f"OpenAlex has no wildcards in phrases: the words of {leaf.text[:60]} are checked")
        elif isinstance(leaf, Phrase) or (isinstance(leaf, Tagged) and leaf.phrase):
            return self._phrase(leaf.text)
        words, has_wildcard = _words_with_wildcards(leaf.text)
        self.has_wildcard = self.has_wildcard or has_wildcard
        spelled = self._between.join(map(_spelled, words))
        return f"({spelled})" if len(words) > 1 else spelled

    def _phrase(self, text: str) -> str:
        """A phrase. The server takes three of more than eighty characters; others are words."""
        phrase = " ".join(plain_words(text))
        self._long_phrases += len(phrase) > _LONG_PHRASE
        if self._long_phrases > _LONG_PHRASES and len(phrase) > _LONG_PHRASE:
            self.warnings.append("OpenAlex takes three long phrases: others are searched for as words")
            return f"({phrase})"
        return grouped("OR", [f'"{other}"' for other in spellings(phrase)]) if phrase else ""


def _operator_count(node: Node) -> int:
    """The operators of the expression with an AND between any two words."""
    if isinstance(node, Words | Tagged):
        return len(node.text.split()) - 1
    if isinstance(node, Phrase):
        return 0
    parts = (*node.of, *(node.none_of if isinstance(node, All) else ()))
    return len(parts) - 1 + sum(map(_operator_count, parts))


def _joined(operands: list[str], others: int) -> str:
    """The operands as a group whose every member is required; `others` are the operators beside it."""
    if len(operands) == 1 and others:
        return operands[0]
    count = len(operands) - 1 + others + sum(" OR " in operand for operand in operands)
    return f"({(' AND ' if count <= _OPERATORS else ' ').join(operands)})"


def _spelled(word: str) -> str:
    """A word, with its other spelling if it has a Greek letter or the name of one.

    The other spelling keeps a wildcard only where the server takes it: it refuses the letter of `tau*`, `τ*`.
    """
    return grouped("OR", [it if it == word or _WILDCARD.match(it) else it.rstrip("*") for it in spellings(word)])


def _words_with_wildcards(text: str) -> tuple[list[str], bool]:
    """The words without the syntax's signs, but with wildcards that the server takes; and whether there are any."""
    found = [([word], True) if _WILDCARD.match(word) else (plain_words(word), False) for word in text.split()]
    return [word for words, _ in found for word in words], any(is_wildcard for _, is_wildcard in found)


def _cut(words: list[str]) -> tuple[list[str], tuple[str, ...]]:
    """As many words as fit into a URL, and a warning if those are not all; of a longer first word its beginning."""
    kept = list(_fitting(words))
    if kept == words:
        return words, ()
    return kept, (f"OpenAlex's URLs are short: only the first {len(kept)} words are searched for",)


def _fitting(words: list[str]) -> Iterator[str]:
    left = _TEXT_BYTES
    for number, word in enumerate(words):
        size = len(quote(f"{word} ", safe=""))
        if size > left:
            if number == 0:
                yield word[: _TEXT_BYTES // 12]  # a character is four bytes at most, which are twelve escaped
            return
        left -= size
        yield word
