"""References to well-known papers as styles print them: names, titles and places that are easily misread."""

from __future__ import annotations

import pytest

from shared.references.citation_text import read_citation

MINI_MENTAL = "A practical method for grading the cognitive state"


@pytest.mark.parametrize(
    ("line", "authors", "title"),
    [
        (
            "Harris, C. R.; Millman, K. J.; van der Walt, S. J.; Gommers, R. Array programming with NumPy. Nature "
            "2020, 585 (7825), 357–362.",
            ["Harris, C. R.", "Millman, K. J.", "van der Walt, S. J.", "Gommers, R"],
            "Array programming with NumPy",
        ),
        (
            "LeCun, Y.; Bengio, Y.; Hinton, G. Deep learning. Nature 2015, 521 (7553), 436–444.",
            ["LeCun, Y.", "Bengio, Y.", "Hinton, G"],
            "Deep learning",
        ),
        (
            "Wakefield, A. J.; Murch, S. H.; et al. RETRACTED: Ileal-lymphoid hyperplasia. Lancet 1998, 351, 637.",
            ["Wakefield, A. J.", "Murch, S. H"],
            "Ileal-lymphoid hyperplasia",
        ),
        ("Becke, A. D.; Roe, K. J. Comput. Chem. 1993, 98 (7), 5648–5652.", ["Becke, A. D.", "Roe, K"], None),
        (
            "Bandura, A. Self-efficacy: Toward a theory of behavioral change. Psychol. Rev. 1977, 84 (2), 191.",
            ["Bandura, A"],
            "Self-efficacy: Toward a theory of behavioral change",
        ),
        (
            "A. Vaswani, N. Shazeer et al. Attention is all you need. In NeurIPS, pages 5998–6008, 2017.",
            ["A. Vaswani", "N. Shazeer"],
            "Attention is all you need",
        ),
        (
            "B. P. Abbott et al. Observation of gravitational waves. Phys. Rev. Lett., 116:061102, 2016.",
            ["B. P. Abbott"],
            "Observation of gravitational waves",
        ),
        ("Doe J. Reply to Smith et al. on tau. Nature. 2016;5:12-15.", ["Doe J"], "Reply to Smith et al. on tau"),
        (
            "van der Maaten, Laurens, and Geoffrey Hinton. 2008. “Visualizing data using t-SNE.” JMLR 9: 2579.",
            ["van der Maaten, Laurens", "Geoffrey Hinton"],
            "Visualizing data using t-SNE",
        ),
        (
            "Altschul, S. F. et al. Basic local alignment search tool. J. Mol. Biol. 215, 403–410 (1990).",
            ["Altschul, S. F"],
            "Basic local alignment search tool",
        ),
        (
            "Charles R. Harris, Stéfan J. van der Walt, and R Gommers. Array programming with NumPy. Nature, 5:3.",
            ["Charles R. Harris", "Stéfan J. van der Walt", "R Gommers"],
            "Array programming with NumPy",
        ),
        (
            "E. L. Kaplan and Paul Meier. Nonparametric estimation. J. Am. Stat. Assoc., 53(282):457–481, 1958.",
            ["E. L. Kaplan", "Paul Meier"],
            "Nonparametric estimation",
        ),
        (
            "Wakefield AJ, Linnell J. RETRACTED: Ileal hyperplasia, and disorder in children. Lancet. 1998;351:7.",
            ["Wakefield AJ", "Linnell J"],
            "Ileal hyperplasia, and disorder in children",
        ),
        (
            "J. Jumper, R. Evans, A. Pritzel, Highly accurate protein structure prediction. Nature 596, 583 (2021).",
            ["J. Jumper", "R. Evans", "A. Pritzel"],
            "Highly accurate protein structure prediction",
        ),
        (
            "A. J. Wakefield, S. H. Murch, Non-specific colitis, and disorder in children. Lancet 351, 637–641 (1998).",
            ["A. J. Wakefield", "S. H. Murch"],
            "Non-specific colitis, and disorder in children",
        ),
        ("Y. LeCun, G. Hinton, Deep learning, Nature 521 (2015) 436–444.", ["Y. LeCun", "G. Hinton"], "Deep learning"),
        ("J. Doe, K. Roe, Phys. Rev. Lett. 100, 012345 (2008).", ["J. Doe", "K. Roe"], None),
        (
            "Planck Collaboration, Aghanim, N., Akrami, Y., et al. 2020, A&A, 641, A6.",
            ["Planck Collaboration", "Aghanim, N.", "Akrami, Y"],
            None,
        ),
    ],
)  # fmt: skip
def test_the_names_end_where_the_title_begins(line: str, authors: list[str], title: str | None) -> None:
    citation = read_citation(line)
    assert (list(citation.authors), citation.title) == (authors, title)


