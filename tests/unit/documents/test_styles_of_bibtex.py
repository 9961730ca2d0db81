r"""What styles of BibTeX write into a .bbl: natbib's, REVTeX's, ACM's, achemso's and AAS's commands."""

from __future__ import annotations

import pytest

from shared.documents.document import EntryFields
from shared.documents.reading import read_document
from shared.errors import Unprocessable
from tests.unit.documents.corpus_documents import corrected, read_unchanged

TITLE = "Can quantum-mechanical description of physical reality be considered complete"
AUTHORS = ["Einstein", "Podolsky", "Rosen"]
NATBIB = r"""
\bibitem[Einstein et~al.(1935)Einstein, Podolsky, and Rosen]{epr}
Albert Einstein, Boris Podolsky, and Nathan Rosen.
\newblock Can quantum-mechanical description of physical reality be considered complete?
\newblock \emph{Physical Review}, 47\penalty0 (10):\penalty0 777--780, 1935.
\newblock \doi{10.1103/PhysRev.47.777}.
"""
REVTEX = r"""
\providecommand \citenamefont [1]{#1}%
\bibitem [{\citenamefont {Einstein}\ \emph {et~al.}(1935)\citenamefont {Einstein}, \citenamefont {Podolsky},\ and\
  \citenamefont {Rosen}}]{epr}%
  \BibitemOpen
  \bibfield  {author} {\bibinfo {author} {\bibfnamefont {A.}~\bibnamefont {Einstein}}, \bibinfo {author}
  {\bibfnamefont {B.}~\bibnamefont {Podolsky}},\ and\ \bibinfo {author} {\bibfnamefont {N.}~\bibnamefont {Rosen}},\
  }\bibfield  {title} {\bibinfo {title} {Can quantum-mechanical description of physical reality be considered
  complete?},\ }\href {https://doi.org/10.1103/PhysRev.47.777} {\bibfield  {journal} {\bibinfo  {journal} {Phys.
  Rev.}\ }\textbf {\bibinfo {volume} {47}},\ \bibinfo {pages} {777} (\bibinfo {year} {1935})}\BibitemShut {NoStop}%
"""
ACM = r"""
\bibitem[\protect\citeauthoryear{Einstein, Podolsky, and Rosen}{Einstein et~al\mbox{.}}{1935}]%
        {epr}
\bibfield{author}{\bibinfo{person}{Albert Einstein}, \bibinfo{person}{Boris Podolsky}, {and} \bibinfo{person}{Nathan
  Rosen}.} \bibinfo{year}{1935}\natexlab{}.
\newblock \showarticletitle{Can quantum-mechanical description of physical reality be considered complete?}
\newblock \bibinfo{journal}{\emph{Physical Review}} \bibinfo{volume}{47}, \bibinfo{number}{10} (\bibinfo{year}{1935}),
  \bibinfo{pages}{777--780}.
\newblock
\urldef\tempurl%
\url{https://doi.org/10.1103/PhysRev.47.777}
\showDOI{\tempurl}
"""


def bbl(items: str, name: str = "thebibliography") -> str:
    return f"Text \\cite{{epr}}.\n\\begin{{{name}}}{{1}}\n{items}\n\\end{{{name}}}\n"


@pytest.mark.parametrize("item", [NATBIB, REVTEX, ACM])
def test_an_entry_has_its_fields_and_its_label_cites_nothing(item: str) -> None:
    document = read_unchanged(bbl(item))
    (entry,) = document.entries
    stated = entry.fields
    assert (entry.label, str(stated.title).rstrip("?"), stated.year, stated.volume) == ("epr", TITLE, 1935, "47")
    assert [it.family for it in stated.authors] == AUTHORS
    assert (str(stated.pages)[:3], stated.doi) == ("777", "10.1103/physrev.47.777")
    assert [(it.entries, it.missing) for it in document.citations] == [((0,), ())]


def test_a_correction_keeps_the_kinds_of_the_fields() -> None:
    written = corrected(read_unchanged(bbl(REVTEX)), fields=EntryFields(year=1936, volume="48"), comment="").text
    assert written == bbl(REVTEX.replace("{1935})}", "{1936})}").replace("{47}}", "{48}}"))


def test_a_label_may_name_hundreds_of_authors() -> None:
    names = ", ".join(f"Author{number}" for number in range(2_000))
    item = (
        f"\\bibitem[Abbott et~al.(2016){names}]{{epr}}\nB.~P. Abbott, R.~Abbott et~al.\n\\newblock Observation of "
        "gravitational waves.\n\\newblock \\emph{Phys. Rev. Lett.}, 116:\\penalty0 061102, 2016."
    )
    (entry,) = read_unchanged(bbl(item)).entries
    assert [it.family for it in entry.fields.authors] == ["Abbott", "Abbott"]
    assert (entry.fields.title, entry.fields.pages) == ("Observation of gravitational waves", "061102")


def test_journals_of_astronomy_have_their_names_in_items_and_in_values() -> None:
    (item,) = read_unchanged(bbl(r"\bibitem{epr} Riess, A. G., \& Filippenko, A. V. 1998, \aj, 116, 1009")).entries
    (value,) = read_unchanged("@article{a, title={Supernovae}, journal={\\mnras}, year=1998}").entries
    assert (item.fields.journal, item.fields.volume, value.fields.journal) == ("AJ", "116", "MNRAS")


def test_the_last_item_of_achemso_ends_with_its_list() -> None:
    item = r"\bibitem[Doe(2016)]{epr} Doe,~J. On mice and men. \emph{J. Mice} \textbf{2016}, \emph{5}, 1--5\relax"
    (entry,) = read_unchanged(bbl(item, "mcitethebibliography")).entries
    assert entry.raw == item


def test_the_file_that_biblatex_makes_is_refused_with_the_one_to_send() -> None:
    text = (
        "% $ biblatex auxiliary file $\n\\refsection{0}\n  \\datalist[entry]{nty/global//global/global}\n"
        "    \\entry{doe2016}{article}{}\n      \\field{title}{On mice and men}\n      \\field{year}{2016}\n"
        "    \\endentry\n  \\enddatalist\n\\endrefsection\n"
    )
    with pytest.raises(Unprocessable, match=r"what biblatex makes of a \.bib file: send that"):
        read_document(text)


def test_unnamed_authors_of_ads_are_no_author() -> None:
    (entry,) = read_unchanged("@article{a, author={{Aghanim}, N. and {et al.}}, title={On mice}, year=2016}").entries
    assert [it.family for it in entry.fields.authors] == ["Aghanim"]
