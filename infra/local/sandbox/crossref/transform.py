"""A work in the formats of `/works/{doi}/transform`: BibTeX, RIS, CSL JSON and a printed reference.

Source: recorded answers of content negotiation, 2026-06. The format is in the path or in the `Accept` header; BibTeX is
one line.
"""

from __future__ import annotations

import html
import json
from typing import Any

from infra.local.sandbox.crossref.engine import Work

BIBTEX, RIS, CSL = (
    "application/x-bibtex",
    "application/x-research-info-systems",
    "application/vnd.citationstyles.csl+json",
)
PRINTED = "text/x-bibliography"
_ENTRIES = {"journal-article": "article", "proceedings-article": "inproceedings", "book-chapter": "inbook"}


def transformed(work: Work, accept: str) -> tuple[str, str] | None:
    """The text of a work and its content type, in the first accepted format; None if there is no such format."""
    for part in accept.split(","):
        wanted = part.partition(";")[0].strip() or BIBTEX
        if wanted in ("*/*", BIBTEX):
            return _bibtex(work), BIBTEX
        if wanted == RIS:
            return _ris(work), RIS
        if wanted == CSL:
            return json.dumps({**work, **_first_texts(work)}), CSL
        if wanted == PRINTED:
            return _printed(work), PRINTED
    return None


def _first_texts(work: Work) -> dict[str, Any]:
    """CSL has one title and one journal."""
    return {name: " ".join(work.get(name) or [])[:1000] for name in ("title", "container-title")}


def _title(work: Work) -> str:
    return html.unescape(" ".join(work["title"][:1]))


def _year(work: Work) -> str:
    return str(work["issued"]["date-parts"][0][0] or "")


def _names(work: Work) -> list[str]:
    people = work.get("author") or ()
    return [", ".join(filter(None, (one.get("family"), one.get("given"), one.get("name")))) for one in people]


def _bibtex(work: Work) -> str:
    first = (work.get("author") or [{}])[0]
    key = f"{(first.get('family') or 'Unknown').replace(' ', '_')}_{_year(work)}"
    fields = {
        "title": _title(work), "volume": work.get("volume"), "ISSN": ", ".join(work.get("ISSN") or ()),
        "url": f"http://dx.doi.org/{work['DOI']}", "DOI": work["DOI"], "number": work.get("issue"),
        "journal": html.unescape(" ".join(work["container-title"][-1:])), "publisher": work["publisher"],
        "author": " and ".join(_names(work)), "year": _year(work), "pages": work.get("page", "").replace("-", "–"),
    }  # fmt: skip
    body = ", ".join(f"{name}={{{value}}}" for name, value in fields.items() if value)
    return f" @{_ENTRIES.get(work['type'], 'misc')}{{{key}, {body} }}\n"


def _ris(work: Work) -> str:
    first, _, last = work.get("page", "").partition("-")
    fields = [
        ("TY", "JOUR" if work["type"] == "journal-article" else "GEN"), ("DO", work["DOI"]),
        ("UR", f"http://dx.doi.org/{work['DOI']}"), ("TI", _title(work)),
        ("T2", " ".join(work["container-title"][-1:])), *(("AU", name) for name in _names(work)), ("PY", _year(work)),
        ("PB", work["publisher"]), ("SP", first), ("EP", last), ("IS", work.get("issue")), ("VL", work.get("volume")),
    ]  # fmt: skip
    return "".join(f"{tag}  - {value}\n" for tag, value in fields if value) + "ER  - \n"


def _printed(work: Work) -> str:
    people, journal = "., ".join(_names(work)), " ".join(work["container-title"][-1:])
    volume = f"{work.get('volume', '')}({work['issue']})" if "issue" in work else work.get("volume", "")
    place = ", ".join(filter(None, (journal, volume, work.get("page"))))
    return f"{people} ({_year(work) or 'n.d.'}). {_title(work)}. {place}. https://doi.org/{work['DOI']}\n"
