"""The size of an answer over MCP where the agent names none.

A search is compact, with the first words of the abstracts, and so are more papers by id than a few; a citation network
has its most important papers.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, cast

from shared.search.sizes.abstract_cuts import ABSTRACT_CHARS, chars_within, cut_at_word, equal_share
from shared.search.sizes.token_budget import BYTES_PER_TOKEN, tokens, truncated_by

if TYPE_CHECKING:
    from shared.answers.search import SearchAnswer
    from shared.client.json_types import ToolAnswer
    from shared.client.transport import Api
    from shared.json_types import JsonObject

_SEARCHES = ("/v1/literature-search", "/v1/pubmed-search")
# With `relation` there is no network; a file is whole.
_SIZES_OF_NETWORKS = {"relation", "format", "max_nodes", "detail", "max_tokens"}
_SIZES = ("detail", "fields", "abstract_chars", "max_tokens")
_SIZES_OF_PAPERS = {*_SIZES, "format", "passages"}
# A hundred words of English prose, with their blanks.
FIRST_WORDS_CHARS = 640
# What ten papers take with their envelope. Where all abstracts are long, each has some eighty words.
MOST_TOKENS, OF_PAPERS = 2_980, 10
# By id, whole: two take as much as ten compact ones.
WHOLE_PAPERS = 2
# The bytes of a longer report of what was cut.
REPORT_BYTES = 30


def in_agents_size(api: Api) -> Api:
    """The same Api, whose searches are of this size unless their body names one."""

    def send(method: str, path: str, body: JsonObject, headers: Mapping[str, str]) -> tuple[int, ToolAnswer]:
        if path not in _SEARCHES or body.keys() & _SIZES[:2]:
            return api(method, path, body, headers)
        status, answer = api(method, path, {"abstract_chars": FIRST_WORDS_CHARS, **body, "detail": "compact"}, headers)
        if status != 200 or "media_type" in answer or body.keys() & _SIZES:
            return status, answer
        return status, dict(_with_equal_abstracts(cast("SearchAnswer", answer)))

    return send


def _with_equal_abstracts(answer: SearchAnswer) -> SearchAnswer:
    """The answer with its longest abstracts cut to one length, so that it has at most MOST_TOKENS."""
    papers = answer["results"]
    over = tokens(answer) - MOST_TOKENS * max(1.0, len(papers) / OF_PAPERS)
    if over <= 0:
        return answer
    lengths = [len((paper["abstract"] or "").encode()) for paper in papers]
    most = equal_share([length for length in lengths if length], sum(lengths) - over * BYTES_PER_TOKEN - REPORT_BYTES)
    abstracts = [_cut(paper["abstract"], most) for paper in papers]
    shown = [{**paper, "abstract": abstract} for paper, abstract in zip(papers, abstracts, strict=True)]
    cut = sum((abstract or "").endswith("…") for abstract in abstracts)
    said = answer["truncated"]
    fields = {**(said["fields"] if said else {}), "abstract": cut}
    left_out = said["results"] if said else 0
    reason = truncated_by(left_out, fields)
    return cast("SearchAnswer", {**answer, "results": shown, "truncated": reason})


def _cut(abstract: str | None, most: int | None) -> str | None:
    return abstract if most is None or not abstract else cut_at_word(abstract, chars_within(abstract, most))


def with_sizes(tool: str, arguments: JsonObject) -> JsonObject:
    """The arguments of a tool, with the sizes that its function cannot set: it sees no default from what is given.

    Compact papers with abstracts, `include_abstract: true`, are asked for by how much of these is wanted. Where nothing
    says how large the answer is, a network has the budget of a search, and many papers by id are as a search has them.
    """
    ids = arguments.get("ids")
    named = {name for name, value in arguments.items() if value and (name, value) != ("format", "json")}
    if tool == "get_papers" and isinstance(ids, list) and len(ids) > WHOLE_PAPERS and not named & _SIZES_OF_PAPERS:
        return {**arguments, "detail": "compact", "abstract_chars": FIRST_WORDS_CHARS}
    if tool == "citation_network" and not named & _SIZES_OF_NETWORKS:
        return {**arguments, "max_tokens": MOST_TOKENS}
    with_abstracts = arguments.get("include_abstract") in (True, "true") and not arguments.get("abstract_chars")
    if with_abstracts and arguments.get("detail") == "compact":
        return {**arguments, "abstract_chars": ABSTRACT_CHARS}
    return arguments
