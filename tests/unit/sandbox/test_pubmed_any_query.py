"""Whatever callers type, PubMed's engine gets a request that it answers without an error."""

from __future__ import annotations

import string

from hypothesis import given, settings
from hypothesis import strategies as st

from functions.providers import pubmed as provider
from infra.local.sandbox.corpus import Corpus
from infra.local.sandbox.facts import Fact
from infra.local.sandbox.services import pubmed as sandbox
from shared.errors import Unprocessable
from shared.outcomes import Outcome
from shared.query.query import Query
from shared.query.understanding import understand
from tests.replay import ask
from tests.unit.sandbox.bridge import over

CORPUS = Corpus((
    Fact(title="Sleep and TREM2 in β-amyloid models", authors=(("Able", "Ann"),), year=2020, pmid="1", journal="Sleep"),
    Fact(title="A trial of sleep", year=2021, pmid="2", abstract="Pain was not measured."),
))  # fmt: skip
PIECES = st.sampled_from([
    "sleep", "TREM2", "β-amyloid", "AND", "OR", "NOT", "not", "(", ")", '"', "[ti]", "[dp]", "[xy]", "TI:",
    "AUTH:", "2020",
    "2019:2021[dp]", "*", "sle*", "#1", "~", "|", "&", "/", "\\", "{", "}", "^", "!", "?", "'", "\u0301",
    "睡眠", ":",
    "a",
])  # fmt: skip
TEXTS = st.one_of(
    st.lists(PIECES, max_size=8).map(" ".join),
    st.lists(PIECES, max_size=8).map("".join),
    st.text(alphabet=string.printable, max_size=40),
    st.text(max_size=20),
)


@given(TEXTS, st.just("") | TEXTS, st.just("") | TEXTS)
@settings(max_examples=1_000)
def test_any_text_is_answered(text: str, author: str, journal: str) -> None:
    try:
        understand(text)
    except Unprocessable:
        return  # the caller gets an error, and nothing is sent
    reply = ask(provider, over(sandbox, CORPUS), Query(text=text, author=author or None, journal=journal or None))
    assert reply.outcome in (Outcome.OK, Outcome.EMPTY, Outcome.SKIPPED_UNSUPPORTED_FILTER), reply.warnings
