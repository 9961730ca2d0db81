"""Names of people as `author`, in every form, with and without a topic: each source gets the form of its index."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tests.ways_of_asking.way import Way

KIND = "Authors"
_OTHER_PERSON = (r'(?i)AUTH:"(m|ja|j) ', r"(?i)au:(ja|m)\b", r"(?i)\b(m|j a) (colonna|doudna)\[au\]")


def _author(name: str, family: str, initials: str, why: str, query: str = "TREM2", **expected: Any) -> Way:
    """`family` and `initials` are patterns; an initial may be followed by the rest of the given name."""
    first = initials[:1]
    last = "|".join(word.rpartition("?")[2] for word in family.split() if not word[:1].islower())
    own: Mapping[str, Any] = {
        "pubmed": rf'(?i)["\s(]?{family} {first}\w*"?\[f?au\]|{family}, {first}\w*"?\[f?au\]',
        "europe_pmc": rf'(?i)AUTH:"{family} {first}',
        "arxiv": rf'(?i)au:"?{family.replace(" ", "[ _]").rpartition("_]")[2]}|au:"?{family.replace(" ", "[ _]")}',
        "openalex": rf"(?i)(raw_author_name\.search:.*{family.rpartition(' ')[2]}|authorships\.author\.id:|/authors)",
        "crossref": rf"(?i)query\.author=[^&]*({last})",
        "paperclip": rf"(?i)--author .*({last})",
    }
    if not query:  # Paperclip searches for words alone
        own = {name: pattern for name, pattern in own.items() if name != "paperclip"}
    return Way(typed=query, why=why, fields={"author": name}, never=_OTHER_PERSON, **{"exact": own, **expected})


_ORCID = "0000-0001-5222-4987"
_OF_COLONNA = ("10.1038/nrn.2016.7",)
WAYS = (
    _author("Colonna M", "Colonna", "M", "As PubMed prints names.", among=_OF_COLONNA),
    _author("colonna m", "Colonna", "M", "The same in small letters.", among=_OF_COLONNA),
    _author("COLONNA M", "Colonna", "M", "The same in capitals.", among=_OF_COLONNA),
    _author("Colonna, M.", "Colonna", "M", "Family name, comma, initial.", among=_OF_COLONNA),
    _author("Colonna, Marco", "Colonna", "M", "Family name, comma, given name.", among=_OF_COLONNA),
    _author("M. Colonna", "Colonna", "M", "Initial first.", among=_OF_COLONNA),
    _author("Marco Colonna", "Colonna", "M", "Given name first.", among=_OF_COLONNA),
    _author("Doudna JA", "Doudna", "JA", "Two initials: not a person named `Ja D`.", "CRISPR"),
    _author("J. A. Doudna", "Doudna", "JA", "Two initials first.", "CRISPR"),
    _author("J.A. Doudna", "Doudna", "JA", "The same without a blank.", "CRISPR"),
    _author("Doudna, Jennifer A.", "Doudna", "JA", "In full with a comma.", "CRISPR"),
    _author("Jennifer A. Doudna", "Doudna", "JA", "In full.", "CRISPR"),
    _author("Jennifer Doudna", "Doudna", "J", "Without the middle initial.", "CRISPR"),
    _author("Zhang F", "Zhang", "F", "A short family name.", "CRISPR"),
    _author(
        "van der Maaten L",
        "(van der )?Maaten",
        "L",
        "Particles before the family name.",
        "visualization",
        exact={
            "pubmed": r"(?i)van der maaten l\w*\"?\[f?au\]",
            "europe_pmc": r'(?i)AUTH:"van der maaten l',
            "arxiv": r'(?i)au:"?(van[ _]der[ _])?maaten',
        },
    ),
    _author(
        "Laurens van der Maaten",
        "(van der )?Maaten",
        "L",
        "Particles after the given name.",
        "visualization",
        exact={"pubmed": r"(?i)van der maaten l\w*\"?\[f?au\]", "europe_pmc": r'(?i)AUTH:"van der maaten l'},
    ),
    _author("Le Ber I", "Le Ber", "I", "A family name of two words.", among=("10.1016/j.neurobiolaging.2014.04.010",)),
    _author(
        "Sandro Da Mesquita",
        "Da Mesquita",
        "S",
        "A family name that begins with a particle.",
        "meningeal lymphatics",
        first="10.1038/s41586-018-0368-8",
    ),
    _author("de Granda Orive JI", "de Granda Orive", "JI", "Two family names, a particle and two initials.", "tabaco"),
    _author(
        "Sánchez-Rivera FJ",
        "S[áa]nchez-Rivera",
        "FJ",
        "A double name with an accent.",
        "base editing",
        first="10.1038/s41587-021-01172-3",
    ),
    _author(
        "Sanchez-Rivera",
        "S[áa]nchez-Rivera",
        "",
        "The same without accent and initials.",
        "base editing",
        first="10.1038/s41587-021-01172-3",
        exact={"pubmed": r'(?i)s[áa]nchez[- ]rivera"?\[f?au\]', "europe_pmc": r'(?i)AUTH:"?s[áa]nchez'},
    ),
    _author("Lesné S", "Lesn[ée]", "S", "An accent at the end.", "amyloid", among=("10.1038/nature04533",)),
    _author("O'Driscoll M", "O.?Driscoll", "M", "An apostrophe.", "dementia"),
    _author("Raphaël Millière", "Milli[èe]re", "R", "Two accents.", "language models", among=("2405.03207",)),
    _author(
        "Gligorijević V",
        "Gligorijevi[ćc]",
        "V",
        "A letter beyond Latin-1.",
        "protein function",
        among=("10.1101/223339",),
    ),
    _author("Wang Yipeng", "Wang", "Y", "Chinese order: the family name first.", "microglia"),
    _author("Yipeng Wang", "Wang", "Y", "The same in Western order.", "microglia"),
    _author(
        "Hinton GE", "Hinton", "GE", "A name that an index holds in full.", "distilling knowledge", first="1503.02531"
    ),
    _author(
        "Vaswani",
        "Vaswani",
        "",
        "A family name alone.",
        "attention",
        first="1706.03762",
        exact={"arxiv": r'(?i)au:"?vaswani', "pubmed": r'(?i)vaswani"?\[f?au\]', "europe_pmc": r'(?i)AUTH:"?vaswani'},
    ),
    _author("E W", "W", "E", "A family name of one letter is a name.", "memory", exact={}),
    _author(
        "Colonna",
        "Colonna",
        "",
        "An author alone, without a query, is a search.",
        "",
        exact={"pubmed": r'(?i)colonna"?\[f?au\]', "europe_pmc": r'(?i)AUTH:"?colonna', "arxiv": r'(?i)au:"?colonna'},
        among=_OF_COLONNA,
    ),
    _author("Hinton, Geoffrey", "Hinton", "G", "The same with a given name.", "", first="1503.02531"),
    _author(
        "Colonna M; Wang Y",
        "Colonna",
        "M",
        "Two people: papers by both.",
        exact={
            "pubmed": (r"Colonna M\[au\]", r"Wang Y\[au\]"),
            "europe_pmc": (r'AUTH:"Colonna M"', r'AUTH:"Wang Y"'),
            "arxiv": (r'au:"Colonna M', r'au:"Wang Y'),
            "crossref": r"query\.author=Colonna Wang",
            "openalex": r"raw_author_name\.search:.*,raw_author_name\.search:",
        },
        first="10.1172/jci77983",
        among=_OF_COLONNA,
    ),
    _author("Colonna M, Wang Y", "Colonna", "M", "The same as PubMed lists them.", first="10.1172/jci77983"),
    _author("Colonna M and Wang Y", "Colonna", "M", "The same with `and`.", first="10.1172/jci77983"),
    _author(
        "Marco Colonna, Yaming Wang",
        "Marco Colonna",
        "YW",
        "A comma that may stand within one name: one person, and a hint.",
        exact={},
        hint="author",
    ),
    _author(
        "World Health Organization",
        "World Health Organization",
        "",
        "A group.",
        "malaria",
        exact={"pubmed": r"(?i)world health organization\"?\[(corporate author|cn|au)\]"},
    ),
    *(
        Way(
            typed=typed,
            why=why,
            hint="author",
            exact={
                "pubmed": r"^(?s:.*)\(trem2\) AND \(?Colonna( M)?\[au\]",
                "europe_pmc": r'TITLE_ABS:trem2 AND \(?AUTH:"Colonna( M)?"',
                "arxiv": r'\(ti:trem2 OR abs:trem2\) AND \(?au:"Colonna',
                "crossref": r"query\.bibliographic=trem2 & query\.author=Colonna",
                "paperclip": r"papers trem2 .*--author Colonna",
            },
            among=_OF_COLONNA,
        )
        for typed, why in (
            ("papers by Marco Colonna about TREM2", "A request names the author, and its subject."),
            ("TREM2 papers by Marco Colonna", "The subject first."),
            ("TREM2 by Marco Colonna", "Both names behind `by`."),
            ("Marco Colonna's papers on TREM2", "The same as a possessive."),
            ("what has Marco Colonna published on TREM2?", "As a question."),
            ("Colonna et al TREM2", "`et al` behind a name."),
        )
    ),
    Way(
        typed="microglia (Colonna & Wang, 2016)",
        why="A citation without a cue stays words, with a hint.",
        telling="microglia",
    ),
    Way(
        typed="microglia activation by Toll Receptors",
        why="Nobody's name: what was found by nobody is searched for as words.",
        hint="author",
        exact={"crossref": r"query\.bibliographic=microglia activation by toll receptors"},
    ),
    *(
        Way(
            typed=typed,
            fields=fields,
            why=why,
            exact={
                "pubmed": rf"{_ORCID}\[auid\]",
                "openalex": rf"authorships\.author\.orcid:{_ORCID}",
                "crossref": rf"orcid:{_ORCID}",
                "europe_pmc": rf'AUTHORID:"{_ORCID}"',
            },
            silent=("arxiv", "semantic_scholar", "paperclip"),
            among=_OF_COLONNA,
        )
        for typed, fields, why in (
            ("TREM2", {"author": _ORCID}, "An ORCID iD: the sources that know it get it in their form."),
            ("TREM2", {"author": f"https://orcid.org/{_ORCID}"}, "Its address."),
            (f"https://orcid.org/{_ORCID} TREM2", {}, "Its address among words."),
            (_ORCID, {}, "Alone."),
        )
    ),
    Way(
        typed="TREM2 0000-0001-5222-4988",
        why="By its last digit no ORCID iD: words.",
        telling="TREM2",
    ),
    Way(
        typed="Vaswani attention", why="A name among the words: a keyword like the others.", telling="Vaswani attention"
    ),
)
