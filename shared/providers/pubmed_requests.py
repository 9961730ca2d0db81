"""The requests to NCBI's E-utilities: a form by POST to each tool, and what of its answer is read.

Manual: https://www.ncbi.nlm.nih.gov/books/NBK25499/
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import islice
from xml.etree.ElementTree import Element

from shared.bibliography.paper import Paper
from shared.bibliography.text import fold, number_of, plain_text
from shared.errors import BadResponse, ProviderError
from shared.json_types import JsonObject
from shared.providers import pubmed_syntax as syntax
from shared.providers.answer_bodies import Answer
from shared.providers.http_client import Client
from shared.providers.provider import translate
from shared.providers.records.medline import read_paper, read_records, record_pmid
from shared.providers.records.medline_links import read_links, read_scored_links

TOOLS = "/entrez/eutils/"
SIMILAR = "pubmed_pubmed"
Form = Mapping[str, str | int | list[str]]  # a list is sent as one field for each of its values


def post(client: Client, step: str, form: Form) -> Answer:
    """One step; the key is in the body, never in the address."""
    sender = {"tool": "literature-search", "email": client.contact, "api_key": client.key}
    fields: dict[str, str | int | list[str]] = {
        "db": "pubmed",
        **form,
        **{name: value for name, value in sender.items() if value},
    }
    return client.post_form(TOOLS + step, fields, read_error=syntax.read_error)


def find_ids(term: str, limit: int, sort: str, client: Client, *, start: int = 0) -> tuple[list[str], JsonObject]:
    """The PMIDs that a term finds, at most `limit` from the number `start` on, and the whole result of esearch."""
    form: dict[str, str | int] = {"term": term, "retmode": "json", "retmax": limit, "sort": sort}
    if start:
        form["retstart"] = start
    return syntax.read_hits(client.decode_json(post(client, "esearch.fcgi", form)))


def suggested_spelling(words: Sequence[str], unknown: Collection[str], client: Client) -> str | None:
    """The spelling that PubMed suggests; None if it has none or cannot be reached: a hint is not worth an error.

    `unknown`: the words that PubMed does not know. Those with digits (`TREM2`, `201`) are not misspelt, and not sent.
    """
    spelt = [word for word in words if not _has_digits(word)]
    if not spelt or all(map(_has_digits, unknown)):
        return None
    try:
        answer = client.decode_xml(post(client, "espell.fcgi", {"term": " ".join(spelt)}))
    except ProviderError:
        return None
    corrected = plain_text(answer.findtext("CorrectedQuery"))
    sizes = [0 if _has_digits(word) else len(fold(word).split()) for word in words]  # a compound is several words there
    if corrected is None or len(parts := corrected.split()) != sum(sizes):
        return corrected
    remaining = iter(parts)
    return " ".join(" ".join(islice(remaining, size)) or word for word, size in zip(words, sizes, strict=True))


def _has_digits(word: str) -> bool:
    return any(map(str.isdigit, word))


def fetch_records(ids: Sequence[str], client: Client) -> dict[str, Element]:
    """The records that PubMed sends, by PMID, in its order."""
    answer = post(client, "efetch.fcgi", {"id": ",".join(ids), "retmode": "xml"})
    return {record_pmid(record) or "": record for record in read_records(client.decode_xml(answer))}


def fetch_papers(ids: Sequence[str], client: Client) -> tuple[list[Paper], list[str], int]:
    """The papers in the order of `ids`, warnings about missing or unreadable records, and how many were sent."""
    records = fetch_records(ids, client)
    if not records:
        raise BadResponse(f"PubMed named {number_of(len(ids), 'paper')} and sent none of them")
    missing = [pmid for pmid in ids if pmid not in records]
    not_requested = [pmid for pmid in records if pmid not in ids]
    # A record that was not requested is one into which a requested one was merged: it comes last.
    in_order = [records[pmid] for pmid in [*ids, *not_requested] if pmid in records]
    papers, warnings = translate(in_order, read_paper)
    if missing:
        warnings.append(f"PubMed sent no record of {number_of(len(missing), 'hit')}: PMID {', '.join(missing[:10])}")
    if not_requested:
        warnings.append(f"PubMed sent {number_of(len(not_requested), 'record')} not requested")
    return papers, warnings, len(in_order)


def fetch_links(pmid: str, name: str, client: Client) -> list[str]:
    """The PMIDs that one PMID is linked with under a name of NCBI's links."""
    form = {"dbfrom": "pubmed", "id": pmid, "cmd": "neighbor", "linkname": name, "retmode": "xml"}
    return read_links(client.decode_xml(post(client, "elink.fcgi", form)), pmid, name)


def fetch_similar(pmids: Sequence[str], client: Client) -> dict[str, dict[str, int]]:
    """For each of these PMIDs that PubMed links, the similar papers with NCBI's score: their order is another one.

    Each `id` of its own has an answer of its own; ids separated by commas would have one together.
    """
    form: Form = {"dbfrom": "pubmed", "id": list(pmids), "cmd": "neighbor_score", "linkname": SIMILAR, "retmode": "xml"}
    return read_scored_links(client.decode_xml(post(client, "elink.fcgi", form)), pmids, SIMILAR)


def match_lines(lines: Mapping[int, str], client: Client) -> tuple[dict[int, list[str]], list[str]]:
    """The matcher's PMIDs of each citation; its answer is plain text, although `retmode` must be XML."""
    answer = post(client, "ecitmatch.cgi", {"bdata": "\r".join(lines.values()), "retmode": "xml"})
    matches, warnings = syntax.read_matches(answer.body.decode("utf-8", "replace"))
    found = {number: matches[number] for number in lines if number in matches}
    if not found:
        raise BadResponse("PubMed answered without a line for any citation")
    if missing := [str(number) for number in lines if number not in found]:
        warnings.append(f"PubMed left citation {', '.join(missing)[:100]} unanswered")
    return found, warnings
