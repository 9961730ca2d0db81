"""Semantic Scholar's recommendations: papers near one paper, or near several and far from others, by their embeddings.

https://api.semanticscholar.org/api-docs/recommendations. One paper is compared with the pool of recent papers, in which
an older one may have no neighbour; then with all of computer science. It may be recommended for itself
(https://github.com/allenai/s2-folks/issues/82). Lists of papers are refused with 404 for a single unknown one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from shared.errors import BadResponse
from shared.providers.provider import Page, is_partial, translate
from shared.providers.records.semantic_scholar import raise_error, read_paper
from shared.providers.semantic_scholar_api import LINK_FIELDS, NOT_KNOWN, RECOMMENDED, Api, UnknownPaper
from shared.providers.semantic_scholar_links import in_path
from shared.providers.semantic_scholar_syntax import api_id
from shared.query.question import Similar

if TYPE_CHECKING:
    from shared.providers.http_client import Fields

_MAX_RECOMMENDED = 500
# Nothing needs the address of a copy here.
_FIELDS = ",".join(name for name in LINK_FIELDS.split(",") if name != "openAccessPdf")
_ALL_CS = "all-cs"


def similar_page(request: Similar, api: Api) -> Page:
    """The papers recommended for these and against those, the nearest first."""
    params: Fields = {"fields": _FIELDS, "limit": min(request.limit, _MAX_RECOMMENDED)}
    if len(request.names) == 1 and not request.unlike:
        return _for_one(api_id(request.names[0]), params, api)
    return _for_several([*map(api_id, request.names)], [*map(api_id, request.unlike)], params, api)


def _for_one(paper_id: str, params: Fields, api: Api) -> Page:
    path = f"{RECOMMENDED}forpaper/{in_path(paper_id)}"
    try:
        records = _read(api.get(path, params))
        if not records:
            records, path = _read(api.get(path, {**params, "from": _ALL_CS})), f"{path}?from={_ALL_CS}"
    except UnknownPaper:
        return _page([], path, [*api.warnings, NOT_KNOWN])
    return _page(records, path, api.warnings)


def _for_several(like: Sequence[str], unlike: Sequence[str], params: Fields, api: Api) -> Page:
    """One request; where it knows not all of them, two more: which it knows, and again with these."""
    warnings: list[str] = []
    try:
        records = _for_lists(like, unlike, params, api)
    except UnknownPaper:
        names = [*like, *unlike]
        known = {name for name, record in zip(names, api.batch(names, "paperId"), strict=True) if record is not None}
        missing = [name for name in names if name not in known]
        if not missing:
            raise
        warnings.append(f"Semantic Scholar does not know {', '.join(missing)[:200]}")
        like, unlike = ([name for name in part if name in known] for part in (like, unlike))
        records = _for_lists(like, unlike, params, api) if like else []
    query = f"{RECOMMENDED} like {','.join(like)}" + (f" unlike {','.join(unlike)}" if unlike else "")
    return _page(records, query, [*api.warnings, *warnings])


def _for_lists(like: Sequence[str], unlike: Sequence[str], params: Fields, api: Api) -> list[Any]:
    return _read(api.post(RECOMMENDED, params, {"positivePaperIds": list(like), "negativePaperIds": list(unlike)}))


def _read(body: Any) -> list[Any]:
    """The recommended papers. Raises BadResponse for an answer without their list."""
    raise_error(body)
    records = body.get("recommendedPapers") if isinstance(body, Mapping) else None
    if not isinstance(records, list):
        raise BadResponse("Semantic Scholar answered without a list of recommended papers")
    return records


def _page(records: Sequence[Any], query: str, warnings: Sequence[str]) -> Page:
    papers, broken = translate(records, read_paper)
    return Page(
        papers=papers,
        total=None,
        effective_query=query[:200],
        warnings=[*warnings, *broken] or ([] if records else ["Semantic Scholar recommends no paper for it"]),
        partial=is_partial(len(records), len(broken)),
    )
