"""The form in which PubMed answers each kind of query best: esearch's term, and a wider one where it finds little.

Manual: https://pubmed.ncbi.nlm.nih.gov/help/ (How PubMed works, Phrase index, Proximity searching, Search field tags)
- Untagged words are mapped to MeSH, journals and authors, and all are required; so only the telling words are sent.
- A quoted phrase finds nothing unless PubMed's phrase index holds it; `"…"[tiab:~0]` finds every phrase.
- Operators are read from left to right, so every group is in parentheses.
- Greek letters are indexed by their names, and PubMed reads them so in a query: they are sent as they are written.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping
from itertools import combinations

from shared.bibliography.languages import three_letter_code
from shared.bibliography.text import fold
from shared.bibliography.typed_names import PersonName, read_person
from shared.errors import UnsupportedFilter
from shared.providers.records.medline import TYPES
from shared.providers.written_terms import grouped, left_out_field
from shared.query.pubmed_tags import is_open_access
from shared.query.query import Query
from shared.query.syntax import OPERATORS, Tagged, leaves, render
from shared.query.telling_words import is_name_like

_TYPES = {ours: f'"{names[0]}"[pt]' for ours, names in TYPES.items() if ours != "other"} | {
    "review": '"review"[pt] OR "systematic review"[pt] OR "meta-analysis"[pt]',
    "book": "pubmed books[filter]", "book-chapter": "pubmed books[filter]",
}  # fmt: skip
# Characters of PubMed's syntax; `*` truncates a word of four letters or more and means nothing elsewhere.
_SYNTAX = re.compile(r'[\[\]():#|&~"]|(?<!\w{4})\*|\*(?=\w)')
# PubMed's tag of a field that callers name in the syntax of another source.
_TAGS = {
    "title": "ti", "abstract": "tiab", "title_abstract": "tiab", "journal": "ta", "mesh": "mh", "keyword": "ot",
    "affiliation": "ad", "all_text": "tw", "type": "pt", "language": "la",
}  # fmt: skip
_YEAR_OR_DAY = re.compile(r"(?<!\d)((?:1[89]|20)\d\d)(?:[-/]?(\d\d))?(?:[-/]?(\d\d))?(?!\d{5})")
_TITLE_FROM = 5  # of fewer words without grammar, a title is unlikely
_PAIRED = 3  # words of a wider search, any two of which are required


def search_term(query: Query, clauses: Mapping[str, str]) -> str:
    """The query in PubMed's syntax with the clauses of its filters. Raises UnsupportedFilter if nothing is left."""
    if term := _filtered(_words(query), clauses):
        return term
    raise UnsupportedFilter("PubMed was given nothing to search for")


def wider_term(query: Query, clauses: Mapping[str, str], unknown: Container[str] = ()) -> str | None:
    """The same for papers with any two of its most telling words; None if there are too few, or it is an expression.

    Words that PubMed does not know are no help: beside one, the other of a pair would be enough. But the parts of a
    compound with a hyphen are required one by one, because PubMed may know them alone.
    """
    if query.understood.kind == "expression":
        return None
    usable = [word for word in query.telling if "-" in word or fold(word) not in unknown]
    words = sorted(usable, key=lambda word: (not _is_marked(word), -len(word)))[:_PAIRED]
    parts = list(dict.fromkeys(part for word in words if (part := without_syntax(word.replace("-", " ")))))
    if len(parts) > 2:
        return _filtered(" OR ".join(f"({one} {other})" for one, other in combinations(parts, 2)), clauses)
    return _filtered(" ".join(parts), clauses) if any("-" in word for word in words) else None


def _is_marked(word: str) -> bool:
    """Whether a word is written as a symbol or name is: `TREM2`, `off-target`."""
    signs = any(sign.isdigit() or sign == "-" for sign in word) or any(sign.isupper() for sign in word[1:])
    return signs and is_name_like(word)


def _filtered(words: str, clauses: Mapping[str, str]) -> str:
    term = f"({words})" if words and clauses else words
    return f"{term}{''.join(f' {clause}' for clause in clauses.values())}".removeprefix(" AND ").strip()


def _words(query: Query) -> str:
    understood = query.understood
    if understood.kind == "expression":
        return render(understood.node, words=_grouped, phrase=_phrase, tagged=_tagged)
    words = without_syntax(" ".join(query.telling))
    title = without_syntax(understood.title or "")
    if title and (understood.kind != "keywords" or len(title.split()) >= _TITLE_FROM):
        return f'"{title}"[ti:~0] OR ({words})'
    return words


def _grouped(text: str) -> str:
    words = without_syntax(text)
    return f"({words})" if " " in words else words


def _phrase(text: str) -> str:
    """A phrase in titles and abstracts; truncation and proximity exclude each other."""
    words = without_syntax(text)
    return f'"{words}"[tiab:~0]' if " " in words and "*" not in words else f'"{words}"[tiab]'


