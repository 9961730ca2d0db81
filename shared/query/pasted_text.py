"""Reads what comes along with words that are pasted: addresses, labels, hashtags, quotation marks of a reference.

    https://pubmed.ncbi.nlm.nih.gov/?term=TREM2    what that page searches for
    https://example.org/article/1735914            left out: it names no paper
    Title: Attention is all you need               the title
    In adults (P), does metformin (I) …            without the letters of PICO
    Concept 1: tau OR amyloid Concept 2: mice      (tau OR amyloid) AND (mice)
    Title: … Authors: … Year: …                    the title
    3. TREM2 variants in Alzheimer's disease       without the number in a list
    Risk is higher (OR 2.5, 95% CI 1.2-3.4)        without figures, which no search is for
    #longcovid, @NatureNeuro                       words
    [12] A. Vaswani et al., "Attention …," 2017    a printed reference: its title is not a phrase to require

Each is noted for the caller.
"""

from __future__ import annotations

import re

from shared.bibliography.name_patterns import ET_AL
from shared.bibliography.orcid import find_orcids
from shared.json_types import read_json
from shared.query.greek import letter_of
from shared.query.identifiers import read_identifiers
from shared.query.parser import is_expression
from shared.query.searched_addresses import SEARCHED, searched_at
from shared.query.small_operators import read_small_operators
from shared.query.syntax import tidy

_ADDRESS = re.compile(r"(?<!\S)(?:https?://|www\.)\S+", re.I)
_MOST_ADDRESSES = 20
# Behind a letter only what is raised or lowered is one: `H$_2$O`, but not Ovid's `(implant$ or insert$) adj3 pulse$`.
_FORMULA = re.compile(r"(?:(?<![^\W\d_])|(?=\$[_^\\{]))\$(?=[^\s$])([^$]{1,200}?)(?<=[^\s$])\$(?!\d)")
_LATEX_COMMAND = re.compile(r"\\([A-Za-z]{1,20}) ?")
_WITH_ARGUMENT = re.compile(r"\\([A-Za-z]{2,20})\{([^{}]{0,100})\}")
_BRACES = str.maketrans("", "", "{}")
_SIGN = re.compile(r"(?<!\S)[#@](?=[^\W\d_]\w)")
_TITLE = re.compile(
    r"(?:(?:article |paper )?title|titre|titel|título|abstract|topic|authors?(?= ?: [^\"(])"
    r"|(?:search )?query|search (?:terms?|string)"
    r"|(?:my |the )?(?:research )?question|(?:question|rq|q) ?[0-9]{0,2}(?=.*\?))"  # `Q10: an antioxidant`
    r" ?[:–—] (?=\S)|(?:key ?words?|index terms) ?[:–—] ?(?=\S)",
    re.I,
)
_FIELD_WITH_BLANK = re.compile(
    r"(?:(?<=^)|(?<=\()|(?<= AND )|(?<= OR )|(?<= NOT ))(authors?|au|journal|mesh|title|abstract|keyword) ?: (?=\")",
    re.I,
)
# The name of a file that was saved; `title:` before several words, grammar among them, which no field would hold.
_FILE = re.compile(r"([^\W_][\w .,'’()&+-]{2,200})(\.(?:pdf|docx?|epub))", re.I)
_WHOLE_TITLE = re.compile(
    r"(?:ti|title):(?=[^\s:\"()]+(?: [^\s:\"()]+){3,}$)(?=.* (?:a|an|and|the|of|in|is|for|on|by|to|with|are|you) )"
    r"(?!.*\b(?:AND|OR|NOT)\b)",
    re.I,
)
# The headings within an abstract.
_SECTIONS = re.compile(
    r"(?<!\S)(background|introduction|objectives?|aims?|purpose|methods?|materials and methods|design|setting|results?"
    r"|findings|conclusions?|interpretation|discussion|importance|main outcomes? and measures?) ?: ",
    re.I,
)
_LEAST_SECTIONS = 2
_PICO = re.compile(r" ?\(([PICOTS])\)|(?<!\S)([PICOTS]) ?[:=](?= )")
_PICO_NAMES = re.compile(
    r"(?<!\S)(population|patients?|problem|intervention|exposure|comparat(?:or|ion)|comparison|control|outcomes?) ?: ",
    re.I,
)
_CONCEPTS = re.compile(r"(?<!\S)\(?((?:concept|block|key ?words?|search) ?#?[0-9A-D])\)? ?[:=] ?(?=\S)", re.I)
_PICO_LABEL = re.compile(r"PICO(?:TS?|S)?(?: question)? ?[:=-] ", re.I)
# Of a record, as pages print it: the title among other fields.
_FIELDS = re.compile(r"(?<!\S)(title|authors?|year|journal|venue) ?: ", re.I)
# The results of a test, and what a printed reference says of a meeting's abstract: `… in adults [abstract]`.
_FIGURES = re.compile(r" ?[(\[](?=[^()\[\]]*(?:\b95 ?% ?C|\bp ?[<=>≤] ?0?\.[0-9]))[^()\[\]]{3,120}[)\]]", re.I)
_MEDIUM = re.compile(r"((?:[^\s\[\]\"]+ ){6,})\[abstract\]\.?", re.I)
# Behind it stand words: `[18] F` and `2. 4-D` are not a list.
_IN_A_LIST = re.compile(r"(?:\[[0-9]{1,3}\]|[0-9]{1,3}[.)]) (?=(?:[^\W\d_][\w'’-]{1,40}[,:]? ){2})")
_LEAST_LABELS = 3  # of PICO: fewer letters may mean anything
_WITH_COMMA = re.compile(r"(?<=\S (?:AND|NOT))[,;](?= \S)")  # not behind OR, which abbreviates odds ratios
_EMPHASISED = re.compile(r"(?<!\S)(\*{1,3}|_{1,3})(AND|OR|NOT)\1(?!\S)")  # in Markdown
_QUOTED = re.compile(r"(?<![\w'])'(?=\w)([^']{1,200})(?<=\w)'(?![\w'])")
# Between operators, what stands in such marks is a phrase; in braces, as in Scopus.
_SINGLE_QUOTED = re.compile(
    r"(?:(?<=^)|(?<=\()|(?<=\bAND )|(?<=\bOR )|(?<=\bNOT ))"
    r"(?:['`]([^'`\"]{2,80})['`]|(?!^\{[^{}\"]*\}$)\{([^{}\"]{2,80})\})"
    r"(?=$|\)| (?:AND|OR|NOT)\b)"
)
_EMBASE = re.compile(r"'[/:][a-z]")  # its phrases stand in single marks: `'heart attack'/exp`
PRINTED_REFERENCE = re.compile(
    rf"""^\s*@[A-Za-z]{{3,30}}\s?\{{          # a record of BibTeX
      | ^\s*TY[ ]{2}-[ ]                  # a record of RIS
      | {ET_AL}                           # authors
      | \b(?:1[5-9]|20)\d\d\s?;\s?\d      # year;volume
      | \b\d{{1,4}}\s?\(\d{{1,4}}\)\s?:\s?e?\d  # volume(issue):page
    """,
    re.VERBOSE,
)


