"""arXiv's query syntax: a query as an expression that has one meaning only, whatever its text was.

Manual: https://info.arxiv.org/help/api/user-manual.html; the server's source is public (github.com/arXiv/arxiv-search).
All operators have one precedence and associate to the right, so every pair stands in parentheses, and several excluded
terms become one `ANDNOT (b OR c)`. Titles and abstracts are indexed as English stems without stop words: a stop word
finds nothing, and a truncated word only where words are indexed as they are, in all fields together (`all`), which also
ignores accents. `au:"doudna j*"` requires both words in one name; an underscore means that in the first term only.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from shared.bibliography.fields_of_study import FIELDS_OF_STUDY
from shared.bibliography.journal_names import journal_names
from shared.bibliography.text import fold
from shared.bibliography.typed_names import PersonName, read_person
from shared.providers.written_terms import left_out_field
from shared.query.field_tags import Field
from shared.query.greek import spelled, spellings
from shared.query.query import Query
from shared.query.syntax import All, AnyOf, Node, Phrase, Tagged, Words
from shared.query.tagged_dates import read_date_range
from shared.query.telling_words import most_telling, telling_words

MOST_WORDS = 8  # each is some dozen comparisons for the server
WIDER_WORDS = 3
TITLES_AND_ABSTRACTS = ("ti", "abs")
EVERYWHERE = ("all",)
FIRST_MINUTE, LAST_MINUTE = "199101010000", "299912312359"  # a range needs both ends, each with twelve digits
# Punctuation is the query language's own; apostrophes and letters of any script are not.
_PUNCTUATION = re.compile(r"[!-&(-/:-@\[-`{-~\u2010-\u2015\u2212]+")
_NAME_PUNCTUATION = re.compile(r"[!-&(-,./:-@\[-`{-~]+")  # a name is indexed with its hyphens
_NO_CATEGORY = re.compile(r"[^\w.*-]+")
_NO_IDENTIFIER = re.compile(r"[^\w./-]+")
_TRUNCATED = re.compile(r"[^\W_]{3,}\*")  # an underscore is a blank to it
_LATIN_OR_GREEK = re.compile(r"[A-Za-z0-9\u0370-\u03ff]")
_OPERATORS = ("AND", "OR", "NOT", "ANDNOT")
# Lucene's English stop words, which the index lacks.
STOP_WORDS = frozenset({
    "a", "an", "and", "are", "as", "at", "be", "but", "by", "for", "if", "in", "into", "is", "it", "no", "not", "of",
    "on", "or", "such", "that", "the", "their", "then", "there", "these", "they", "this", "to", "was", "will", "with",
})  # fmt: skip
# arXiv's field for a term that is tagged in another syntax; terms of all other fields are left out.
_FIELDS: dict[Field, tuple[str, ...]] = {
    "title": ("ti",), "abstract": ("abs",), "title_abstract": TITLES_AND_ABSTRACTS,
    "mesh": TITLES_AND_ABSTRACTS, "keyword": TITLES_AND_ABSTRACTS, "all_text": EVERYWHERE,
}  # fmt: skip
_OWN_TERMS = ("ti", "abs", "jr", "co", "rn", "all")


@dataclass(frozen=True, slots=True)
class Expression:
    """An expression in arXiv's syntax, "" if there is nothing to search for, and what it lacks of the query."""

    text: str
    warnings: list[str] = field(default_factory=list)


def strict_expression(query: Query) -> Expression:
    """The words in titles and abstracts, or the whole as a title."""
    understood = query.understood
    if understood.kind == "none":
        return Expression("")
    writer = _Writer(TITLES_AND_ABSTRACTS)
    if understood.kind == "expression":
        return Expression(writer.write(query.node) or "", writer.warnings)
    words = joined(" AND ", map(writer.word, most_telling(significant(query.telling), MOST_WORDS)))
    title = writer.phrase(understood.title, ("ti",)) if understood.title and words else None
    return Expression(joined(" OR ", (title, words)) or "", writer.warnings)


def titles_expression(titles: Iterable[str]) -> str | None:
    """Titles that hold any of these phrases; None if the index has no word of them."""
    writer = _Writer(("ti",))
    return joined(" OR ", (writer.phrase(title.replace("*", " "), ("ti",)) for title in titles))


def wider_expression(query: Query) -> Expression | None:
    """The most telling words, or the expression, in every field; None if that is not wider."""
    if query.sort == "date" or query.understood.kind == "none":  # the newest papers are rarely about such words
        return None
    writer = _Writer(EVERYWHERE)
    if query.understood.kind == "expression":
        text = writer.write(query.node)
    else:
        text = joined(" AND ", map(writer.word, most_telling(significant(query.telling), WIDER_WORDS)))
    return Expression(text) if text and text != strict_expression(query).text else None


def joined(operator: str, parts: Iterable[str | None]) -> str | None:
    """The parts that exist in parentheses; one part alone stays as it is."""
    found = list(dict.fromkeys(part for part in parts if part))
    return f"({operator.join(found)})" if len(found) > 1 else next(iter(found), None)


