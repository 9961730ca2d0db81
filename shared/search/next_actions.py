"""Next actions: calls that may help after a search, ready to be made.

Each names an operation of the API by its `operationId`, and has the fields of its body. Those who use tools get
the tool in its place: `shared.client.next_actions`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from shared.query.filters_in_words import filters_in_words
from shared.query.syntax import plain
from shared.query.telling_words import is_question, most_telling
from shared.query.understanding import understand
from shared.search.hints.query_hints import unset_filters
from shared.search.hints.result_hints import has_letters_of, is_latin, named_filters, to_repeat, today_of, used_filters
from shared.search.requests.form_fields import CALL_FIELDS, FORM_FIELDS
from shared.search.requests.search_request import SearchRequest
from shared.search.wording.lone_years import year_actions
from shared.search.wording.pasted_reference import reference_actions
from shared.search.wording.spelling import suggested_query
from shared.search.wording.typed_author import author_named

if TYPE_CHECKING:
    from shared.answers.search import Action, StoredPaper
    from shared.search.result_sets.store import SearchSummary

# How many papers an action opens, and of how many it reads the texts; how many words a broader query has.
OPENED, READ, BROAD_WORDS = 2, 5, 3
SOON_S = 60.0  # a source that may be queried again later than that makes no call worth sending
# What a search without filters or with fewer words keeps: the form of its answer, and whether it writes into the graph.
KEPT = FORM_FIELDS - CALL_FIELDS
# The fields of a request that are a filter of the query, where they are not its name; operators are those of its first
# wording, which is searched for alone without them.
_FIELDS_OF = {
    "date": ("date_from", "date_to"), "exclude_retracted": ("include_retracted",), "operators": ("queries",),
}  # fmt: skip
# The scripts of East Asia: indexes translate titles in them and hold no transliteration.
_NEVER_IN_LATIN = ("CJK", "HIRAGANA", "KATAKANA", "HANGUL", "BOPOMOFO")


def next_actions(
    request: SearchRequest,
    results: Sequence[StoredPaper],
    summary: SearchSummary,
    first: int = 0,
) -> list[Action]:
    """Calls that may help next; each is valid unchanged.

    `results`: the best first; only these are read. The papers to open are those from `first` on: of the page.
    """
    reports, hints = summary["providers"], summary["hints"]
    texts = (f"{paper['title']} {paper['abstract'] or ''}" for paper in results)
    actions: list[Action] = []
    same = repeat_arguments(request)
    soon = (name for name in to_repeat(reports) if (reports[name].get("retry_after_s") or 0.0) <= SOON_S)
    if failed := sorted(soon):
        why = "queries again the providers that did not answer"
        actions.append(_action({**same, "providers": failed}, why))
    if query := suggested_query(request.wordings, hints):
        actions.append(_action({**same, "query": query}, "searches with the suggested spelling"))
    actions += [] if request.identifiers else reference_actions(request.wordings, texts)
    if named := None if request.author else author_named(request.wordings, hints):
        arguments = {**same, "query": named.query, "author": named.author}
        actions.append(_action({name: it for name, it in arguments.items() if it != ""}, "finds papers by this author"))
    for wording in request.wordings[:1]:
        if fields := unset_filters(request, wording, today_of(reports)):
            arguments = {**same, "query": filters_in_words(wording).subject, **fields}
            arguments = {name: value for name, value in arguments.items() if value != ""}  # an author alone
            actions.append(_action(arguments, "searches with the filters that the query's words mean"))
    actions += year_actions(same, request.wordings, hints, today_of(reports))
    keys = (results[place]["key"] for place in range(first, len(results)))
    ids = list(islice((key for key in keys if not key.startswith("title:")), READ))
    if ids:
        opened: dict[str, object] = {"ids": ids[:OPENED]}
        actions.append({"tool": "get_papers", "arguments": opened, "why": "all fields of the first results"})
        actions += _in_depth(request, ids)
    return actions if results else [*actions, *_broader(request, same, summary.get("blamed", []))]


def _in_depth(request: SearchRequest, ids: Sequence[str]) -> Iterator[Action]:
    """What to read next: the sentences of the papers that answer a question, papers like the one that was named."""
    question = next(filter(_wants_passages, request.wordings), None)
    if question:
        why = "the sentences of the first results that bear on the question"
        yield {"tool": "find_passages", "arguments": {"question": question, "ids": [*ids]}, "why": why}
    if request.identifiers:
        yield {"tool": "similar", "arguments": {"seeds": ids[:1]}, "why": "papers similar to the first result"}


def _wants_passages(wording: str) -> bool:
    """Whether this is a question; a request for papers (`find me reviews on TREM2`) has no answer in their texts."""
    asked = filters_in_words(wording)
    return understand(wording).kind == "question" and (not asked.is_request or is_question(asked.rest))


def _broader(request: SearchRequest, same: Mapping[str, object], blamed: Sequence[Sequence[str]]) -> Iterator[Action]:
    """Searches that may find something where this one found nothing; `same` repeats it.

    Where papers were found that a few filters left out (`blamed`), only these are dropped, and none of the words.
    """
    query = request.wordings[0]
    understood = understand(query)
    words = plain(understood.node)
    if dropped := [filters for filters in blamed if words or not {"operators", "author"} & set(filters)]:
        yield from (_without(same, filters, words) for filters in dropped)
        return
    if not query:  # an author alone
        return
    kept = {name: value for name, value in same.items() if name in KEPT}
    plain_search: dict[str, object] = {"query": query, "max_results": request.max_results, **kept}
    if understood.kind == "expression" and words:
        yield _action({**plain_search, "query": words}, "searches the words alone")
    if used_filters(request):
        yield _action(plain_search, "searches without filters")
    elif request.providers:
        yield _action(plain_search, "queries all providers")
    if understood.is_searchable:
        for text, why in _other_wordings(query):
            yield _action({**plain_search, "query": text}, why)


def _without(same: Mapping[str, object], filters: Sequence[str], words: str) -> Action:
    """The same search without these filters of the query; without its operators, for its `words`."""
    dropped = {field for name in filters for field in _FIELDS_OF.get(name, (name,))}
    arguments = {name: value for name, value in same.items() if name not in dropped and value != ""}
    if "operators" in filters:
        arguments["query"] = words
    return _action(arguments, f"searches without {named_filters(filters)}")


def _other_wordings(query: str) -> Iterator[tuple[str, str]]:
    """A form of the query that indexes of English titles may know, and a broader one."""
    understood = understand(query)
    words = plain(understood.node).split()
    if not is_latin(query) and not has_letters_of(_NEVER_IN_LATIN, query):
        from anyascii import anyascii  # only imported where needed

        yield " ".join(anyascii(" ".join(words)).split()), "searches for the query in Latin letters"
    if len(words) > BROAD_WORDS:
        yield " ".join(most_telling(understood.telling, BROAD_WORDS)), "searches for fewer words, which is broader"


def repeat_arguments(request: SearchRequest) -> dict[str, object]:
    """The fields that repeat this search; a caller adds the cursor of a page."""
    given = request.model_dump(mode="json", exclude_defaults=True, exclude=CALL_FIELDS)
    return {"query": (request.wordings or ("",))[0], **given}


def _action(arguments: Mapping[str, object], why: str) -> Action:
    return {"tool": "literature_search", "arguments": dict(arguments), "why": why}
