"""The route that a path which is none was probably meant to be."""

from __future__ import annotations

import difflib
import re
from collections import Counter
from collections.abc import Mapping

from shared.api.operations import OPERATIONS

MOST_CHARS = 200  # of a path that is compared
LEAST_LIKE = 2 / 3
# Names of a search that are not like its own.
_SEARCH = re.compile(r"(?:/v\d+)?/(?:search(?:es)?|papers/search|query|works|literature)/?")
SEARCH = "/v1/literature-search"
ALMOST = 0.8  # as `serach` is like `search`
_ABOVE = re.compile("^/(?:api|rest)(?=/)")  # where others put their routes
# Not in the OpenAPI document; `/sse` is of the transport that MCP had before.
_MCP = re.compile("(?:/v1)?/(?:mcp|sse|mcp/sse)/?")
MCP = "POST /mcp"
# Without the addresses of metadata (`/.well-known/…`), which clients compute and nobody types.
_TEMPLATES = sorted({operation.path for operation in OPERATIONS if not operation.path.startswith("/.")})


def nearest_route(path: str) -> str | None:
    """The methods and the template of the nearest route: `GET /v1/papers/{id}`; None if none is like it."""
    meant = _ABOVE.sub("", path[:MOST_CHARS].lower().replace("_", "-"))
    if _MCP.fullmatch(meant):
        return MCP
    if _SEARCH.fullmatch(meant) or _ratio("/".join(_without_version(meant)), "search") >= ALMOST:
        return _with_methods(SEARCH)
    if named := _named_by_words(meant) or _named_before_an_id(meant):
        return _with_methods(named)
    if not (parts := _without_version(meant)):
        return None
    (likeness, _), template = max((_likeness(parts, it), it) for it in _TEMPLATES)
    return _with_methods(template) if likeness >= LEAST_LIKE else None


def _named_by_words(path: str) -> str | None:
    """The route whose words are all in the path, `/v1/resolve` of `references/resolve`; else one with all of its words.

    None for a path with a word of no route, such as an id. Of several routes it is the one with the most words, then
    the one with the rarest: most routes are about papers. Then the one with the last word of the path, then the one
    without parameters. Of several that have more words than the path, see `_of_more_words`.
    """
    words = _words(path)
    of_routes = {template: _words(template) for template in _TEMPLATES}
    routes_with = Counter(word for theirs in of_routes.values() for word in set(theirs))
    if not set(words) <= routes_with.keys():
        return None
    named = {template: theirs for template, theirs in of_routes.items() if theirs and set(theirs) <= set(words)}

    def fitness(template: str) -> tuple[int, int, int, bool, str]:
        theirs = named[template]
        rarest, last = min(routes_with[word] for word in theirs), max(map(words.index, theirs))
        return len(theirs), -rarest, last, "{" not in template, template

    return max(named, key=fitness, default=None) or _of_more_words(words, of_routes)


def _named_before_an_id(path: str) -> str | None:
    """The route that has the first word of a path behind its id: `/v1/papers/{id}/fulltext` of `fulltext/PMC1`.

    None for a path that begins as a route with an id does.
    """
    parts = _without_version(path)
    of_routes = {template: _words(template) for template in _TEMPLATES if "{" in template}
    begun = {_without_version(template)[0].removesuffix("s") for template in of_routes}
    if len(parts) < 2 or parts[0].removesuffix("s") in begun:
        return None
    return _of_more_words(_words(parts[0]), of_routes)


def _of_more_words(words: list[str], of_routes: Mapping[str, list[str]]) -> str | None:
    """A route that has all words of the path and others: `/v1/citation-network` of `networks`.

    Of several it is the one of which they are whole segments, then the one with the fewest others, then the one without
    parameters.
    """
    longer = {template: theirs for template, theirs in of_routes.items() if words and set(words) <= set(theirs)}

    def fitness(template: str) -> tuple[int, int, bool, str]:
        segments = {segment.removesuffix("s") for segment in template.split("/")}
        return len(segments & set(words)), -len(longer[template]), "{" not in template, template

    return max(longer, key=fitness, default=None)


def _words(path: str) -> list[str]:
    """The words of a path in the singular, without its version and parameters."""
    words = [word for word in re.split(r"[/-]", path) if word and not re.fullmatch(r"v\d+|{.*}", word)]
    return [word.removesuffix("s") for word in words]


def _without_version(path: str) -> list[str]:
    """The segments of a path behind its version, which is equal in most routes and says nothing of what is meant."""
    segments = path.strip("/").split("/")
    return segments[1:] if re.fullmatch(r"v\d+", segments[0]) else segments


def _with_methods(template: str) -> str:
    return f"{', '.join(sorted(it.method for it in OPERATIONS if it.path == template))} {template}"


def _likeness(parts: list[str], template: str) -> tuple[float, int]:
    """How like the path is in what the template has besides parameters, between 0 and 1; then how equally long.

    The last parameter may have slashes in it, so that what follows it is compared from the end. Where nothing follows
    it, more segments are part of an id, or of a longer route: that one counts if it is like the path.
    """
    wanted = _without_version(template)
    last = max((place for place, it in enumerate(wanted) if it.startswith("{")), default=len(wanted))
    more = len(parts) - len(wanted)
    if "{" not in template:
        return _ratio("/".join(parts), "/".join(wanted)), int(more == 0)
    if more < 0:
        return float(_lacks_its_ids(parts, wanted)), 1
    fixed = [place for place, it in enumerate(wanted) if not it.startswith("{")]
    written = "/".join(parts[place + more if place > last else place] for place in fixed)
    likeness = _ratio(written, "/".join(wanted[place] for place in fixed))
    return likeness * (ALMOST if more and last == len(wanted) - 1 else 1), 1


def _lacks_its_ids(parts: list[str], wanted: list[str]) -> bool:
    """Whether a path is the beginning of a template, of which it lacks parameters alone."""
    begun = zip(parts, wanted, strict=False)
    return all(it.startswith("{") for it in wanted[len(parts) :]) and all(
        part == it or it.startswith("{") for part, it in begun
    )


def _ratio(one: str, other: str) -> float:
    return difflib.SequenceMatcher(None, one, other, autojunk=False).ratio()
