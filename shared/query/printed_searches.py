"""Reads a search as PubMed and the Web of Science print it in their histories, as their query languages.

    Search: tau AND mice Filters: Review, from 2015 - 2020 Sort by: Most Recent
        (tau AND mice) AND PUB_TYPE:"review" AND PUB_YEAR:[2015 TO 2020]
    tau (Topic) and mice (Title) and 2019 or 2020 (Publication Years) and Article (Document Types)
        TS=(tau) AND TI=(mice) AND PY=(2019 or 2020) AND DT=(Article)
    TOPIC: (tau) Refined by: DOCUMENT TYPES: (REVIEW) Timespan: 2015-2020. Indexes: SCI-EXPANDED.     before 2021
        TS=(tau) AND DT=(REVIEW) AND PY=(2015-2020)

https://pubmed.ncbi.nlm.nih.gov/help/#history, https://webofscience.help.clarivate.com
"""

from __future__ import annotations

import re

from shared.query.limits import LAST_YEAR, either, language_term, span_term, type_term
from shared.query.sides import has_sides

_PUBMED = re.compile(
    r"(?P<label>Search: )?(?P<searched>\S.*?)(?: Filters: (?P<filters>.+?))?(?P<sort> Sort by: [\w ]+)?"
)
_BETWEEN = re.compile(r"[,;] ")
_SPAN = re.compile(r"from ([12][0-9]{3})\S* - ([1-3][0-9]{3})\S*", re.I)
_BACK = re.compile(r"(?:published )?in the last ([0-9]{1,2}) (years?|months?)", re.I)
_OTHER = {"free full text": "free full text[sb]", "humans": "humans[Filter]"}
_LABELS = {
    "Topic": "TS", "Title": "TI", "Abstract": "AB", "Author": "AU", "All Fields": "ALL", "Publication Titles": "SO",
    "Publication/Source Titles": "SO", "Publication Years": "PY", "Year Published": "PY", "Document Types": "DT",
    "Document Type": "DT", "Languages": "LA", "Language": "LA", "Web of Science Categories": "WC",
    "Research Areas": "SU", "Countries/Regions": "CU", "Open Access": "WC", "Affiliations": "OG",
}  # fmt: skip
_CAPITALS = {label.upper(): field for label, field in _LABELS.items()}
_LABEL = re.compile(rf" \(({'|'.join(_LABELS)})\)")
_BEFORE = re.compile(rf"(?<![\w-])({'|'.join(_CAPITALS)}|PUBLICATION NAME): ?(?=\()")
_REFINED = re.compile(r",? Refined by: ")
_TIMESPAN = re.compile(r",? Timespan: (?:([12][0-9]{3}-[12][0-9]{3})|[Aa]ll years)\.?")
_INDEXES = re.compile(r",? Indexes: [A-Z&, -]+\.?$")
_JOINED = re.compile(r" (and|or|not) ", re.I)
_ADDED = re.compile(r"(?P<before>.+) (?P<sign>and|not) (?P<value>.+)", re.I)
_IN_FIELDS = re.compile(r"\b(?:TS|TI|AB|AU|SO|ALL|AK) ?=")
_LEAST_LABELS = 2  # of a search without another sign of its service: `Emma (Title)`


def read_printed(text: str) -> tuple[str, list[str]]:
    """A text in tidy form with what is printed beside a search as its terms, and notes on that."""
    if " Filters: " in text or " Sort by: " in text:
        return _with_filters(text)
    return _labelled(text) or _refined(text), []


def _with_filters(text: str) -> tuple[str, list[str]]:
    """PubMed's filters as terms. Without its label, every filter must be one of its: `Kalman Filters: a review`."""
    found = _PUBMED.fullmatch(text)
    if not found or not (found["label"] or found["filters"]):
        return text, []
    named = [it.strip(" .") for it in _BETWEEN.split(found["filters"] or "") if it.strip(" .")]
    types = {name: term for name in named if (term := type_term(name))}
    # Years that are counted from today are read in the text as it was typed, and there are those of one side of OR.
    named = [it for it in named if it not in types]
    others = {it: None if _BACK.fullmatch(it) and has_sides(found["searched"]) else _filter(it) for it in named}
    if not found["label"] and not all(others.values()):
        return text, []
    notes = [f"the filter {name[:60]} left out" for name, term in others.items() if not term]
    terms = [*filter(None, [either(types.values()), *others.values()])]
    if not terms:
        return found["searched"], [*notes, "Search: as a label"]
    said = f"the filters of a printed search as {' AND '.join(terms)}"[:160]
    return " AND ".join([f"({found['searched']})", *terms]), [said, *notes]


def _filter(name: str) -> str | None:
    if span := _SPAN.fullmatch(name):
        return span_term(span[1], str(min(int(span[2]), LAST_YEAR)))
    if back := _BACK.fullmatch(name):
        return f'"last {back[1]} {back[2]}"[dp]'
    return _OTHER.get(name.lower()) or language_term(name)


def _refined(text: str) -> str:
    """The fields of the Web of Science for labels before the values, with what the search was refined by."""
    read = _BEFORE.sub(lambda it: f"{_CAPITALS.get(it[1], 'SO')}=", text)
    if read == text and not _IN_FIELDS.search(text):
        return text
    years = _TIMESPAN.search(read)
    read = _REFINED.sub(" AND ", _TIMESPAN.sub("", _INDEXES.sub("", read)))
    return f"{read} AND PY=({years[1]})" if years and years[1] else read


def _labelled(text: str) -> str | None:
    """The fields of the Web of Science for labels behind the values; None for any other text."""
    parts = _LABEL.split(text)
    values, labels, rest = parts[:-1:2], parts[1::2], parts[-1]
    if not labels or rest.strip() or (len(labels) < _LEAST_LABELS and not _IN_FIELDS.search(text)):
        return None
    written: list[str] = []
    for number, (value, label) in enumerate(zip(values, labels, strict=True)):
        sign = _JOINED.match(value)
        if number and not sign:
            return None
        value = value[sign.end() :] if sign else value
        added = _ADDED.fullmatch(value) if not number and _IN_FIELDS.search(value) else None
        if added:  # `TS=(tau) and Article (Document Types)`
            written += [added["before"], added["sign"].upper()]
            value = added["value"]
        if value.count("(") != value.count(")"):
            return None
        written += [*([sign[1].upper()] if sign else []), f"{_LABELS[label]}=({value.strip()})"]
    return " ".join(written)
