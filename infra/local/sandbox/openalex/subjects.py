"""The subjects of OpenAlex's works: topics with subfield, field and domain, keywords, concepts and MeSH headings.

The numbers of fields and domains are OpenAlex's (api.openalex.org/fields): 17 is computer science, 27 medicine.
"""

from __future__ import annotations

import zlib
from typing import Any

from infra.local.sandbox.facts import Fact

_DOMAINS = {1: "Life Sciences", 2: "Social Sciences", 3: "Physical Sciences", 4: "Health Sciences"}
_FIELDS = {
    13: ("Biochemistry, Genetics and Molecular Biology", 1), 17: ("Computer Science", 3), 27: ("Medicine", 4),
    28: ("Neuroscience", 1), 19: ("Earth and Planetary Sciences", 3),
}  # fmt: skip
# By the corpus's topic: the subfield, which begins with its field's number.
_SUBFIELDS = {
    "trem2-microglia-alzheimer": (2808, "Neurology"),
    "crispr-gene-editing": (1312, "Molecular Biology"),
    "protein-structure-prediction": (1312, "Molecular Biology"),
    "transformers-llm": (1702, "Artificial Intelligence"),
    "retrieval-rag-ir": (1710, "Information Systems"),
    "climate-glacier": (1902, "Atmospheric Science"),
    "covid-19": (2725, "Infectious Diseases"),
    "systematic-reviews-meta-analysis": (2739, "Public Health, Environmental and Occupational Health"),
}


def _url(kind: str, number: int | str) -> str:
    return f"https://openalex.org/{kind}/{number}"


def topics_of(fact: Fact) -> list[dict[str, Any]]:
    """Return the work's topics, the main one first."""
    return [_topic(name, *_SUBFIELDS[name]) for name in fact.topics if name in _SUBFIELDS]


def _topic(name: str, number: int, subfield: str) -> dict[str, Any]:
    field, domain = _FIELDS[number // 100]
    return {
        "id": f"https://openalex.org/T99{zlib.crc32(name.encode()) % 1000:03d}",
        "display_name": name.replace("-", " ").title(),
        "score": 0.99,
        "subfield": {"id": _url("subfields", number), "display_name": subfield},
        "field": {"id": _url("fields", number // 100), "display_name": field},
        "domain": {"id": _url("domains", domain), "display_name": _DOMAINS[domain]},
    }


def keywords_of(fact: Fact) -> list[dict[str, Any]]:
    """Return the work's keywords."""
    return [{"id": _url("keywords", word.lower().replace(" ", "-")), "display_name": word, "score": 0.6}
            for word in fact.keywords]  # fmt: skip


def concepts_of(fact: Fact) -> list[dict[str, Any]]:
    """Return the work's concepts, which OpenAlex no longer maintains."""
    return [
        {"id": f"https://openalex.org/C99{zlib.crc32(word.encode()):010d}", "wikidata": None,
         "display_name": word.capitalize(), "level": 2, "score": 0.5}
        for word in fact.keywords
    ]  # fmt: skip


def mesh_of(fact: Fact) -> list[dict[str, Any]]:
    """Return the work's MeSH headings; it has them if PubMed has the work."""
    return [
        {"descriptor_ui": f"D99{zlib.crc32(name.encode()) % 10**4:04d}", "descriptor_name": name, "qualifier_ui": "",
         "qualifier_name": None, "is_major_topic": place == 0}
        for place, name in enumerate(fact.mesh)
    ]  # fmt: skip
