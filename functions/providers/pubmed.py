"""PubMed: 38 million citations of biomedicine, with abstracts, subject mapping, retractions and links to preprints.

Manual: https://www.ncbi.nlm.nih.gov/books/NBK25499/ and https://pubmed.ncbi.nlm.nih.gov/help/
Limits: 3 requests/s for one address, 10 with a key, over all callers; only the first 9,999 hits can be reached.
Oddities: two steps, as esearch names ids and efetch brings their records, in an order of its own and not all of them;
errors come under HTTP 200, some of which pass when asked again; a term that PubMed does not know is left out, which
broadens the query; operators are read from left to right. The records' own oddities: `shared.records.medline`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from shared.aws.provider_lambda import provider_handler
from shared.budgets.limits import rate_headers
from shared.errors import BadResponse, KeyRefused, ProviderError, RateLimited, RequestRejected, Unavailable
from shared.http_client import Answer, Client
from shared.identifiers import read_pmid
from shared.paper import Paper
from shared.provider import Page, ProviderSpec, translate
from shared.query import Query
from shared.query_syntax import has_operators, render
from shared.records.medline import read_paper, read_records, record_pmid
from shared.text import fold, plain_text

SPEC = ProviderSpec(
    name="pubmed",
    title="PubMed",
    manual="https://www.ncbi.nlm.nih.gov/books/NBK25499/",
    base_url="https://eutils.ncbi.nlm.nih.gov",
    family="pubmed",
    filters=frozenset({
        "date", "journal", "author", "open_access", "publication_types", "exclude_preprints", "exclude_retracted",
        "operators",
    }),
    sorts=frozenset({"relevance", "date"}),
    disciplines=frozenset({"biomedical"}),
    page_limit=9_999,
    requests_per_second=3.0,
    requests_per_second_with_key=10.0,
)  # fmt: skip

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
_ERROR = re.compile(rb'\s*<.*?<ERROR>([^<]*)|\s*\{.*?"error"\s*:\s*"([^"]*)', re.I | re.S)
# The database is always the same one, so that a complaint about its name is an outage.
_PASSING = re.compile(
    r"proxy_stream|external viewer|timed? ?out|exception|backend failed|unable to open|couldn't resolve|"
    r"invalid db name|temporar|unavailable|try again",
    re.I,
)


def search(query: Query, client: Client) -> Page:
    """Ask esearch for ids and efetch for their records, then translate."""
    clauses = _clauses(query)
    term = _term(query, clauses)
    sort = "pub_date" if query.sort == "date" else "relevance"
    form = {"term": term, "retmode": "json", "retmax": min(query.limit, SPEC.page_limit), "sort": sort}
    ids, told = _hits(client.decode_json(_post(client, "esearch", form)))
    papers, warnings = _fetch(ids[: query.limit], client) if ids else ([], [])
    unsupported = {*query.filters} - SPEC.filters | _left_out(clauses, told)
    return Page(
        papers=papers,
        total=int(told["count"]),
        effective_query=told.get("querytranslation") or term,
        warnings=[*_remarks(told), *_untold(query, clauses), *warnings],
        unsupported_filters=[name for name in query.filters if name in unsupported],
    )


def _post(client: Client, step: str, form: Mapping[str, Any]) -> Answer:
    """One step; the key is in the body, never in the address."""
    sender = {"tool": "literature-search", "email": client.contact, "api_key": client.key}
    fields = {"db": "pubmed", **form, **{name: value for name, value in sender.items() if value}}
    return client.post_form(f"/entrez/eutils/{step}.fcgi", fields, read_fault=_fault)


def _fault(body: bytes) -> ProviderError | None:
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


def _hits(body: Any) -> tuple[list[str], Mapping[str, Any]]:
    """The ids in PubMed's order, and what else esearch told; its numbers are strings."""
    told = body.get("esearchresult") if isinstance(body, Mapping) else None
    if not isinstance(told, Mapping) or not isinstance(told.get("idlist"), list):
        raise BadResponse("PubMed answered without a list of ids")
    ids = [pmid for pmid in map(read_pmid, told["idlist"]) if pmid]
    if not str(told.get("count")).isdigit() or len(ids) < len(told["idlist"]):
        raise BadResponse("PubMed answered with ids or a count that are none")
    if not ids and int(told["count"]):
        raise BadResponse("PubMed counts hits and names none of them")
    return ids, told


