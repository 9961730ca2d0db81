"""Each bibliographic rule has one home in shared/bibliography: its characteristic literals occur nowhere else.

So has the rule which outcomes of legs are failures: shared/outcomes.py.

A rule that is written a second time sooner or later gives another answer. Code that fails here should call the rule's
module, or extend it with a list that has a name and a reason.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from shared.outcomes import Outcome
from tests.rule_signs import compared_journals, docstrings, is_group_list, is_stop_list, texts, word_lists

ROOT = Path(__file__).parents[1]
HOME = "shared/bibliography"
OUTCOMES = "shared/outcomes.py"
CODE = sorted(path for folder in ("functions", "shared") for path in (ROOT / folder).rglob("*.py"))

# rule: (what its literals look like, the files that may hold such a literal besides the rule's home, with the reason)
TEXTS: dict[str, tuple[str, dict[str, str]]] = {
    "preprints": (
        r"10\\?\.(?:\((?:\?:)?)?(?:1101|64898|21203|20944|2139|26434|22541|31219|31234|31235|36227|7287|35542)\b|10\\?\.48550|"
        r"\b(?:bio|med|chem|psy|soc|tech)rxiv[|\\)]|res\(earch|research square\||"
        r"^(?:bio|med|chem|psya?|soca?|tech)rxiv$|^(?:research square|authorea|osf preprints)$|"
        r"(?:^|\|)rxiv(?:\||$)|\bssrn electronic|\bpreprints\.org\b",
        {
            "shared/bibliography/identifiers.py": "the form of arXiv's identifiers, and ARXIV_DOI",
            "shared/providers/records/paperclip.py": "the servers by Paperclip's own document ids",
        },
    ),
    "group_authors": (
        r"\|consorti|consorti\w*\(?[|?]|collaborat\S*\||\|collaborat|^consortium$|"
        r"\|(?:agency|committee|foundation|society)\b|\b(?:agency|committee|foundation|society)\||"
        r"^(?:agency|committee|foundation|society)$",
        {},
    ),
    # A class of capitals with a dot, or as the last word.
    "initials": (
        r"\[(?:A-Z|\^\\W\\d_a-z)[^\]]*\](?:\[a-z\]\??)?\\\.|[ \]]\[(?:A-Z|\^\\W\\d_a-z)[^\]]*\]\{1,[2-5]\}",
        {},
    ),
    "particles": (
        r"\|van\b|\bvan\||\[Vv\]an|\bvan (?:vom|von)\b|^van$|\b(?:del|della|dos|vom)\|",
        {"shared/bibliography/group_authors.py": "the particles that stand in no group's name"},
    ),
    "further people": (  # as a part of an expression, not in an example
        r"\\bet(?:\\s\?| )|\bet\\[.s]|\bet al(?:[\\|)]|$)|[?|]et al\b|\b(?:others|colleagues)[\\|)]"
        r"|\bu\\\.(?:\\s|[ ?])*a\\\.",
        {
            "shared/exports/bibtex.py": "the words that BibTeX would not take for a name",
            "shared/matching/features.py": "a quick test before the expression",
            "shared/providers/records/europe_pmc.py": "the word alone in the place of a name",
            "shared/references/national_habits.py": "writes `et al` in the place of the others",
        },
    ),
    "beginnings of DOIs": (r"\b10\\\.\(*(?:\\d|\[0-9\])(?:\{4,|\+)", {}),
    "dates": (
        r"^-?01-01\$?$|^(?:oct|dec)$|month == 1\b.*day == 1\b|day\) == \(1, 1\)",
        {"shared/query/query.py": "completes a partial date to its first day, and compares days that a caller gave"},
    ),
    "characters": (
        "[\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]|"
        r"\\u(?:00ad|180e|200[b-f]|202[a-e]|206[0-9a-f]|feff)|[\x00\x7f]|\\x(?:00|7f)|"
        r"^(?-i:C[cf])$|^for .* if .*isprintable",
        {
            "shared/saved_searches/fields.py": "lets joiners stand in a name, but not alone",
            "shared/networks/layout.py": "does not cut a text behind a joiner",
            "shared/graph/identity.py": "the form of a stored id, fixed by the stored data",
            "shared/full_texts/pdf_fonts.py": "what a font says that its signs are, before it is a text",
        },
    ),
}
STOP_WORDS_ELSEWHERE = {
    "shared/providers/pubmed_query.py": "the words that PubMed does not index",
    "shared/providers/arxiv_syntax.py": "the words that arXiv does not index",
    "shared/references/title_words.py": "words that no list of names holds",
    "shared/matching/title_likeness.py": "words that lead from a piece to its subject",
}
# The rules that are one module's, also within the home.
HOMES = {
    "beginnings of DOIs": f"{HOME}/identifiers.py",
    "initials": f"{HOME}/name_patterns.py",
    "further people": f"{HOME}/name_patterns.py",
    "particles": f"{HOME}/person_names.py",
}
# rule: (what is in the names of functions that decide it, the only modules by which they may decide)
DECIDERS = {
    "preprints": (r"preprint", {f"{HOME}/preprints.py"}),
    "group_authors": (r"group|collective|corporate|organi[sz]ation|consorti", {f"{HOME}/group_authors.py"}),
    "journals": (
        r"journal|venue",
        {f"{HOME}/journals.py", f"{HOME}/journal_names.py", "shared/references/journal_in_citation.py"},
    ),
}
FUNCTIONS = {
    "is_preprint", "is_preprint_doi", "is_preprint_server", "work_doi", "is_group", "ends_in_group", "compare_journals",
    "known_date", "is_first_of_january", "words_of",
}  # fmt: skip


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def offenders(
    found: Callable[[ast.Module], list[str]], allowed: dict[str, str], home: str = HOME
) -> dict[str, list[str]]:
    """The files outside the home that hold what only the home may hold."""
    names = {path: str(path.relative_to(ROOT)) for path in CODE}
    seen = {name: found(tree(path)) for path, name in names.items() if not name.startswith(home)}
    return {name: docs for name, docs in seen.items() if docs and name not in allowed}


@pytest.mark.parametrize("rule", TEXTS)
def test_a_rules_literals_stand_in_its_home_alone(rule: str) -> None:
    pattern, allowed = TEXTS[rule]
    telling = re.compile(pattern, re.IGNORECASE)
    home = HOMES.get(rule, HOME)
    found = offenders(lambda module: [text for text in texts(module) if telling.search(text)], allowed, home)
    assert not found, f"call {home} instead, or add the file to TEXTS with the reason: {found}"
    for name in allowed:
        assert any(telling.search(text) for text in texts(tree(ROOT / name))), (
            f"{name} has no such literal any more: remove it from the exceptions"
        )


def test_stop_words_stand_in_their_home_alone() -> None:
    def lists(module: ast.Module) -> list[str]:
        docs = docstrings(module)
        bare = ast.Module([node for node in module.body if id(getattr(node, "value", None)) not in docs], [])
        return [" ".join(sorted(words)) for words in word_lists(bare) if is_stop_list(words)]

    found = offenders(lists, STOP_WORDS_ELSEWHERE)
    assert not found, f"use {HOME}/stop_words.py, or add the file to STOP_WORDS_ELSEWHERE with the reason: {found}"
    for name in STOP_WORDS_ELSEWHERE:
        assert lists(tree(ROOT / name)), f"{name} has no such literal any more: remove it from the exceptions"


def test_no_rule_is_defined_twice() -> None:
    defined: dict[str, list[str]] = {}
    for path in CODE:
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.FunctionDef) and node.name.lstrip("_") in FUNCTIONS:
                defined.setdefault(node.name.lstrip("_"), []).append(str(path.relative_to(ROOT)))
    assert defined.keys() == FUNCTIONS
    assert {name: files for name, files in defined.items() if len(files) > 1 or not files[0].startswith(HOME)} == {}


def undecided(path: str, module: ast.Module, rule: str) -> list[str]:
    """What decides a rule in a file that does not import it: functions that return a bool and are named after it.

    Also comparisons of two journals, by whatever function, without a name of their own.
    """
    pattern, homes = DECIDERS[rule]
    imported = [it.module for it in ast.walk(module) if isinstance(it, ast.ImportFrom) and it.module]
    modules = {f"{name.replace('.', '/')}.py" for name in imported}
    if homes & {path, *modules}:
        return []
    functions = [(it.name, it.returns) for it in ast.walk(module) if isinstance(it, ast.FunctionDef)]
    named = [name for name, of in functions if of and re.search(pattern, name) and "bool" in ast.unparse(of)]
    return named + (compared_journals(module) if rule == "journals" else [])


@pytest.mark.parametrize("rule", DECIDERS)
def test_functions_that_decide_a_rule_call_its_home(rule: str) -> None:
    names = {path: str(path.relative_to(ROOT)) for path in CODE}
    found = {name: undecided(name, tree(path), rule) for path, name in names.items()}
    assert not {name: functions for name, functions in found.items() if functions}


@pytest.mark.parametrize(
    ("source", "rule"),
    [
        ("def _same_journal(first: str, second: str) -> bool: ...", "journals"),
        ("def venue_equals(a: str, b: str) -> bool | None: ...", "journals"),
        ("same = a.journal.lower() == b.journal.lower()", "journals"),
        ("same = fuzz.ratio(a.paper.journal, b.paper.journal) > 90", "journals"),
        ("def f(a, b):\n    one, other = a.journal.lower(), b.venue\n    return one == other", "journals"),
        ("def looks_like_preprint(paper: Paper) -> bool: ...", "preprints"),
        ("def _is_organisation(author: Author) -> bool: ...", "group_authors"),
    ],
)
def test_a_second_decision_is_found(source: str, rule: str) -> None:
    assert len(undecided("shared/search/filtering/filters.py", ast.parse(source), rule)) == 1


def test_lists_of_the_words_of_groups_stand_in_their_home_alone() -> None:
    home = f"{HOME}/group_authors.py"
    assert not offenders(lambda module: [" ".join(it) for it in word_lists(module) if is_group_list(it)], {}, home)


def own_answers(module: ast.Module) -> list[str]:
    """Where code decides by a list of its own which outcomes are failures, instead of by a property of Outcome."""
    found = []
    for node in ast.walk(module):
        elements = node.elts if isinstance(node, ast.Set | ast.List | ast.Tuple) and len(node.elts) > 1 else []
        many = any(map(is_skip, elements)) or (bool(elements) and all(map(is_outcome, elements)))
        prefix = isinstance(node, ast.Constant) and node.value == "skipped_"
        beside = isinstance(node, ast.BoolOp) and not_answered(node) and any(map(is_skip, ast.walk(node)))
        found += [ast.unparse(node)] if many or prefix or beside else []
    return found


def is_skip(node: ast.AST) -> bool:
    """Whether it is one of the outcomes of legs that were left out."""
    text = node.value if isinstance(node, ast.Constant) else getattr(node, "attr", None)
    return isinstance(text, str) and text.casefold() in {it.value for it in Outcome if it.skipped}


def is_outcome(node: ast.AST) -> bool:
    return isinstance(node, ast.Attribute) and ast.unparse(node) in {f"Outcome.{it.name}" for it in Outcome}


def not_answered(node: ast.BoolOp) -> bool:
    negated = [it.operand for it in ast.walk(node) if isinstance(it, ast.UnaryOp) and isinstance(it.op, ast.Not)]
    return any(isinstance(it, ast.Attribute) and it.attr == "answered" for it in negated)


def test_whether_an_outcome_is_a_failure_is_decided_beside_the_outcomes() -> None:
    assert own_answers(tree(ROOT / OUTCOMES)), "the home holds what the rule looks for"
    found = {name: own_answers(tree(path)) for path in CODE if (name := str(path.relative_to(ROOT))) != OUTCOMES}
    assert {name: lists for name, lists in found.items() if lists} == {}


@pytest.mark.parametrize(
    "source",
    [
        "UNABLE = (Outcome.SKIPPED_NO_KEY, Outcome.SKIPPED_DISABLED)",
        "WAITING = frozenset({Outcome.RATE_LIMITED, Outcome.SKIPPED_BUDGET})",
        "waits = outcome in (Outcome.RATE_LIMITED, Outcome.CIRCUIT_OPEN)",
        'SKIPPED = ["skipped_no_key", "skipped_overload"]',
        'skipped = outcome.startswith("skipped_")',
        "failed = not outcome.answered and outcome is not Outcome.SKIPPED_NO_KEY",
    ],
)
def test_a_second_list_of_outcomes_is_found(source: str) -> None:
    assert own_answers(ast.parse(source))


@pytest.mark.parametrize(
    ("source", "rule"),
    [
        ('SERVERS = {"biorxiv", "medrxiv", "research square"}', "preprints"),
        ('BODY = re.compile(r"\\b(?:group|agency|society)\\b")', "group_authors"),
        ('SERVERS = ("10.1101/", "10.64898/")', "preprints"),
        ('DOI = re.compile(r"10\\.(?:1101|21203)/")', "preprints"),
        ('GROUP = re.compile(r"group|consortium|team")', "group_authors"),
        ('SERVER = re.compile("rxiv|ssrn")', "preprints"),
        ('year = day.removesuffix("-01-01")', "dates"),
        ('year = re.sub("-01-01$", "", day)', "dates"),
        ("known = (day.month, day.day) == (1, 1)", "dates"),
        ("known = day.month == 1 and day.day == 1", "dates"),
        ("hidden = chr(0x200B)", "characters"),
        ('shown = [it for it in text if unicodedata.category(it) != "Cf"]', "characters"),
        ('shown = "".join(it for it in text if it.isprintable())', "characters"),
        ('HIDDEN = re.compile("[\\u200b\\u202e]")', "characters"),
        ('HIDDEN = r"\\u200b-\\u200f"', "characters"),
        ('PARTICLES = "da|van|von"', "particles"),
        ('PARTICLES = {"da", "van", "von"}', "particles"),
        ('MORE = re.compile(r",? et\\.? al\\b\\.?,?$")', "further people"),
        ('MORE = re.compile(r"\\bet\\s?al\\b")', "further people"),
        ('MORE = re.compile(r"\\band others\\b|…")', "further people"),
        ('DOI = re.compile(r"10\\.\\d{4,9}/\\S+")', "beginnings of DOIs"),
        ('DOI = re.compile(r"(10\\.[0-9]{4,9}) ?/")', "beginnings of DOIs"),
        ('INITIALS = r"(?:[A-Z]\\.?[ -]?){1,3}"', "initials"),
        ('NAME = rf"{FAMILY} [A-ZÀ-Þ]{{1,3}}(?=[.,])"', "initials"),
    ],
)
def test_a_second_definition_is_found(source: str, rule: str) -> None:
    telling = re.compile(TEXTS[rule][0], re.IGNORECASE)
    assert any(telling.search(text) for text in texts(ast.parse(source)))


@pytest.mark.parametrize(
    "source",
    [
        'SMALL = {"the", "of", "and", "in"}',
        'SMALL = "a of the to".split()',
        'SMALL = {"a": 0, "of": 0, "the": 0, "in": 1}',
    ],
)
def test_a_second_list_of_stop_words_is_found(source: str) -> None:
    assert any(map(is_stop_list, word_lists(ast.parse(source))))


@pytest.mark.parametrize(
    "source", ['any(it in name for it in ("group", "team", "unit"))', 'G = re.compile("(Group|Study)$")']
)
def test_a_second_list_of_words_of_groups_is_found(source: str) -> None:
    assert any(map(is_group_list, word_lists(ast.parse(source))))
