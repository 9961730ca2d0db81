"""What other services write beside and around their terms is read, or left out with a note."""

from __future__ import annotations

import pytest

from shared.errors import Unprocessable
from shared.query.syntax import leaves
from shared.query.understanding import understand


@pytest.mark.parametrize(("text", "same", "note"), [
    ("AND gate logic in bacteria", "and gate logic in bacteria", "AND at the beginning as a word"),
    ("tau AND, mice", "tau AND mice", "operators without the signs around them"),
    ("tau NOT, mice", "tau NOT mice", "operators without the signs around them"),
    ("AND mice", "and mice", "AND at the beginning as a word"),
    ("AND (mice OR rats)", "mice OR rats", "AND at the beginning left out"),
    ("tau (2020..2024)", "tau PUB_YEAR:[2020 TO 2024]", "2020..2024 as PUB_YEAR"),
    ("tau AND (2020...2024)", "tau AND PUB_YEAR:[2020 TO 2024]", "2020...2024 as PUB_YEAR"),
    ("intext:tau AND mice", "TITLE_ABS:tau AND mice", "intext: as TITLE_ABS:"),
    ("'heart attack':ti,ab", 'TITLE_ABS:"heart attack"', ":ti,ab as TITLE_ABS:"),
    ("'lancet'/jt AND tau:ti", 'JOURNAL:"lancet" AND TITLE:tau', "/jt as JOURNAL:"),
    ("heart failure.m_titl. and tau.ab.", 'TITLE:"heart failure" AND ABSTRACT:tau', ".m_titl. as TITLE:"),
    ('tau.mp. and "20150101 to 20201231".dt.', "TITLE_ABS:tau", '"20150101 to 20201231".dt. left out'),
    ("tau.mp. and 2015*.ed.", "TITLE_ABS:tau", "2015*.ed. left out"),
    ("tau.mp. and 2015-2020.yr.", "TITLE_ABS:tau AND PUB_YEAR:[2015 TO 2020]", "2015-2020.yr. as PUB_YEAR"),
    ("exp Stroke/dt, pc [Drug Therapy, Prevention & Control]", '"Stroke"[mh]', '"Stroke"[mh]'),
    ("Stroke / and falls.ti.", '"Stroke"[mh:noexp] AND TITLE:falls', 'Stroke / as "Stroke'),
    ("asthma/dt and exp metformin/", '"asthma"[mh:noexp] AND "metformin"[mh]', 'asthma/dt as "asthma"'),
    ('"tau" in Title Abstract Keyword AND mice in Record Title', 'TITLE_ABS:"tau" AND TITLE:mice', ":ti,ab,kw as"),
    ("stroke.tw. and trial.ab. /freq=2", "TITLE_ABS:stroke AND ABSTRACT:trial", "/freq=2 left out"),
    ('tw:ictus AND mh:(aspirina) AND db:("LILACS")', "TITLE_ABS:ictus AND MESH:aspirina", 'db:("LILACS") left out'),
    ("tau NEAR3 mice", "tau AND mice", "NEAR3 as AND"),
    ("REFTITLE(tau) AND ABS(mice)", "ABSTRACT:mice", "REFTITLE(tau) left out"),
    ("tau.ti. and (2015 or 2016).(sa_year).", "TITLE:tau AND PUB_YEAR:[2015 TO 2016]", "as PUB_YEAR"),
    ('ALL("tau" AND "mice")', 'TITLE_ABS:("tau" AND "mice")', "ALL( as TITLE_ABS:("),
    ("tau SORT_DATE:y", "tau", "SORT_DATE:y left out"),
    ("#1 tau\n#2 amyloid\n#3 mice\n#4 {or #1-#2} not #3", "(tau OR amyloid) NOT mice", "4 numbered lines"),
    ("#1 tau\n#2 amyloid\n#3 mice\n#4 {AND #1, #3}", "tau AND mice", "4 numbered lines"),
    ("1. tau\n2. amyloid\n3. mice\n4. or/1,3", "tau OR mice", "4 numbered lines"),
    ("stroke AROUND(3) tau", "stroke AND tau", "AROUND(3) as AND"),
    ("(heart adj failure).tw. and tau.ab.", "TITLE_ABS:(heart AND failure) AND ABSTRACT:tau", "ADJ as AND"),
    ("(nurs* N3 tau) AND mice", "(nurs* AND tau) AND mice", "N3 as AND, at any distance"),
    ('"heart attack" W2 "old age"', '"heart attack" AND "old age"', "W2 as AND, at any distance"),
    ("(stroke OR tau) N5 (mice OR rats)", "(stroke OR tau) AND (mice OR rats)", "N5 as AND, at any distance"),
    ('title:"stroke tau"~3 AND mice', "title:(stroke tau) AND mice", '"stroke tau"~3 as (stroke tau)'),
    ("ab:tau AND tiab:mice", "ABSTRACT:tau AND TITLE_ABS:mice", "ab: as ABSTRACT:"),
    ("stroke AND subject:tau", "stroke AND KW:tau", "subject: as KW:"),
    ("Keywords—stroke, tau", "stroke, tau", "Keywords— as a label"),
    ("(tau$ or stroke$) adj3 mouse$", "(tau* OR stroke*) AND mouse*", "$ as *"),
    ("tau AND 2020[Date - Completion]", "tau AND 2020", "[Date - Completion] is not a field tag"),
    ("TS=(stroke near tau)", "TITLE_ABS:(stroke AND tau)", "near as AND"),
    ("Search query: (stroke OR tau) AND mice", "(stroke OR tau) AND mice", "Search query: as a label"),
    ("PubMed search strategy: stroke AND tau", "stroke AND tau", "PubMed search strategy: as a label"),
    ("MEDLINE (Ovid): exp Stroke/ AND tau", '"Stroke"[mh] AND tau', "MEDLINE (Ovid): as a label"),
    ("Search: (stroke OR tau) AND mice", "(stroke OR tau) AND mice", "Search: as a label"),
    ("PubMed (MEDLINE): (stroke OR tau) AND mice", "(stroke OR tau) AND mice", "PubMed (MEDLINE): as a label"),
    ("Ovid MEDLINE(R) ALL <1946 to 2022>: exp Stroke/", '"Stroke"[mh]', "Ovid MEDLINE(R) ALL <1946 to 2022>: as"),
    ("EMBASE (Ovid): (stroke or tau).ti.", "TITLE:stroke OR TITLE:tau", "EMBASE (Ovid): as a label"),
    ("Web of Science Core Collection: TS=(stroke)", "TITLE_ABS:stroke", "Web of Science Core Collection: as a label"),
    ("Table S2. Scopus (n = 1,204) – TITLE(tau)", "TITLE:tau", "Table S2. Scopus (n = 1,204) – as a label"),
    ("The search string was: stroke AND tau", "stroke AND tau", "The search string was: as a label"),
    ("PubMed (2021)\n(stroke OR tau) AND mice", "(stroke OR tau) AND mice", "PubMed (2021): as a label"),
    ("PubMed\n\nSearch strategy:\nstroke AND tau", "stroke AND tau", "PubMed Search strategy: as a label"),
    ("### MEDLINE (Ovid) – 1946 to May 2022\n\nexp Stroke/", '"Stroke"[mh]', "May 2022: as a label"),
    ("**PubMed:** stroke AND tau", "stroke AND tau", "**PubMed:** as a label"),
    ("PubMed, 12 May 2020, 1,234 hits: stroke AND tau", "stroke AND tau", "1,234 hits: as a label"),
    (
        "Population: stroke OR tau\nIntervention: aspirin OR statins",
        "(stroke OR tau) AND (aspirin OR statins)",
        "concepts behind labels",
    ),
    ("Concept 1: stroke OR tau AND Concept 2: mice.", "(stroke OR tau) AND mice", "concepts behind labels"),
    ("P = (stroke OR tau) AND I = (aspirin)", "(stroke OR tau) AND aspirin", "concepts behind labels"),
    ("Search: #1 stroke #2 tau #3 #1 AND #2", "stroke AND tau", "3 numbered lines"),
    ("Search terms: stroke, tau", "stroke, tau", "Search terms: as a label"),
    ('TI tau AND ZT "Journal Article"', 'TITLE:tau AND PUB_TYPE:"journal article"', "ZT"),
    ("TI tau AND PZ review", 'TITLE:tau AND PUB_TYPE:"review"', "PZ review as"),
    ("XB tau AND PT review", 'TITLE_ABS:tau AND PUB_TYPE:"review"', "XB as TITLE_ABS:"),
])  # fmt: skip
def test_it_is_read_with_a_note(text: str, same: str, note: str) -> None:
    read = understand(text)
    assert read.node == understand(same).node
    assert any(note in it for it in read.notes)