# Alone in a field, they stop the query: PubMed does not index them, though they are frequent in titles. `after` and the
# operators besides. https://pubmed.ncbi.nlm.nih.gov/help/#help-stopwords
STOP_WORDS = frozenset((
    "a", "about", "after", "again", "all", "almost", "also", "although", "always", "among", "an", "and", "another",
    "any", "are", "as", "at", "be", "because", "been", "before", "being", "between", "both", "but", "by", "can",
    "could", "did", "do", "does", "done", "due", "during", "each", "either", "enough", "especially", "etc", "for",
    "found", "from", "further", "had", "has", "have", "having", "here", "how", "however", "i", "if", "in", "into",
    "is", "it", "its", "itself", "just", "kg", "km", "made", "mainly", "make", "may", "mg", "might", "ml", "mm",
    "most", "mostly", "must", "nearly", "neither", "no", "nor", "not", "obtained", "of", "often", "on", "or", "our",
    "overall", "perhaps", "pmid", "quite", "rather", "really", "regarding", "seem", "seen", "several", "should",
    "show", "showed", "shown", "shows", "significantly", "since", "so", "some", "such", "than", "that", "the",
    "their", "theirs", "them", "then", "there", "therefore", "these", "they", "this", "those", "through", "thus",
    "to", "upon", "use", "used", "using", "various", "very", "was", "we", "were", "what", "when", "which", "while",
    "with", "within", "without", "would",
))  # fmt: skip


def _tagged(term: Tagged) -> str | None:
    """A term with a tag: PubMed's own as it was written, others translated; None without such a field or word."""
    text = without_syntax(term.text)
    if STOP_WORDS.issuperset(words := set(fold(text).split())) and words:
        return None
    if term.syntax == "pubmed":
        return term.written
    if term.field == "date":
        days = ["/".join(filter(None, found)) for found in _YEAR_OR_DAY.findall(term.text)]
        return f"{':'.join(dict.fromkeys((days[0], days[-1])))}[dp]" if days else None
    if term.field == "id":
        return f'"{text}"[{"pmid" if text.isdigit() else "aid"}]'
    if is_open_access(term):
        return "free full text[sb]"
    if term.field == "author":
        return _by(read_person(term.text)) or None
    tag = _TAGS.get(term.field)
    if tag is None:
        return None
    if term.phrase and tag in ("ti", "tiab") and " " in text:
        return f'"{text}"[{tag}:~0]'
    return f'"{text}"[{tag}]' if term.phrase else f"{text}[{tag}]"


def remarks_on_query(query: Query, clauses: Mapping[str, str]) -> list[str]:
    """A warning for each part of a query that PubMed cannot express: a field, types of papers."""
    node = query.node
    terms = [leaf for leaf in (*leaves(node), *leaves(node, excluded=True)) if isinstance(leaf, Tagged)]
    found = [left_out_field("PubMed", term) for term in terms if not _tagged(term)]
    if query.publication_types and "publication_types" not in clauses:
        found.append("PubMed has no type for some of publication_types; all types were searched")
    return found


def filter_clauses(query: Query) -> dict[str, str]:
    """The clause of each filter in use, by the filter's name."""
    found = {}
    if query.first_day or query.last_day:
        days = (query.first_day, "1000/01/01"), (query.last_day, "3000/12/31")
        found["date"] = "AND " + ":".join(f"{day:%Y/%m/%d}" if day else default for day, default in days) + "[dp]"
    if query.journal_names:
        name = query.journal_names.abbreviation or query.journal_names.full
        found["journal"] = f'AND "{without_syntax(name)}"[ta]'
    if query.people:
        found["author"] = " ".join(f"AND {_by(readings)}" for readings in query.people)
    if query.language:
        found["language"] = f"AND {three_letter_code(query.language)}[la]"
    if query.open_access:
        found["open_access"] = "AND free full text[sb]"
    if query.publication_types and set(query.publication_types) <= set(_TYPES):
        kinds = dict.fromkeys(_TYPES[kind] for kind in query.publication_types)
        found["publication_types"] = f"AND ({' OR '.join(kinds)})"
    if query.exclude_preprints:
        found["exclude_preprints"] = 'NOT "preprint"[pt]'
    if query.exclude_retracted:
        found["exclude_retracted"] = 'NOT "retracted publication"[pt]'
    return found


def _by(readings: Iterable[PersonName]) -> str:
    """Any reading of one person's name."""
    return grouped("OR", map(_author, readings))


def _author(person: PersonName) -> str:
    """`Doudna JA[au]`, which also finds longer initials: full names are indexed from 2002 on only."""
    tag = "auid" if person.orcid else "cn" if person.of_group else "au"
    return f"{without_syntax(person.pubmed)}[{tag}]"


def without_syntax(text: str) -> str:
    """The text without characters of PubMed's syntax, and with its operators as words."""
    words = _SYNTAX.sub(" ", text).split() or text.split()
    return " ".join(word.lower() if word in OPERATORS else word for word in words)
