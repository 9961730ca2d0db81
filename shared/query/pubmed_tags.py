"""What a term with one of PubMed's tags is for other sources: its own text stays as it was written.

"Diabetes Mellitus, Type 2/therapy"[Mesh]   the heading; other indexes have no subheadings, nor inverted names
"sepsis mortality"[tiab:~3]                 both words: a distance is PubMed's own
humans[Filter], english[Filter]             a heading, a language (https://pubmed.ncbi.nlm.nih.gov/help/#filters)
clinicaltrial[Filter], systematic[sb]       the type of publication
free full text[sb], ffrft[Filter]           Europe PMC's OPEN_ACCESS:Y
stroke review[pt], stroke 2015:2020[dp]     the tag is that of the type and the years alone; so is that of humans[mh]
"""

from __future__ import annotations

import re
from collections.abc import Callable

from shared.bibliography.dates import MONTHS
from shared.bibliography.languages import read_language
from shared.query.field_tags import Field, pubmed_field
from shared.query.syntax import Phrase, Tagged, Words

# The names of the website's filters, without blanks and hyphens, and of PubMed's subsets.
_TYPES = {
    "review": "review", "clinicaltrial": "clinical trial", "metaanalysis": "meta-analysis",
    "randomizedcontrolledtrial": "randomized controlled trial", "systematicreview": "systematic review",
    "systematic": "systematic review", "preprint": "preprint", "letter": "letter", "editorial": "editorial",
}  # fmt: skip
# Headings that nearly every paper on them has, and that few texts say: no words for a source without headings.
CHECK_TAGS = frozenset(
    ("humans", "animals", "male", "female", "adult", "young adult", "middle aged", "aged", "child", "infant",
     "adolescent")
)  # fmt: skip
_OPEN = frozenset(("freefulltext", "ffrft", "freefull", "loattrfreefulltext"))
# Those that end no other heading, as `child` ends `only child`.
_WHOLE_HEADINGS = frozenset(("humans", "adult", "young adult", "middle aged"))
# As _TYPES, without a filter of their own.
_OTHER_TYPES = frozenset(
    ("journalarticle", "casereports", "guideline", "practiceguideline", "comparativestudy", "multicenterstudy",
     "observationalstudy", "evaluationstudy", "validationstudy", "clinicaltrialprotocol", "comment", "news")
)  # fmt: skip
_PHASE = re.compile(r"clinicaltrial,?phasei[iv]{0,2}")
_MONTH = f"(?:{'|'.join(MONTHS)})[a-z]{{0,6}}"
_DAY = rf"[12][0-9]{{3}}(?:(?:[/-][0-9]{{1,2}}){{1,2}}| {_MONTH}(?: [0-9]{{1,2}})?)?"  # a month or a year as well
_DATE = re.compile(rf"{_DAY}(?: ?[:-] ?{_DAY})?", re.I)
# They begin types of PubMed that end as others do: `pragmatic clinical trial`.
_BEFORE_TYPES = frozenset(("pragmatic", "adaptive", "controlled", "veterinary", "integrity", "introductory"))
_AS_TEXT = re.compile(r"(?:hasabstract|jsubset|loattr)\w*(?: full text)?$", re.I)  # filters that were written `…[text]`
_OPEN_TAGS = frozenset(("open_access:y", "open_access:yes", "open_access:true"))
_FAR = re.compile(r":~0*[1-9][0-9]{0,3}\s*$")
_OPEN_ACCESS = "open access"


def tagged(term: Words | Phrase, tag: str) -> Tagged:
    """The term with its field, and the text that other sources can search for."""
    phrase = isinstance(term, Phrase)
    written = f'"{term.text}"[{tag}]' if phrase else f"{term.text}[{tag}]"
    name = pubmed_field(tag) or "all_text"
    if name == "mesh":
        heading = term.text.partition("/")[0].strip()
        return Tagged(name, heading, written, "pubmed", phrase and "," not in heading)
    if name == "subset" or _AS_TEXT.match(term.text):
        name, text = _of_filter(term.text)
        return Tagged(name, text, written, "pubmed", phrase)
    return Tagged(name, term.text, written, "pubmed", phrase and not _FAR.search(tag))


def words_before(text: str, tag: str) -> str:
    """The words before what one of PubMed's tags for filters belongs to: `stroke` of `stroke review[pt]`.

    Empty if the words begin with it, or none of their ends is a value of the tag.
    """
    words, field = text.split(), pubmed_field(tag) or "all_text"
    is_value = _VALUES.get(field)
    if is_value is None:
        return ""
    start = next((start for start in range(len(words)) if is_value(" ".join(words[start:]))), 0)
    last = words[start - 1].casefold() if start else ""
    is_part = last in _BEFORE_TYPES or (field == "mesh" and last.endswith(","))  # `stem cells, adult`
    return "" if is_part else " ".join(words[:start])


def _is_filter(text: str) -> bool:
    return text.casefold() in CHECK_TAGS or _of_filter(text) != ("subset", text)


def _is_heading_alone(text: str) -> bool:
    return text.casefold() in _WHOLE_HEADINGS


def _is_type(text: str) -> bool:
    name = _name(text)
    return name in _TYPES or name in _OTHER_TYPES or _PHASE.fullmatch(name) is not None


_VALUES: dict[Field, Callable[[str], object]] = {
    "date": _DATE.fullmatch, "type": _is_type, "language": read_language, "subset": _is_filter,
    "mesh": _is_heading_alone,
}  # fmt: skip


def _of_filter(text: str) -> tuple[Field, str]:
    """The field and text that mean the same as one of PubMed's filters; the filter itself if there is none."""
    name = _name(text)
    if name in _TYPES:
        return "type", _TYPES[name]
    if name in _OPEN:
        return "subset", _OPEN_ACCESS
    return ("language", text) if read_language(text) else ("subset", text)


def _name(text: str) -> str:
    """The name of a filter as `_TYPES` and `_OPEN` have it."""
    return re.sub(r"[\s-]", "", text.casefold())


def is_open_access(term: Tagged) -> bool:
    """Whether a term is the filter for papers that are free to read, in any of the syntaxes."""
    return term.field == "subset" and (term.text == _OPEN_ACCESS or term.written.casefold() in _OPEN_TAGS)


def check_tag(term: Tagged) -> str | None:
    """The subject heading that a filter of PubMed's website stands for: `humans[Filter]`."""
    return term.text if term.field == "subset" and term.text.casefold() in CHECK_TAGS else None


def has_subheading(term: Tagged) -> bool:
    """Whether a term was written with a subheading, which its text lacks: `"Asthma/therapy"[Mesh]`."""
    return term.field == "mesh" and term.syntax == "pubmed" and "/" in term.written
