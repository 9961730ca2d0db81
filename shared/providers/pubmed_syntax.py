"""PubMed's query syntax, and the texts of its answers: remarks of esearch, lines of the citation matcher, errors.

Manual: https://pubmed.ncbi.nlm.nih.gov/help/ and https://www.ncbi.nlm.nih.gov/books/NBK25499/
Operators are read from left to right; a term that PubMed does not know is left out, which broadens the query. The
matcher answers in lines of plain text; it requires journal, volume and page, and drops an author that it does not
know; it may stop at a line without a journal.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from shared.bibliography.identifiers import read_pmid
from shared.bibliography.person_names import read_name
from shared.bibliography.text import fold, plain_text
from shared.errors import BadResponse, KeyRefused, ProviderError, RateLimited, RequestRejected, Unavailable
from shared.json_types import JsonObject, read_count
from shared.query.query import Query
from shared.query.question import Citation
from shared.query.syntax import has_operators, render

_TYPES = {
    "journal-article": '"journal article"[pt]',
    "review": '"review"[pt] OR "systematic review"[pt] OR "meta-analysis"[pt]',
    "preprint": '"preprint"[pt]', "conference-paper": '"congress"[pt]', "book": "pubmed books[filter]",
    "book-chapter": "pubmed books[filter]", "dissertation": '"academic dissertation"[pt]',
    "editorial": '"editorial"[pt]', "letter": '"letter"[pt]', "erratum": '"published erratum"[pt]',
    "retraction-notice": '"retraction of publication"[pt]', "dataset": '"dataset"[pt]',
    "report": '"technical report"[pt]', "clinical-trial": '"clinical trial"[pt]',
    "systematic-review": '"systematic review"[pt]', "meta-analysis": '"meta-analysis"[pt]',
    "randomized-controlled-trial": '"randomized controlled trial"[pt]',
}  # fmt: skip
# Characters of PubMed's syntax; `*` truncates a word of four letters or more and means nothing elsewhere.
_SYNTAX = re.compile(r'[\[\]():#|&~"]|(?<!\w{4})\*|\*(?=\w)')
_ERROR = re.compile(rb'\s*(?:<.*?)?<ERROR>([^<]*)|\s*\{.*?"error"\s*:\s*"([^"]*)', re.I | re.S)
# The database is always the same, so an error about its name is an outage.
_TEMPORARY = re.compile(
    r"proxy_stream|external viewer|timed? ?out|exception|backend failed|unable to open|couldn't resolve|"
    r"invalid db name|temporar|unavailable|try again",
    re.I,
)
# Words frequent in titles that PubMed does not index, and its operators.
_STOP_WORDS = frozenset((
    "a", "about", "after", "all", "also", "an", "and", "are", "as", "at", "be", "between", "both", "by", "can", "do",
    "does", "during", "each", "for", "from", "has", "have", "how", "in", "into", "is", "it", "its", "may", "not", "of",
    "on", "or", "our", "than", "that", "the", "their", "these", "this", "to", "using", "was", "were", "what", "when",
    "which", "with",
))  # fmt: skip
_TITLE_WORDS = 12  # more do not improve the search
_DISTINCTIVE_WORDS = 4  # many papers may share a title of fewer words
_WITH_INITIALS = re.compile(r"[^,]+ [A-Z]{1,3}")
_COUNT = re.compile(r"(?<!\d)(\d+) citations?\b")


def search_term(query: Query, clauses: Mapping[str, str]) -> str:
    """The query in PubMed's syntax; parentheses everywhere, since operators are read from left to right."""
    joined = has_operators(query.node)
    words = render(
        query.node,
        words=lambda text: f"({without_syntax(text)})" if joined and " " in text else without_syntax(text),
        phrase=lambda text: f'"{without_syntax(text)}"',
    )
    return f"({words})" + "".join(f" {clause}" for clause in clauses.values()) if clauses else words


def filter_clauses(query: Query) -> dict[str, str]:
    """The clause of each filter in use, by the filter's name."""
    found = {}
    if query.first_day or query.last_day:
        days = (query.first_day, "1000/01/01"), (query.last_day, "3000/12/31")
        found["date"] = "AND " + ":".join(f"{day:%Y/%m/%d}" if day else default for day, default in days) + "[dp]"
    if query.journal:
        found["journal"] = f'AND "{without_syntax(query.journal)}"[ta]'
    if query.author:
        found["author"] = f"AND {author_name(query.author)}[au]"
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


def without_syntax(text: str) -> str:
    """The text without characters of PubMed's syntax."""
    return " ".join(_SYNTAX.sub(" ", text).split()) or text


