"""Small made-up results and messages for the graph."""

from __future__ import annotations

import json
from typing import Any, get_args

from shared.answers.graph import ContextRef
from shared.bibliography.identifiers import IdName
from shared.graph.message_types import MentionJson
from shared.graph.messages import citation_messages, messages

IDS: dict[str, str | None] = dict.fromkeys(get_args(IdName))
NOON = "2026-11-20T12:00:00Z"
DEBATE: ContextRef = {"type": "debate", "id": "7"}


def result(**changes: Any) -> Any:
    """A result of a search with these ids and fields; `key` is that of the best id unless it is given."""
    ids = {**IDS, "doi": "10.7554/elife.20391"} | {name: changes.pop(name) for name in IDS if name in changes}
    key = next((f"{scheme}:{ids[scheme]}" for scheme in ("doi", "pmid", "arxiv") if ids[scheme]), "title:0")
    base = {
        "key": key,
        "doi": ids["doi"],
        "pmid": ids["pmid"],
        "title": "Neurodegenerative disease mutations in TREM2",
        "authors": [f"Author {number}" for number in range(9)],
        "author_count": 9,
        "year": 2016,
        "publication_date": "2016-12-20",
        "journal": "eLife",
        "type": "journal-article",
        "citation_count": 5,
        "citation_uri": "https://example.org/paper",
        "external_ids": ids,
        "open_access": {"is_oa": True, "url": None, "license": None, "locations": []},
        "retraction": {"status": "none", "notice_doi": None, "date": None},
        "abstract": "Long text that the graph does not store.",
    }
    return {**base, **changes}


def papers_body(*results: Any, context: ContextRef | None = None, seen_at: str = NOON) -> str:
    """The body of the one message for these results."""
    (message,) = messages(results, context, seen_at)
    return json.dumps(message)


def citations_body(
    *ids: str, context: ContextRef = DEBATE, by: str | None = None, at: str = NOON, start: int | None = None
) -> str:
    """The body of the one message for a context that cites these ids, at consecutive positions from `start`."""
    mentions: list[MentionJson] = [
        {"id": name, "where": None if start is None else start + number, "text": name}
        for number, name in enumerate(ids)
    ]
    (message,) = citation_messages(context, mentions, by, at)
    return json.dumps(message)
