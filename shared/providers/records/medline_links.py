"""The references and citations of a paper in PubMed: PMIDs from elink, and the references in the record.

Format: https://eutils.ncbi.nlm.nih.gov/eutils/dtd/20101123/elink.dtd
Without links, elink omits their element. A reference of a record may have ids, a line of text, or
both; its PMID field may contain a word (`NOT_FOUND;INVALID_JOURNAL`) or another kind of id.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from xml.etree.ElementTree import Element

from shared.bibliography.identifiers import Identifiers, read_pmid
from shared.bibliography.paper import Paper, Pointer
from shared.bibliography.text import fold
from shared.errors import BadResponse
from shared.json_types import read_count
from shared.providers.provider import Page
from shared.providers.records.medline import reference_ids
from shared.providers.records.medline_fields import read_text

_IDS = ("pmid", "doi", "pmcid")  # the most reliable first


def read_links(root: Element, pmid: str, link_name: str) -> list[str]:
    """The PMIDs linked to a paper under this name, in PubMed's order, each once.

    Raises BadResponse for any other document, or one that is not about the paper.
    """
    about = [links for links in root.findall("LinkSet") if pmid in _ids(links, "IdList/Id")]
    if root.tag != "eLinkResult" or not about:
        raise BadResponse("PubMed answered without the links of the paper")
    lists = [found for links in about for found in links.findall("LinkSetDb")]
    linked = [_ids(found, "Link/Id") for found in lists if found.findtext("LinkName") == link_name]
    return list(dict.fromkeys(pmid for pmids in linked for pmid in pmids))


def read_scored_links(root: Element, pmids: Sequence[str], link_name: str) -> dict[str, dict[str, int]]:
    """For each of these papers that is linked under this name, the linked PMIDs with their scores, without its own.

    Raises BadResponse for any other document, or one that is about none of the papers.
    """
    sets = {_ids(links, "IdList/Id")[0]: links for links in root.findall("LinkSet") if _ids(links, "IdList/Id")}
    if root.tag != "eLinkResult" or not sets.keys() & set(pmids):
        raise BadResponse("PubMed answered without the links of the papers")
    found = {pmid: _scores(sets[pmid], link_name) for pmid in pmids if pmid in sets}
    return {
        pmid: {other: score for other, score in linked.items() if other != pmid}
        for pmid, linked in found.items()
        if linked
    }


def _scores(links: Element, link_name: str) -> dict[str, int]:
    """The linked PMIDs by their scores; a link without one counts as the least similar."""
    listed = [found for found in links.findall("LinkSetDb") if found.findtext("LinkName") == link_name]
    pairs = [(_ids(link, "Id"), read_count(link.findtext("Score"))) for found in listed for link in found.iter("Link")]
    return {ids[0]: score or 0 for ids, score in pairs if ids}


def _ids(element: Element, path: str) -> list[str]:
    return [pmid for pmid in (read_pmid(found.text) for found in element.findall(path)) if pmid]


def read_references(record: Element) -> list[Pointer]:
    """The references in a record, in order; lists of references may be nested."""
    return [
        Pointer(rank, reference_ids(cited), read_text(cited.find("Citation")))
        for rank, cited in enumerate(record.iter("Reference"), start=1)
    ]


def unite(pointers: Iterable[Pointer]) -> list[Pointer]:
    """Each paper once, with the fields of all its pointers and a new rank; an empty pointer is dropped.

    Two pointers are the same paper if they share an id and have no different id that is more reliable; without ids, if
    they have the same text. NLM sometimes gives neighbouring references one PMID by mistake: of two with different
    texts, the second keeps only its text.
    """
    found: list[Pointer] = []
    known: dict[tuple[str, str], int] = {}  # scheme and value of an id, or the text -> position in `found`
    for pointer in pointers:
        place = next((known[name] for name in _names(pointer) if name in known), None)
        if place is None or _differ(found[place].ids, pointer.ids):
            place = len(found)
            found += [replace(pointer, rank=place + 1)] if _names(pointer) else []
        elif found[place].text and pointer.text and fold(found[place].text or "") != fold(pointer.text):
            found.append(Pointer(len(found) + 1, text=pointer.text))
        else:
            found[place] = _both(found[place], pointer)
        for name in _names(pointer):
            known.setdefault(name, place)
    return found


def _names(pointer: Pointer) -> list[tuple[str, str]]:
    ids = [(name, value) for name in _IDS if (value := getattr(pointer.ids, name))]
    return ids or ([("text", pointer.text)] if pointer.text else [])


def _differ(one: Identifiers, other: Identifiers) -> bool:
    """Whether the most reliable id that both have is different."""
    pairs = ((getattr(one, name), getattr(other, name)) for name in _IDS)
    return next((first != second for first, second in pairs if first and second), False)


def _both(one: Pointer, other: Pointer) -> Pointer:
    ids = {name: getattr(one.ids, name) or getattr(other.ids, name) for name in _IDS}
    return Pointer(one.rank, replace(one.ids, **ids), one.text or other.text)


def linked_page(
    pointers: Sequence[Pointer], papers: Mapping[str, Paper], limit: int, query: str, warnings: Sequence[str]
) -> Page:
    """The first `limit` pointers, as papers where a record is available."""
    ranked = [
        (papers.get(pointer.ids.pmid or ""), replace(pointer, rank=rank))
        for rank, pointer in enumerate(pointers[:limit], start=1)
    ]
    return Page(
        papers=[replace(paper, rank=pointer.rank) for paper, pointer in ranked if paper],
        pointers=[pointer for paper, pointer in ranked if not paper],
        total=len(pointers),
        effective_query=query,
        warnings=warnings,
    )