@pytest.mark.parametrize(("text", "same"), [
    ("tau[tiab] not mice[tiab]", "tau[tiab] NOT mice[tiab]"),
    ("(tau[ti] or amyloid[ti]) and mice[ti]", "(tau[ti] OR amyloid[ti]) AND mice[ti]"),
    ("TITLE:tau not TITLE:mice", "TITLE:tau NOT TITLE:mice"),
    ("tau and not title:mice", "tau NOT title:mice"),
    ("tau **AND** amyloid *NOT* mice", "tau AND amyloid NOT mice"),
    ("stroke not mice[tiab]", "stroke NOT mice[tiab]"),
    ("stroke or old mice[tiab]", "stroke OR old mice[tiab]"),
    ("(stroke or tau) and mice[tiab]", "(stroke OR tau) AND mice[tiab]"),
    ("TITLE:tau or mice", "TITLE:tau OR mice"),
    ("Smith J[Author - First] and tau", "Smith J[Author - First] AND tau"),
    ("TITLE:tau not mice", "TITLE:tau NOT mice"),
    ('stroke not "old mice"', 'stroke NOT "old mice"'),
    ('"stroke care" or mice', '"stroke care" OR mice'),
    ("(heart attack or stroke) AND aspirin", "(heart attack OR stroke) AND aspirin"),
    ("(cancer or tumor) and (mice or rats)", "(cancer OR tumor) AND (mice OR rats)"),
    ('"heart failure" and (diabetes or obesity)', '"heart failure" AND (diabetes OR obesity)'),
    ("stroke NOT (mice or rats)", "stroke NOT (mice OR rats)"),
    ("stroke AND mice or rats", "stroke AND (mice OR rats)"),
    ("stroke or tau AND (mice or rats)", "(stroke OR tau) AND (mice OR rats)"),
    ("stroke AND not mice", "stroke AND NOT mice"),
    ('The "what" and "why" of stroke', '"what" AND "why" of stroke'),
    ("(stroke or tau) and mice", "(stroke OR tau) AND mice"),
    ("stroke and (mice or rats) and tau not man", "stroke AND (mice OR rats) AND tau NOT man"),
    ("(Stroke Or Tau) And Mice", "(Stroke OR Tau) AND Mice"),
    ("stroke AND mice Or rats", "stroke AND (mice OR rats)"),
    ("nurs* or midwi*", "nurs* OR midwi*"),
    ("(stroke or tau)", "stroke OR tau"),
    ("child* and (asthma or wheezing)", "child* AND (asthma OR wheezing)"),
    ("(hepatitis a or hepatitis b) AND vaccine", "(hepatitis a OR hepatitis b) AND vaccine"),
    ("(vitamin d or vitamin a) and bone", "(vitamin d OR vitamin a) AND bone"),
    ('stroke (tiab) AND "tau" (MeSH)', 'stroke[tiab] AND "tau"[MeSH]'),
    ("('heart attack' OR stroke) AND ‘tau protein’", '("heart attack" OR stroke) AND "tau protein"'),
    ("trials as topic [mesh: noexp]", "trials as topic[mesh: noexp]"),
    ("Diabetes UND (Adipositas ODER Sport) UND NICHT Kinder", "Diabetes AND (Adipositas OR Sport) NOT Kinder"),
    ('"tabac" ET ("alcool" OU vin)', '"tabac" AND ("alcool" OR vin)'),
    ("diabetes Y (obesidad O sobrepeso)", "diabetes AND (obesidad OR sobrepeso)"),
    ("(diabetes mellitus) Y (obesidad)", "(diabetes mellitus) AND (obesidad)"),
    ('"saber" Y "poder"', '"saber" AND "poder"'),
    ('tw:tau AND la:("es" OR "pt")', 'TITLE_ABS:tau AND LANG:("es" OR "pt")'),
    ('"tau" and/or "amyloid"', '"tau" OR "amyloid"'),
    ("beta-blocker* or β-blocker*", "beta-blocker* OR β-blocker*"),
])  # fmt: skip
def test_small_operators_beside_fields_and_emphasised_ones_are_operators(text: str, same: str) -> None:
    assert understand(text).node == understand(same).node