def read_pasted(text: str) -> tuple[str, list[str]]:
    """A text in tidy form without what is not a word of it, and a note on each change."""
    notes: list[str] = []
    for read in (_of_json, _of_record, _without_addresses, _without_labels, _without_latex, _with_operators):
        text, said = read(text)
        notes += said
    return text, notes


def _of_json(text: str) -> tuple[str, list[str]]:
    """The query in a request as JSON; any other text as it is."""
    if not text.startswith("{") or '"' not in text:
        return text, []
    try:
        given = read_json(text)
    except ValueError:
        return text, []
    found = next((given[name] for name in (*SEARCHED, "title") if isinstance(given.get(name), str)), "")
    return (tidy(found), [f"{text[:60]} as its query; send its other fields beside `query`"]) if found else (text, [])


def _of_record(text: str) -> tuple[str, list[str]]:
    """The title of a record whose fields have their names; any other text without figures."""
    first, *parts = _FIELDS.split(text)
    fields = {name.casefold(): value.rstrip(" .,;|") for name, value in zip(parts[::2], parts[1::2], strict=True)}
    is_read = is_expression(text) or bool(read_identifiers(text).names)
    is_read = is_read or len({name[0].isupper() for name in parts[::2]}) > 1  # `Title: Advice to authors: a survey`
    if not first and fields.get("title") and len(fields) > 1 and not is_read:
        others = ", ".join(name for name in fields if name != "title")
        return fields["title"], [f"the title of a record; send {others} beside `query`"]
    if found := _MEDIUM.fullmatch(text):
        return found[1].rstrip(), ["[abstract] as the medium of a printed reference"]
    read = _FIGURES.sub("", text)
    return (read, ["figures in parentheses left out"]) if read and read != text else (text, [])


