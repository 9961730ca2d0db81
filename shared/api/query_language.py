"""The query language as one table in Markdown: part of the API's description, and of the README."""

from __future__ import annotations

_ROWS = (
    ("Words", "`TREM2 microglia`", "all words, as each source answers best; Greek letters or their names"),
    ("A question", "`Does metformin reduce cancer risk?`", "its telling words; whole to sources that read sentences"),
    ("A title", "`Attention is all you need`", "that paper first; without its subtitle as well"),
    ("An identifier", "`10.1038/nature12373`, `PMID:36107206`, `arXiv:1706.03762`, an address",
     "a lookup: its paper first, nothing searched for; several are separated by blanks or commas"),
    ("A number", "`36107206`", "a PMID if it has 5 to 8 digits, with a hint"),
    ("A phrase", '`"innate immunity"`', "these words in this order"),
    ("Operators", "`TREM2 AND (tau OR amyloid) NOT mouse`", "AND, OR, NOT in capitals; else parentheses are blanks"),
    ("PubMed's tags", '`TREM2[tiab] AND "Alzheimer Disease"[Mesh]`',
     "unchanged to PubMed, translated for the others, or a warning"),
    ("Europe PMC's fields", '`TITLE:TREM2 AND AUTH:"Colonna M"`', "the same for Europe PMC"),
    ("arXiv's fields", "`ti:attention AND cat:cs.CL`", "the same for arXiv"),
    ("A wildcard", "`neurodegenerat*`", "at the end of a word, for the sources that have it"),
    ("A minus, a bar", "`microglia -mouse`, `tau \\| amyloid`", "NOT and OR where that is clear; always with a hint"),
    ("Other services' syntax", "`exp Dementia/`, `TREM2.ti,ab.`, `TITLE-ABS-KEY(tau)`, `TS=tau`, `intitle:tau`",
     "as tags and operators; `adj3`, `NEAR/3`, `W/3` as AND; `site:`, `filetype:` left out; each in a hint"),
)  # fmt: skip
QUERY_LANGUAGE = "\n".join(
    [
        "| You type | for example | and get |",
        "|---|---|---|",
        *(f"| {what} | {example} | {meaning} |" for what, example, meaning in _ROWS),
    ]
)
