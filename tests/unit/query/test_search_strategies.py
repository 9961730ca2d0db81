"""Strategies of librarians as one expression. Expectations: the databases' help pages, which the modules name."""

from __future__ import annotations

import sys

import pytest

from shared.errors import Unprocessable
from shared.query.embase_syntax import read_embase
from shared.query.foreign_syntax import read_foreign
from shared.query.inner_wildcards import read_inner_wildcards
from shared.query.other_syntaxes import read_syntaxes
from shared.query.search_history import read_history
from shared.query.syntax import Tagged, leaves, tidy
from shared.query.understanding import understand


@pytest.mark.parametrize(
    ("text", "expression"),
    [
        ("1. tau 2. amyloid 3. 1 and 2", "(tau) AND (amyloid)"),
        ("#1 tau #2 amyloid #3 mice #4 #1 OR (#2 NOT #3)", "(tau) OR ((amyloid) NOT (mice))"),
        ("1. tau 2. amyloid 3. or/1-2 4. mice 5. 3 not 4", "((tau) OR (amyloid)) NOT (mice)"),
        ("1. tau (1,204) 2. amyloid [17] 3. 1 or 2", "(tau) OR (amyloid)"),
        (
            '1. tau 2. amyloid 3. 1 or 2 4. limit 3 to (english language and humans and yr="2010 - 2015")',
            "((tau) OR (amyloid)) AND LANG:english AND humans[Filter] AND PUB_YEAR:[2010 TO 2015]",
        ),
        ("1. knee 2. hip 3. 1 or 2 [knee and hip] 4. exp Pain/ [pain] 5. 3 and 4", "((knee) OR (hip)) AND (exp Pain/)"),
        ("1. tau [tiab] 2. mice 3. 1 and 2", "(tau [tiab]) AND (mice)"),
        ("1. child* or infant* 2. asthma 3. 1 and 2", "(child* OR infant*) AND (asthma)"),
        ("1. tau 2. mice 3. 1 and 2 and (2015 or 2016).yr.", "(tau) AND (mice) AND (2015 OR 2016).yr."),
        ("1. tau 2. mice 3. 1 and 2 not (phase 1 or 2).tw.", "(tau) AND (mice) NOT (phase 1 OR 2).tw."),
        ("1. tau 2. mice 3. 1 and 2 4. remove duplicates from 3", "((tau) AND (mice))"),
        ("1. tau 2. 1 use ppez 3. mice 4. 2 and 3", "((tau)) AND (mice)"),
        ("#1 tau #2 mice #3 #1 OR #2 #4 #3 AND [english]/lim", "((tau) OR (mice)) AND [english]/lim"),
        ("S1 TI tau S2 AB mice S3 S1 AND (S2 OR AB rats)", "(TI tau) AND ((AB mice) OR AB rats)"),
        (
            "#1 MeSH descriptor: [Head and Neck Neoplasms] #2 'a and b'/exp #3 #1 or #2",
            "(MeSH descriptor: [Head and Neck Neoplasms]) OR ('a and b'/exp)",
        ),
    ],
)
def test_numbered_lines_are_the_expression_of_the_last(text: str, expression: str) -> None:
    assert read_history(text)[0] == expression