@pytest.mark.parametrize(
    ("line", "title", "journal"),
    [
        (
            f'Folstein, M. F., & McHugh, P. R. (1975). "Mini-mental state": {MINI_MENTAL}. J Psychiatr Res, 12, 189.',
            f'Mini-mental state": {MINI_MENTAL}',
            "J Psychiatr Res",
        ),
        (
            "Einstein A, Podolsky B, Rosen N. Can this description be considered complete? Phys Rev. 1935;47:777.",
            "Can this description be considered complete",
            "Phys Rev",
        ),
        (
            "Einstein, A.; Rosen, N. Can this description be considered complete? Phys. Rev. 1935, 47 (10), 777–780.",
            "Can this description be considered complete",
            "Phys. Rev",
        ),
        (
            "Doe, J., & Roe, K. (2019). What makes a good test? A review of 10 years of practice. PLoS ONE, 14(7), 5.",
            "What makes a good test? A review of 10 years of practice",
            "PLoS ONE",
        ),
        (
            "Becke AD. Density-functional thermochemistry. III. The role of exact exchange. J Chem Phys. 1993;98:5648.",
            "Density-functional thermochemistry. III. The role of exact exchange",
            "J Chem Phys",
        ),
        (
            "Planck Collaboration (2020). Planck 2018 results. I. Overview of the mission. A&A, 641, 1.",
            "Planck 2018 results. I. Overview of the mission",
            "A&A",
        ),
        ("Doe J, Roe K. What is a test? A survey. PLoS One. 2019;14:5.", "What is a test? A survey", "PLoS One"),
    ],
)  # fmt: skip
def test_the_title_ends_behind_its_last_sentence(line: str, title: str, journal: str) -> None:
    citation = read_citation(line)
    assert (citation.title, citation.journal) == (title, journal)


@pytest.mark.parametrize(
    ("place", "volume", "pages"),
    [
        ("Proceedings of CVPR, 770–778.", None, "770-778"),
        ("Proc. CVPR 2016, 770–778.", None, "770-778"),
        ("Proc. CVPR, 770–778 (2016).", None, "770-778"),
        ("Proc. CVPR (2016) 770–778.", None, "770-778"),
        ("Commun. ACM 47, 10 (May 2016), 777–780.", "47", "777-780"),
        ("Phys. Rev. 47, 777 (2016).", "47", "777"),
        ("J. Mice 2016, 47, 777–780.", "47", "777-780"),
    ],
)
def test_pages_are_read_beside_an_issue_and_without_a_volume(place: str, volume: str | None, pages: str) -> None:
    citation = read_citation(f"He, K., & Sun, J. (2016). Deep residual learning for image recognition. {place}")
    assert (citation.volume, citation.pages) == (volume, pages)


def test_a_journal_of_letters_between_an_ampersand_is_no_label_of_an_id() -> None:
    assert read_citation("Riess, A. G., & Filippenko, A. V. 1998, A&A, 116, 1009").journal == "A&A"
