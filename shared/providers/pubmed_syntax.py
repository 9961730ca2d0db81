"""The texts of PubMed's answers: remarks of esearch, lines of the citation matcher, errors.

Manual: https://pubmed.ncbi.nlm.nih.gov/help/ and https://www.ncbi.nlm.nih.gov/books/NBK25499/
A word that PubMed does not know is left out, which broadens the query; a name is broken into its words first. The
matcher answers in lines of plain text; it requires journal, volume and page, and drops an author that it does not
know; it may stop at a line without a journal.
"""

from __future__ import annotations

import re
from collections.abc import Container, Mapping, Sequence
from enum import Enum
from typing import Any

from shared.bibliography.identifiers import read_pmid
from shared.bibliography.text import fold, number_of, plain_text
from shared.bibliography.typed_names import PersonName, read_person
from shared.errors import (
    KEY_REJECTED,
    BadResponse,
    KeyRefused,
    ProviderError,
    RateLimited,
    RequestRejected,
    Unavailable,
)
from shared.json_types import JsonObject, read_count
from shared.providers.pubmed_query import STOP_WORDS, without_syntax
from shared.query.field_tags import pubmed_field
from shared.query.question import Citation
from shared.query.syntax import All, Node, Phrase, Tagged, Words

_ERROR = re.compile(rb'\s*(?:<.*?)?<ERROR>([^<]*)|\s*\{.*?"error"\s*:\s*"([^"]*)', re.I | re.S)
# The database is always the same, so an error about its name is an outage.
_TEMPORARY = re.compile(
    r"proxy_stream|external viewer|timed? ?out|exception|backend failed|unable to open|couldn't resolve|"
    r"invalid db name|temporar|unavailable|try again",
    re.I,
)
_TITLE_WORDS = 12  # more do not improve the search
_DISTINCTIVE_WORDS = 4  # many papers may share a title of fewer words
_NAMED = ("journal", "author", "language")  # filters whose clause is `AND` and a name with its tag
_TAG = re.compile(r"\[[a-z]{2,4}\]| OR | AND |[()]")
_COUNT = re.compile(r"(?<!\d)(\d+) citations?\b")


def read_error(body: bytes) -> ProviderError | None:
    """The error in a body, also under HTTP 200: in XML, JSON or broken JSON, whatever the requested format."""
    found = _ERROR.match(body)
    if not found:
        return None
    text = (found[1] or found[2] or b"").decode("utf-8", "replace").lower()
    if "rate limit" in text:
        return RateLimited("PubMed reports too many requests")
    if "api key" in text:
        return KeyRefused(f"PubMed reports a wrong API key: {KEY_REJECTED}")
    if _TEMPORARY.search(text) and "acceptable range" not in text:
        return Unavailable("PubMed's back end failed")
    return RequestRejected("PubMed rejected the request as invalid")


def read_hits(body: Any) -> tuple[list[str], JsonObject]:
    """The ids in PubMed's order, and the whole esearch result, whose numbers are strings. Raises BadResponse."""
    result = body.get("esearchresult") if isinstance(body, Mapping) else None
    if not isinstance(result, Mapping) or not isinstance(result.get("idlist"), list):
        raise BadResponse("PubMed answered without a list of ids")
    ids = [pmid for pmid in map(read_pmid, result["idlist"]) if pmid]
    count = read_count(result.get("count"))
    if count is None or (result["idlist"] and not ids):
        raise BadResponse("PubMed answered with an invalid count or without a valid id")
    if not ids and count:
        raise BadResponse("PubMed counts hits and names none of them")
    return ids, result


def ignored_filters(clauses: Mapping[str, str], result: JsonObject, node: Node) -> set[str]:
    """The filters whose value PubMed does not know, whole or (of a name broken into words) in part.

    `node`: the query. Its operators are not applied if PubMed searched for more because it left out a word.
    """
    names = {name: fold(_TAG.sub(" ", clauses[name][4:])).split() for name in _NAMED if name in clauses}
    ignored = set()
    for term in _unknown(result):
        text, field = _bare(term)
        ignored |= {
            name
            for name, words in names.items()
            if text.split() == words or (field == name and set(text.split()) <= set(words))
        }
    left_out = {_bare(term)[0] for term in _texts(result, "errorlist", "phrasesnotfound")}
    return ignored | ({"operators"} if _left_out(node, left_out) is _Found.MORE else set())


class _Found(Enum):
    """What PubMed finds by a part of a query without the words that it left out."""

    SAME = "the same"
    NOTHING = "the part is left out, and no paper has all of its words"
    MORE = "also papers that lack a word"


def _left_out(node: Node, unknown: Container[str]) -> _Found:
    """`TREM2 AND zzyzx` is searched as `TREM2`, which finds more; so is `TREM2 OR zzyzx`, which finds the same."""
    if isinstance(node, Words | Tagged | Phrase):
        words = [] if isinstance(node, Phrase) or (isinstance(node, Tagged) and node.phrase) else node.text.split()
        lacking = [fold(word) in unknown for word in words]
        return _Found.SAME if not any(lacking) else _Found.NOTHING if all(lacking) else _Found.MORE
    found = [_left_out(part, unknown) for part in node.of]
    excluded = [_left_out(part, unknown) for part in node.none_of] if isinstance(node, All) else []
    if _Found.MORE in (*found, *excluded):
        return _Found.MORE
    if all(it is _Found.NOTHING for it in found):
        return _Found.NOTHING
    return _Found.MORE if _Found.NOTHING in found and isinstance(node, All) else _Found.SAME


