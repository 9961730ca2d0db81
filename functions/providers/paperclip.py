"""Paperclip (GXL): full text of PubMed Central, bioRxiv, medRxiv and arXiv, found by meaning and words together.

Manual: https://paperclip.gxl.ai/docs
Limits: a key is required (`X-API-Key`); no published rate, clients keep to one request a second; `-n` up to 1,000.
Oddities: one shell-like command over two interfaces, REST (undocumented) and MCP; hits come structured, as JSON in the
text, or only as a rendered list, at the server's whim; errors come under HTTP 200 as `ERR: …`; the quoted line is a
machine's summary; a preprint may carry its article's DOI; without `--all` (never with `--year`) only new papers count.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from shared.aws.lambda_functions.provider_handler import provider_handler
from shared.bibliography.dates import known_date
from shared.bibliography.identifiers import Identifiers, read_arxiv, read_doi, read_openalex, read_pmcid, read_pmid
from shared.bibliography.paper import Author, Location, OpenAccess, Paper, Version
from shared.bibliography.person_names import read_name
from shared.bibliography.preprints import is_preprint_doi
from shared.bibliography.text import plain_text
from shared.errors import BadResponse, BrokenRecord, ProviderError, RateLimited, RequestRejected, Unavailable
from shared.providers.http_client import Answer, Client
from shared.providers.provider import Page, ProviderSpec, translate
from shared.query.query import Query
from shared.query.syntax import Phrase, has_operators, plain

SPEC = ProviderSpec(
    name="paperclip", title="Paperclip", family="paperclip", needs_key=True, disciplines=frozenset({"biomedical"}),
    manual="https://paperclip.gxl.ai/docs", base_url="https://paperclip.gxl.ai",
    filters=frozenset({"date", "journal", "author", "exclude_preprints"}), sorts=frozenset({"relevance", "date"}),
)  # fmt: skip

# The marks of the preprint servers' documents.
_SERVERS = {"arx_": "arXiv", "bio_": "bioRxiv", "med_": "medRxiv"}
_CORPORA = {"", "pmc", "biomedrxiv", "biorxiv", "medrxiv", "arxiv", "papers", "abstracts"}  # not journals
_TYPES = {
    "research-article": "journal-article", "case-report": "journal-article", "brief-report": "journal-article",
    "review-article": "review", "systematic-review": "review", "editorial": "editorial", "letter": "letter",
    "correction": "erratum", "retraction": "retraction-notice", "article-commentary": "other", "other": "other",
}  # fmt: skip
_NO_DATA = ("min_citations", "publication_types", "exclude_retracted")  # rendered hits hold nothing to check these by
_NOISE = re.compile(r"^(?: |\x1b\[[\d;]*m)*(?:\[[\d.]+ ?m?s\b|💡).*$|\x1b\[[\d;]*[A-Za-z]", re.M)  # footers, colours
_FAILED = re.compile(r"\A(?:ERR|Error):|^\[exit [1-9]", re.M)
_NOTHING = re.compile(r"No (?:papers|documents|results) found", re.I)
_FOUND = re.compile(r"^Found (\d+) (?:paper|document|protein|result)s?\b", re.M)
_ENTRY = re.compile(r"^ {0,4}(\d+)\. +(\S.*)$")
_DOCUMENT = re.compile(
    r" *(?:PMC\d+|[a-z]{2,4}_[\w./-]+|\d{4}\.\d{4,5}(?:v\d+)?|[a-z-]+(?:\.[A-Z]{2})?/\d{7})(?: · |$)"
)
_DATE = re.compile(r"(?:1[5-9]|20)\d\d(?:-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01]))?)?")
_TEX_ACCENT = re.compile(r"\{?\\(['`^\"~=.]|[cv](?=[ {]))\s*\{?\\?([A-Za-z])\}{0,2}")
_ACCENTS = dict(zip("'`^\"~=.cv", "\u0301\u0300\u0302\u0308\u0303\u0304\u0307\u0327\u030c", strict=True))


def search(query: Query, client: Client) -> Page:
    """Ask over REST, and over MCP when REST fails, then translate."""
    arguments, unsupported, warnings = _arguments(query)
    try:
        records, announced = _over_rest(arguments, client)
    except (Unavailable, BadResponse) as error:
        # A rejected command would be rejected again; a path that is gone says nothing of the command.
        if isinstance(error, RequestRejected) and error.status not in (404, 405, 410):
            raise
        warnings.append(f"REST failed ({error.message}); asked over MCP instead")
        records, announced = _records(_over_mcp(arguments, client))
    papers, skipped = translate(records, _paper)
    if announced > len(records):
        warnings.append(f"Paperclip announced {announced} papers and listed {len(records)}")
    total = announced if announced < query.limit else None  # it counts what it sends, not what it has
    asked, told = f"search {arguments}", [*warnings, *skipped]
    return Page(papers=papers, total=total, effective_query=asked, warnings=told, unsupported_filters=unsupported)


def _arguments(query: Query) -> tuple[str, list[str], list[str]]:
    """The command line after `search`, the filters that it cannot say, and warnings."""
    unsupported, warnings = [name for name in _NO_DATA if name in query.filters], []
    parts = ["-s", "pmc" if query.exclude_preprints else "papers", _quoted(plain(query.node))]
    if isinstance(query.node, Phrase):
        parts.append("-e")
    elif has_operators(query.node):
        unsupported.append("operators")
        warnings.append("Paperclip was sent the wanted words only, without phrases, AND, OR, NOT")
    parts += ["-n", str(min(query.limit, SPEC.page_limit))]
    first, last = query.first_day, query.last_day
    parts += ["--year", str(first.year)] if first and last and first.year == last.year else ["--all"]
    if (first or last) and "--all" in parts:
        warnings.append("Paperclip knows no range of years: it was asked for all, dates are checked afterwards")
    parts += ["--author", _quoted(query.author)] if query.author else []
    parts += ["--journal", _quoted(query.journal)] if query.journal else []
    parts += ["--sort", "date"] if query.sort == "date" else []
    if query.sort not in SPEC.sorts:
        warnings.append("Paperclip orders by relevance or date only")
    return " ".join(parts), unsupported, warnings


def _quoted(text: str) -> str:
    """One argument for the server's shell: never an option (`-n 9`), a corpus path (`/fda`) or a second word."""
    line = " ".join("".join(sign if sign.isprintable() else " " for sign in text).split()).lstrip("-/ ")
    return "'" + line.replace("'", "'\\''") + "'"


