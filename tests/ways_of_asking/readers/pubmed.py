"""PubMed's query language (https://pubmed.ncbi.nlm.nih.gov/help/, "Search field tags" and "Combining with Booleans").

Operators in capitals are read from left to right, without a precedence; words without an operator between them are
joined by AND; a tag in brackets belongs to the phrase or the words before it. Untagged stop words are ignored by the
server; tagged ones are found in nothing.
"""

from __future__ import annotations

import re

from infra.local.sandbox.server import RecordedRequest
from tests.ways_of_asking.expression import And, Malformed, Node, Or, Term, conjunction, has_text, tokens
from tests.ways_of_asking.readers.sent import (
    Sent,
    Tokens,
    Use,
    excluding,
    listed,
    only_fields,
    parameters,
    whole,
    without_filters,
)

TEXT_TAGS = frozenset(
    ("", "ti", "tiab", "title", "title/abstract", "tw", "all", "all fields", "text word", "ab", "mesh", "mh",
     "mesh terms", "majr", "mesh:noexp", "mh:noexp", "ot", "nm", "kw", "sh")
)  # fmt: skip
FILTER_TAGS = frozenset(
    ("dp", "pdat", "edat", "crdt", "ta", "journal", "jour", "au", "1au", "lastau", "fau", "author", "auid",
     "sb", "filter", "pt", "ptyp", "la", "lang", "ad", "uid", "pmid", "aid", "doi", "lid", "publication type",
     "language", "affiliation", "year", "cn", "corporate author")
)  # fmt: skip
IDS = frozenset(("uid", "pmid", "aid", "doi", "lid"))
STOP_WORDS = listed(
    "a about again all almost also although always among an and another any are as at be because been before "
    "being between both but by can could did do does done due during each either enough especially etc for "
    "found from further had has have having here how however i if in into is it its itself just kg km made "
    "mainly make may mg might ml mm most mostly must nearly neither no nor obtained of often on our overall "
    "perhaps pmid quite rather really regarding seem seen several should show showed shown shows "
    "significantly since so some such than that the their theirs them then there therefore these they this "
    "those through thus to upon use used using various very was we were what when which while with within "
    "without would"
)
_TOKEN = re.compile(r'"[^"]*"(?!\w)|\[[^\]]*\]|[()]|[^\s()\[\]"]+|["\[\]]')
_OPERATORS = ("AND", "OR", "NOT")


def read(request: RecordedRequest) -> Sent:
    """Read a request to one of the E-utilities."""
    sent = parameters(request)
    utility = request.path.rpartition("/")[2].removesuffix(".fcgi").removesuffix(".cgi")
    if utility == "espell":
        return Sent("pubmed", "spelling", sent.get("term", ""), whole(request))
    if utility == "ecitmatch":
        return Sent("pubmed", "lookup", sent.get("bdata", ""), whole(request))
    if utility != "esearch":
        return Sent("pubmed", "records", sent.get("id", ""), whole(request))
    text = sent.get("term", "")
    try:
        tree = parse(text)
    except Malformed as error:
        return Sent("pubmed", "search", text, whole(request), wrong=str(error))
    use: Use = "lookup" if only_fields(tree, IDS) else "search"
    return Sent("pubmed", use, text, whole(request), without_filters(tree, FILTER_TAGS))


def parse(text: str) -> Node:
    """Parse a `term`. Raises Malformed."""
    found = Tokens(_TOKEN.findall(text))
    tree = _expression(found)
    if found:
        raise Malformed(f"{found.next!r} closes nothing")
    return tree


def _expression(found: Tokens) -> Node:
    left = _operand(found)
    while found and found.next != ")":
        operator = found.take() if found.next in _OPERATORS else "AND"
        right = _operand(found)
        if operator == "NOT":
            left = excluding(left, right)
        else:
            left = And((left, right)) if operator == "AND" else Or((left, right))
    return left


def _operand(found: Tokens) -> Node:
    token = found.take()
    if token == "(":
        tree = _expression(found)
        found.require(")")
        return tree
    if token in (*_OPERATORS, ")", '"', "]") or token.startswith("["):
        raise Malformed(f"{token!r} stands where a term is needed")
    words = [token]
    if not token.startswith('"'):
        while found and found.next not in (*_OPERATORS, "(", ")") and not found.next.startswith(('"', "[")):
            words.append(found.take())
    tag = found.take()[1:-1].strip().casefold() if found.next.startswith("[") else ""
    tag = tag.partition(":~")[0]
    if tag not in TEXT_TAGS | FILTER_TAGS:
        raise Malformed(f"PubMed has no field [{tag}]")
    if token.startswith('"'):
        return _term(token.strip('"'), tag, phrase=True)
    if tag in FILTER_TAGS or (tag and len(words) > 1):
        return _term(" ".join(words), tag, phrase=True)
    if tag and STOP_WORDS.issuperset(tokens(words[0])):
        raise Malformed(f"{words[0]}[{tag}] is a stop word, which is not indexed")
    kept = [word for word in words if tokens(word) and not STOP_WORDS.issuperset(tokens(word))]
    return conjunction([Term(word, tag) for word in kept or words])


def _term(text: str, tag: str, phrase: bool) -> Term:
    if not has_text(text):
        raise Malformed(f"the term before [{tag}] has no text")
    return Term(text, tag, phrase)