def knows_nothing(words: Sequence[str], result: JsonObject) -> bool:
    """Whether PubMed left out every one of these words: what it found then fits the filters alone."""
    unknown = unknown_words(result)
    return bool(words) and all(fold(without_syntax(word)) in unknown for word in words)


def unknown_words(result: JsonObject) -> set[str]:
    """The words and phrases that PubMed left out or found nothing by, folded and without tags."""
    return {text for text, _ in map(_bare, _unknown(result))}


def _bare(term: str) -> tuple[str, str | None]:
    """A term without its tag, and the field of the tag: from the first `[` behind any other tag."""
    tag = term.find("[", term.rfind("]", 0, -1) + 1) if term.endswith("]") else -1
    return (fold(term[:tag]), pubmed_field(term[tag + 1 : -1])) if tag >= 0 else (fold(term), None)


def _unknown(result: JsonObject) -> list[str]:
    return [*_texts(result, "errorlist", "phrasesnotfound"), *_texts(result, "warninglist", "quotedphrasesnotfound")]


def _texts(result: JsonObject, group: str, name: str) -> list[str]:
    """One of esearch's lists; each of them may be absent."""
    lists = result.get(group)
    texts = lists.get(name) if isinstance(lists, Mapping) else None
    items = texts if isinstance(texts, list) else [texts]
    return [text for text in (plain_text(item) for item in items if isinstance(item, str)) if text]


def remarks(result: JsonObject) -> list[str]:
    """Warnings about words that PubMed ignored, changed or truncated."""
    texts_by_remark = {
        "PubMed does not know and left out": _texts(result, "errorlist", "phrasesnotfound"),
        "PubMed finds nothing by": _texts(result, "warninglist", "quotedphrasesnotfound"),
        "PubMed does not know the field": _texts(result, "errorlist", "fieldsnotfound"),
        "PubMed ignored": _texts(result, "warninglist", "phrasesignored"),
        "PubMed remarks": [text for text in _texts(result, "warninglist", "outputmessages") if "No items" not in text],
    }
    ids = result["idlist"]
    invalid = sum(read_pmid(pmid) is None for pmid in ids) if isinstance(ids, list) else 0
    skipped = [f"{invalid} hits skipped: PubMed named them by an invalid id"] if invalid else []
    return [f"{what}: {text[:200]}" for what, texts in texts_by_remark.items() for text in texts] + skipped


def title_term(citation: Citation, *, halved: bool = False) -> str | None:
    """The words of a citation's title, all required in the paper's title; few words are narrowed by author and year.

    None without a title, or if PubMed indexes none of its words. `halved`: in parentheses, and of a long title one half
    of the words is enough, so that it is found with a misspelt word among others.
    """
    title_words = (word.strip(".,;!?'\"“”‘’") for word in without_syntax(citation.title or "").lower().split())
    words = [word for word in dict.fromkeys(title_words) if word not in STOP_WORDS and any(map(str.isalnum, word))]
    parts = [f"{word}[ti]" for word in words[:_TITLE_WORDS]]
    if not parts:
        return None
    if halved and len(parts) >= 2 * _DISTINCTIVE_WORDS:
        middle = len(parts) // 2
        return f"({' AND '.join(parts[:middle])}) OR ({' AND '.join(parts[middle:])})"
    if len(parts) < _DISTINCTIVE_WORDS:
        author = _first_author(citation)
        parts += [f"{without_syntax(author.family)}[au]"] if author else []
        parts += [f"{citation.year - 1}:{citation.year + 1}[dp]"] if citation.year else []
    term = " AND ".join(parts)
    return f"({term})" if halved else term


def matcher_line(citation: Citation, number: int) -> str | None:
    """`journal|year|volume|first page|author|number|`; None without journal, year and one of volume and page."""
    page = re.split(r"[-–,]", citation.pages or "")[0]
    author = _first_author(citation)
    fields = (citation.journal, str(citation.year or ""), citation.volume, page, author.pubmed if author else "")
    journal, year, volume, first_page, name = (" ".join(re.sub(r"\|", " ", text or "").split()) for text in fields)
    if not (journal and year and (volume or first_page)):
        return None
    return f"{journal}|{year}|{volume}|{first_page}|{name}|{number}|"


def _first_author(citation: Citation) -> PersonName | None:
    return next(iter(read_person(citation.authors[0])), None) if citation.authors else None


def read_matches(text: str) -> tuple[dict[int, list[str]], list[str]]:
    """The PMIDs by citation number, an empty list without a match, and warnings.

    Each line ends in the number and the finding: a PMID, `AMBIGUOUS` with PMIDs or their count, `NOT_FOUND` or "".
    """
    found: dict[int, list[str]] = {}
    warnings, unknown_journals = [], []
    for line in text.splitlines():
        _, number, finding = ("", "", *(part.strip() for part in line.split("|")))[-3:]
        if (position := read_count(number)) is None:
            continue
        found[position] = [] if (count := _COUNT.search(finding)) else re.findall(r"\b[1-9]\d*\b", finding)
        if count:
            warnings.append(
                f"PubMed holds {number_of(int(count[1]), 'paper')} like citation {number} and names none of them"
            )
        if "INVALID_JOURNAL" in finding:
            unknown_journals.append(number)
    if unknown_journals:
        warnings.append(f"PubMed does not know the journal of citation {', '.join(unknown_journals)}")
    return found, warnings
