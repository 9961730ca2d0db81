"""Fields of study: one list of names, with what Semantic Scholar, OpenAlex and arXiv call each of them.

The names are Semantic Scholar's (https://api.semanticscholar.org/api-docs/graph, `fieldsOfStudy`), in lower case with
hyphens. OpenAlex classifies works by fields and subfields of its topics (https://developers.openalex.org, "Topics");
arXiv by archives (https://arxiv.org/category_taxonomy).
"""

from __future__ import annotations

from dataclasses import dataclass

from shared.bibliography.words import words_of


@dataclass(frozen=True, slots=True)
class FieldOfStudy:
    """One field; `openalex` is a filter of /works, `arxiv` the archives, empty where arXiv has none for it."""

    semantic_scholar: str
    openalex: str
    arxiv: tuple[str, ...] = ()


def _fields(*numbers: int) -> str:
    return "primary_topic.field.id:" + "|".join(map(str, numbers))


def _subfields(*numbers: int) -> str:
    return "primary_topic.subfield.id:" + "|".join(map(str, numbers))


_PHYSICS = (
    "astro-ph", "cond-mat", "gr-qc", "hep-ex", "hep-lat", "hep-ph", "hep-th", "math-ph", "nlin", "nucl-ex", "nucl-th",
    "physics", "quant-ph",
)  # fmt: skip
FIELDS_OF_STUDY = {
    "agriculture": FieldOfStudy("Agricultural and Food Sciences", _fields(11)),
    "art": FieldOfStudy("Art", _subfields(1201, 1210, 1213)),
    "biology": FieldOfStudy("Biology", _fields(11, 13, 24, 28), ("q-bio",)),
    "business": FieldOfStudy("Business", _fields(14), ("q-fin",)),
    "chemistry": FieldOfStudy("Chemistry", _fields(15, 16)),
    "computer-science": FieldOfStudy("Computer Science", _fields(17), ("cs",)),
    "economics": FieldOfStudy("Economics", _fields(20), ("econ", "q-fin")),
    "education": FieldOfStudy("Education", _subfields(3304)),
    "engineering": FieldOfStudy("Engineering", _fields(15, 21, 22), ("eess",)),
    "environmental-science": FieldOfStudy("Environmental Science", _fields(23)),
    "geography": FieldOfStudy("Geography", _subfields(3305)),
    "geology": FieldOfStudy("Geology", _fields(19)),
    "history": FieldOfStudy("History", _subfields(1202)),
    "law": FieldOfStudy("Law", _subfields(3308)),
    "linguistics": FieldOfStudy("Linguistics", _subfields(1203, 3310)),
    "materials-science": FieldOfStudy("Materials Science", _fields(25)),
    "mathematics": FieldOfStudy("Mathematics", _fields(26), ("math",)),
    "medicine": FieldOfStudy("Medicine", _fields(24, 27, 28, 29, 30, 35, 36)),
    "philosophy": FieldOfStudy("Philosophy", _subfields(1211)),
    "physics": FieldOfStudy("Physics", _fields(31), _PHYSICS),
    "political-science": FieldOfStudy("Political Science", _subfields(3320)),
    "psychology": FieldOfStudy("Psychology", _fields(32)),
    "sociology": FieldOfStudy("Sociology", _subfields(3312)),
}
_OTHER_NAMES = {
    "agricultural sciences": "agriculture", "arts": "art", "biomedicine": "medicine", "computing": "computer-science",
    "cs": "computer-science", "earth science": "geology", "ecology": "environmental-science", "finance": "economics",
    "geosciences": "geology", "informatics": "computer-science", "life sciences": "biology", "math": "mathematics",
    "maths": "mathematics", "neuroscience": "biology", "politics": "political-science", "statistics": "mathematics",
}  # fmt: skip
_NAMES = (
    {" ".join(words_of(name)): name for name in FIELDS_OF_STUDY}
    | {" ".join(words_of(field.semantic_scholar)): name for name, field in FIELDS_OF_STUDY.items()}
    | _OTHER_NAMES
)


def read_field_of_study(text: str) -> str | None:
    """The name of FIELDS_OF_STUDY that a person means: `Computer Science`, `maths`; None if there is none."""
    return _NAMES.get(" ".join(words_of(text)))
