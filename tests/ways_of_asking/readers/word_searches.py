"""Sources that rank papers by any of the words: Crossref and Paperclip; and those that only look papers up.

Crossref: https://api.crossref.org/swagger-ui/index.html. Paperclip: its search command, whose arguments are a shell's.
"""

from __future__ import annotations

import json
import shlex
from urllib.parse import unquote

from infra.local.sandbox.server import RecordedRequest
from tests.ways_of_asking.expression import Node, Or, Term
from tests.ways_of_asking.readers.sent import Sent, parameters, whole

_FLAGS_WITH_A_VALUE = ("-s", "-n", "--year", "--author", "--journal", "--sort", "--since", "--ranking", "--corpus")


def any_word(text: str) -> Node | None:
    """A text any of whose words may match."""
    found: tuple[Node, ...] = tuple(Term(word) for word in text.split() if any(sign.isalnum() for sign in word))
    return Or(found) if found else None


def read_crossref(request: RecordedRequest) -> Sent:
    """Read a request to `/works`."""
    sent = parameters(request)
    queries = {name: value for name, value in sent.items() if name.startswith("query") and value}
    if not queries:
        shown = unquote(request.path.removeprefix("/works").strip("/")) or sent.get("filter", "")
        return Sent("crossref", "lookup", shown, whole(request))
    text = " & ".join(f"{name}={value}" for name, value in queries.items())
    words = " ".join(
        value for name, value in queries.items() if name in ("query", "query.bibliographic", "query.title")
    )
    return Sent("crossref", "search", text, whole(request), any_word(words))


def read_paperclip(request: RecordedRequest) -> Sent:
    """Read a request to the command or to the MCP route."""
    body = json.loads(request.body) if request.body.startswith("{") else {}
    if "raw" not in body:
        return Sent("paperclip", "lookup" if "params" not in body else "search", request.body, whole(request))
    try:
        parts = shlex.split(str(body["raw"]))
    except ValueError as error:
        return Sent("paperclip", "search", str(body["raw"]), whole(request), wrong=f"a shell cannot read it: {error}")
    if body.get("command") != "search":
        return Sent("paperclip", "lookup", f"{body.get('command')} {body['raw']}", whole(request))
    words = [
        part
        for before, part in zip(["", *parts], parts, strict=False)
        if before not in _FLAGS_WITH_A_VALUE and not part.startswith("-")
    ]
    exact = "-e" in parts or "--exact" in parts
    tree = Term(" ".join(words), phrase=True) if exact else any_word(" ".join(words))
    return Sent("paperclip", "search", " ".join(parts), whole(request), tree)


def read_lookup(request: RecordedRequest) -> Sent:
    """Read a request to a source that has no search."""
    return Sent(request.provider, "lookup", unquote(request.path), whole(request))
