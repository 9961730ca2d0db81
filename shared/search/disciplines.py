"""Selects the providers for a query, for `providers=auto`, by the discipline that its words belong to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from shared.bibliography.text import fold
from shared.query.understanding import understand, wanted_text

# Stems that only one discipline uses; a word that begins with one indicates that discipline.
STEMS = {
    "biomedical": (
        "alzheimer", "antibod", "biolog", "biomark", "cancer", "cardi", "cell", "clinic", "covid", "crispr", "diabet",
        "disease", "drug", "enzym", "epidemi", "gene", "genom", "hospital", "immun", "infect", "medic", "microb",
        "microgl", "mice", "mouse", "mutation", "neuro", "oncolog", "patholog", "patient", "pharmac", "protein",
        "receptor", "rna", "surg", "syndrom", "therap", "trem2", "tumo", "vaccin", "virus",
    ),
    "computing": (
        "algebra", "algorithm", "astro", "boson", "classifier", "comput", "cosmolog", "cryptograph", "dataset",
        "equation", "gpu", "graph", "hadron", "language model", "llm", "machine learning", "manifold", "neural network",
        "photon", "plasma physic", "quantum", "reinforcement", "relativ", "retrieval", "robot", "software", "theorem",
        "topolog", "transformer",
    ),
    "humanities": (
        "anthropolog", "archaeolog", "colonial", "cultur", "democra", "econom", "education", "election", "ethic",
        "gender", "histor", "inequalit", "labour", "law", "linguist", "literary", "migration", "music", "philosoph",
        "polic", "politic", "religio", "school", "sociolog", "teacher", "welfare",
    ),
}  # fmt: skip


def disciplines_of(wordings: Sequence[str]) -> set[str]:
    """The disciplines whose words occur in the wordings; empty if there are none."""
    text = " " + " ".join(fold(wanted_text(understand(wording))) for wording in wordings)
    return {name for name, stems in STEMS.items() if any(f" {stem}" in text for stem in stems)}


def default_providers(disciplines: Mapping[str, Sequence[str]]) -> set[str]:
    """The providers that a search queries if it names none: all but the optional ones, which have no discipline."""
    return {name for name, fields in disciplines.items() if fields}


def pick(wordings: Sequence[str], disciplines: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """The providers of any discipline, and those of the disciplines of these wordings."""
    wanted = {"any"} | disciplines_of(wordings)
    return tuple(sorted(name for name, fields in disciplines.items() if wanted & set(fields)))


def unrelated(wordings: Sequence[str], disciplines: Mapping[str, Sequence[str]]) -> frozenset[str]:
    """The providers of other disciplines than that of these wordings; none if their words indicate no discipline."""
    others = default_providers(disciplines) - set(pick(wordings, disciplines))
    return frozenset(others) if disciplines_of(wordings) else frozenset()