@pytest.mark.parametrize(
    ("text", "expression"),
    [
        ("1   type 2 tau (1204)\n2   mice (17)\n3   1 and 2 (5)", "(type 2 tau) AND (mice)"),
        ("#3 #1 AND #2\n#2 mice\n#1 tau", "(tau) AND (mice)"),
        ("S3\tS1 AND S2\nS2\tAB mice\nS1\tTI tau", "(TI tau) AND (AB mice)"),
        ("#1 tau 5000\n#2 mice\n or rats 1,200\n#3 #1 and #2 12", "(tau) AND (mice OR rats)"),
        ("1  tau 1,200\n2  mice 300\n3  1 and 2 140", "(tau) AND (mice)"),
        ("MEDLINE (Ovid)\n1 tau\n2 mice\n3 1 and 2", "(tau) AND (mice)"),
        (
            "Database: Ovid <1946 to 2022>\nSearch Strategy:\n----\n1  tau (9)\n2  mice (8)\n3  1 and 2 (2)",
            "(tau) AND (mice)",
        ),
        ("Search\tQuery\tResults\n#3\t#1 AND #2\t12\n#2\tmice\t70\n#1\ttau\t1,200", "(tau) AND (mice)"),
        (
            "| # | Search | Hits |\n|--|--|--|\n| 1 | tau | 9 |\n| 2 | mice | 8 |\n| 3 | #1 AND #2 | 2 |",
            "(tau) AND (mice)",
        ),
        ("12 March 2021\n#1 tau\n#2 mice\n#3 #1 AND #2", "(tau) AND (mice)"),
        ("1 tau\n2 mice\n3 limit 1 to english language", "(tau) AND LANG:english"),
    ],
)
def test_lines_that_only_breaks_part_are_a_strategy(text: str, expression: str) -> None:
    assert read_history(tidy(text))[0] == expression


@pytest.mark.parametrize(
    "text",
    ["1  Introduction\n2  Methods and materials\n3  Results", "2 tau\n3 2 and mice", "1 tau\n3 1 and mice", "1\n2"],
)
def test_other_lines_that_begin_with_numbers_stay_as_they_are(text: str) -> None:
    assert tidy(text) == " ".join(text.split())


@pytest.mark.parametrize(
    "text",
    [
        "1. Introduction 2. Methods",
        "1. 5 and 10 year survival 2. Outcomes",
        "S1 and S2 subunits of spike",
        "2. tau 3. 1 and 2",
        "phase 1. 2. and 3. trials",
        "Type 1 and 2 diabetes",
        "",
    ],
)
def test_other_numbers_are_no_strategy(text: str) -> None:
    assert read_history(text) == (text, [])


@pytest.mark.parametrize(
    "text",
    [
        "#1 AND #2",
        "#3 AND [english]/lim",
        "limit 5 to english language",
        "1. tau 2. 1 and 3",
        "1. 2 or 2 2. 1 or 1",
        "1. tau " + " ".join(f"{number}. {number - 1} or {number - 1}" for number in range(2, 200)),
    ],
)
def test_a_line_that_is_missing_or_names_itself_or_makes_it_too_long_is_refused(text: str) -> None:
    with pytest.raises(Unprocessable):
        read_history(text)


@pytest.mark.parametrize(
    ("word", "read"),
    [
        ("wom?n", "(woman OR women)"),
        ("tumo#r", "(tumor OR tumour)"),
        ("an?emi*", "(anemi* OR anaemi*)"),
        ("h?emoglobin", "(hemoglobin OR haemoglobin)"),
        ("f?etal", "(fetal OR foetal)"),
        ("organi?ation*", "(organisation* OR organization*)"),
        ("analys?s", "(analysis OR analyses)"),
        ("signal$ing", "(signaling OR signalling)"),
        ("sulph#te", "sulph*"),
        ("work?yes", "work?yes"),
        ("C#sharp", "C#sharp"),
        ("US$million", "US$million"),
        ('"wom?n"', '"wom?n"'),
    ],
)
def test_a_wildcard_inside_a_word_is_the_spellings_that_it_stands_for(word: str, read: str) -> None:
    assert read_inner_wildcards(word)[0] == read


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("Mecha-\nnisms of anti-\n  biotics", "Mechanisms of antibiotics"),
        ("state-of-the-\nart", "state-of-the-art"),
        ("COVID-\n19, T-\ncell", "COVID-19, T-cell"),
        ("pre-\nand post-operative", "pre- and post-operative"),
        ("meta\u2011analysis", "meta-analysis"),
        ("‘‘heart attack’’ and ``Crohn's disease''", '"heart attack" and "Crohn\'s disease"'),
        ("a 3'' pipe and f''(x)", "a 3'' pipe and f''(x)"),
        ("tau,amyloid;mice", "tau, amyloid; mice"),
        ("N,N-dimethyltryptamine and 10.1000/ab,cd", "N,N-dimethyltryptamine and 10.1000/ab,cd"),
    ],
)
def test_divided_words_are_whole_and_lists_and_marks_in_one_form(text: str, read: str) -> None:
    assert tidy(text) == read


