"""Semantic Scholar's single papers, their references and citations, batches, and recommendations."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from infra.local.sandbox.corpus import Corpus
from infra.local.sandbox.facts import Fact
from infra.local.sandbox.semantic_scholar.engine import ranked
from infra.local.sandbox.semantic_scholar.fields import EDGE, SIDES, RefusedError, read_fields, unacceptable
from infra.local.sandbox.semantic_scholar.filters import dates
from infra.local.sandbox.semantic_scholar.in_text import edge_of
from infra.local.sandbox.semantic_scholar.records import NAME, external_ids, is_withheld, record, studied
from shared.bibliography.identifiers import DOI_START, read_arxiv, read_doi, read_paper_id

MAX_BATCH, MAX_RECOMMENDED = 500, 500
MAX_LINKS, MAX_LINK_REACH = 1000, 10_000
RECENT = 2022  # the oldest year of the pool "recent"
_HOSTS = re.compile(r"https?://(?:www\.)?(semanticscholar|arxiv|aclweb|acm|biorxiv|dl\.acm)\.org/(\S+)", re.I)


def find(corpus: Corpus, name: str) -> Fact | None:
    """Return a paper by `DOI:`, `ARXIV:`, `PMID:`, `PMCID:`, `CorpusId:`, `URL:`, or a plain DOI or paper id."""
    kind, _, value = name.partition(":")
    if kind.upper() == "URL":
        return _at(corpus, value)
    # A preprint and its article are one record, with the ids of both.
    external = {"ARXIV": ("ArXiv", read_arxiv(value)), "CORPUSID": ("CorpusId", value)}.get(kind.upper())
    if external:
        named = (fact for fact in corpus.covered(NAME) if str(external_ids(fact).get(external[0])) == external[1])
        return next(named, None)
    prefixes = {
        "DOI": ("doi", value),
        "PMID": ("pmid", value),
        "PMCID": ("pmcid", "PMC" + value.upper().removeprefix("PMC")),
    }
    field, text = prefixes.get(kind.upper(), ("doi", read_doi(name)))
    return corpus.find(NAME, s2_paper_id=read_paper_id(name), **{field: text})


def _at(corpus: Corpus, address: str) -> Fact | None:
    """Return the paper of an address on one of the five documented sites."""
    site = _HOSTS.match(address)
    if not site:
        return None
    if site[1].lower() == "arxiv":
        return find(corpus, f"ARXIV:{read_arxiv(address)}")
    last = address.rstrip("/").rpartition("/")[2]
    doi = re.search(rf"{DOI_START}[^?#]+?(?=v\d+(?:\.|$)|$)", site[2])
    return find(corpus, last) if site[1].lower() == "semanticscholar" else find(corpus, f"DOI:{doi[0] if doi else ''}")


def existing(corpus: Corpus, name: str) -> Fact:
    """Return the paper with an id. Raises RefusedError (404) if there is none."""
    fact = find(corpus, name)
    if fact is None:
        raise RefusedError(f"Paper with id {name} not found", 404)
    return fact


def read_page(args: Mapping[str, str], most: int, default: int = 100) -> tuple[int, int]:
    """Return `offset` and `limit`. Raises RefusedError with the API's messages."""
    numbers = [args.get("offset", "0"), args.get("limit", str(min(default, most)))]
    for name, text in zip(("offset", "limit"), numbers, strict=True):
        if not (text.isascii() and text.isdigit()) or (name == "limit" and int(text) == 0):
            raise unacceptable(name, text)
    if int(numbers[1]) > most:
        raise RefusedError(f"'limit' must be <= {most}")
    return int(numbers[0]), int(numbers[1])


def paper(args: Mapping[str, str], corpus: Corpus, name: str) -> dict[str, Any]:
    """Answer `/paper/{id}`. An unknown paper is 404, whatever the fields are."""
    return record(corpus, existing(corpus, name), read_fields(args.get("fields"), "paper"))


def batch(args: Mapping[str, str], corpus: Corpus, body: Mapping[str, Any]) -> list[Any]:
    """Answer `/paper/batch`: in the order of the ids, with null for an unknown one."""
    fields = read_fields(args.get("fields"), "batch")
    ids = body.get("ids")
    if not isinstance(ids, list) or not 0 < len(ids) <= MAX_BATCH:
        raise RefusedError(f"ids must be a list of 1 to {MAX_BATCH}")
    found = [find(corpus, str(name)) for name in ids]
    if not any(found):
        raise RefusedError("No valid paper ids given")
    return [record(corpus, fact, fields) if fact else None for fact in found]


