"""Lists as copied from a PDF, without numbers, indents or empty lines: where each entry begins has to be guessed."""

from __future__ import annotations

from textwrap import wrap

import pytest

from tests.unit.documents.corpus_documents import read_unchanged

LISTS = {
    "Vancouver": [
        "LeCun Y, Bengio Y, Hinton G. Deep learning. Nature. 2015;521(7553):436-444. doi: 10.1038/nature14539",
        "Altschul SF, Gish W, Miller W, Myers EW, Lipman DJ. Basic local alignment search tool. J Mol Biol. "
        "1990;215(3):403-410. doi: 10.1016/S0022-2836(05)80360-2",
        "Einstein A, Podolsky B, Rosen N. Can quantum-mechanical description of physical reality be considered "
        "complete? Phys Rev. 1935;47(10):777-780. doi: 10.1103/PhysRev.47.777",
        "Dobin A, Davis CA, Schlesinger F, Drenkow J. STAR: Ultrafast universal RNA-seq aligner. Bioinformatics. "
        "2013;29(1):15-21.",
        "Fire A, Xu S, Montgomery MK. Potent and specific genetic interference. Nature. 1998;391(6669):806-811.",
    ],
    "APA": [
        "Granovetter, M. S. (1973). The strength of weak ties. American Journal of Sociology, 78(6), 1360–1380. "
        "https://doi.org/10.1086/225469",
        "Perdew, J. P., Burke, K., & Ernzerhof, M. (1996). Generalized gradient approximation made simple. Physical "
        "Review Letters, 77(18), 3865–3868.",
        "Braun, V., & Clarke, V. (2006). Using thematic analysis in psychology. Qualitative Research in Psychology, "
        "3(2), 77–101. https://doi.org/10.1191/1478088706qp063oa",
        "Roe, K. (in press). What entries without a year are followed by. Journal of Testing.",
        "O'Keefe, J., & Dostrovsky, J. (1971). The hippocampus as a spatial map. Brain Research, 34(1), 171–175.",
    ],
    "IEEE": [
        "K. He, X. Zhang, S. Ren, and J. Sun, “Deep residual learning for image recognition,” Proc. IEEE Conf. Comput. "
        "Vis. Pattern Recognit., pp. 770–778, 2016, doi: 10.1109/CVPR.2016.90.",
        "Y. Benjamini and Y. Hochberg, “Controlling the false discovery rate,” J. R. Stat. Soc. Ser. B, vol. 57, no. "
        "1, pp. 289–300, 1995, doi: 10.1111/j.2517-6161.1995.tb02031.x.",
        "L. van der Maaten and G. Hinton, “Visualizing data using t-SNE,” J. Mach. Learn. Res., vol. 9, pp. 2579–2605, "
        "2008.",
        "R. Stupp, W. P. Mason, and M. Weller, “Radiotherapy plus temozolomide for glioblastoma,” N. Engl. J. Med., "
        "vol. 352, no. 10, pp. 987–996, 2005, doi: 10.1056/NEJMoa043330.",
    ],
    "ACS": [
        "LeCun, Y.; Bengio, Y.; Hinton, G. Deep learning. Nature 2015, 521 (7553), 436–444.",
        "Love, M. I.; Huber, W.; Anders, S. Moderated estimation of fold change and dispersion for RNA-seq data with "
        "DESeq2. Genome Biol. 2014, 15 (12), 550. https://doi.org/10.1186/s13059-014-0550-8.",
        "Novoselov, K. S.; Geim, A. K. Electric field effect in atomically thin carbon films. Science 2004, 306 "
        "(5696), 666–669.",
        "Page, M. J.; McKenzie, J. E. An updated guideline for reporting systematic reviews. BMJ 2021, 372, n71.",
    ],
    "without titles": [
        "A. Einstein, B. Podolsky, and N. Rosen, Phys. Rev. 47, 777 (1935).",
        "J. S. Bell, Physics 1, 195 (1964).",
        "J. F. Clauser, M. A. Horne, A. Shimony, and R. A. Holt, Phys. Rev. Lett. 23, 880 (1969).",
    ],
}  # fmt: skip


