"""What a query is, before any provider sees it: identifiers, a question, a title, keywords or an expression.

    10.1038/nature12373, PMID:36107206       identifiers   looked up; the paper comes first
    How does CRISPR-Cas9 cause …?            question      its telling words, and the whole as a title
    Attention is all you need                sentence      the same
    TREM2 microglia                          keywords      all words
    TREM2[tiab] AND ("tau" OR amyloid)       expression    as each provider can express it
    36107206, 2020                           number        looked up if it can be a PMID, and a hint

Pure: the same text is always understood the same way, so that the dispatcher and each provider need no more than it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from shared.bibliography.identifiers import read_nct
from shared.bibliography.stop_words import AROUND_IDENTIFIERS, FUNCTION_WORDS
from shared.errors import Unprocessable
from shared.query.filters_in_words import filters_in_words
from shared.query.identifiers import TypedIdentifiers, identifiers_of_terms, read_identifiers, with_tagged_identifiers
from shared.query.parser import NO_LETTER, is_expression, parse
from shared.query.syntax import OPERATORS, All, AnyOf, Node, Tagged, Words, leaves, plain, tidy
from shared.query.telling_words import bare_words, content_words, is_question, telling_words

Kind = Literal["identifiers", "number", "question", "sentence", "keywords", "expression", "none"]
LONGEST_INITIALS = 4  # characters, dots included
# No syntax consists of these: of capitals alone are fields and operators, and signs and numbers stand in all others.
# To import its readers takes a twentieth of a cold start, and most queries are such words.
_WORDS_ALONE = re.compile(
    r"(?:(?![A-Z]{2,6}\b|[A-Za-z][0-9]*\b|(?i:adj|near|onear|next|pre)[0-9]*\b)[^\W\d_][\w’'-]*(?: (?=\S)|$))+"
)
_YEAR = re.compile(r"(?:19|20)[0-9]{2}")
TITLE_WORDS = range(3, 41)  # a query of so many words may be a whole title


@dataclass(frozen=True, slots=True)
class Understood:
    """One wording as every later step reads it. Of identifiers and numbers alone, `node` is the text as it was typed.

    `telling`: the words without those of grammar, as they were written; of an expression, those that are wanted.
    `title`: the words as a title to look for, or None.
    `notes`: how parts in the syntax of another service were read.
    """

    kind: Kind
    node: Node
    identifiers: tuple[str, ...] = ()
    telling: tuple[str, ...] = ()
    title: str | None = None
    notes: tuple[str, ...] = ()

    @property
    def is_searchable(self) -> bool:
        """Whether there is anything to search for besides the identifiers."""
        return self.kind not in ("identifiers", "number", "none")


@lru_cache(maxsize=1024)
def understand(text: str) -> Understood:
    """Read a wording. Raises Unprocessable with what is wrong and how to correct it; blanks are understood as nothing.

    A text of invisible characters or markup alone is not a blank: its sender expects that something is searched for.
    """
    written, text = text, tidy(text)
    if not text:
        if written.strip():
            raise Unprocessable.field("query", NO_LETTER)
        return Understood("none", Words(""))
    if understood := _identified(text):
        return understood
    typed = read_identifiers(text)
    if _WORDS_ALONE.fullmatch(text):
        return _searched(text, typed)
    from shared.query.other_syntaxes import read_syntaxes

    read = read_syntaxes(text)
    if read.notes and not read.text:
        raise Unprocessable.field("query", f"nothing is left to search for: {'; '.join(read.notes)[:200]}")
    if read.text == text:
        return replace(_searched(text, typed), notes=read.notes)
    understood = _identified(read.text) or _searched(read.text, read_identifiers(read.text))
    return replace(understood, notes=read.notes)


def _identified(text: str) -> Understood | None:
    """A text that is identifiers or numbers, or asks for nothing else; None if there is anything to search for."""
    typed = read_identifiers(text)
    if not typed.only_numbers and not (typed.names and _is_around_identifiers(typed.rest)):
        return None
    kind: Kind = "number" if typed.only_numbers else "identifiers"
    return Understood(kind, Words(text), typed.names, tuple(text.split()))


def _is_around_identifiers(text: str) -> bool:
    """Whether the words beside identifiers only ask for them: `see also …`, `please summarize the paper …`."""
    words = telling_words(text)
    others = [word for word in words if word.casefold() not in AROUND_IDENTIFIERS and not read_nct(word)]
    # the year behind `arXiv preprint arXiv:…`; alone, a number may be another id
    return not others or (len(words) > 1 and len(others) == 1 and _YEAR.fullmatch(others[0]) is not None)


def _searched(text: str, typed: TypedIdentifiers) -> Understood:
    """A text that is more than identifiers, in this service's own language."""
    if is_expression(typed.rest):
        node = _of_telling_words_or_whole(parse(text), _subjects(text))
        excluded = list(leaves(node, excluded=True))
        if names := () if excluded else identifiers_of_terms(list(leaves(node))):
            return Understood("identifiers", Words(text), names, tuple(text.split()))
        node = with_tagged_identifiers(node)
        return Understood("expression", node, (), _telling_or_all(plain(node)))
    words = bare_words(typed.rest)
    node = parse(typed.rest)
    telling = _telling_or_all(typed.rest)
    asks = is_question(typed.rest) or filters_in_words(typed.rest).is_request
    kind: Kind = "question" if asks else "sentence" if len(telling) < len(words) else "keywords"
    title = " ".join(words) if len(words) in TITLE_WORDS else None
    return Understood(kind, node, typed.names, telling, title)


