"""Marks that reference lists in German, Japanese, Chinese and Russian use, as the English ones that the parser knows.

Sources: DIN ISO 690 (`Bd.`, `H.`, `S.`, `u. a.`), SIST 02 (full-width signs, `巻`, `号`, `頁`, `ほか`),
GB/T 7714 (`[J]`, `[C]//` behind the title), GOST R 7.0.5 (`//` between the title and the journal).
"""

from __future__ import annotations

import re

from shared.bibliography.name_patterns import CAPITAL, ET_AL, OTHERS, OTHERS_IN_PRINT
from shared.bibliography.person_names import PARTICLE, PARTICLES_BEFORE
from shared.references.title_words import reads_like_names

MOST_NAME_CHARS = 10
_SIGNS = str.maketrans({
    "：": ": ", "，": ", ", "、": ", ", "．": ". ", "。": ". ", "；": "; ", "（": " (", "）": ") ", "「": " “",
    "」": "” ", "『": " “", "』": "” ", "［": " [", "］": "] ", "〜": "-", "～": "-", "\u3000": " ",
})  # fmt: skip
_PRINTED_PAGES = r"((?:pp?\. ?)?\d{1,6}(?:-\d{1,6})?)"
# Words in small letters behind a name: `and Jane`, `van der Roe`, `d’Arcy`, `et al`, `editors`, `for the XYZ Group`.
_IN_LISTS = (
    rf"(?:(?:and|e|et|und|y) )?(?:(?:{PARTICLE}) |[dl]['’]|[^\W\d_a-z])|{ET_AL}"
    r"|eds?\b|editors?\b|(?:on behalf|for the) "
)
# What a mark cannot be without ("" if it has no such sign), so that few expressions search a text; the mark; ours.
_MARKS = (
    ("]//", re.compile(r"\s?\[[A-Z]{1,2}(?:/OL)?\]//\s?"), ". "),
    ("[", re.compile(r"\s?\[[A-Z]{1,2}(?:/OL)?\](?=[.,/ ]|$)"), ""),
    (
        "",
        re.compile(
            r"\A(?:[Tt]he |[Aa]n? )?((?:1[6-9]|20)\d\d )?(?:[a-z]{3,12} )?"
            rf"(?:paper|article|study|preprint|review|work) (?:by|of) (?={PARTICLES_BEFORE}[^\W\d_a-z])"
        ),
        r"\1",
    ),
    ("", re.compile(rf",? ?{OTHERS_IN_PRINT}"), " et al"),
    ("al", re.compile(rf",? (?!et al\b){ET_AL}(?=[.,:;( ]|$)"), " et al"),
    ("//", re.compile(r"(?<=\S)\s?//\s(?=[^\W\d_])"), ". "),
    ("", re.compile(r"\A(?:[Vv]gl|[Ss]iehe|[Cc]f|[Ss]ee)\b\.? (?:auch |hierzu |dazu |also )?(?=[^\W\d_a-z])"), ""),
    (" u. ", re.compile(r"(?<=[\w.]) u\. (?=[^\W\d_a-z])"), " und "),
    ("", re.compile(r"(?<!\w)(\d{1,4})\. ?(?:Jg|Jahrgang|Band|Bd)\b\.?"), r"vol. \1"),
    (
        "",  # German, and Brazilian by NBR 6023
        re.compile(r"\b(?:(?:Bd|Band|Jg|Jahrgang)\.? ?(?=\d)|(?<=, )v\. ?(?=\d{1,4}, [np]\. ?\d))"),
        "vol. ",
    ),
    ("", re.compile(r"\b(?:H|Heft|Nr)\.? ?(?=\d)(?!(?:1[6-9]|20)\d\d[a-z]?\b)"), "no. "),  # not `Doe H 2012`
    (
        "S",
        re.compile(r"(?<=[,;)] )(?:S|Seiten?)\.? ?(?=\d)(?!(?:1[6-9]|20)\d\d[a-z]?[.,:]? \S)"),
        "pp. ",
    ),  # `Doe, S. 2012. X`
    (
        "ed online",
        re.compile(
            r"\b(?:[Pp]ublished|Preprint posted|(?<=[.,;] )[Pp]osted) online:? (?:[A-Z][a-z]{2,8}\.? )?"
            r"(?:\d{1,2},? )?(?=(?:19|20)\d\d\b)"
        ),
        "",
    ),
    ("f", re.compile(r"(\bpp?\. ?\d{1,6}) ?ff?\b\.?"), r"\1"),
    ("巻", re.compile(r"第? ?(\d{1,4}) ?巻"), r" vol. \1, "),
    ("号", re.compile(r"第? ?(\d{1,4}) ?号"), r" no. \1, "),
    ("頁", re.compile(rf"{_PRINTED_PAGES} ?頁"), r" pp. \1"),
    ("ページ", re.compile(rf"{_PRINTED_PAGES} ?ページ"), r" pp. \1"),
    ("年", re.compile(r"(?<=\d) ?年"), " "),
    ("", re.compile(r"(?<=\d)[\u2015\u2212](?=\d)"), "-"),
    (", ", re.compile(r"(?: ?, ){2,}"), ", "),
    ("d", re.compile(r"(?<=[A-Z]) (?:2nd|3rd)(?=[,.;])"), ""),  # `Gilstrap LC 3rd, Cunningham FG`
    (
        "r",  # of a name in a list: not in a title, as `Martin Luther King, Jr., and the law`
        re.compile(
            rf"(?<=\w)(?:\.?,)? [JS]r(?!\.?, (?!{_IN_LISTS})[a-z])"
            r"(?:\.(?=[,;]| and | &| \()|(?=[,;]|\. [^\W\d_a-z]))"
        ),
        "",
    ),
    ("Cited", re.compile(r"\.?\sCited\s(?:by\s)?\d{1,6}(?:\stimes?)?\.?\s?\Z"), "."),  # Scopus
)
_MORE_NAMES = re.compile(rf",? \[?(?:{OTHERS}|{OTHERS_IN_PRINT})\.?\]?\s*\Z")
_HEADING = re.compile(
    rf"\A{PARTICLES_BEFORE}[^\W\d_a-z][\w’'-]{{1,40}},? (?:{CAPITAL}\. ?){{1,3}}"
)  # `Doe J. A. ` before the title
_GOST_MARKS = (
    (re.compile(r"\.? [–—-] "), ", "),
    (re.compile(r"№ ?(?=\d)"), "no. "),
    (re.compile(r"\b[TТ]\. ?(?=\d)"), "vol. "),
    (re.compile(r"\b[PСC]\. ?(?=\d)"), "pp. "),
)
_SLASH = re.compile(r" ?/ ?")
_JOURNAL_BEHIND = re.compile(r"．(?=[^．]{1,60}\d\s?(?:[(（][^()（）]{1,9}[)）])?\s?[：:])")