@pytest.mark.parametrize(("text", "same"), [
    ('find recent reviews on "stroke care" AND mice', '"stroke care" AND mice'),
    ('papers on "stroke care" and mice since 2018', '"stroke care" AND mice since 2018'),
    ("Search PubMed for (stroke OR tau) AND mice", "(stroke OR tau) AND mice"),
    ("please search for (stroke OR tau) AND mice", "(stroke OR tau) AND mice"),
    ("find papers: stroke AND mice", "stroke AND mice"),
    ('the article entitled "Stroke in mice"', '"Stroke in mice"'),
    ("key papers on (stroke OR tau) AND mice", "(stroke OR tau) AND mice"),
    ("could you search for stroke AND mice", "stroke AND mice"),
    ("Find studies where (stroke OR tau) AND mice", "(stroke OR tau) AND mice"),
    ("I want to search for articles about (stroke OR tau) AND mice", "(stroke OR tau) AND mice"),
    ('doi of "Stroke in mice"', '"Stroke in mice"'),
    ("Our search terms were (stroke OR tau) AND (mice OR rats)", "(stroke OR tau) AND (mice OR rats)"),
    ('We searched PubMed, Embase and Scopus for ("stroke" OR tau)', '"stroke" OR tau'),
    ("Here is my search string: stroke AND mice", "stroke AND mice"),
    ("1. PubMed: stroke AND mice", "stroke AND mice"),
    ('PubMed ("stroke"[ti] OR tau) AND mice', '("stroke"[ti] OR tau) AND mice'),
    ("Ovid MEDLINE (stroke or tau).ti.", "TITLE:stroke OR TITLE:tau"),
    ("Scopus TITLE-ABS-KEY(stroke) AND mice", "TITLE_ABS:stroke AND mice"),
    ('Search strategy "stroke" AND mice', '"stroke" AND mice'),
    ("{old mice} AND {stroke}", '"old mice" AND "stroke"'),
    ("PEDro: stroke AND mice", "stroke AND mice"),
    ("- PubMed = (stroke OR tau)", "stroke OR tau"),
    ("S1 Appendix. PubMed search: stroke AND mice", "stroke AND mice"),
    ("Date of search: 12/03/2021\nstroke AND mice", "stroke AND mice"),
])  # fmt: skip
def test_the_request_before_an_expression_is_no_term_of_it(text: str, same: str) -> None:
    assert understand(text).node == understand(same).node


