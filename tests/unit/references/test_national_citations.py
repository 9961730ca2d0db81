"""Parsing references as physicists write them, and as German and Japanese journals and books do.

The forms are those of published rules: AIP, APS, IOP, the AAS and Elsevier's numbered style; DIN ISO 690, German
Wikipedia and the humanities; SIST 02, the Japanese Psychological Association and medical journals. What is cited of
physics are facts; names and titles in German and Japanese are invented.
"""

from __future__ import annotations

import pytest

from shared.query.question import Citation
from shared.references.citation_text import read_citation
from shared.references.names_in_citation import read_author


def place(read: Citation) -> tuple[str | None, str | None, str | None, int | None]:
    return read.journal, read.volume, read.pages, read.year


UNTITLED = [
    ("P. W. Higgs, Phys. Rev. Lett. 13, 508 (1964).", "P. W. Higgs", "Phys. Rev. Lett", "13", "508", 1964),
    ("P. W. Higgs, Phys. Rev. Lett. 13 (1964) 508–509.", "P. W. Higgs", "Phys. Rev. Lett", "13", "508-509", 1964),
    ("P. W. Higgs, Phys. Rev. Lett. **13**, 508 (1964).", "P. W. Higgs", "Phys. Rev. Lett", "13", "508", 1964),
    (r"P. W. Higgs, Phys. Rev. Lett. {\bf 13}, 508 (1964).", "P. W. Higgs", "Phys. Rev. Lett", "13", "508", 1964),
    ("[7] A. Einstein, B. Podolsky, and N. Rosen, Phys. Rev. 47, 777 (1935).",
     "A. Einstein", "Phys. Rev", "47", "777", 1935),
    ("A. Einstein, Ann. Phys. (Leipzig) 17, 891 (1905).", "A. Einstein", "Ann. Phys", "17", "891", 1905),
    ("G. 't Hooft and M. Veltman, Nucl. Phys. B 44, 189 (1972).", "G. 't Hooft", "Nucl. Phys. B", "44", "189", 1972),
    ("J. von Neumann, Math. Ann. 104, 570 (1931).", "J. von Neumann", "Math. Ann", "104", "570", 1931),
    ("Ch. Kittel and H. Kroemer, Phys. Today 33, 51 (1980).", "Ch. Kittel", "Phys. Today", "33", "51", 1980),
    ("J. Doe et al., J. Glaciol. 58, 441 (2012).", "J. Doe", "J. Glaciol", "58", "441", 2012),
    ("J. Doe et al, Methods Ecol. Evol. 10, 1645 (2019).", "J. Doe", "Methods Ecol. Evol", "10", "1645", 2019),
    ("J. Doe and others, Opt. Express 10, 1645 (2019).", "J. Doe", "Opt. Express", "10", "1645", 2019),
    ("J. Doe, K. Roe et al. J. Am. Chem. Soc. 2019, 141, 1645–1650.",
     "J. Doe", "J. Am. Chem. Soc", "141", "1645-1650", 2019),
    ("J. Doe, Angew. Chem. Int. Ed. 2019, 58, 1645; Angew. Chem. 2019, 131, 1660.",
     "J. Doe", "Angew. Chem. Int. Ed", "58", "1645", 2019),
    ("B. P. Abbott et al. (LIGO and Virgo Collaborations), Phys. Rev. Lett. 116, 061102 (2016).",
     "B. P. Abbott", "Phys. Rev. Lett", "116", "061102", 2016),
    ("G. Aad et al. [ATLAS Collaboration], Phys. Lett. B 716, 1 (2012) [arXiv:1207.7214 [hep-ex]].",
     "G. Aad", "Phys. Lett. B", "716", "1", 2012),
    ("ATLAS Collaboration, Phys. Lett. B 716, 1 (2012).", "ATLAS Collaboration", "Phys. Lett. B", "716", "1", 2012),
    ("J. M. Maldacena, Adv. Theor. Math. Phys. 2, 231 (1998) [Int. J. Theor. Phys. 38, 1113 (1999)].",
     "J. M. Maldacena", "Adv. Theor. Math. Phys", "2", "231", 1998),
    ("J. P. Perdew, K. Burke, M. Ernzerhof, Phys. Rev. Lett. 77, 3865 (1996); 78, 1396(E) (1997).",
     "J. P. Perdew", "Phys. Rev. Lett", "77", "3865", 1996),
    ("J.D. Bekenstein, Phys.Rev.D 7 (1973) 2333-2346", "J.D. Bekenstein", "Phys.Rev.D", "7", "2333-2346", 1973),
    ("Doe, J. A. et al. J. Geophys. Res.: Earth Surface 118, 1002–1024 (2013).",
     "Doe, J. A", "J. Geophys. Res.: Earth Surface", "118", "1002-1024", 2013),
    ("Doe, J. A. & Roe, K. Mol Neurodegener 9, 20 (2014).", "Doe, J. A.", "Mol Neurodegener", "9", "20", 2014),
    ("Riess A G et al 1998 Astron. J. 116 1009", "Riess A G", "Astron. J", "116", "1009", 1998),
    ("Riess, A. G., Filippenko, A. V., Challis, P., et al. 1998, AJ, 116, 1009",
     "Riess, A. G.", "AJ", "116", "1009", 1998),
    ("Hawking S W 1974 Nature 248 30", "Hawking S W", "Nature", "248", "30", 1974),
]  # fmt: skip