def links(args: Mapping[str, str], corpus: Corpus, name: str, kind: str) -> dict[str, Any]:
    """Answer `/paper/{id}/references` or `/citations`."""
    fact = existing(corpus, name)
    fields = read_fields(args.get("fields"), "links")
    offset, limit = read_page(args, MAX_LINKS)
    if offset + limit >= MAX_LINK_REACH:
        raise RefusedError(f"offset + limit must be < {MAX_LINK_REACH}")
    wanted = [field.removeprefix(f"{SIDES[kind]}.") for field in fields if field not in EDGE]
    body: dict[str, Any] = {"offset": offset}
    if kind == "references":
        body["citingPaperInfo"] = record(corpus, fact, ["openAccessPdf"])
        if is_withheld(fact):
            return {**body, "data": None}
    passes = dates(args["publicationDateOrYear"]) if "publicationDateOrYear" in args else lambda _: True
    others = [it for it in _listed(corpus, fact, kind) if passes(it)]
    if offset + limit < len(others):
        body["next"] = offset + limit
    indexed = set(map(id, corpus.covered(NAME)))
    return {
        **body,
        "data": [
            {
                **{name: value for name, value in _edge(fact, other, kind).items() if name in fields},
                SIDES[kind]: record(corpus, other, wanted) if id(other) in indexed else _bare(other, wanted),
            }
            for other in others[offset : offset + limit]
        ],
    }


def _listed(corpus: Corpus, fact: Fact, kind: str) -> list[Fact]:
    if kind == "citations":
        return corpus.citing(NAME, fact)
    return [corpus.by_name[name.lower()] for name in fact.references if name.lower() in corpus.by_name]


def _bare(fact: Fact, fields: list[str]) -> dict[str, Any]:
    """Return a reference that is not in the index: only title and year, without ids."""
    return {name: getattr(fact, name) if name in ("title", "year") else None for name in fields}


def _edge(fact: Fact, other: Fact, kind: str) -> dict[str, Any]:
    return edge_of(fact, other) if kind == "references" else edge_of(other, fact)


def recommended(args: Mapping[str, str], corpus: Corpus, name: str) -> dict[str, Any]:
    """Answer `/recommendations/v1/papers/forpaper/{id}`, from the pool `recent` or `all-cs`.

    A recent preprint is recommended for itself, first (https://github.com/allenai/s2-folks/issues/82).
    """
    pool = args.get("from", "recent")
    if pool not in ("recent", "all-cs"):
        raise RefusedError(f"Unrecognized value '{pool}' for `from`. Restrict to: `['recent', 'all-cs']`")
    own = existing(corpus, name)
    body = _recommended(args, corpus, [own], [], pool)
    if own.type == "preprint" and (own.year or 0) >= RECENT and body["recommendedPapers"]:
        fields = read_fields(args.get("fields"), "recommendations")
        body["recommendedPapers"] = [record(corpus, own, fields), *body["recommendedPapers"][:-1]]
    return body


def recommended_for(args: Mapping[str, str], corpus: Corpus, body: Mapping[str, Any]) -> dict[str, Any]:
    """Answer `/recommendations/v1/papers/` for lists of good and bad examples."""
    examples = [
        [find(corpus, str(name)) for name in body.get(f"{kind}PaperIds") or ()] for kind in ("positive", "negative")
    ]
    if not examples[0]:
        raise RefusedError("No positive paper examples given")
    if None in examples[0] + examples[1]:
        raise RefusedError("Input papers not found", 404)
    good, bad = ([fact for fact in facts if fact] for facts in examples)
    return _recommended(args, corpus, good, bad, "recent")


def _recommended(
    args: Mapping[str, str], corpus: Corpus, good: list[Fact], bad: list[Fact], pool: str
) -> dict[str, Any]:
    fields = read_fields(args.get("fields"), "recommendations")
    _, limit = read_page(args, MAX_RECOMMENDED)
    excluded = {id(fact) for fact in good + bad}
    facts = [
        fact
        for fact in corpus.covered(NAME)
        if id(fact) not in excluded
        and ("Computer Science" in studied(fact) if pool == "all-cs" else (fact.year or 0) >= RECENT)
    ]
    against = {id(fact): score for score, fact in (ranked(_titles(bad), facts) if bad else [])}
    near = [(score - against.get(id(fact), 0), fact) for score, fact in ranked(_titles(good), facts) if score]
    best = sorted(near, key=lambda entry: -entry[0])
    return {"recommendedPapers": [record(corpus, fact, fields) for _, fact in best[:limit]]}


def _titles(facts: list[Fact]) -> str:
    return " ".join(fact.title for fact in facts)
