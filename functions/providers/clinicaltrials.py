"""ClinicalTrials.gov: 600,000 registrations of clinical trials, also of those whose results nobody published.

Manual: https://clinicaltrials.gov/data-api/api
Limits: no key, no published rate; robots.txt asks crawlers of the API for a second between requests. Up to 1,000
studies a page; more are cut to 1,000 without a word.
Oddities: studies are not sorted unless the request says how; the total comes with the first page alone. The token of
a page is valid for any query, so the next page must repeat all parameters. Errors are plain text; an unknown parameter
is a 400. Texts are Markdown with escapes, unless `markupFormat=legacy`. If `query.term` is NCT numbers alone, filters
are ignored. A number that was joined with another is an alias.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from shared.aws.lambda_functions.provider_handler import provider_handler
from shared.bibliography.paper_ids import value_of
from shared.errors import BadResponse
from shared.json_types import read_count
from shared.providers.clinicaltrials_syntax import TITLE, filter_clauses, limitations, strict_terms, wider_terms
from shared.providers.http_client import Client
from shared.providers.listed_pages import position_after, sent
from shared.providers.provider import NothingAdmitted, Page, ProviderSpec, is_partial, translate
from shared.providers.records.clinicaltrials import (
    FIELDS,
    REFERENCE_FIELDS,
    listed_references,
    numbers_of,
    read_paper,
    read_reference,
)
from shared.providers.relaxation import widened
from shared.providers.written_terms import nothing_to_search_for
from shared.query.query import Query
from shared.query.question import Links, Listing, Lookup
from shared.query.wildcards import left_out_wildcards

SPEC = ProviderSpec(
    name="clinicaltrials",
    title=TITLE,
    manual="https://clinicaltrials.gov/data-api/api",
    base_url="https://clinicaltrials.gov",
    family="clinicaltrials",
    filters=frozenset(
        {"date", "author", "open_access", "publication_types", "exclude_preprints", "language", "operators"}
    ),
    sorts=frozenset({"relevance", "date"}),
    disciplines=frozenset(),
    optional=True,
    registry=True,
    operations={"search": (), "listing": (), "lookup": ("nct",), "references": ("nct",)},
    page_limit=200,  # a thousand, with their summaries, would not fit into the answer of a Lambda
    requests_per_second=1.0,
)
_STUDIES = "/api/v2/studies"
_FORM = {"fields": ",".join(FIELDS), "markupFormat": "legacy"}
_TYPE = "clinical-trial-registration"
_LANGUAGE = "en"
_SORTS = {"relevance": "@relevance", "date": "StudyFirstPostDate:desc"}


def search(query: Query, client: Client) -> Page:
    """Query /studies; a second time for fewer words if few studies came.

    Raises NothingAdmitted if no registration can pass the filters.
    """
    _check_admitted(query)
    wide = wider_terms(query)
    strict = _page(strict_terms(query), query, client)
    return widened(strict, (lambda: _page(wide, query, client)) if wide else None, client, query)


def listing(request: Listing, client: Client) -> Page:
    """Query /studies by page token. Raises as `search` does."""
    _check_admitted(request.query)
    query = replace(request.query, limit=request.size)
    return _page(strict_terms(query), query, client, token=request.position)


def _check_admitted(query: Query) -> None:
    if query.publication_types and _TYPE not in query.publication_types:
        raise NothingAdmitted("ClinicalTrials.gov holds registrations of trials only, and the filters admit none")
    if query.language not in (None, _LANGUAGE):
        raise NothingAdmitted("ClinicalTrials.gov's registrations are in English, which the filters do not admit")


def _page(terms: str | None, query: Query, client: Client, *, token: str | None = None) -> Page:
    advanced = " AND ".join(filter_clauses(query))
    if not terms and not advanced:
        raise nothing_to_search_for(SPEC.title, query)
    limit = min(query.limit, SPEC.page_limit)
    params = {
        **({"query.term": terms} if terms else {}),
        **({"filter.advanced": advanced} if advanced else {}),
        **_FORM,
        "sort": _SORTS.get(query.sort, _SORTS["relevance"]),
        "countTotal": "true",
        "pageSize": str(limit),
        **({"pageToken": token} if token else {}),
    }
    body = client.get_json(_STUDIES, params)
    studies = _studies(body)
    total = read_count(body.get("totalCount"))
    papers, broken = translate(studies, read_paper)
    warnings = [*broken, *limitations(query)]
    expected = 0 if token else min(total or 0, limit)
    if len(studies) < expected:
        warnings.append(f"ClinicalTrials.gov counts {total} studies, but sent only {len(studies)}")
    after = body.get("nextPageToken")
    shown = {name: value for name, value in params.items() if name in ("query.term", "filter.advanced", "sort")}
    return Page(
        papers=papers,
        total=total,
        effective_query=sent(SPEC, _STUDIES, params)
        if token is not None
        else "&".join(f"{name}={value}" for name, value in shown.items()),
        warnings=warnings,
        unsupported_filters=["operators"] if left_out_wildcards(SPEC.title, query.node) else [],
        partial=is_partial(len(studies), len(broken), expected),
        next_position=position_after(studies, total, after, SPEC) if token is not None else None,
    )


def _studies(body: Any) -> Sequence[Mapping[str, Any]]:
    """The studies of an answer. Raises BadResponse if it has no list of them."""
    studies = body.get("studies") if isinstance(body, Mapping) else None
    if not isinstance(studies, list):
        raise BadResponse("ClinicalTrials.gov answered without a list of studies")
    return studies


def lookup(request: Lookup, client: Client) -> Page:
    """Query /studies for all numbers at once; those that are aliases by now find the registration that has them."""
    numbers = [value_of(name) for name in request.names]
    params = {"filter.ids": ",".join(numbers), **_FORM, "pageSize": str(SPEC.page_limit)}
    studies = _studies(client.get_json(_STUDIES, params))
    papers, warnings = translate(studies, lambda study, rank: (read_paper(study, rank), numbers_of(study)))
    answering = []
    for paper, own in papers:
        places = [place for place, number in enumerate(numbers) if number in own]
        if places:
            asked = tuple(request.names[place] for place in places)
            answering.append(replace(paper, rank=places[0] + 1, asked=asked))
    answering.sort(key=lambda paper: paper.rank)
    return Page(
        papers=answering,
        total=len(answering),
        effective_query=f"filter.ids={params['filter.ids']}"[:200],
        warnings=warnings,
        partial=is_partial(len(studies), len(warnings)),
        unread=len(warnings),
    )


def references(request: Links, client: Client) -> Page:
    """Query /studies/{number} for the publications that the registration lists."""
    number = value_of(request.name)
    path = f"{_STUDIES}/{number}"
    try:
        answer = client.request("GET", path, params={"fields": ",".join(REFERENCE_FIELDS)}, follow_redirects=True)
    except BadResponse as error:
        if error.status != 404:
            raise
        unknown = f"ClinicalTrials.gov does not know {number}"
        return Page(papers=(), total=0, effective_query=path, warnings=[unknown])
    listed = listed_references(_study(client.decode_json(answer)))
    pointers, broken = translate(listed[: request.limit], read_reference)
    warnings = broken if listed else [f"{number} lists no publications"]
    is_short = is_partial(len(pointers) + len(broken), len(broken))
    return Page(
        papers=(), pointers=pointers, total=len(listed), effective_query=path, warnings=warnings, partial=is_short
    )


def _study(body: Any) -> Mapping[str, Any]:
    if not isinstance(body, Mapping) or not isinstance(body.get("protocolSection"), Mapping):
        raise BadResponse("ClinicalTrials.gov answered without a study")
    return body


handler = provider_handler(SPEC, search=search, listing=listing, lookup=lookup, references=references)