def _subjects(text: str) -> frozenset[str] | None:
    """The telling words of a sentence with phrases and no operators; None of any other expression."""
    if any(word.strip("()") in (*OPERATORS, "ANDNOT") for word in text.split()):
        return None
    return frozenset(telling_words(text.replace('"', " ")))


def _of_telling_words(node: Node, subjects: frozenset[str] | None) -> Node:
    """The tree without words of grammar among its free words: `what is the role of "gut microbiome" in depression`.

    Those that stand alone are left out, too: `effects of "tau" on "mice"`; a letter and capitals may be a term.
    """
    match node:
        case Words(text):
            words = [word for word in bare_words(text) if word in subjects] if subjects else telling_words(text)
            if FUNCTION_WORDS["en"].issuperset(text.replace("The", "the").split()) and len(text) > 1:
                return Words("")
            return Words(" ".join(words)) if len(words) < len(bare_words(text)) else node
        case All(of, none_of):
            telling = tuple(it for part in of if (it := _of_telling_words(part, subjects)) != Words(""))
            wanted, excluded = telling or of, tuple(map(_of_telling_words_or_whole, none_of))
            return All(wanted, excluded) if len(wanted) > 1 or excluded else wanted[0]
        case AnyOf(of):
            return AnyOf(tuple(map(_of_telling_words_or_whole, of)))
    return node


def _of_telling_words_or_whole(node: Node, subjects: frozenset[str] | None = None) -> Node:
    """The same; a tree without a telling word (`et al`) stays as it is, since something is to be searched for."""
    telling = _of_telling_words(node, subjects)
    return node if telling == Words("") else telling


def _telling_or_all(text: str) -> tuple[str, ...]:
    """The telling words of a text, or all of its words if none is telling (`et al`)."""
    return telling_words(text) or content_words(text)


def canonical(text: str) -> str:
    """The spelling that is sent upstream: one for all callers, but for what capitals may mean.

    Words in capitals alone (acronyms, genes, operators) stay as they are, unless the whole text is in capitals; so do
    terms with a field tag, and texts in the syntax of another service. All other letters are folded, which no engine
    distinguishes.
    """
    text = tidy(text)
    if (
        not text
        or understand(text).kind in ("identifiers", "number")
        or understand(text).notes
        or any(isinstance(leaf, Tagged) for leaf in leaves(understand(text).node))
    ):
        return text
    if text.isupper() and understand(text).kind != "expression":
        return text.casefold()
    return " ".join(word if word.isupper() and len(word) > 1 else word.casefold() for word in text.split())


def canonical_name(text: str) -> str:
    """A person's name as it is sent upstream: if every word is in capitals (MÜLLER), as names are written.

    Capitals of one word among others mark the family name: `DUPONT Jean`.
    """
    words = tidy(text).split()
    if not all(word.isupper() for word in words):
        return " ".join(words)
    return " ".join(word.title() if len(word) > LONGEST_INITIALS else word for word in words)


def wanted_text(understood: Understood) -> str:
    """The words that are searched for, in order, for measures of similarity."""
    return " ".join(leaf.text for leaf in leaves(understood.node))