def in_english_marks(text: str) -> str:
    """The reference with English signs and abbreviations; its words stay as they are."""
    if not text.isascii():
        text = text.translate(_SIGNS)
    for needed, pattern, ours in _MARKS:
        if needed in text:
            text = pattern.sub(ours, text)
    return _with_semicolons(text)


def _with_semicolons(text: str) -> str:
    """`Doe, Jane / Roe, Kim: Title` with semicolons between the names."""
    names, colon, rest = text.partition(": ")
    if not colon or "/" not in names or "," not in names or not reads_like_names(names):
        return text
    return f"{_SLASH.sub('; ', names)}{colon}{rest}"


def read_gost(line: str) -> tuple[str, str, str] | None:
    """Names, title and source by GOST R 7.0.5 and 7.80: `Doe J. Title / J. Doe, K. Roe // Journal. – 2016. – Vol. 1`.

    None without the slash behind the title.
    """
    head, slashes, source = line.partition(" // ")
    title, slash, names = head.rpartition(" / ")
    if not slashes or not slash or not reads_like_names(names := _MORE_NAMES.sub("", names)):
        return None
    title = _HEADING.sub("", title).removeprefix(names.partition(",")[0]).strip(" .,")
    for pattern, ours in _GOST_MARKS:
        source = pattern.sub(ours, source)
    return (names, title, in_english_marks(source)) if len(title) > MOST_NAME_CHARS else None


def read_sist(line: str) -> tuple[str, str, str] | None:
    """Names, title and source of a reference by SIST 02, whose full-width colon and commas stand between its parts.

    A title may hold other commas. None if the signs are missing.
    """
    names, colon, rest = line.partition("：")
    title, comma, source = rest.partition("，")
    are_names = all(0 < len(name) <= MOST_NAME_CHARS for name in names.split("，"))
    if not colon or not comma or "「" in names or ("，" in names and not are_names):
        return None
    if stop := _JOURNAL_BEHIND.search(title):  # `題名．誌名 12：34―56，2013`
        title, source = title[: stop.start()], f"{title[stop.end() :]}，{source}"
    return (
        in_english_marks(names.replace("，", "; ")),
        in_english_marks(title).strip(),
        in_english_marks(source).strip(),
    )
