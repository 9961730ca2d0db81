"""What is wrong with the requests that left for one source, in words: empty when all is as expected."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from tests.ways_of_asking.capture import Asked
from tests.ways_of_asking.expression import Node, Not, Reading, Term, compounds, conjunction, terms, tokens
from tests.ways_of_asking.readers.pubmed import STOP_WORDS
from tests.ways_of_asking.readers.sent import Sent, listed
from tests.ways_of_asking.way import REQUIRE_ALL, Way, words_of

# Where a source documents a search of titles and abstracts, words are looked for there first: full texts, comments and
# names of persons match anything.
TITLES_AND_ABSTRACTS: Mapping[str, frozenset[str]] = {
    "openalex": listed(
        "search.title_and_abstract search.title title_and_abstract.search title.search display_name.search "
        "search.title_and_abstract.exact"
    ),
    "arxiv": frozenset(("ti", "abs")),
    "europe_pmc": frozenset(("TITLE_ABS", "TITLE", "ABSTRACT", "MESH", "KW")),
}
TITLE_FIELDS: Mapping[str, frozenset[str]] = {
    "pubmed": frozenset(("ti", "title")),
    "openalex": frozenset(("search.title", "title.search", "display_name.search")),
    "arxiv": frozenset(("ti",)),
    "europe_pmc": frozenset(("TITLE",)),
    "semantic_scholar": frozenset(),  # it has a route for titles
}
MOST_WORDS = {"semantic_scholar": 8, "arxiv": 8}  # of a search; more are slow there, or empty it
MOST_OF_A_TITLE = 0.6  # a request for a title has this share of its words at least


def wrong(asked: Asked, source: str) -> list[str]:
    """What is wrong with the requests to one source."""
    return list(_all_that_is_wrong(asked, source))


def _all_that_is_wrong(asked: Asked, source: str) -> Iterator[str]:
    way, sent = asked.way, asked.sent.get(source, ())
    if way.refused:
        yield from (f"a refused query was sent: {it.text}" for it in sent)
        return
    yield from _outcome(asked, source)
    yield from (f"malformed: {it.text}: {it.wrong}" for it in sent if it.wrong)
    for pattern in way.never:
        yield from (f"matches {pattern!r}: {it.whole}" for it in sent if re.search(pattern, it.whole))
    for pattern in _patterns(way, source):
        if not any(re.search(pattern, f"{it.whole}\n{it.text}") for it in sent):
            yield f"nothing matches {pattern!r}: {_shown(sent)}"
    searches = asked.searches(source)
    if way.lookup or source in way.silent:
        yield from (f"a search: {it.text}" for it in searches)
        return
    if not searches and _is_expected(asked, source):
        yield "no search was sent"
        return
    unsearched = set(tokens(way.unsearched))
    yield from (
        f"searches for {sorted(unsearched & _sent(it))}: {it.text}" for it in searches if unsearched & _sent(it)
    )
    yield from _words(way, source, [it for it in searches if it.tree])
    if text := way.warned.get(source):
        yield from _warning(asked, source, text)


def not_understood(asked: Asked) -> list[str]:
    """The legs that failed, and the requests that are not expressions by the grammars of their sources."""
    failed = [reason for source in asked.answer.get("providers", {}) for reason in _outcome(asked, source)]
    return failed + [f"{it.source}: {it.text}: {it.wrong}" for sent in asked.sent.values() for it in sent if it.wrong]


def wrong_answer(asked: Asked) -> list[str]:
    """What is wrong with the answer as a whole: its status, its hints, and which papers come."""
    return list(_all_that_is_wrong_with_the_answer(asked))


def _all_that_is_wrong_with_the_answer(asked: Asked) -> Iterator[str]:
    way = asked.way
    if asked.status != (422 if way.refused else 200):
        yield f"status {asked.status}: {asked.answer}"
        return
    everything = " ".join(it.whole for requests in asked.sent.values() for it in requests).casefold()
    yield from (f"{name} is looked up nowhere" for name in way.lookup if name.casefold() not in everything)
    if way.hint and way.hint not in [hint["reason"] for hint in asked.answer.get("hints", ())]:
        yield f"no hint says {way.hint!r}: {asked.answer.get('hints')}"
    found = asked.found()
    ranks = {name: rank for rank, names in reversed(list(enumerate(found, 1))) for name in names}
    if way.first and ranks.get(way.first) != 1:
        titles = [result["title"] for result in asked.answer["results"][:1]]
        yield f"{way.first} has the rank {ranks.get(way.first)}; first is {titles}"
    yield from (f"{name} is not among the first ten" for name in way.among if ranks.get(name, 11) > 10)
    yield from (f"{name} has the rank {ranks[name]}" for name in way.absent if name in ranks)


def _is_expected(asked: Asked, source: str) -> bool:
    """Whether the source should have got a search: it has something to look for, and can apply the filters."""
    way, report = asked.way, asked.answer.get("providers", {}).get(source, {})
    names = any(it.use == "names" for it in asked.sent.get(source, ()))  # a journal or person that it does not know
    skipped = report.get("outcome") == "skipped_unsupported_filter"
    return bool(way.telling or way.means or way.title or way.fields) and not names and not skipped


def _outcome(asked: Asked, source: str) -> Iterator[str]:
    outcome = asked.answer.get("providers", {}).get(source, {}).get("outcome", "ok")
    if outcome not in ("ok", "empty", "skipped_unsupported_filter"):
        yield f"the leg ended as {outcome}: {asked.answer['providers'][source].get('error')}"


def _patterns(way: Way, source: str) -> tuple[str, ...]:
    found = way.exact.get(source, ())
    return (found,) if isinstance(found, str) else found


def _warning(asked: Asked, source: str, text: str) -> Iterator[str]:
    report = asked.answer.get("providers", {}).get(source, {})
    if not any(text.casefold() in warning.casefold() for warning in report.get("warnings", ())):
        yield f"no warning says {text!r}: {report.get('warnings')}"


def _words(way: Way, source: str, searches: Sequence[Sent]) -> Iterator[str]:
    if way.means:
        yield from _meaning(way, source, searches)
    if way.title and source in REQUIRE_ALL and not any(_finds_title(way.typed, source, it) for it in searches):
        yield f"no request looks for the title: {_shown(searches)}"
    if way.title and source not in REQUIRE_ALL:
        content = [word for word in way.typed.split() if not STOP_WORDS.issuperset(tokens(word))]
        yield from _present(words_of(" ".join(content)), searches, MOST_OF_A_TITLE)
    if way.telling and source in REQUIRE_ALL:
        yield from _required(way, source, searches)
    elif way.telling:
        yield from _present(words_of(way.telling), searches, 1)
    if way.dropped and source in REQUIRE_ALL:
        yield from _dropped(way, source, searches)


def _meaning(way: Way, source: str, searches: Sequence[Sent]) -> Iterator[str]:
    """Where the source has operators, some request means the expression, and all others exclude what it excludes."""
    expected = way.expression
    assert expected
    reading = Reading(compounds(way.typed))
    unwanted = conjunction(list(terms(expected, excluded=True)) or [Not(expected)])
    if source not in REQUIRE_ALL:
        wanted = conjunction(list(terms(expected, excluded=False)))
        yield from _present(wanted, searches, 1)
        names = set(reading.all_variables(unwanted)) - set(reading.all_variables(wanted))
        sent = {name for it in searches if it.tree for name in reading.all_variables(it.tree)}
        yield from (f"searches for {name!r}, which is excluded" for name in sorted(names & sent))
        return
    differences = [(it, reading.difference(_tree(it), expected)) for it in searches]
    if all(difference is not None for _, difference in differences):
        for it, difference in differences[:1]:
            holds = "matches" if reading.holds(_tree(it), difference or frozenset()) else "does not match"
            yield f"means something else: {it.text}: {holds} a paper with exactly {sorted(difference or ())}"


def _required(way: Way, source: str, searches: Sequence[Sent]) -> Iterator[str]:
    """The first search requires the telling words, as many as the source takes, in titles and abstracts."""
    plain = [it for it in searches if it.use == "search" and not _is_for_title(way.typed, source, it)]
    plain = plain or [it for it in searches if it.use == "search"]
    if not plain:
        yield f"no search for the words: {_shown(searches)}"
        return
    reading = Reading(compounds(way.typed), loose=True)
    first = plain[0]
    required = reading.required(_tree(first))
    telling = set(tokens(way.telling))
    if source == "arxiv":  # it holds texts in Latin letters only, so that other words can but empty the search
        telling = {word for word in telling if word.isascii()} or telling
    if source in MOST_WORDS and _count(way, first) > MOST_WORDS[source]:
        yield f"more than {MOST_WORDS[source]} words: {first.text}"
    missing = telling - required
    if len(missing) > max(0, len(telling) - MOST_WORDS.get(source, len(telling))):
        yield f"does not require {sorted(missing)}: {first.text}"
    fields = TITLES_AND_ABSTRACTS.get(source)
    plain_terms = (term for term in terms(_tree(first), excluded=False) if term.text.isascii() and "*" not in term.text)
    if fields and (other := {term.field for term in plain_terms} - fields):
        yield f"searches {sorted(other)} instead of titles and abstracts: {first.text}"


def _dropped(way: Way, source: str, searches: Sequence[Sent]) -> Iterator[str]:
    reading = Reading(compounds(way.typed), loose=True)
    for it in searches:
        if it.use == "search" and not _is_for_title(way.typed, source, it):
            required = reading.required(_tree(it)) & set(tokens(way.dropped))
            if required:
                yield f"requires {sorted(required)}: {it.text}"


def _is_for_title(typed: str, source: str, it: Sent) -> bool:
    """Whether a request looks for a title alone: every term is in the title's field, and they are most of its words."""
    found = list(terms(_tree(it), excluded=False))
    titled = [term for term in found if term.field in TITLE_FIELDS.get(source, ())]
    return it.use == "title" or (len(titled) == len(found) and _covers(typed, titled))


