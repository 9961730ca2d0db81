"""The query language as one table in Markdown: part of the API's description, and of the README."""

from __future__ import annotations

_ROWS = (
    ("Words", "`TREM2 microglia`", "all words, as each source answers best; Greek letters or their names"),
    ("A question", "`Does metformin reduce cancer risk?`", "its telling words; whole to sources that read sentences"),
    ("A title", "`Attention is all you need`", "that paper first; without its subtitle as well"),
    ("A request", "`find me recent reviews on TREM2`, `TREM2 open access only`, `… with at least 100 citations`",
     "its subject; a hint and `next_actions` have the filters"),
    ("Years", "`TREM2 since 2015`, `last 5 years`, `2015-2020`, `ab 2015`, `近五年`",
     "looked for in titles; older papers are left out, with a hint. In an expression (or in one side of OR), and as "
     "`2015..2020`, a filter at the sources. `TREM2 2022`: words"),
    ("A citation, a name", "`Vaswani 2017`, `M. Colonna TREM2`",
     "words; `next_actions` searches by author, and year; with `et al` or `papers by …`, and an ORCID iD, at once"),
    ("A printed reference", "`Jumper J, et al. Nature 2021;596:583-589`, BibTeX, RIS",
     "words; `next_actions` has the call that finds the paper"),
    ("An identifier", "`10.1038/nature12373`, `PMID:36107206`, `arXiv:1706.03762`, `NCT04280705`, an address",
     "a lookup: its paper first, nothing searched for; several are separated by blanks or commas"),
    ("A publisher's address", "`https://www.nejm.org/doi/full/10.1056/NEJMoa1211851`, ScienceDirect's, a PII",
     "its paper; of a page of results (`?term=…`, `?q=…`) its search; any other is left out, with a hint"),
    ("A number", "`36107206`", "a PMID if it has 5 to 8 digits, with a hint"),
    ("A phrase", '`"innate immunity"`', "these words in this order"),
    ("A mark that is not closed", '`tau "innate immunity`, `(tau OR amyloid`',
     "the quotation mark is a blank, the group closed at the end, with a hint"),
    ("Operators", "`TREM2 AND (tau OR amyloid) NOT mouse`",
     "AND, OR, NOT in capitals, or small beside a phrase, a group or a truncated word (else a hint); "
     "without them parentheses are blanks"),
    ("PubMed's tags", '`TREM2[tiab] AND "Alzheimer Disease"[Mesh]`',
     "unchanged to PubMed, translated for the others, or a warning"),
    ("Europe PMC's fields", '`TITLE:TREM2 AND AUTH:"Colonna M"`', "the same for Europe PMC"),
    ("arXiv's fields", "`ti:attention AND cat:cs.CL`", "the same for arXiv"),
    ("A wildcard", "`neurodegenerat*`, `wom?n`",
     "at the end of a word, for the sources that have it; inside, its usual spellings, with a hint"),
    ("A minus, a bar", "`microglia -mouse`, `tau \\| amyloid`", "NOT and OR where that is clear; always with a hint"),
    ("Other services' syntax",
     "`exp Dementia/`, `TREM2.ti,ab.`, `'dementia'/exp`, `[mh Dementia]`, `TITLE-ABS-KEY(tau)`, `TS=tau`, "
     "`MH \"Dementia+\"`, `intitle:tau`",
     "as tags and operators, numbered lines (`1. tau 2. mice 3. 1 and 2`) as one expression; `adj3`, `NEAR/3`, `W/3` "
     "as AND; `site:`, `filetype:` left out; each in a hint"),
)  # fmt: skip
QUERY_LANGUAGE = "\n".join(
    [
        "| You type | for example | and get |",
        "|---|---|---|",
        *(f"| {what} | {example} | {meaning} |" for what, example, meaning in _ROWS),
    ]
)
