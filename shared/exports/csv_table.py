"""A table for spreadsheets: a header, a row a paper, UTF-8 with a byte order mark.

Without the mark, Excel reads UTF-8 as the machine's own encoding.
"""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

from shared.bibliography.characters import BYTE_ORDER_MARK
from shared.exports.citation_keys import citation_keys
from shared.exports.fields import Results, id_of, is_open, open_access_of
from shared.exports.spreadsheet_cells import safe_cell

if TYPE_CHECKING:
    from shared.answers.search import StoredPaper

COLUMNS = (
    "citation_key", "key", "title", "authors", "author_count", "year", "publication_date", "journal", "volume", "issue",
    "pages", "type", "language", "doi", "pmid", "pmcid", "arxiv", "citation_count", "is_oa", "oa_url", "retraction",
    "url", "abstract",
)  # fmt: skip


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