def _without_latex(text: str) -> tuple[str, list[str]]:
    """Formulas as they are read: `$L^2$` -> `L^2`, `$\\mathcal{H}$` -> `H`, `\\alpha` -> `α`; accents are left out."""
    read = _FORMULA.sub(lambda it: _LATEX_COMMAND.sub(_latex, it[1]).translate(_BRACES), text)
    read = _WITH_ARGUMENT.sub(lambda it: _latex(it) + it[2], read)
    return (tidy(read), ["LaTeX as plain text"]) if read != text else (text, [])


def _latex(command: re.Match[str]) -> str:
    return letter_of(command[1]) or " "


def _without_addresses(text: str) -> tuple[str, list[str]]:
    notes: list[str] = []
    for address in _ADDRESS.findall(text)[:_MOST_ADDRESSES]:
        if read_identifiers(address).names or find_orcids(address):
            continue
        searched, unread = searched_at(address)
        said = f"as its search: {searched[:100]}" if searched else "left out: it names no paper by an identifier"
        said += f"; left out: {', '.join(unread)[:100]}" if unread else ""
        notes.append(f"{address[:80]} {said}")
        text = text.replace(address, searched, 1)
    return tidy(text), notes


def _without_labels(text: str) -> tuple[str, list[str]]:
    notes = []
    if found := _FILE.fullmatch(text):
        text = tidy(found[1].replace("_", " "))
        notes.append(f"{found[2]} as the end of a file's name")
    if found := _WHOLE_TITLE.match(text):
        text = text[found.end() :]
        notes.append("title: as the label of a whole title")
    if found := _IN_A_LIST.match(text):
        text = text[found.end() :]
        notes.append(f"{found[0].strip()} as the number in a list")
    if found := _TITLE.match(text):
        text = text[found.end() :]
        notes.append(f"{found[0].strip()} as a label")
    text = _FIELD_WITH_BLANK.sub(r"\1:", text)
    if len(_SECTIONS.findall(text)) >= _LEAST_SECTIONS:
        text = tidy(_SECTIONS.sub(" ", text))
        notes.append("the headings of an abstract as blanks")
    for labels in (_PICO, _PICO_NAMES, _CONCEPTS):
        named = {next(filter(None, found.groups())).casefold() for found in labels.finditer(text)}
        bare = tidy(labels.sub(" ", _PICO_LABEL.sub("", text, count=1)))
        is_search = len(named) > 1 and labels.match(text) is not None and is_expression(bare)
        if is_search:
            text = _all_of(labels.sub("\n", text).split("\n"))
            notes.append("concepts behind labels in parentheses, with AND between them")
        elif len(named) >= _LEAST_LABELS and labels is not _CONCEPTS:
            text = bare
            notes.append("the labels of population, intervention, comparison and outcome as blanks")
    if _SIGN.search(text):
        notes.append("# and @ before a word as nothing")
    return _SIGN.sub("", text), notes


def _all_of(parts: list[str]) -> str:
    """The parts of a search as one, each of which may end with the operator before the next."""
    terms = (re.sub(r"[\s,;.]*(?:\bAND)?[\s,;]*$", "", part.strip()) for part in parts)
    return " AND ".join(f"({term})" for term in terms if term)


def _with_operators(text: str) -> tuple[str, list[str]]:
    """Lower-case operators in capitals; a word in single quotation marks as it is, or a phrase between operators."""
    notes = list[str]()
    bare = tidy(text.replace('"', " "))
    if '"' in text and PRINTED_REFERENCE.search(bare):
        return bare, ["the quotation marks of a printed reference as blanks"]
    if not _EMBASE.search(text):
        text = _QUOTED.sub(r"\1", text) if '"' in text else _SINGLE_QUOTED.sub(r'"\1\2"', text)
    cleared = _WITH_COMMA.sub("", _EMPHASISED.sub(r"\2", text))
    if cleared != text:
        text, notes = cleared, ["operators without the signs around them"]
    text, read = read_small_operators(text)
    return text, [*notes, *read]
