"""Signs that mean something to some engine and nothing to people: no request may fail or change its meaning by them."""

from __future__ import annotations

from tests.ways_of_asking.way import Way

KIND = "Signs"

WAYS = (
    Way(
        typed="TNF-α & β-amyloid 50% (n=3)",
        why="`&`, `%`, `=` and parentheses: no operator, no group, no escape.",
        telling="TNF-alpha beta-amyloid",
    ),
    Way(
        typed="P(A|B) bayes theorem",
        why="A bar makes OpenAlex refuse the request; parentheses are blanks.",
        telling="bayes theorem",
    ),
    Way(
        typed="!important css rule",
        why="A word that begins with `!` makes OpenAlex refuse the request.",
        telling="important css rule",
    ),
    Way(typed="{r175h} p53 mutation", why="A brace opens a range for Lucene.", telling="r175h p53 mutation"),
    Way(
        typed='{r175h} AND "gain of function"',
        why="A brace in an expression makes OpenAlex fail with 500.",
        means='r175h & "gain of function"',
    ),
    Way(
        typed='x^n AND "growth rate"', why="A boost must be a number, or OpenAlex fails.", means='"x^n" & "growth rate"'
    ),
    Way(
        typed=r'\upsilon AND "dark matter"',
        why="A backslash with `u` is an escape, or OpenAlex fails.",
        means='upsilon & "dark matter"',
    ),
    Way(
        typed='"dark matter" AND halo\\', why="A backslash at the end, or OpenAlex fails.", means='"dark matter" & halo'
    ),
    Way(
        typed='portal! AND "deep learning"',
        why="`!` before a blank, or OpenAlex fails.",
        means='portal & "deep learning"',
    ),
    Way(typed="x^2 regression tree", why="`x^2` is not a boost.", telling="regression tree"),
    Way(typed="tnf -alpha microglia", why="A minus before a word excludes it nowhere.", telling="tnf alpha microglia"),
    Way(typed="+microglia +tau", why="A plus before a word.", telling="microglia tau"),
    Way(typed="BRCA1? p53?", why="Question marks after words are not wildcards.", telling="BRCA1 p53"),
    Way(typed="TREM2 [microglia] {tau}", why="Brackets of all kinds are blanks.", telling="TREM2 microglia tau"),
    Way(typed="[18F]FDG PET imaging", why="A bracket that is not a field tag.", telling="PET imaging"),
    Way(
        typed="Alzheimer:tau microglia",
        why="A colon after a word that is not a field.",
        telling="Alzheimer tau microglia",
    ),
    Way(typed="Ca2+ signalling astrocytes", why="A plus behind an ion.", telling="signalling astrocytes"),
    Way(typed="Na+/K+ ATPase", why="Plus and slash.", telling="ATPase"),
    Way(typed="C++ static analysis", why="A name that ends in plus signs.", telling="static analysis"),
    Way(typed="p < 0.05 significance > threshold", why="Signs of comparison.", telling="significance threshold"),
    Way(typed="R&D spending", why="An ampersand within a word separates no parameters.", telling="spending"),
    Way(typed="100% oxygen therapy", why="A percent sign is not an escape.", telling="oxygen therapy"),
    Way(
        typed="d'Arcy's law porous media",
        why="Apostrophes, which a shell and Crossref's search mistake.",
        telling="law porous media",
    ),
    Way(typed="O'Reilly `rm -rf` $HOME; ls", why="What a shell would run.", telling="ls"),
    Way(typed="drosophila #sleep @neurons", why="A hash and an at sign.", telling="drosophila sleep neurons"),
    Way(
        typed="quantum || classical && hybrid",
        why="Doubled operators of programming languages.",
        means="quantum | (classical & hybrid)",
        hint="syntax",
    ),
    Way(typed="protein~2 folding", why="A tilde is not a distance.", telling="folding"),
    Way(typed="microglia 🧠 TREM2", why="An emoji among words.", telling="microglia TREM2"),
    Way(typed="🧠", why="An emoji alone: nothing to search for.", refused=True),
    Way(typed="???", why="Signs alone.", refused=True),
    Way(
        typed='"unclosed phrase about tau',
        why="A quotation mark that is not closed is a blank, with a hint.",
        telling="unclosed phrase tau",
        hint="syntax",
    ),
    Way(typed="the of and in", why="Function words alone are the query: nothing is left out of it."),
    Way(typed="to be or not to be", why="Function words alone, with a small `or` and `not`."),
    Way(typed="<b>TREM2</b> microglia", why="Markup from a web page.", telling="TREM2 microglia"),
    Way(typed="TREM2&nbsp;microglia", why="An escaped blank from a web page.", telling="microglia"),
    Way(typed="a b c d e f g h", why="Single letters."),
    Way(typed="H₂O₂ CO₂ reduction", why="Lowered digits.", telling="reduction"),
    Way(typed="ﬁbrosis ﬂow", why="Joined letters of a PDF.", telling="fibrosis flow"),
    Way(
        typed="micro\u00adglia TREM2",
        why="A soft hyphen of a PDF is not part of a word.",
        telling="TREM2",
        never=("\u00ad",),
    ),
    Way(
        typed="TREM2\u200bmicroglia",
        why="A blank without width divides words, as a browser does.",
        telling="TREM2 microglia",
        never=("\u200b", "TREM2microglia"),
    ),
    Way(
        typed="TREM2\u200b microglia\u200b",
        why="Blanks without width are not part of a word.",
        telling="TREM2 microglia",
        never=("\u200b",),
    ),
)