def _fetch(ids: Sequence[str], client: Client) -> tuple[list[Paper], list[str]]:
    """The papers in the order of `ids`, and what is missing or broken."""
    records = read_records(client.decode_xml(_post(client, "efetch", {"id": ",".join(ids), "retmode": "xml"})))
    if not records:
        raise BadResponse(f"PubMed named {len(ids)} papers and sent none of them")
    place = {pmid: number for number, pmid in enumerate(ids)}
    sent = [record_pmid(record) or "" for record in records]
    missing = [pmid for pmid in ids if pmid not in sent]
    strangers = [pmid for pmid in sent if pmid not in place]
    # A record that nobody asked for is one into which another was merged: it goes last.
    in_order = sorted(records, key=lambda record: place.get(record_pmid(record) or "", len(ids)))
    papers, warnings = translate(in_order, read_paper)
    if missing:
        warnings.append(f"PubMed sent no record of {len(missing)} hits: PMID {', '.join(missing[:10])}")
    if strangers:
        warnings.append(f"PubMed sent {len(strangers)} records that were not asked for")
    return papers, warnings


def _term(query: Query, clauses: Mapping[str, str]) -> str:
    """The query in PubMed's syntax; parentheses everywhere, since operators are read from left to right."""
    joined = has_operators(query.node)
    words = render(
        query.node,
        words=lambda text: f"({_unsigned(text)})" if joined and " " in text else _unsigned(text),
        phrase=lambda text: f'"{_unsigned(text)}"',
    )
    return f"({words})" + "".join(f" {clause}" for clause in clauses.values()) if clauses else words


def _clauses(query: Query) -> dict[str, str]:
    """Each filter in use, by its name, as PubMed writes it."""
    found = {}
    if query.first_day or query.last_day:
        days = (query.first_day, "1000/01/01"), (query.last_day, "3000/12/31")
        found["date"] = "AND " + ":".join(f"{day:%Y/%m/%d}" if day else default for day, default in days) + "[dp]"
    if query.journal:
        found["journal"] = f'AND "{_unsigned(query.journal)}"[ta]'
    if query.author:
        found["author"] = f"AND {_author_name(query.author)}[au]"
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


def _unsigned(text: str) -> str:
    return " ".join(_SIGNS.sub(" ", text).split()) or text


def _author_name(name: str) -> str:
    """`J. A. Doudna` and `Doudna, J. A.` -> `Doudna JA`; full names stay, PubMed reads them either way round."""
    words = _unsigned(name.replace(".", " ")).split()
    initials = [word for word in words if len(word) <= 2 and word.isupper()]
    names = [word for word in words if word not in initials]
    return f"{names[0].rstrip(',')} {''.join(initials)}".strip() if len(names) == 1 else " ".join(words)


def _left_out(clauses: Mapping[str, str], told: Mapping[str, Any]) -> set[str]:
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


def _remarks(told: Mapping[str, Any]) -> list[str]:
    """What PubMed says that it left out, read otherwise or cut."""
    said = {
        "PubMed does not know and left out": _unknown(told),
        "PubMed does not know the field": _listed(told, "errorlist", "fieldsnotfound"),
        "PubMed ignored": _listed(told, "warninglist", "phrasesignored"),
        "PubMed remarks": [text for text in _listed(told, "warninglist", "outputmessages") if "No items" not in text],
    }
    return [f"{what}: {text[:200]}" for what, texts in said.items() for text in texts]


def _untold(query: Query, clauses: Mapping[str, str]) -> list[str]:
    asked = query.publication_types and "publication_types" not in clauses
    return ["PubMed has no type for some of publication_types; all types were asked for"] if asked else []


handler = provider_handler(SPEC, search=search, read_limits=rate_headers("x-ratelimit-limit"))
