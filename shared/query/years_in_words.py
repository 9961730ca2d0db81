"""The years in which papers are wanted, as people write them: `since 2015`, `2015-2020`, `last 5 years`, `近五年`.

In English, German, French, Spanish, Italian, Portuguese and Chinese. Years with words around them within parentheses or
quotation marks, or on one side of an OR, stay words here: they say nothing of the whole (each side of an expression is
read by itself: `shared.query.years_in_expressions`). So do years of the subject (`influenza in 1918`, `the last year of
life`; `shared.query.subject_years`), and vague times (`in recent years`).
"""

from __future__ import annotations

import re

from shared.query.read_years import YearsInWords

# What every form contains. To compile the forms takes a thirtieth of a cold start, and most queries have none of these.
_CUE = re.compile(r"1[89]\d\d|20\d\d|last|past|this year|letzte|vergangene|derni|ltim|最近|过去|近|y_\d", re.I | re.A)


def years_in_words(text: str, *, in_expression: bool = False) -> YearsInWords:
    """Read a text in tidy form, or one side of an expression; without years in words it is the whole rest."""
    if not _CUE.search(text):
        return YearsInWords(text)
    from shared.query.year_forms import years_by_form

    return years_by_form(text, in_expression=in_expression)