@pytest.mark.parametrize(
    ("text", "telling"),
    [
        ("Ni:Ti alloys and Crohn's disease", ("Ni:Ti", "alloys", "Crohn's", "disease")),
        ("cost of $5 to $10 per dose", ("cost", "$5", "$10", "per", "dose")),
        (r"C:\users and $\alpha$-synuclein", (r"C:\users", "α-synuclein")),
        ('what is the role of "gut microbiome" in depression', ("gut", "microbiome", "depression")),
        (
            'impact of "gut microbiome" on "depression" AND the AND adults',
            ("impact", "gut", "microbiome", "depression", "adults"),
        ),
        ("IT AND security", ("IT", "security")),
        ("hepatitis E and vitamin A in pregnancy", ("hepatitis", "E", "vitamin", "A", "pregnancy")),
    ],
)
def test_telling_words_keep_signs_that_are_no_syntax(text: str, telling: tuple[str, ...]) -> None:
    assert understand(text).telling == telling


def test_a_long_number_in_a_strategy_is_no_list_of_lines() -> None:
    """Each of its digits could begin a line's number: the time doubled with every digit."""
    text = f"1. asthma 2. {1_900 * '1'}x 3. 1 and 2"
    assert read_history(text)[0].startswith("(asthma) AND (1111")


@pytest.mark.parametrize(
    ("typed", "years"),
    [
        ("PUBYEAR < 2000", "[1800 TO 1999]"),
        ("PUBYEAR > 2014", "[2015 TO 2099]"),
        ("PUBYEAR < 1800", "[1000 TO 1799]"),
        ("PUBYEAR > 2099", "[2100 TO 2100]"),
        ("PUBYEAR < 1000", "[999 TO 999]"),
        ("PUBYEAR > 2500", "[2501 TO 2501]"),
        ("PUBYEAR = 1750", "[1750 TO 1750]"),
        ("before:1700", "[1000 TO 1700]"),
        ("since:2015", "[2015 TO 2099]"),
        ("from:2015", "[2015 TO 2099]"),
        ("year:2015-2020", "[2015 TO 2020]"),
        ("PUB_YEAR:2015-2020", "[2015 TO 2020]"),
        ("pub_date:>=2015", "[2015 TO 2099]"),
        ("publication_year:2015", "[2015 TO 2015]"),
        ("until:2015", "[1800 TO 2015]"),
        ("year>=2015", "[2015 TO 2099]"),
        ("Year > 2015", "[2016 TO 2099]"),
    ],
)
def test_no_year_ends_before_it_begins(typed: str, years: str) -> None:
    assert read_foreign(f"tau AND {typed}").text == f"tau AND PUB_YEAR:{years}"


@pytest.mark.parametrize("text", ["tau \ue0000\ue001", "\ue0007\ue001 AND tau[ti]", 'tau "a b" \ue0000\ue001'])
def test_the_marks_of_held_phrases_are_no_part_of_a_text(text: str) -> None:
    assert understand(text).kind in ("keywords", "expression")
    assert "\ue000" not in tidy(text)
    assert tidy(text) == " ".join(text.replace("\ue000", " ").replace("\ue001", " ").split())


@pytest.mark.parametrize("depth", [10, 950, 3_000])
def test_text_that_begins_as_json_and_is_nested_deeply_is_searched_for(depth: int) -> None:
    assert understand('{"a":' + "[" * depth + " tau").telling == ("tau",)


