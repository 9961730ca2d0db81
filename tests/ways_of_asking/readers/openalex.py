"""OpenAlex's searches (https://developers.openalex.org; the server is github.com/ourresearch/openalex-elastic-api).

Words alone are all required, in each field that is searched; with AND, OR, NOT in capitals or a phrase the text is read
as Lucene reads it. The server refuses `|` and a word that begins with `!`, fails on signs of Lucene's language that are
not escaped, and cuts the last three letters of an expression that ends in "and" or "not".
"""

from __future__ import annotations

import re

from infra.local.sandbox.server import RecordedRequest
from tests.ways_of_asking.expression import And, Malformed, Node, Not, Or, Term, conjunction, terms
from tests.ways_of_asking.readers import lucene
from tests.ways_of_asking.readers.sent import Sent, all_words, parameters, whole

_LOOKUP = re.compile(r"(?:^|,)(?:doi|ids\.[a-z]+|openalex|openalex_id|ids|pmid):")
_LINKS = re.compile(r"(?:^|,)(?:cites|cited_by):")
_TEXT_FILTER = re.compile(
    r"(?:^|,)((?:title_and_abstract|title|display_name|default|abstract)\.search(?:\.exact)?):([^,]*)"
)


def read(request: RecordedRequest) -> Sent:
    """Read a request to any route."""
    sent = parameters(request)
    asked = {name: value for name, value in sent.items() if name.startswith("search") and value}
    asked |= dict(_TEXT_FILTER.findall(sent.get("filter", "")))
    if re.match(r"/(sources|authors|autocomplete|institutions)", request.path):
        return Sent("openalex", "names", f"{request.path[1:]}: {' '.join(asked.values())}", whole(request))
    if request.path != "/works" or (not asked and _LOOKUP.search(sent.get("filter", ""))):
        return Sent(
            "openalex", "lookup", request.path.removeprefix("/works").strip("/") or sent["filter"], whole(request)
        )
    if "search.semantic" in asked:
        return Sent("openalex", "meaning", f"search.semantic={asked['search.semantic']}", whole(request))
    text = " & ".join(f"{name}={value}" for name, value in asked.items())
    if not asked:
        return Sent("openalex", "search", f"filter={sent.get('filter', '')}", whole(request))
    try:
        tree = conjunction([parse(value, name) for name, value in asked.items()])
    except Malformed as error:
        return Sent("openalex", "search", text, whole(request), wrong=str(error))
    return Sent("openalex", "search", text, whole(request), tree)


def parse(text: str, field: str) -> Node:
    """What a search means. Raises Malformed if the server would refuse it, fail or cut it."""
    if "|" in text or re.search(r"(?:^|[\s(])!", text):
        raise Malformed("the server refuses `|` and words that begin with `!`")
    if re.search(r"[*?~]", text) and "exact" not in field:
        raise Malformed("wildcards live in the exact search alone")
    if not lucene.has_operators(text):
        tree = all_words(text, field)
        if tree is None:
            raise Malformed("nothing to search for")
        return tree
    if text.rstrip().casefold().endswith(("and", "not")):
        raise Malformed("the server cuts the final `and` or `not`")
    if sum(len(term.text) > 80 for term in terms(lucene.parse(text, _no_field)) if term.phrase) > 3:
        raise Malformed("more than three long phrases")
    return _in_field(lucene.parse(re.sub(r"[/:\[\]<>]", " ", text), _no_field), field)


def _no_field(_name: str) -> bool:
    return False


def _in_field(node: Node, field: str) -> Node:
    match node:
        case Term(text, _, phrase):
            return Term(text, field, phrase)
        case And(of):
            return And(tuple(_in_field(it, field) for it in of))
        case Or(of):
            return Or(tuple(_in_field(it, field) for it in of))
        case Not(part):
            return Not(_in_field(part, field))