def significant(words: Sequence[str]) -> list[str]:
    """The words that the index may have; of Latin or Greek script if there are such, since abstracts are English."""
    found = [word for word in words if any(part not in STOP_WORDS for part in fold(word).split())]
    return [word for word in found if _LATIN_OR_GREEK.search(word)] or found


def term(name: str, text: str) -> str | None:
    """`ti:graphene`, or a phrase: `COVID-19` -> `ti:"COVID 19"`; None for punctuation alone."""
    bare = " ".join(_PUNCTUATION.sub(" ", text).split())
    if not bare.strip("'"):
        return None
    if _TRUNCATED.fullmatch(text.strip()):
        return f"{name}:{bare}*"
    return f'{name}:"{bare}"' if " " in bare or bare in _OPERATORS else f"{name}:{bare}"


def author_term(words: Sequence[str]) -> str | None:
    """The words of one name in any order; an initial is the beginning of a name: `doudna`, `j` -> `au:"doudna j*"`."""
    bare = [part for word in words for part in _NAME_PUNCTUATION.sub(" ", word).split() if part.strip("-'")]
    return f'au:"{" ".join(f"{part}*" if len(part) == 1 else part for part in bare)}"' if bare else None


def author_clause(query: Query) -> str | None:
    """Every author, in any reading of the name: the family name, and the first initial as the beginning of another."""
    return joined(" AND ", map(_of_readings, query.people))


def _of_readings(people: Iterable[PersonName]) -> str | None:
    return joined(" OR ", (author_term([person.family, person.initials[:1]]) for person in people))


def journal_clause(name: str) -> str | None:
    """Any name of the journal, as the authors may have typed it."""
    return joined(" OR ", (_each("jr", significant(form.split())) for form in journal_names(name).forms))


def field_clause(name: str) -> str | None:
    """The categories of a field of study; None if arXiv has none for it."""
    archives = FIELDS_OF_STUDY[name].arxiv
    return joined(" OR ", (f"cat:{archive}{end}" for archive in archives for end in ("", ".*")))


def _each(name: str, words: Iterable[str]) -> str | None:
    return joined(" AND ", (term(name, word) for word in words))


@dataclass
class _Writer:
    """Writes a tree; every node of more than one part in parentheses."""

    scope: tuple[str, ...]
    warnings: list[str] = field(default_factory=list)

    def write(self, node: Node) -> str | None:
        match node:
            case Words(text):
                words = significant(telling_words(text))
                if not words:
                    self.warnings.append(f"arXiv's index lacks the words of {text!r}: left out")
                return joined(" AND ", map(self.word, words))
            case Phrase(text):
                return self.phrase(text, self.scope)
            case Tagged():
                return self.tagged(node)
            case AnyOf(of):
                return joined(" OR ", map(self.write, of))
            case All(of, none_of):
                wanted = joined(" AND ", map(self.write, of))
                excluded = joined(" OR ", map(_Writer(TITLES_AND_ABSTRACTS, self.warnings).write, none_of))
                return f"({wanted} ANDNOT {excluded})" if wanted and excluded else wanted

    def word(self, word: str) -> str | None:
        names = EVERYWHERE if _TRUNCATED.fullmatch(word) or not spelled(word).isascii() else self.scope
        return joined(" OR ", (term(name, form) for form in spellings(word) for name in names))

    def phrase(self, text: str, names: Sequence[str]) -> str | None:
        if "*" in text:  # no wildcards in phrases: the words, which are then checked on the records
            return joined(" AND ", map(self.word, significant(text.split())))
        if not significant(_PUNCTUATION.sub(" ", text).split()):
            self.warnings.append(f"arXiv's index lacks the words of {text!r}: left out")
            return None
        return joined(" OR ", (term(name, form) for form in spellings(text) for name in names))

    def tagged(self, leaf: Tagged) -> str | None:
        own = leaf.written.partition(":")[0].lower() if leaf.syntax == "arxiv" else ""
        written: str | None = None
        if own in ("cat", "id"):
            value = (_NO_CATEGORY if own == "cat" else _NO_IDENTIFIER).sub("", leaf.text).lstrip("*.-")
            written = f"{own}:{value}" if value and value not in _OPERATORS else None
        elif own == "au":
            written = author_term(leaf.text.replace("_", " ").split())
        elif leaf.field == "author":
            written = _of_readings(read_person(leaf.text))
        elif leaf.field == "journal" and not own:
            written = journal_clause(leaf.text)
        elif leaf.field == "date":
            days = read_date_range(leaf.text)
            written = f"submittedDate:[{days[0]:%Y%m%d}0000 TO {days[1]:%Y%m%d}2359]" if days else None
        elif names := (own,) if own in _OWN_TERMS else _FIELDS.get(leaf.field):
            written = self._in_fields(leaf, names)
        if leaf.field == "mesh":
            self.warnings.append(f"arXiv has no MeSH headings: {leaf.written} was searched for as words")
        if written is None:
            self.warnings.append(left_out_field("arXiv", leaf))
        return written

    def _in_fields(self, leaf: Tagged, names: Sequence[str]) -> str | None:
        if leaf.phrase:
            return self.phrase(leaf.text, names)
        words = significant(leaf.text.split())
        return joined(" AND ", (joined(" OR ", (term(name, word) for name in names)) for word in words))