def _over_rest(arguments: str, client: Client) -> tuple[Sequence[Any], int]:
    body = {"command": "search", "raw": arguments}
    answer = client.post_json("/api/cli/execute", body, x_api_key=client.key or "")
    if not isinstance(answer, Mapping) or answer.get("detail"):
        raise BadResponse("Paperclip's REST answer is not in the promised form")
    text = str(answer.get("output") or "") + ("\n[exit 1]" if answer.get("exit_code") else "")
    return _records(text, answer.get("result_data") or answer)


def _over_mcp(arguments: str, client: Client) -> str:
    """The text of the one tool's answer (MCP 2025-03-26, streamable HTTP)."""
    call = {"command": f"search {arguments}", "description": "literature search", "skip_truncation": True}
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "paperclip", "arguments": call}}
    headers = {"accept": "application/json, text/event-stream", "x-api-key": client.key or ""}
    message = _message(client.request("POST", "/mcp", json=body, headers=headers), client)
    try:
        if message.get("error"):
            raise _refusal(str(message["error"]["message"]))
        text = "\n".join(part["text"] for part in message["result"]["content"] if part["type"] == "text")
        return text + ("\n[exit 1]" if message["result"].get("isError") else "")
    except (KeyError, TypeError, AttributeError) as error:
        raise BadResponse("Paperclip's MCP answer is not in the promised form") from error


def _message(answer: Answer, client: Client) -> Any:
    """The JSON-RPC answer: the body, or that event of a stream which is no mere notice."""
    if "event-stream" not in answer.headers.get("content-type", ""):
        return client.decode_json(answer)
    for event in re.split(rb"(?:\r\n|\r|\n){2,}", answer.body):
        lines = [line[5:] for line in re.split(rb"\r\n|\r|\n", event) if line.startswith(b"data:")]
        data = b"\n".join(lines).strip()
        message = client.decode_json(Answer(answer.status, {}, data)) if data else None
        if isinstance(message, Mapping) and ("result" in message or "error" in message):
            return message
    raise BadResponse("Paperclip's event stream holds no answer")


def _refusal(told: str) -> ProviderError:
    """What an error of the shell means; its words may repeat the query and are not passed on."""
    if re.search(r"(?:rate|daily|usage) limit|too many requests|quota", told, re.I):
        return RateLimited("Paperclip says that a limit is reached")
    return RequestRejected("Paperclip's shell answered with an error in place of papers")


def _records(output: str, data: Any = None) -> tuple[Sequence[Any], int]:
    """The hits of an answer, structured ones before rendered ones, and how many it announces."""
    text = _NOISE.sub("", output).strip()
    if _FAILED.search(text) and not _NOTHING.match(text):
        raise _refusal(text)
    if text.startswith("{"):
        try:
            data, text = json.loads(text), ""
        except ValueError as error:
            raise BadResponse("Paperclip sent JSON that cannot be read") from error
    data = data if isinstance(data, Mapping) else {}
    papers, found = [data] if "document_id" in data else data.get("papers"), _FOUND.search(text)
    if isinstance(papers, list) and papers:
        return papers, int(found[1]) if found else len(papers)
    entries = _entries(text[found.end() :]) if found else []
    if found and (entries or found[1] == "0"):
        return entries, int(found[1])
    if _NOTHING.match(text) or (papers == [] and not text):
        return [], 0
    raise BadResponse("Paperclip answered without a list of papers")