def author_name(name: str) -> str:
    """`J. A. Doudna` and `Doudna, J. A.` -> `Doudna JA`; full names stay, PubMed reads them either way round."""
    words = without_syntax(name.replace(".", " ")).split()
    initials = [word for word in words if len(word) <= 2 and word.isupper()]
    names = [word for word in words if word not in initials]
    return f"{names[0].rstrip(',')} {''.join(initials)}".strip() if len(names) == 1 else " ".join(words)


def read_error(body: bytes) -> ProviderError | None:
    """The error in a body, also under HTTP 200: in XML, JSON or broken JSON, whatever the requested format."""
    found = _ERROR.match(body)
    if not found:
        return None
    text = (found[1] or found[2] or b"").decode("utf-8", "replace").lower()
    if "rate limit" in text:
        return RateLimited("PubMed reports too many requests")
    if "api key" in text:
        return KeyRefused("PubMed rejected the API key")
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


def ignored_filters(clauses: Mapping[str, str], result: JsonObject) -> set[str]:
    """The filters that PubMed dropped: an unknown journal or author is left out like any other unknown term."""
    unknown = {_bare(term) for term in _unknown(result)}
    return {name for name in ("journal", "author") if _bare(clauses.get(name, "").removeprefix("AND ")) in unknown}


def _bare(term: str) -> str:
    """A term without the tag of its field: from the first `[` behind any other tag."""
    tag = term.find("[", term.rfind("]", 0, -1) + 1) if term.endswith("]") else -1
    return fold(term[:tag] if tag >= 0 else term)


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
        "PubMed does not know and left out": _unknown(result),
        "PubMed does not know the field": _texts(result, "errorlist", "fieldsnotfound"),
        "PubMed ignored": _texts(result, "warninglist", "phrasesignored"),
        "PubMed remarks": [text for text in _texts(result, "warninglist", "outputmessages") if "No items" not in text],
    }
    ids = result["idlist"]
    invalid = sum(read_pmid(pmid) is None for pmid in ids) if isinstance(ids, list) else 0
    skipped = [f"{invalid} hits skipped: PubMed named them by an invalid id"] if invalid else []
    return [f"{what}: {text[:200]}" for what, texts in texts_by_remark.items() for text in texts] + skipped


def unsupported_types(query: Query, clauses: Mapping[str, str]) -> list[str]:
    """A warning if PubMed cannot filter by the publication types."""
    dropped = query.publication_types and "publication_types" not in clauses
    return ["PubMed has no type for some of publication_types; all types were searched"] if dropped else []


def title_term(citation: Citation) -> str | None:
    """The words of a citation's title, all required in the paper's title; few words are narrowed by author and year.

    None without a title, or if PubMed indexes none of its words.
    """
    title_words = (word.strip(".,;!?'\"“”‘’") for word in without_syntax(citation.title or "").lower().split())
    words = [word for word in dict.fromkeys(title_words) if word not in _STOP_WORDS and any(map(str.isalnum, word))]
    parts = [f"{word}[ti]" for word in words[:_TITLE_WORDS]]
    if parts and len(parts) < _DISTINCTIVE_WORDS:
        family = _short_name(citation.authors).rpartition(" ")[0] or _short_name(citation.authors)
        parts += [f"{family}[au]"] if family else []
        parts += [f"{citation.year - 1}:{citation.year + 1}[dp]"] if citation.year else []
    return " AND ".join(parts) or None


def matcher_line(citation: Citation, number: int) -> str | None:
    """`journal|year|volume|first page|author|number|`; None without journal, year and one of volume and page."""
    page = re.split(r"[-–,]", citation.pages or "")[0]
    fields = (citation.journal, str(citation.year or ""), citation.volume, page, _short_name(citation.authors))
    journal, year, volume, first_page, author = (" ".join(re.sub(r"\|", " ", text or "").split()) for text in fields)
    if not (journal and year and (volume or first_page)):
        return None
    return f"{journal}|{year}|{volume}|{first_page}|{author}|{number}|"


def _short_name(authors: tuple[str, ...]) -> str:
    """The first author as `Doudna JA`, however the name is written; "" without authors."""
    name = author_name(authors[0]) if authors else ""
    person = read_name(authors[0]) if name and not _WITH_INITIALS.fullmatch(name) else None
    if person is None or not person.family:
        return name
    initials = [part[0] for part in re.findall(r"\w+", person.given or "")]
    return f"{person.family} {''.join(initials).upper()}".strip()


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
            warnings.append(f"PubMed holds {count[1]} papers like citation {number} and names none of them")
        if "INVALID_JOURNAL" in finding:
            unknown_journals.append(number)
    if unknown_journals:
        warnings.append(f"PubMed does not know the journal of citation {', '.join(unknown_journals)}")
    return found, warnings