@pytest.mark.parametrize("text", [
    "to be or not to be[ti]", "whether or not[tiab]", "lymphoma not otherwise specified[tiab]", "wit and humor[mh]",
    "head and neck cancer[tiab]", "stroke care[tiab:~3]", "stroke care[ab:~2]",
])  # fmt: skip
def test_small_words_of_a_term_stay_words_of_it(text: str) -> None:
    assert [it.text for it in leaves(understand(text).node)] == [text.partition("[")[0]]


@pytest.mark.parametrize("text", [
    "what is better: statins or nothing? A AND B", "the role of statins or placebo in stroke AND dementia",
    "Synthesis of (R) and (S) ibuprofen", "Effect of statins (atorvastatin or simvastatin) and diet",
    "the nurs* or midwi* of today", "Nutrition (fat or fibre) and health", "A* search or gradient descent",
])  # fmt: skip
def test_small_words_of_a_sentence_beside_an_operator_are_words(text: str) -> None:
    assert not understand(text).notes


@pytest.mark.parametrize("text", [
    "Search: a unifying theory", "PubMed: the bibliographic database", "stroke near tau", "FDR adj p value",
    "PET/CT", "pet/ct", "Zeolites with a high (Si/Al) ratio", "Gender (s/he) in texts", "Drugs (and/or) placebo",
    "Odds ratio (OR) and relative risk (RR): which to use?", "stroke and/or seizures",
    'Scopus: A database "in progress"', 'Search terms as a method: "tau" in texts', "We are (not) alone",
    'Database search: pros and cons of "Big Data"',
    "Q10: an antioxidant",
    "LA:Ao ratio in dogs",
    "NEAR1 gene expression",
    "vitamin E (tocopherol) and group O blood", '"blood group" O (ABO)', "Gamma (E) Y (x)",
    "Marcus theory ET rate OU process (Ornstein-Uhlenbeck)",
    'Strategy in search of "theory"', 'The search strategy of "E. coli"', 'The search for the "historical" Jesus',
    'Search through "Wikipedia"', "Full search (FS) AND motion estimation", 'Search strings "in vivo"',
    "essential tremor ET (DBS)", "vitamin E (tocopherol) in milk", '"Kinder UND Jugend"', "STURM UND DRANG",
    "T2 N3 M0 lung cancer", "adsorption of N2 (nitrogen)", '"lung cancer" N2 disease',
    "PubMed (MEDLINE) and Google Scholar: a comparison", "Search strategy: how bats (or birds) find food",
    "alternatives and implications /", "MRI w/ and w/o contrast", "w/ and w/o contrast",
    "PubMed Central (PMC) AND reuse", 'Scopus "self-citation"', "{Stroke in mice}",
    "drug abuse -what has experience taught us",
    "Google Scholar: the NOT so new engine", 'Group A: placebo, Group B: "new" drug',
])  # fmt: skip
def test_labels_and_distances_of_a_sentence_are_words(text: str) -> None:
    assert not understand(text).notes