def _entries(listing: str) -> list[dict[str, Any]]:
    """The hits of a rendered list: `  1. title` and the lines up to the next number."""
    blocks: list[list[str]] = []
    for line in listing.splitlines():
        start = _ENTRY.match(line)
        if start and int(start[1]) == len(blocks) + 1:
            blocks.append([start[2]])
        elif blocks and line.strip():
            blocks[-1].append(line)
    return [_entry(block) for block in blocks]


def _entry(lines: list[str]) -> dict[str, Any]:
    """A rendered hit under the names of a structured one; a wrapped title goes on at the margin."""
    place = next((number for number, line in enumerate(lines) if number and _DOCUMENT.match(line)), len(lines))
    wrapped = [line for line in lines[1:place] if not line.startswith("    ")]
    document, *labels = [part.strip() for part in "".join(lines[place : place + 1]).split(" · ")]
    date = labels.pop() if labels and _DATE.fullmatch(labels[-1]) else None
    rest = [line.strip() for line in lines[place + 1 :]]
    summary = " ".join(line for line in rest if not line.startswith("http"))
    return {
        "document_id": document, "title": " ".join([lines[0], *wrapped]), "pub_date": date,
        "authors": " ".join(line for line in lines[1:place] if line not in wrapped), "source": " · ".join(labels),
        "url": next((line for line in rest if line.startswith("http")), None),
        "tldr": summary.strip('"') if summary.startswith('"') else None,
    }  # fmt: skip


def _paper(record: Mapping[str, Any], rank: int) -> Paper:
    told = str(record.get("document_id") or "")
    document = f"arx_{told}" if read_arxiv(told) else told  # a lookup leaves the mark out
    server, pmcid, title = _SERVERS.get(document[:4]), read_pmcid(document), _text(record.get("title"))
    if not title or not (server or pmcid or document.startswith("oa_")):
        raise BrokenRecord(f"{document or 'a hit without an id'} is no paper with a title")
    doi = read_doi(record.get("doi")) or read_doi(record.get("url"))
    published = doi if server and doi and not is_preprint_doi(doi) else None
    authors, author_count = _authors(_text(record.get("authors")) or "", server)
    journal = plain_text(record.get("journal_title") or record.get("journal") or record.get("source")) or ""
    citations, kind = record.get("citations"), "preprint" if server else _TYPES.get(record.get("article_type") or "")
    dated = _DATE.match(str(record.get("pub_date") or record.get("pub_year") or ""))
    date = known_date(dated[0]) if dated else None
    ids = Identifiers(
        doi=None if published else doi, pmid=read_pmid(record.get("pmid")), paperclip=document,
        pmcid=pmcid or read_pmcid(record.get("pmc_id")), openalex=read_openalex(document.removeprefix("oa_")),
        arxiv=read_arxiv(re.sub(r"^([A-Za-z.-]+)(\d{7})$", r"\1/\2", document[4:])) if server == "arXiv" else None,
    )  # fmt: skip
    return Paper(
        provider=SPEC.name, rank=rank, title=title, ids=ids, authors=authors, author_count=author_count,
        year=int(date[:4]) if date else None, publication_date=date, landing_page=record.get("url") or None,
        journal=server or (journal if journal.casefold() not in _CORPORA else None),
        citation_count=citations if isinstance(citations, int) else None, type=kind,
        abstract=_text(record.get("abstract")), tldr=_text(record.get("tldr")), open_access=_open_access(ids, server),
        versions=(Version("published", doi=published),) if published else (),
    )  # fmt: skip


def _text(told: str | None) -> str | None:
    r"""Plain text, TeX accents written out: `Adri\'an` is Adrián."""
    return plain_text(_TEX_ACCENT.sub(lambda found: found[2] + _ACCENTS[found[1]], told or ""))


def _authors(told: str, server: str | None) -> tuple[tuple[Author, ...], int | None]:
    """Names with marks and, on arXiv, affiliations; `...` cuts them anywhere, so the last one is left out."""
    cut = told.endswith(("...", "…"))
    text = re.sub(r"\([^()]*(?:\)|$)", " ", told.rstrip(".…") if cut else told)
    parts = re.split(r",\s*and\s|[,;]|\sand\s" if server == "arXiv" else r"[,;]", text)
    authors = tuple(filter(None, (read_name(part.strip(" *†‡§")) for part in (parts[:-1] if cut else parts))))
    return authors, None if cut else len(authors) or None


def _open_access(ids: Identifiers, server: str | None) -> OpenAccess:
    """PubMed Central and the preprint servers hold copies free to read; of other documents nothing is said."""
    url = f"https://doi.org/{ids.doi}" if server and ids.doi else None
    url = f"https://arxiv.org/abs/{ids.arxiv}" if ids.arxiv else url
    url = f"https://pmc.ncbi.nlm.nih.gov/articles/{ids.pmcid}/" if ids.pmcid else url
    places = (Location(url=url, version="submittedVersion" if server else None, host="repository"),) if url else ()
    return OpenAccess(is_oa=True if server or url else None, url=url, locations=places)


handler = provider_handler(SPEC, search=search)
