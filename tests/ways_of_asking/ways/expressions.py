"""Operators in capitals, phrases, groups and wildcards; every source with operators gets the same meaning."""

from __future__ import annotations

from tests.ways_of_asking.way import Way

KIND = "Expressions"
_EXCLUDED = "What is excluded is excluded by every request that leaves, the wider ones included."

WAYS = (
    Way(typed="TREM2 AND microglia", why="Two words and an operator.", means="TREM2 & microglia"),
    Way(typed="TREM2 OR CD33", why="Either.", means="TREM2 | CD33"),
    Way(typed="TREM2 NOT mouse", why=_EXCLUDED, means="TREM2 & ~mouse"),
    Way(
        typed="transformer NOT vision NOT speech",
        why="arXiv reads `a ANDNOT b ANDNOT c` as a without (b without c).",
        means="transformer & ~vision & ~speech",
        exact={"arxiv": r"ANDNOT \(.* OR .*\)"},
    ),
    Way(typed="a1 NOT b2 NOT c3 NOT d4", why="Three exclusions.", means="a1 & ~b2 & ~c3 & ~d4"),
    Way(
        typed="transformer NOT (vision OR speech)",
        why="A group that is excluded.",
        means="transformer & ~(vision | speech)",
    ),
    Way(
        typed="transformer NOT (vision AND speech)",
        why="Only both together are excluded.",
        means="transformer & ~(vision & speech)",
    ),
    Way(typed="TREM2 AND NOT mouse", why="`AND NOT` is NOT.", means="TREM2 & ~mouse"),
    Way(typed="TREM2 ANDNOT mouse", why="arXiv's own operator.", means="TREM2 & ~mouse"),
    Way(typed="(TREM2 OR CD33) AND microglia", why="A group.", means="(TREM2 | CD33) & microglia"),
    Way(
        typed="microglia AND (TREM2 OR CD33) NOT mouse",
        why="Group and exclusion.",
        means="microglia & (TREM2 | CD33) & ~mouse",
    ),
    Way(typed="microglia (TREM2 OR CD33)", why="A blank is AND.", means="microglia & (TREM2 | CD33)"),
    Way(
        typed="TREM2 AND microglia OR astrocytes",
        why="AND binds more tightly; PubMed alone would read left to right.",
        means="(TREM2 & microglia) | astrocytes",
    ),
    Way(
        typed="astrocytes OR TREM2 AND microglia",
        why="The same the other way round: PubMed needs parentheses.",
        means="astrocytes | (TREM2 & microglia)",
    ),
    Way(
        typed="(tau OR amyloid) AND (microglia OR astrocytes) AND (mouse OR human)",
        why="Three groups.",
        means="(tau | amyloid) & (microglia | astrocytes) & (mouse | human)",
    ),
    Way(
        typed="((tau AND spread) OR (amyloid AND plaques)) NOT rat",
        why="Groups in a group.",
        means="((tau & spread) | (amyloid & plaques)) & ~rat",
    ),
    Way(typed='"prime editing"', why="A phrase alone.", means='"prime editing"', exact={"pubmed": '"prime editing"'}),
    Way(typed='"prime editing" efficiency', why="A phrase and a word.", means='"prime editing" & efficiency'),
    Way(typed='"prime editing" OR "base editing"', why="Two phrases.", means='"prime editing" | "base editing"'),
    Way(
        typed='"prime editing" NOT "base editing"', why="A phrase excluded.", means='"prime editing" & ~"base editing"'
    ),
    Way(
        typed='crispr AND ("base editing" OR "prime editing") NOT plant',
        why="All of it.",
        means='crispr & ("base editing" | "prime editing") & ~plant',
    ),
    Way(
        typed='"receptor" AND ligand',
        why='OpenAlex cuts the final "and" of `ligand`: the expression is bracketed.',
        means="receptor & ligand",
    ),
    Way(typed="flood AND Thailand", why="The same with a country.", means="flood & Thailand"),
    Way(typed='"graph theory" AND knot', why='The same with "not".', means='"graph theory" & knot'),
    Way(typed='"tau" AND NOT "amyloid"', why="Words in quotation marks.", means="tau & ~amyloid"),
    Way(typed='"IL-6" AND "COVID-19"', why="Compound words as phrases.", means='"IL-6" & "COVID-19"'),
    Way(
        typed="machin* AND learning",
        why="A wildcard at a word's end, where the source has wildcards.",
        exact={
            "pubmed": r"machin\*",
            "europe_pmc": r"machin\*",
            "arxiv": r"machin\*",
            "openalex": r"search\.[a-z_.]*exact=.*machin\*",
        },
    ),
    Way(
        typed='"amyloid plaq*" AND tau',
        why="A wildcard within a phrase: where engines lack it, its words are required, and checked afterwards.",
        exact={
            "pubmed": r'"amyloid plaq\*"\[tiab\]',
            "europe_pmc": r'"amyloid plaq\*"',
            "arxiv": r"all:plaq\*",
            "openalex": r"amyloid AND plaq\*",
            "semantic_scholar": r"\(amyloid \+ plaq\*\)",
        },
    ),
    Way(
        typed="10.1038/nrn.2016.7 AND microglia",
        why="An identifier among other terms goes to the field for it, or is checked afterwards.",
        means="microglia",
        unsearched="nrn",
        exact={
            "pubmed": r'"10\.1038/nrn\.2016\.7"\[aid\]',
            "europe_pmc": r'DOI:"10\.1038/nrn\.2016\.7"',
            "openalex": r"doi:10\.1038/nrn\.2016\.7",
            "crossref": r"doi:10\.1038/nrn\.2016\.7",
        },
        first="10.1038/nrn.2016.7",
    ),
    Way(
        typed="microgli* TREM2",
        why="A wildcard makes no expression, but it is kept.",
        exact={"pubmed": r"microgli\*", "europe_pmc": r"microgli\*", "arxiv": r"microgli\*"},
    ),
    Way(
        typed="tau and amyloid",
        why="Small letters are words: `and` is not required.",
        telling="tau amyloid",
        dropped="and",
    ),
    Way(typed="tau or amyloid", why="The same with `or`.", telling="tau amyloid", dropped="or"),
    Way(typed="tau not amyloid", why="Nothing is excluded by a small `not`.", telling="tau amyloid", dropped="not"),
    Way(
        typed="retrieval-augmented generation (RAG)",
        why="An abbreviation in parentheses makes no expression.",
        telling="retrieval-augmented generation",
        among=("10.48550/arxiv.2301.12652",),
    ),
    Way(
        typed="large language models (LLMs) for chemistry",
        why="The same in a sentence.",
        telling="language models chemistry",
        dropped="for",
        among=("10.1038/s42256-024-00832-8",),
    ),
    Way(
        typed="amyloid beta (Aβ) clearance by microglia",
        why="A Greek letter in parentheses.",
        telling="amyloid clearance microglia",
        dropped="by",
    ),
    Way(
        typed="role of triggering receptor expressed on myeloid cells 2 (TREM2) in Alzheimer's disease",
        why="How assistants write.",
        telling="triggering receptor myeloid TREM2 Alzheimer's",
        dropped="of on in",
        among=("10.1074/jbc.m115.679043",),
    ),
    Way(typed="TREM2 AND", why="An operator without a term is refused with its place.", refused=True),
    Way(typed="OR TREM2", why="The same at the beginning.", refused=True),
    Way(
        typed="(TREM2 AND microglia",
        why="A parenthesis that is not closed is closed at the end, with a hint.",
        means="TREM2 & microglia",
        hint="syntax",
    ),
    Way(typed="(TREM2 OR CD33 AND microglia", why="It could be closed in two places.", refused=True),
    Way(typed="NOT mouse", why="Nothing is searched for.", refused=True),
    Way(
        typed="HEALTH AND SAFETY IN THE WORKPLACE",
        why="A title in capitals is not an expression.",
        telling="health safety workplace",
        dropped="in the",
    ),
)