@pytest.mark.parametrize("text", ["benzo[a]pyrene and smoking", "Alzheimer and Parkinson: a review"])
def test_small_words_beside_other_brackets_and_colons_are_words(text: str) -> None:
    assert understand(text).kind == "sentence"


def test_words_in_capitals_before_parentheses_are_no_fields() -> None:
    assert understand("REFRACTORY (severe) epilepsy").telling == ("REFRACTORY", "severe", "epilepsy")


@pytest.mark.parametrize("text", ["AND", "AND NOT mice", "OR mice", "NOT mice"])
def test_an_operator_at_the_beginning_without_what_it_needs_is_refused(text: str) -> None:
    with pytest.raises(Unprocessable):
        understand(text)


@pytest.mark.parametrize(("text", "same"), [
    ("(tau AND mice", "tau AND mice"),
    ("((tau OR amyloid) AND (mice OR rats)", "(tau OR amyloid) AND (mice OR rats)"),
    ("(tau or amyloid) and (mice or rats", "(tau OR amyloid) AND (mice OR rats)"),
    ("(tau[ti] OR amyloid[ti]))", "tau[ti] OR amyloid[ti]"),
])  # fmt: skip
def test_a_group_is_closed_where_it_can_mean_one_thing(text: str, same: str) -> None:
    assert understand(text).node == understand(same).node
    assert "a parenthesis" in understand(text).notes[-1]


@pytest.mark.parametrize("text", ["(tau OR amyloid AND (mice OR rats)", "tau) AND mice", "(TREM2 AND"])
def test_a_group_that_can_mean_two_things_or_lacks_a_term_is_refused(text: str) -> None:
    with pytest.raises(Unprocessable):
        understand(text)


def test_years_in_brackets_are_those_of_papers() -> None:
    assert understand("tau [2015-2020]").telling == ("tau",)
