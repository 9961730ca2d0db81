"""What PubMed is asked and what it says: esearch's terms and remarks, the citation matcher's lines, errors.

Manual: https://pubmed.ncbi.nlm.nih.gov/help/ and https://www.ncbi.nlm.nih.gov/books/NBK25499/
Operators are read from left to right; a term that PubMed does not know is left out, which broadens the query. The
matcher answers in lines of plain text; it holds to journal, volume and page, and empties an author that it does not
know; at a line without a journal it may stop.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from shared.bibliography.identifiers import read_pmid
from shared.bibliography.person_names import read_name
from shared.bibliography.text import fold, plain_text
from shared.errors import BadResponse, KeyRefused, ProviderError, RateLimited, RequestRejected, Unavailable
from shared.query.query import Query
from shared.query.question import Citation
from shared.query.syntax import has_operators, render

_TYPES = {
    "journal-article": '"journal article"[pt]', "review": '"review"[pt] OR "systematic review"[pt]',
    "preprint": '"preprint"[pt]', "conference-paper": '"congress"[pt]', "book": "pubmed books[filter]",
    "book-chapter": "pubmed books[filter]", "dissertation": '"academic dissertation"[pt]',
    "editorial": '"editorial"[pt]', "letter": '"letter"[pt]', "erratum": '"published erratum"[pt]',
    "retraction-notice": '"retraction of publication"[pt]', "dataset": '"dataset"[pt]',
    "report": '"technical report"[pt]', "clinical-trial": '"clinical trial"[pt]',
}  # fmt: skip
# PubMed's own signs; a `*` cuts a word of four letters or more short and means nothing elsewhere.
_SIGNS = re.compile(r'[\[\]():#|&~"]|(?<!\w{4})\*|\*(?=\w)')
_FIELD_TAG = re.compile(r"\[[^\]]*\]$")
_ERROR = re.compile(rb'\s*(?:<.*?)?<ERROR>([^<]*)|\s*\{.*?"error"\s*:\s*"([^"]*)', re.I | re.S)
# The database is always the same one, so that a complaint about its name is an outage.
_PASSING = re.compile(
    r"proxy_stream|external viewer|timed? ?out|exception|backend failed|unable to open|couldn't resolve|"
    r"invalid db name|temporar|unavailable|try again",
    re.I,
)
# Words that PubMed does not index, as far as titles are full of them; and its operators.
_STOP_WORDS = frozenset((
    "a", "about", "after", "all", "also", "an", "and", "are", "as", "at", "be", "between", "both", "by", "can", "do",
    "does", "during", "each", "for", "from", "has", "have", "how", "in", "into", "is", "it", "its", "may", "not", "of",
    "on", "or", "our", "than", "that", "the", "their", "these", "this", "to", "using", "was", "were", "what", "when",
    "which", "with",
))  # fmt: skip
_TITLE_WORDS = 12  # more do not find the paper better
_TELLING_WORDS = 4  # a title of fewer may be that of many papers
_WITH_INITIALS = re.compile(r"[^,]+ [A-Z]{1,3}")
_COUNT = re.compile(r"(\d+) citations?\b")


def search_term(query: Query, clauses: Mapping[str, str]) -> str:
    """The query in PubMed's syntax; parentheses everywhere, since operators are read from left to right."""
    joined = has_operators(query.node)
    words = render(
        query.node,
        words=lambda text: f"({unsigned(text)})" if joined and " " in text else unsigned(text),
        phrase=lambda text: f'"{unsigned(text)}"',
    )
    return f"({words})" + "".join(f" {clause}" for clause in clauses.values()) if clauses else words


def filter_clauses(query: Query) -> dict[str, str]:
    """Each filter in use, by its name, as PubMed writes it."""
    found = {}
    if query.first_day or query.last_day:
        days = (query.first_day, "1000/01/01"), (query.last_day, "3000/12/31")
        found["date"] = "AND " + ":".join(f"{day:%Y/%m/%d}" if day else default for day, default in days) + "[dp]"
    if query.journal:
        found["journal"] = f'AND "{unsigned(query.journal)}"[ta]'
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


def unsigned(text: str) -> str:
    """The text without what PubMed would read as a sign of its own."""
    return " ".join(_SIGNS.sub(" ", text).split()) or text


def author_name(name: str) -> str:
    """`J. A. Doudna` and `Doudna, J. A.` -> `Doudna JA`; full names stay, PubMed reads them either way round."""
    words = unsigned(name.replace(".", " ")).split()
    initials = [word for word in words if len(word) <= 2 and word.isupper()]
    names = [word for word in words if word not in initials]
    return f"{names[0].rstrip(',')} {''.join(initials)}".strip() if len(names) == 1 else " ".join(words)


def read_fault(body: bytes) -> ProviderError | None:
    """The error that an answer holds, also under HTTP 200: in XML, in JSON or in broken JSON, whatever was asked."""
    found = _ERROR.match(body)
    if not found:
        return None
    text = (found[1] or found[2] or b"").decode("utf-8", "replace").lower()
    if "rate limit" in text:
        return RateLimited("PubMed says that there were too many requests")
    if "api key" in text:
        return KeyRefused("PubMed refuses the key")
    if _PASSING.search(text) and "acceptable range" not in text:
        return Unavailable("PubMed's own back end failed")
    return RequestRejected("PubMed calls the request invalid")