@pytest.mark.parametrize(("line", "author", "journal", "volume", "pages", "year"), UNTITLED)
def test_a_reference_without_a_title_has_its_place(
    line: str, author: str, journal: str, volume: str, pages: str, year: int
) -> None:
    read = read_citation(line)
    assert (read.title, read.authors[0]) == (None, author)
    assert place(read) == (journal, volume, pages, year)


TITLED = [
    ("P. W. Higgs, Broken symmetries and the masses of gauge bosons, Phys. Rev. Lett. 13, 508 (1964).",
     "Broken symmetries and the masses of gauge bosons", "Phys. Rev. Lett"),
    ("P. W. Anderson, More is different, Science 177, 393 (1972).", "More is different", "Science"),
    ("J. Doe et al., Tau in physiology and pathology, Nat. Rev. Neurosci. 17, 22 (2016).",
     "Tau in physiology and pathology", "Nat. Rev. Neurosci"),
    ("C. Kittel, Introduction to Solid State Physics, 8th ed. (Wiley, New York, 2005).",
     "Introduction to Solid State Physics", None),
    ("C. W. Misner, K. S. Thorne, and J. A. Wheeler, Gravitation (Freeman, San Francisco, 1973).", "Gravitation", None),
]  # fmt: skip


@pytest.mark.parametrize(("line", "title", "journal"), TITLED)
def test_a_title_before_the_journal_is_no_journal(line: str, title: str, journal: str | None) -> None:
    assert (read_citation(line).title, read_citation(line).journal) == (title, journal)


TITLE = "Die Entwicklung der Mikroglia im alternden Gehirn"
GERMAN = [
    f"Müller, Hans: {TITLE}. In: Der Nervenarzt 84 (2013), Nr. 5, S. 12–34.",
    f"MÜLLER, Hans ; SCHMIDT, Petra: {TITLE}. In: Der Nervenarzt 84 (2013), Nr. 5, S. 12-34",
    f"Müller, Hans/Schmidt, Petra: {TITLE}, in: Der Nervenarzt, 84. Jg., Nr. 5, 2013, S. 12–34.",
    f"Müller, H. / Schmidt, P. (2013): {TITLE}, in: Der Nervenarzt, 84. Jg. (2013), H. 5, S. 12-34.",
    f"Müller, HM / Schmidt, PL u. a.: {TITLE}, in: Der Nervenarzt, Jg. 84, H. 5, 2013, S. 12–34.",
    f"Müller, Hans; Schmidt, Petra; Weber, Klaus [u. a.]: {TITLE}. In: Der Nervenarzt 84 (2013), H. 5, S. 12–34.",
    f"Müller, H., Schmidt, P. u. Weber, K.: {TITLE}. Der Nervenarzt 84 (2013), S. 12–34.",
    f"Hans Müller, Petra Schmidt: {TITLE}. In: Der Nervenarzt. Band 84, Nr. 5, 2013, S. 12–34.",
    f"Hans Müller, {TITLE}, in: Der Nervenarzt 84 (2013), S. 12–34, hier S. 15.",
    f"Müller, Hans, {TITLE}, in: Der Nervenarzt 84 (2013), S. 12–34.",
    f"Vgl. Müller, Hans: {TITLE}, in: Der Nervenarzt 84 (2013), S. 12–34.",
    f"Müller H, Schmidt P (2013) {TITLE}. Der Nervenarzt 84:12–34",
]