TAU = '("tau"[mh] OR TITLE_ABS:"tau")'


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("'tau'/exp NOT ('editorial'/it OR 'conference abstract'/it)", f'{TAU} NOT (PUB_TYPE:"editorial")'),
        (
            "'tau'/exp AND ([article]/lim OR 'review'/it)",
            f'{TAU} AND ((PUB_TYPE:"journal article" OR PUB_TYPE:"review"))',
        ),
        ("'tau'/exp AND ('article'/it OR 'conference paper'/it)", f"{TAU} AND ()"),
        ("'tau'/exp AND review:it", f'{TAU} AND PUB_TYPE:"review"'),
        ("'tau'/exp AND [1-1-2015]/sd", f"{TAU} AND "),
        ("'tau'/exp NOT ([conference abstract]/lim AND [1800-2020]/py)", f"{TAU} "),
        (
            "'tau'/exp NOT ([animals]/lim AND [1800-2020]/py)",
            f"{TAU} NOT (animals[Filter] AND PUB_YEAR:[1800 TO 2020])",
        ),
        ("'tau'/exp/dd_dt,dd_ae", TAU),
        ('"tau"/exp', TAU),
        (
            "[mh tau] (Word variations have been searched) with Publication Year from 2010 to 2020, in Trials",
            '("tau"[mh]) AND PUB_YEAR:[2010 TO 2020]',
        ),
        ("he/she/it and tau", "he/she/it and tau"),
    ],
)
def test_embases_and_cochranes_limits_are_terms(text: str, read: str) -> None:
    assert read_embase(text)[0] == read


def test_embases_phrases_keep_their_marks_beside_others() -> None:
    read = understand("\"heart attack\" AND 'stroke prevention'/exp").node
    assert read == understand('"heart attack" AND ("stroke prevention"[mh] OR TITLE_ABS:"stroke prevention")').node


@pytest.mark.parametrize("tag", ["Majr:NoExp", "MeSH Terms:noexp", "mh:noexp", "Mesh:NoExp"])
def test_a_heading_without_those_below_it_has_a_tag(tag: str) -> None:
    assert [it.text for it in leaves(understand(f'"Asthma"[{tag}] AND tau').node)] == ["Asthma", "tau"]


@pytest.mark.parametrize(
    "text", ["a site: nature of binding", "site:specific recombination", "Application of the -nearest-neighbour rule"]
)
def test_words_of_titles_are_no_syntax_of_the_web(text: str) -> None:
    assert read_foreign(text).text == text


@pytest.mark.parametrize("text", ["tau site:nature.com", "tau site:edu", "tau filetype:pdf"])
def test_places_of_the_web_are_left_out(text: str) -> None:
    assert read_foreign(text).text == "tau"


def test_pubmeds_filters_with_the_tag_for_texts_are_no_words() -> None:
    read = list(leaves(understand("tau[text] AND hasabstract[text]").node))
    assert [it.field for it in read if isinstance(it, Tagged)] == ["all_text", "subset"]


@pytest.mark.parametrize("text", ["tau AND year:2015", "query=tau&year=2015", "tau AND year:2015/01/01"])
def test_other_years_stay_as_they_are(text: str) -> None:
    assert read_foreign(text).text == text


@pytest.mark.parametrize(
    ("text", "field"),
    [("lang:de tau", "language"), ("tau language:german", "language"), ("tau open_access:true", "subset")],
)
def test_a_field_before_a_colon_is_a_tag_whatever_follows(text: str, field: str) -> None:
    assert [it.field for it in leaves(understand(text).node) if isinstance(it, Tagged)] == [field]


@pytest.mark.parametrize("text", [
    "TREM2 microglia", "nearest neighbour search", "remove duplicates from three", "limit to english language",
    "sort by best match", "papers about mice", "Smith et al microglia", "ti trem ab microglia", "exp asthma",
])  # fmt: skip
def test_words_alone_need_no_reader_of_syntaxes_and_would_be_left_as_they_are(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = read_syntaxes(text)
    assert (read.text, read.notes) == (text, ())
    monkeypatch.setitem(sys.modules, "shared.query.other_syntaxes", None)  # importing it fails
    assert understand.__wrapped__(text).notes == ()
