r"""Written texts as arXiv's source packages: a gzipped tar with inclusions, or one gzipped file.

Source: https://info.arxiv.org/help/unpack.html.
"""

from __future__ import annotations

import gzip
import io
import tarfile

from infra.local.sandbox.corpus import Corpus
from infra.local.sandbox.facts import Fact
from infra.local.sandbox.texts.written_texts import Block, Part, Piece, Written, pieces

_PREAMBLE = r"""\documentclass{article}
\usepackage{amsmath} % for \text
\newcommand{\ours}{our method}
"""
_COMMANDS = ("section", "subsection", "subsubsection")


def package_of(text: Written, fact: Fact, corpus: Corpus) -> bytes:
    """Return the package: of texts with tables a tar, of others one file."""
    sections = [it for it in text.parts if it.level > 0]
    abstracts = "".join(
        f"\\begin{{abstract}}\n{_blocks(it)}\n\\end{{abstract}}\n" for it in text.parts if it.level == 0
    )
    bibliography = _bibliography(text, corpus)
    head = (
        f"{_PREAMBLE}\\title{{{_escaped(fact.title)}\\thanks{{Nobody}}}}\n\\begin{{document}}\n\\maketitle\n{abstracts}"
    )
    if not any(block.kind == "table" for part in sections for block in part.blocks):
        body = "\n".join(map(_section, sections))
        return gzip.compress(f"{head}{body}\n{bibliography}\\end{{document}}\n".encode())
    main = f"{head}{_section(sections[0])}\n\\input{{parts/rest}}\n\\bibliography{{refs}}\n\\end{{document}}\n"
    rest = "\n".join(map(_section, sections[1:]))
    return _tar({"ms.tex": main, "parts/rest.tex": rest, "ms.bbl": bibliography, "fig.eps": "%!PS"})


def _tar(files: dict[str, str]) -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(content.encode())
            archive.addfile(member, io.BytesIO(content.encode()))
    return packed.getvalue()


def _bibliography(text: Written, corpus: Corpus) -> str:
    items = []
    for number, name in enumerate(text.cited, start=1):
        fact = corpus.by_name[name.lower() if name.startswith("10.") else f"arxiv:{name}"]
        people = " and ".join(f"{given or ''} {family}" for family, given in fact.authors[:2])
        where = f"arXiv:{fact.arxiv_id}" if fact.arxiv_id else f"\\url{{https://doi.org/{fact.doi}}}"
        items.append(
            f"\\bibitem{{key{number}}}\n{people}.\n\\newblock {_escaped(fact.title)}.\n\\newblock {where}, {fact.year}."
        )
    return "\\begin{thebibliography}{9}\n" + "\n\n".join(items) + "\n\\end{thebibliography}\n"


def _section(part: Part) -> str:
    return f"\\{_COMMANDS[part.level - 1]}{{{_escaped(part.heading)}}}\\label{{sec:{part.level}}}\n{_blocks(part)}"


def _blocks(part: Part) -> str:
    items = [it for it in part.blocks if it.kind == "item"]
    written = []
    for block in part.blocks:
        if block.kind != "item":
            written.append(_block(block))
        elif block is items[0]:
            listed = "\n".join(f"\\item {_inline(it.text)}" for it in items)
            written.append(f"\\begin{{itemize}}\n{listed}\n\\end{{itemize}}")
    return "\n\n".join(written)


def _block(block: Block) -> str:
    match block.kind:
        case "quote":
            return f"\\begin{{quote}}{_inline(block.text)}\\end{{quote}}"
        case "formula":
            tag = f"\\tag{{{block.label.strip('()')}}}" if block.label else ""
            return f"\\begin{{equation}}\\label{{eq:a}}\n{block.text}{tag}\n\\end{{equation}}"
        case "figure":
            caption = f"\\caption{{{_inline(block.text)}}}"
            return f"\\begin{{figure}}[t]\n\\includegraphics{{fig.eps}}\n{caption}\n\\end{{figure}}"
        case "table":
            rows = " \\\\\n".join(" & ".join(map(_inline, row)) for row in block.rows)
            tabular = f"\\begin{{tabular}}{{l|rr}}\n\\hline\n{rows} \\\\ \\hline\n\\end{{tabular}}"
            return f"\\begin{{table}}\n\\centering\n\\caption{{{_inline(block.text)}}}\n{tabular}\n\\end{{table}}"
    return _inline(block.text)


def _inline(text: str) -> str:
    return "".join(map(_piece, pieces(text)))


def _piece(piece: Piece) -> str:
    match piece.kind:
        case "cite":
            return f"\\citep{{{','.join(f'key{number}' for number in piece.text.split(','))}}}"
        case "formula":
            return f"${piece.text}$"
        case "footnote":
            return f"\\footnote{{{_escaped(piece.text)}}}"
        case "power":
            return f"$^{piece.text}$"
    return _escaped(piece.text)


def _escaped(text: str) -> str:
    """TeX's signs escaped, and an accent in the old way."""
    return text.replace("%", r"\%").replace("&", r"\&").replace("é", r"\'{e}")
