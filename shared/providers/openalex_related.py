"""OpenAlex's related works: recent works with the most concepts in common, ten or twenty for most works, none for some.

https://developers.openalex.org/api-reference/works: a work lists their ids; the filter `related_to` has no order, so
that these ids are read first, which is free for a single work, and then their records.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from shared.bibliography.identifiers import Identifiers, read_openalex
from shared.bibliography.paper import Paper, Pointer
from shared.bibliography.paper_ids import value_of
from shared.providers.fused_lists import fused_order
from shared.providers.openalex_api import filter_of, get, read_works, work_named
from shared.providers.provider import Page, is_partial, translate
from shared.providers.records.openalex import FIELDS
from shared.query.question import Similar

if TYPE_CHECKING:
    from shared.providers.http_client import Client

_LISTED, _MOST = "id,related_works", 100


def similar_page(request: Similar, client: Client, read_paper: Callable[[Any, int], Paper]) -> Page:
    """The related works of all seeds by their places in these lists, without those that `unlike` has as high."""
    seeds = [*request.names, *request.unlike]
    lists = _related(seeds, client)
    like, unlike = ([lists.get(value_of(name), []) for name in names] for names in (request.names, request.unlike))
    own = {value_of(name) for name in seeds}
    order = [it for it in fused_order(like, unlike) if it not in own][: min(request.limit, _MOST)]
    rank_of = {work_id: rank for rank, work_id in enumerate(order, start=1)}
    works = _records(order, client)
    numbered = [(work, rank_of.get(_id(work) or "", 0)) for work in works]
    papers, broken = translate((it for it in numbered if it[1]), lambda it, _: read_paper(*it))
    papers.sort(key=lambda paper: paper.rank)
    found = {paper.rank for paper in papers}
    return Page(
        papers=papers,
        pointers=[Pointer(rank, Identifiers(openalex=it)) for it, rank in rank_of.items() if rank not in found],
        total=len(order),
        effective_query=f"/works?filter={filter_of(seeds)}&select={_LISTED}"[:200],
        warnings=[*_remarks(request.names, lists), *broken],
        partial=is_partial(len(works), len(broken)),
    )


def _related(names: Sequence[str], client: Client) -> dict[str, list[str]]:
    """The ids of the works related to each of these works that OpenAlex knows, under the id of the request."""
    if len(names) == 1:  # free of charge; of a merged work it is the list of its successor
        return {value_of(names[0]): _ids(work) for work in work_named(names[0], _LISTED, client)}
    params = {"filter": filter_of(names), "select": _LISTED, "per_page": str(_MOST)}
    works = read_works(get("/works", params, client))[0]
    return {work_id: _ids(work) for work in works if (work_id := _id(work))}


def _id(work: Any) -> str | None:
    return read_openalex(work.get("id")) if isinstance(work, Mapping) else None


def _ids(work: Any) -> list[str]:
    listed = work.get("related_works") if isinstance(work, Mapping) else None
    found = map(read_openalex, listed if isinstance(listed, list) else ())
    return list(dict.fromkeys(filter(None, found)))


def _records(ids: Sequence[str], client: Client) -> list[Any]:
    if not ids:
        return []
    names = [f"openalex:{work_id}" for work_id in ids]
    params = {"filter": filter_of(names), "select": ",".join(FIELDS), "per_page": str(_MOST)}
    return read_works(get("/works", params, client))[0]


def _remarks(names: Sequence[str], lists: dict[str, list[str]]) -> list[str]:
    unknown = [value_of(name) for name in names if value_of(name) not in lists]
    without = [value_of(name) for name in names if lists.get(value_of(name)) == []]
    remarks = [f"OpenAlex does not know {', '.join(unknown)}"] if unknown else []
    return [*remarks, *([f"OpenAlex relates no work to {', '.join(without)}"] if without else [])]
