"""The route that a path which is none was probably meant to be."""

from __future__ import annotations

import difflib
import re
from collections import Counter

from shared.api.operations import OPERATIONS

MOST_CHARS = 200  # of a path that is compared
LEAST_LIKE = 0.6
# Names of a search that are not like its own.
_SEARCH = re.compile(r"(?:/v\d+)?/(?:search(?:es)?|papers/search|query|works|literature)/?")
SEARCH = "/v1/literature-search"


def nearest_route(path: str) -> str | None:
    """The methods and the template of the nearest route: `GET /v1/papers/{id}`; None if none is like it."""
    meant = path[:MOST_CHARS].lower().replace("_", "-")
    if _SEARCH.fullmatch(meant):
        return _with_methods(SEARCH)
    if named := _named_by_words(meant):
        return _with_methods(named)
    parts = meant.strip("/").split("/")
    (likeness, _), template = max((_likeness(parts, it), it) for it in {operation.path for operation in OPERATIONS})
    return _with_methods(template) if likeness >= LEAST_LIKE else None


def _named_by_words(path: str) -> str | None:
    """The route whose words are all in the path: `/v1/resolve` of `references/resolve`.

    None for a path with a word of no route, such as an id. Of several routes it is the one with the most words, then
    the one with the rarest: most routes are about papers. Then the one with the last word of the path, then the one
    without parameters.
    """
    words = _words(path)
    of_routes = {template: _words(template) for template in {operation.path for operation in OPERATIONS}}
    routes_with = Counter(word for theirs in of_routes.values() for word in set(theirs))
    if not set(words) <= routes_with.keys():
        return None
    named = {template: theirs for template, theirs in of_routes.items() if theirs and set(theirs) <= set(words)}

    def fitness(template: str) -> tuple[int, int, int, bool, str]:
        theirs = named[template]
        rarest, last = min(routes_with[word] for word in theirs), max(map(words.index, theirs))
        return len(theirs), -rarest, last, "{" not in template, template

    return max(named, key=fitness, default=None)


def _words(path: str) -> list[str]:
    """The words of a path in the singular, without its version and parameters."""
    words = [word for word in re.split(r"[/-]", path) if word and not re.fullmatch(r"v\d+|{.*}", word)]
    return [word.removesuffix("s") for word in words]


def _with_methods(template: str) -> str:
    return f"{', '.join(sorted(it.method for it in OPERATIONS if it.path == template))} {template}"


def _likeness(parts: list[str], template: str) -> tuple[float, int]:
    """How like the path is in what the template has besides parameters, between 0 and 1; then how equally long.

    The last parameter may have slashes in it, so that what follows it is compared from the end.
    """
    wanted = template.strip("/").split("/")
    last = max((place for place, it in enumerate(wanted) if it.startswith("{")), default=len(wanted))
    more = len(parts) - len(wanted)
    if "{" not in template:
        return _ratio("/".join(parts), "/".join(wanted)), int(more == 0)
    if more < 0:
        return float(_lacks_its_ids(parts, wanted)), 1
    fixed = [place for place, it in enumerate(wanted) if not it.startswith("{")]
    written = "/".join(parts[place + more if place > last else place] for place in fixed)
    return _ratio(written, "/".join(wanted[place] for place in fixed)), 1


def _lacks_its_ids(parts: list[str], wanted: list[str]) -> bool:
    """Whether a path is the beginning of a template, of which it lacks parameters alone."""
    begun = zip(parts, wanted, strict=False)
    return all(it.startswith("{") for it in wanted[len(parts) :]) and all(
        part == it or it.startswith("{") for part, it in begun
    )


def _ratio(one: str, other: str) -> float:
    return difflib.SequenceMatcher(None, one, other, autojunk=False).ratio()
