"""Paperclip (GXL): full text of PubMed Central, bioRxiv, medRxiv and arXiv, by semantic and keyword search.

Manual: https://paperclip.gxl.ai/docs
Limits: a key is required (`X-API-Key`); no published rate, clients keep to one request a second; `-n` up to 1,000.
Oddities: one shell-like command over two interfaces, REST (undocumented) and MCP; hits come structured, as JSON in the
text, or only as a rendered list, unpredictably; errors come under HTTP 200 as `ERR: …`; the quoted line is a
machine's summary; a preprint may carry its article's DOI; without `--all` (never with `--year`) only new papers count,
in releases that know it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from shared.aws.lambda_functions.provider_handler import provider_handler
from shared.bibliography.text import number_of
from shared.errors import BadResponse, ProviderError, RateLimited, RequestRejected, Unavailable
from shared.json_types import read_json
from shared.providers.answer_bodies import Answer
from shared.providers.http_client import Client
from shared.providers.paperclip_syntax import OPTIONAL, OptionRefused, read_command
from shared.providers.provider import Page, ProviderSpec, is_partial, translate
from shared.providers.records.paperclip import read_entries, read_paper
from shared.query.query import Query

SPEC = ProviderSpec(
    name="paperclip", title="Paperclip", family="paperclip", needs_key=True, disciplines=frozenset({"biomedical"}),
    manual="https://paperclip.gxl.ai/docs", base_url="https://paperclip.gxl.ai",
    filters=frozenset({"date", "journal", "author", "exclude_preprints"}), sorts=frozenset({"relevance", "date"}),
)  # fmt: skip

_NOISE = re.compile(r"^(?: |\x1b\[[\d;]*m)*(?:\[[\d.]+ ?m?s\b|💡).*$|\x1b\[[\d;]*[A-Za-z]", re.M)  # footers, colours
_FAILED = re.compile(r"\A(?:ERR|Error):|^\[exit [1-9]", re.M)
_OPTION = re.compile(rf"(?:{'|'.join(OPTIONAL)})\b")
_NOTHING = re.compile(r"No (?:papers|documents|results) found", re.I)
_FOUND = re.compile(r"^Found ([0-9]{1,15}) (?:paper|document|protein|result)s?\b", re.M)


def search(query: Query, client: Client) -> Page:
    """Query and convert the hits; an option that this release does not know is left out."""
    command = read_command(query, SPEC.page_limit)
    while True:
        try:
            records, announced, warnings = _hits(command.arguments, client)
            break
        except OptionRefused as refusal:
            command = command.without(refusal)
    papers, skipped = translate(records, read_paper)
    if announced > len(records):
        warnings.append(f"Paperclip announced {number_of(announced, 'paper')} and listed {len(records)}")
    total = announced if announced < query.limit else None  # it counts what it sends, not what it has
    return Page(
        papers=papers,
        total=total,
        effective_query=f"search {command.arguments}",
        warnings=[*command.warnings, *warnings, *skipped],
        unsupported_filters=command.unsupported,
        partial=is_partial(len(records), len(skipped), min(announced, query.limit, SPEC.page_limit)),
    )


def _hits(arguments: str, client: Client) -> tuple[Sequence[Any], int, list[str]]:
    """The hits over REST, or over MCP if REST fails; their announced number; warnings."""
    try:
        return *_over_rest(arguments, client), []
    except (Unavailable, BadResponse) as error:
        # A rejected command would be rejected again; a missing path does not concern the command.
        if isinstance(error, RequestRejected) and error.status not in (404, 405, 410):
            raise
        warning = f"REST failed ({error.message}); queried over MCP instead"
        return *_records(_over_mcp(arguments, client)), [warning]


def _over_rest(arguments: str, client: Client) -> tuple[Sequence[Any], int]:
    body = {"command": "search", "raw": arguments}
    answer = client.post_json("/api/cli/execute", body, x_api_key=client.key or "")
    if not isinstance(answer, Mapping) or answer.get("detail"):
        raise BadResponse("Paperclip's REST answer has an unexpected form")
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
        raise BadResponse("Paperclip's MCP answer has an unexpected form") from error


def _message(answer: Answer, client: Client) -> Any:
    """The JSON-RPC answer: the body, or the event of a stream that has a result or an error."""
    if "event-stream" not in answer.headers.get("content-type", ""):
        return client.decode_json(answer)
    for event in re.split(rb"(?:\r\n|\r|\n){2,}", answer.body):
        lines = [line[5:] for line in re.split(rb"\r\n|\r|\n", event) if line.startswith(b"data:")]
        data = b"\n".join(lines).strip()
        message = client.decode_json(Answer(answer.status, {}, data)) if data else None
        if isinstance(message, Mapping) and ("result" in message or "error" in message):
            return message
    raise BadResponse("Paperclip's event stream holds no answer")


def _refusal(text: str) -> ProviderError:
    """The error for a message of the shell; the message may repeat the query and is not passed on."""
    if re.search(r"(?:rate|daily|usage) limit|too many requests|quota", text, re.I):
        return RateLimited("Paperclip says that a limit is reached")
    if option := _OPTION.search(text):
        return OptionRefused(option[0])
    return RequestRejected("Paperclip's shell answered with an error instead of papers")


def _records(output: str, data: Any = None) -> tuple[Sequence[Any], int]:
    """The hits of an answer, structured if possible, else rendered, and their announced number."""
    text = _NOISE.sub("", output).strip()
    if _FAILED.search(text) and not _NOTHING.match(text):
        raise _refusal(text)
    if text.startswith("{"):
        try:
            data, text = read_json(text), ""
        except ValueError as error:
            raise BadResponse("Paperclip sent JSON that cannot be read") from error
    data = data if isinstance(data, Mapping) else {}
    papers, found = [data] if "document_id" in data else data.get("papers"), _FOUND.search(text)
    if isinstance(papers, list) and papers:
        return papers, int(found[1]) if found else len(papers)
    entries = read_entries(text[found.end() :]) if found else []
    if found and (entries or found[1] == "0"):
        return entries, int(found[1])
    if _NOTHING.match(text) or (papers == [] and not text and not data.get("count")):
        return [], 0
    raise BadResponse("Paperclip answered without a list of papers")


handler = provider_handler(SPEC, search=search)
