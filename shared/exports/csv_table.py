"""A table for spreadsheets: a header, a row a paper, UTF-8 with a byte order mark.

Without the mark, Excel reads UTF-8 as the machine's own encoding. A text that would be calculated has an apostrophe
before it (OWASP, CSV injection), also behind a semicolon, a tab or a line break: there, spreadsheets of many countries
begin another cell.
"""

from __future__ import annotations

import csv
import io
import re
from typing import TYPE_CHECKING

from shared.exports.citation_keys import citation_keys
from shared.exports.fields import Results, id_of, is_open, open_access_of

if TYPE_CHECKING:
    from shared.answers.search import StoredPaper

COLUMNS = (
    "citation_key", "key", "title", "authors", "author_count", "year", "publication_date", "journal", "volume", "issue",
    "pages", "type", "language", "doi", "pmid", "pmcid", "arxiv", "citation_count", "is_oa", "oa_url", "retraction",
    "url", "abstract",
)  # fmt: skip
BYTE_ORDER_MARK = "\ufeff"
# What begins a formula; the wide and the small forms count in East Asian spreadsheets.
_SIGNS = r"=+@\uff1d\uff0b\uff0d\uff20\ufe66\ufe62\ufe63\ufe6b-"
_FORMULA = re.compile(rf"(\A(?=[\t\r\n])|(?:\A|[;\t\r\n])(?:[^\S\t\r\n]|\")*(?=[{_SIGNS}]))")


def csv_table(results: Results) -> str:
    """The table with its byte order mark; unknown values are empty cells, line breaks in cells are preserved."""
    out = io.StringIO()
    out.write(BYTE_ORDER_MARK)
    lines = csv.writer(out)
    lines.writerow(COLUMNS)
    for paper, key in zip(results, citation_keys(results), strict=True):
        row = _row(paper, key)
        lines.writerow([safe_cell(row[name]) for name in COLUMNS])
    return out.getvalue()


def safe_cell(value: object) -> object:
    """The value; a text that a spreadsheet might calculate gets an apostrophe."""
    if not isinstance(value, str):
        return value
    return _FORMULA.sub(r"\1'", _writable(value))


def _writable(text: str) -> str:
    """The text without surrogates, which UTF-8 cannot encode, and NUL, at which readers stop."""
    return text.replace("\0", "").encode("utf-8", "ignore").decode("utf-8")


def _row(paper: StoredPaper, citation_key: str) -> dict[str, object]:
    retraction = paper.get("retraction")
    own: dict[str, object] = {name: paper.get(name) for name in COLUMNS}
    return own | {
        "citation_key": citation_key,
        "authors": "; ".join(name for name in paper.get("authors") or () if name),
        **{name: id_of(paper, name) for name in ("doi", "pmid", "pmcid", "arxiv")},
        "is_oa": is_open(paper),
        "oa_url": open_access_of(paper).get("url"),
        "retraction": retraction["status"] if retraction else None,
        "url": paper.get("citation_uri"),
    }