def read_hits(body: Any) -> tuple[list[str], Mapping[str, Any]]:
    """The ids in PubMed's order, and what else esearch told; its numbers are strings. Raises BadResponse."""
    told = body.get("esearchresult") if isinstance(body, Mapping) else None
    if not isinstance(told, Mapping) or not isinstance(told.get("idlist"), list):
        raise BadResponse("PubMed answered without a list of ids")
    ids = [pmid for pmid in map(read_pmid, told["idlist"]) if pmid]
    if not str(told.get("count")).isdigit() or len(ids) < len(told["idlist"]):
        raise BadResponse("PubMed answered with ids or a count that are none")
    if not ids and int(told["count"]):
        raise BadResponse("PubMed counts hits and names none of them")
    return ids, told


def filters_left_out(clauses: Mapping[str, str], told: Mapping[str, Any]) -> set[str]:
    """The filters that PubMed dropped: an unknown journal or author is left out like any other unknown term."""
    unknown = {_bare(term) for term in _unknown(told)}
    return {name for name in ("journal", "author") if _bare(clauses.get(name, "").removeprefix("AND ")) in unknown}


def _bare(term: str) -> str:
    return fold(_FIELD_TAG.sub("", term))


def _unknown(told: Mapping[str, Any]) -> list[str]:
    return [*_listed(told, "errorlist", "phrasesnotfound"), *_listed(told, "warninglist", "quotedphrasesnotfound")]


def _listed(told: Mapping[str, Any], group: str, name: str) -> list[str]:
    """One of esearch's lists; each of them may be absent."""
    lists = told.get(group)
    texts = lists.get(name) if isinstance(lists, Mapping) else None
    return [text for text in (plain_text(str(item)) for item in texts or []) if text]


def remarks(told: Mapping[str, Any]) -> list[str]:
    """What PubMed says that it left out, read otherwise or cut."""
    said = {
        "PubMed does not know and left out": _unknown(told),
        "PubMed does not know the field": _listed(told, "errorlist", "fieldsnotfound"),
        "PubMed ignored": _listed(told, "warninglist", "phrasesignored"),
        "PubMed remarks": [text for text in _listed(told, "warninglist", "outputmessages") if "No items" not in text],
    }
    return [f"{what}: {text[:200]}" for what, texts in said.items() for text in texts]


def untold(query: Query, clauses: Mapping[str, str]) -> list[str]:
    """What of the filters could not be asked."""
    asked = query.publication_types and "publication_types" not in clauses
    return ["PubMed has no type for some of publication_types; all types were asked for"] if asked else []


def title_term(citation: Citation) -> str | None:
    """The words of a citation's title, all of which must stand in the paper's; few are narrowed by author and year.

    None when there is no title, or only words that PubMed does not index.
    """
    told = (word.strip(".,;!?'\"“”‘’") for word in unsigned(citation.title or "").lower().split())
    words = [word for word in dict.fromkeys(told) if word not in _STOP_WORDS and any(map(str.isalnum, word))]
    parts = [f"{word}[ti]" for word in words[:_TITLE_WORDS]]
    if parts and len(parts) < _TELLING_WORDS:
        family = _short_name(citation.authors).rpartition(" ")[0] or _short_name(citation.authors)
        parts += [f"{family}[au]"] if family else []
        parts += [f"{citation.year - 1}:{citation.year + 1}[dp]"] if citation.year else []
    return " AND ".join(parts) or None


def matcher_line(citation: Citation, number: int) -> str | None:
    """`journal|year|volume|first page|author|number|`; None without journal, year and one of volume and page."""
    page = re.split(r"[-–,]", citation.pages or "")[0]
    told = (citation.journal, str(citation.year or ""), citation.volume, page, _short_name(citation.authors))
    journal, year, volume, first_page, author = (" ".join(re.sub(r"\|", " ", text or "").split()) for text in told)
    if not (journal and year and (volume or first_page)):
        return None
    return f"{journal}|{year}|{volume}|{first_page}|{author}|{number}|"


def _short_name(authors: tuple[str, ...]) -> str:
    """The first author as `Doudna JA`, in whatever way the name was written; "" when there is none."""
    name = author_name(authors[0]) if authors else ""
    person = read_name(authors[0]) if name and not _WITH_INITIALS.fullmatch(name) else None
    if person is None or not person.family:
        return name
    initials = [part[0] for part in re.findall(r"\w+", person.given or "")]
    return f"{person.family} {''.join(initials).upper()}".strip()


def read_matches(text: str) -> tuple[dict[int, list[str]], list[str]]:
    """The PMIDs under each citation's number, none where there is no match, and the matcher's remarks.

    Each line ends in the number and the finding: a PMID, `AMBIGUOUS` with PMIDs or their count, `NOT_FOUND` or "".
    """
    found: dict[int, list[str]] = {}
    said, homeless = [], []
    for line in text.splitlines():
        _, number, finding = ("", "", *(part.strip() for part in line.split("|")))[-3:]
        if not number.isdecimal():
            continue
        found[int(number)] = [] if (count := _COUNT.search(finding)) else re.findall(r"\b[1-9]\d*\b", finding)
        if count:
            said.append(f"PubMed holds {count[1]} papers like citation {number} and names none of them")
        if "INVALID_JOURNAL" in finding:
            homeless.append(number)
    if homeless:
        said.append(f"PubMed does not know the journal of citation {', '.join(homeless)}")
    return found, said