def _finds_title(typed: str, source: str, it: Sent) -> bool:
    """Whether a paper of this title matches for its title: one part of the request has most of its words, in its field.

    Titles and abstracts together will do for OpenAlex, which finds the phrase in either, and for all words alone.
    """
    if it.use == "title":
        return True
    found = list(terms(_tree(it), excluded=False))
    if source == "semantic_scholar" and "?" in typed and _covers(typed, found):
        return True  # it may be a question, for which the route for titles is none
    fields = TITLE_FIELDS.get(source, frozenset())
    phrases = [term for term in found if term.phrase and (term.field in fields or source == "openalex")]
    words = [term for term in found if term.field in fields]
    own = len(set(tokens(typed)) - STOP_WORDS)
    return (
        any(_covers(typed, [phrase]) for phrase in phrases)
        or _covers(typed, words)
        or len(Reading(loose=True).required(_tree(it)) & set(tokens(typed))) >= own
    )


def _covers(typed: str, found: Sequence[Term]) -> bool:
    own = set(tokens(typed)) - STOP_WORDS
    return len({word for term in found for word in tokens(term.text)} & own) >= MOST_OF_A_TITLE * len(own)


def _present(expected: Node, searches: Sequence[Sent], share: float) -> Iterator[str]:
    """For engines that match any word: the words are all sent."""
    reading = Reading(loose=True)
    wanted = {name.rstrip("*") for name in reading.all_variables(expected)}
    sent = {name.rstrip("*") for it in searches if it.tree for name in reading.all_variables(it.tree)}
    if len(wanted & sent) < share * len(wanted):
        yield f"does not send {sorted(wanted - sent)}: {_shown(searches)}"


def _sent(it: Sent) -> set[str]:
    """The words that a search is for."""
    return set(Reading(loose=True).all_variables(it.tree) if it.tree else tokens(it.text))


def _count(way: Way, it: Sent) -> int:
    """How many words a search has, beside the whole title; a compound word is one."""
    found = [term for term in terms(_tree(it)) if not (term.phrase and _covers(way.typed, [term]))]
    parts = sum(len(words) - 1 for word in way.typed.split() if len(words := tokens(word)) > 1)
    return len({word for term in found for word in tokens(term.text)}) - parts


def _tree(it: Sent) -> Node:
    assert it.tree
    return it.tree


def _shown(sent: Sequence[Sent]) -> str:
    return " ; ".join(it.text for it in sent) or "nothing was sent"