@pytest.mark.parametrize("line", GERMAN)
def test_a_german_reference_is_parsed(line: str) -> None:
    read = read_citation(line)
    first = read_author(read.authors[0])
    assert first is not None
    assert (read.title, (first.family or "").title()) == (TITLE, "Müller")
    assert place(read) == ("Der Nervenarzt", "84", "12-34", 2013)


BOOKS = [
    ("Müller, Hans: Einführung in die Neurologie. 3., überarb. Aufl. Berlin: Springer, 2013.",
     "Einführung in die Neurologie", None, None),
    (f"Müller, Hans: {TITLE}. In: Schmidt, Petra (Hrsg.): Handbuch der Neurologie. Bd. 2. Berlin 2013, S. 12–34.",
     TITLE, "Handbuch der Neurologie", "2"),
    ("Müller, Hans (Hg.): Handbuch der Neurologie, Bd. 2, Berlin 2013.", "Handbuch der Neurologie", None, "2"),
]  # fmt: skip


@pytest.mark.parametrize(("line", "title", "journal", "volume"), BOOKS, ids=["edition", "chapter", "editor"])
def test_editors_and_editions_of_german_books_are_recognised(
    line: str, title: str, journal: str | None, volume: str | None
) -> None:
    read = read_citation(line)
    assert (read.authors, read.title, read.journal, read.volume) == (("Müller, Hans",), title, journal, volume)


JAPANESE = [
    "山田太郎, 鈴木花子. ミクログリアの機能に関する研究. 神経科学. 2013, vol. 12, no. 3, p. 34-56.",
    "山田太郎・鈴木花子 (2013). ミクログリアの機能に関する研究. 神経科学, 12(3), 34-56.",
    "山田太郎「ミクログリアの機能に関する研究」『神経科学』第12巻第3号、2013年、34-56頁。",
    "山田太郎「ミクログリアの機能に関する研究」『神経科学』第12巻第3号、2013年、34-56ページ。",
    "山田太郎（2013）「ミクログリアの機能に関する研究」『神経科学』12(3)：34-56",
    "山田 太郎, 鈴木 花子: ミクログリアの機能に関する研究. 神経科学 12: 34-56, 2013.",
    "山田太郎，鈴木花子，他：ミクログリアの機能に関する研究．神経科学 12：34―56，2013",
    "山田太郎, 鈴木花子: ミクログリアの機能に関する研究, 神経科学, 第12巻, 第3号, pp.34-56 (2013)",
]


@pytest.mark.parametrize("line", JAPANESE)
def test_a_japanese_reference_is_parsed(line: str) -> None:
    read = read_citation(line)
    assert (read.title, read.authors[0].replace(" ", "")) == ("ミクログリアの機能に関する研究", "山田太郎")
    assert place(read) == ("神経科学", "12", "34-56", 2013)


@pytest.mark.parametrize("pages", ["S. 34ff.", "S. 34 f.", "pp. 34ff"])
def test_the_first_of_some_pages_is_the_page(pages: str) -> None:
    assert read_citation(f"Doe, Jane: Ein Titel aus fünf Wörtern. In: Zeitschrift 12 (2015), {pages}").pages == "34"


def test_the_day_of_the_publication_online_is_no_volume() -> None:
    read = read_citation(
        "Doe J, Roe K. A title of six plain words. JAMA Neurol. Published online May 3, 2021. doi:10.1/x"
    )
    assert place(read) == ("JAMA Neurol", None, None, 2021)


@pytest.mark.parametrize("mark", ["[C]//", "[C]// ", " [M]//"])
def test_a_chinese_mark_separates_a_title_from_its_proceedings(mark: str) -> None:
    read = read_citation(
        f"HE K, ZHANG X, et al. Deep residual learning for image recognition{mark}Proceedings. 2016: 770-778."
    )
    assert (read.title, read.journal) == ("Deep residual learning for image recognition", "Proceedings")
