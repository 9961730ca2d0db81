"""Cells that no spreadsheet calculates, in every CSV that this service writes.

A text that would be calculated has an apostrophe before it, also behind a semicolon, a tab or a line break: there,
spreadsheets of many countries begin another cell. https://owasp.org/www-community/attacks/CSV_Injection
"""

from __future__ import annotations

import re

from shared.bibliography.text import xml_text

# What begins a formula; the wide and the small forms count in East Asian spreadsheets.
_SIGNS = r"=+@\uff1d\uff0b\uff0d\uff20\ufe66\ufe62\ufe63\ufe6b-"
_FORMULA = re.compile(rf"(\A(?=[\t\r\n])|(?:\A|[;\t\r\n])(?:[^\S\t\r\n]|\")*(?=[{_SIGNS}]))")


def safe_cell(value: object) -> object:
    """The value; a text without control characters, and with an apostrophe where a spreadsheet might calculate it."""
    if not isinstance(value, str):
        return value
    return _FORMULA.sub(r"\1'", xml_text(value))
