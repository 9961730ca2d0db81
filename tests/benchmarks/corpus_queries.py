"""Queries for known papers and for topics of the sandbox's corpus, as people would type them.

They are made with a fixed seed and with lists of words of their own, not with those of the service.
"""

from __future__ import annotations

import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from infra.local.sandbox.corpus import default_corpus
from infra.local.sandbox.facts import Fact
from tests.benchmarks.known_items import make_a_typo
from tests.ways_of_asking.expression import tokens
from tests.ways_of_asking.readers.pubmed import STOP_WORDS

SUBTITLE = re.compile(r"[:?] | [–-] ")
FEWEST_TITLE_WORDS = 3
# topic of the corpus: (keywords, the subject of a question, alternatives, a name with its abbreviation)
TOPICS = {
    "trem2-microglia-alzheimer": (
        "TREM2 microglia",
        "TREM2 in Alzheimer's disease",
        ("TREM2", "microglia", "Alzheimer"),
        "triggering receptor expressed on myeloid cells 2 (TREM2)",
    ),
    "crispr-gene-editing": (
        "prime editing",
        "CRISPR screens in human cells",
        ("CRISPR", '"prime editing"', '"base editing"'),
        "genome editing by clustered repeats (CRISPR)",
    ),
    "covid-19": (
        "SARS-CoV-2 infection",
        "antibodies against SARS-CoV-2",
        ("COVID-19", "SARS-CoV-2", "coronavirus"),
        "coronavirus disease 2019 (COVID-19)",
    ),
    "transformers-llm": (
        "transformer attention",
        "attention in language models",
        ("transformer", "BERT", "attention"),
        "large language models (LLMs)",
    ),
    "retrieval-rag-ir": (
        "passage retrieval",
        "retrieval for question answering",
        ("retrieval", '"question answering"'),
        "retrieval-augmented generation (RAG)",
    ),
    "protein-structure-prediction": (
        "protein contact prediction",
        "the prediction of protein structure",
        ('"secondary structure"', '"contact prediction"', "AlphaFold"),
        "protein structure prediction (PSP)",
    ),
    "systematic-reviews-meta-analysis": (
        "systematic review tools",
        "the risk of bias in trials",
        ('"systematic review"', '"risk of bias"', "meta-analysis"),
        "risk of bias (RoB) in systematic reviews",
    ),
    "climate-glacier": (
        "Greenland ice sheet",
        "the melting of the Greenland ice sheet",
        ("glacier", "ice", "Greenland"),
        "community ice sheet model (CISM)",
    ),
}


@dataclass(frozen=True, slots=True)
class Item:
    """One paper, or one with its versions of the same title."""

    title: str
    ids: frozenset[str]
    facts: tuple[Fact, ...]


def items() -> list[Item]:
    """The papers whose title no other work has, and which some searched source holds."""
    by_title: defaultdict[tuple[str, ...], list[Fact]] = defaultdict(list)
    for fact in default_corpus().facts:
        by_title[tokens(fact.title)].append(fact)
    return [
        Item(facts[0].title, frozenset().union(*map(ids_of, facts)), tuple(facts))
        for words, facts in by_title.items()
        if len(words) >= FEWEST_TITLE_WORDS and (len(facts) == 1 or _are_versions(facts)) and any(map(_is_held, facts))
    ]


def ids_of(fact: Fact) -> frozenset[str]:
    return frozenset(str(it).lower() for it in (fact.doi, fact.pmid, fact.arxiv_id, fact.pmcid, fact.openalex_id) if it)


def _are_versions(facts: Sequence[Fact]) -> bool:
    return all(fact.versions for fact in facts)


def _is_held(fact: Fact) -> bool:
    own = {"doi": fact.doi, "pmid": fact.pmid, "arxiv_id": fact.arxiv_id, "openalex_id": fact.openalex_id}
    searched = ("pubmed", "europe_pmc", "crossref", "openalex", "semantic_scholar", "arxiv", "paperclip")
    return any(default_corpus().find(source, **own) for source in searched)


def queries(item: Item, chance: random.Random) -> Iterator[tuple[str, str]]:
    """Each kind of query for a paper that it can be made for."""
    title = item.title
    yield "exact title", title
    fact = item.facts[0]
    own = {"DOI": ("", fact.doi), "PMID": ("PMID:", fact.pmid), "arXiv id": ("arXiv:", fact.arxiv_id)}
    yield from ((kind, f"{scheme}{value}") for kind, (scheme, value) in own.items() if value)
    head = SUBTITLE.split(title)[0]
    if head != title and len(tokens(head)) >= FEWEST_TITLE_WORDS and _heads()[tokens(head)] == 1:
        yield "title without subtitle", head
    yield "title with a typo", make_a_typo(title.split(), chance)
    yield "title in brackets", f"[{title}]" if len(title) % 2 else f"({title})"
    yield "title in quotation marks", '"' + title.replace('"', "") + '"'
    telling = [word for word in title.split() if not STOP_WORDS.issuperset(tokens(word))]
    yield "question", f"What is known about {' '.join(telling[:8]).rstrip('.?!:,')}?"
    yield "three rarest words", " ".join(_rarest(item))


def _rarest(item: Item) -> list[str]:
    words = sorted({word for word in tokens(item.title) if len(word) > 1}, key=lambda it: (_occurrences()[it], it))
    return words[:3]


@cache
def _heads() -> Counter[tuple[str, ...]]:
    """How many works have a title that begins so, before its subtitle."""
    return Counter(tokens(SUBTITLE.split(item.title)[0]) for item in items())


@cache
def _occurrences() -> Counter[str]:
    return Counter(
        word for fact in default_corpus().facts for word in set(tokens(f"{fact.title} {fact.abstract or ''}"))
    )


def topic_queries() -> Iterator[tuple[str, str, str]]:
    """(kind, topic, query)."""
    for topic, (keywords, subject, alternatives, abbreviated) in TOPICS.items():
        yield "keywords", topic, keywords
        yield "question", topic, f"What do we know about {subject}?"
        yield "expression", topic, " OR ".join(alternatives)
        yield "expression with NOT", topic, f"({' OR '.join(alternatives)}) NOT retracted NOT erratum"
        yield "abbreviation in brackets", topic, abbreviated
        yield "PubMed's tags", topic, " OR ".join(f"{it}[tiab]" for it in alternatives)
