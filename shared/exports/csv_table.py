"""A table for spreadsheets: a header, a row a paper, UTF-8 with a byte order mark.

Without the mark, Excel reads UTF-8 as the machine's own encoding. A text that would be calculated has an apostrophe
before it (OWASP, CSV injection), also behind a semicolon, a tab or a line break: there, spreadsheets of many countries
begin another cell.
"""

from __future__ import annotations

import csv
import io
import re
from typing import Any

from shared.exports.citation_keys import citation_keys
from shared.exports.fields import Result, Results, id_of, is_open

COLUMNS = (
    "citation_key", "key", "title", "authors", "author_count", "year", "publication_date", "journal", "volume", "issue",
    "pages", "type", "language", "doi", "pmid", "pmcid", "arxiv", "citation_count", "is_oa", "oa_url", "retraction",
    "url", "abstract",
)  # fmt: skip
BYTE_ORDER_MARK = "\ufeff"
# The wide forms count in East Asian spreadsheets.
_FORMULA = re.compile(r"(\A(?=[\t\r\n])|(?:\A|[;\t\r\n])[\s\"]*(?=[=+@\uff1d\uff0b\uff0d\uff20-]))")


def csv_table(results: Results) -> str:
    """The text, with its byte order mark; what is not known is an empty cell, line breaks in a cell stay."""
    out = io.StringIO()
    out.write(BYTE_ORDER_MARK)
    lines = csv.writer(out)
    lines.writerow(COLUMNS)
    for result, key in zip(results, citation_keys(results), strict=True):
        row = _row(result, key)
        lines.writerow([safe_cell(row[name]) for name in COLUMNS])
    return out.getvalue()


def safe_cell(value: Any) -> Any:
    """The value; in a text, an apostrophe before what a spreadsheet might calculate."""
    if not isinstance(value, str):
        return value
    return _FORMULA.sub(r"\1'", _writable(value))


def _writable(text: str) -> str:
    """Without halves of characters, which UTF-8 cannot hold, and NUL, at which readers stop."""
    return text.replace("\0", "").encode("utf-8", "ignore").decode("utf-8")


def _row(result: Result, citation_key: str) -> dict[str, Any]:
    access = result.get("open_access") or {}
    own = {name: result.get(name) for name in COLUMNS}
    return own | {
        "citation_key": citation_key,
        "authors": "; ".join(name for name in result.get("authors") or () if name),
        **{name: id_of(result, name) for name in ("doi", "pmid", "pmcid", "arxiv")},
        "is_oa": is_open(result),
        "oa_url": access.get("url"),
        "retraction": (result.get("retraction") or {}).get("status"),
        "url": result.get("citation_uri"),
    }