@pytest.mark.parametrize("style", LISTS)
@pytest.mark.parametrize("width", range(48, 104, 4))
def test_each_entry_begins_behind_the_end_of_another(style: str, width: int) -> None:
    lines = [
        line for entry in LISTS[style] for line in wrap(entry, width, break_long_words=False, break_on_hyphens=False)
    ]
    document = read_unchanged("References\n" + "\n".join(lines) + "\n")
    assert [entry.raw.replace("\n", " ") for entry in document.entries] == LISTS[style]


def paged(header: str, lines_a_page: int) -> str:
    numbered = (f"[{number}] {entry}" for number, entry in enumerate([*LISTS["Vancouver"], *LISTS["APA"]], 1))
    lines = [line for entry in numbered for line in wrap(entry, 40, break_long_words=False, break_on_hyphens=False)]
    pages = [lines[at : at + lines_a_page] for at in range(0, len(lines), lines_a_page)]
    return "References\n" + "\n".join(
        line for number, page in enumerate(pages, 11) for line in (*page, *header.format(number).split("\n"))
    )


@pytest.mark.parametrize("header", ["{}\nJ. Doe et al.", "J. Testing 12 (2020) 1–25\n{}", "J. Doe et al.\n{}"])
def test_a_header_and_the_number_of_its_page_are_no_part_of_an_entry(header: str) -> None:
    document = read_unchanged(paged(header, lines_a_page=9))
    assert [" ".join(entry.line.split()) for entry in document.entries] == [*LISTS["Vancouver"], *LISTS["APA"]]


def test_the_number_of_a_page_may_stand_in_a_divided_word() -> None:
    text = (
        "References\n[1] Doe J. On the quant-\n14\nitation of mice. Nature. 2016;5:1.\n[2] Roe K. Men. Cell. 2017;1:2."
    )
    assert read_unchanged(text).entries[0].fields.title == "On the quantitation of mice"


WHOLE_LINES = {
    "short titles": [
        "Leslie Lamport. Time and clocks. Commun. ACM, 21(7):558–565, July 1978.",
        "E. W. Dijkstra. A note on two problems in connexion with graphs. Numerische Mathematik, 1:269–271, 1959.",
        "De Luca M. Sleep and light. Brain. 2001;124:1-9.",
        "García-López J. Water in cities. Nature. 2015;5:1.",
        "Is exercise good for the heart? Lancet. 1999;353:1.",
    ],
    "days and standards": [
        "Doe J, Roe K. Light in cities. Nature. 2015;5:1-9.",
        "UpToDate. Accessed March 3, 2020. https://www.uptodate.com",
        "International Society for Infectious Diseases. ProMED-mail. Accessed February 10, 2016. http://www.promedmail.org",
        "DIN EN ISO 9001:2015-11, Qualitätsmanagementsysteme – Anforderungen.",
    ],
    "without year and id": [
        "Smith J. Personal communication.",
        "Yan L, Zhang HT. An interpretable mortality prediction model. Nat Mach Intell. 2020;2(5):283–288.",
        "Roe, K. Annual report. Internal document, Acme.",
        "Poe, L. (2010). Light in cities. Journal of Testing, 3(1), 1–9.",
        "E. H. Miller, “A note on reflector arrays,” IEEE Trans. Antennas Propag., to be published.",
        "M. Abadi et al., “TensorFlow: A system for large-scale machine learning,” in Proc. OSDI, 2016, pp. 265–283.",
        "Abelson RP. 1985. A variance explanation paradox: when a little is a lot. Psychol. Bull. 97:129–33.",
    ],
    "half of them without year and id": [
        "Smith J. Manuscript in preparation.",
        "World Health Organization. Global tuberculosis report 2020. Geneva: WHO; 2020.",
        "Doe J. Another manuscript.",
        "Roe K, Poe L. Light. Nature. 2015;5:1.",
    ],
}  # fmt: skip


@pytest.mark.parametrize("kind", WHOLE_LINES)
@pytest.mark.parametrize("between", ["\n", "\n\n"])
def test_an_entry_that_is_a_line_stays_alone(kind: str, between: str) -> None:
    document = read_unchanged("References\n" + between.join(WHOLE_LINES[kind]) + "\n")
    assert [entry.raw for entry in document.entries] == WHOLE_LINES[kind]
