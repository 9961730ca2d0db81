"""Greek letters and their names, other scripts, and letters that look like others: both spellings find the papers."""

from __future__ import annotations

from tests.ways_of_asking.way import Way

KIND = "Greek letters and scripts"
_HOTSPOTS, _LESNE = "10.1038/ncomms7176", "10.1038/nature04533"
# PubMed replaces the letters by their names itself.
_BOTH_42 = dict.fromkeys(("europe_pmc", "openalex", "arxiv"), ("(?i)Aβ42", "(?i)Abeta42"))

WAYS = (
    Way(typed="Aβ42", why="The letter: indexes hold `Aβ42` or `Abeta42`.", exact=_BOTH_42, first=_HOTSPOTS),
    Way(typed="Abeta42", why="The name finds the same paper.", exact=_BOTH_42, first=_HOTSPOTS),
    Way(typed="amyloid β plaques microglia", why="A letter of its own.", telling="amyloid plaques microglia"),
    Way(typed="amyloid-beta plaques microglia", why="Its name in a compound.", telling="amyloid plaques microglia"),
    Way(typed="amyloid-β impairs memory", why="The letter in a compound.", among=(_LESNE,), telling="amyloid memory"),
    Way(
        typed="amyloid-beta impairs memory",
        why="The name finds the paper that has the letter.",
        among=(_LESNE,),
        telling="amyloid memory",
    ),
    Way(typed="TNF-α inhibitors", why="The letter after a hyphen.", telling="inhibitors"),
    Way(typed="TNF-alpha inhibitors", why="Its name.", telling="inhibitors"),
    Way(typed="TNFα inhibitors", why="Grown together.", telling="inhibitors"),
    Way(typed="IFN-γ signalling cancer", why="Gamma.", telling="signalling cancer"),
    Way(
        typed="interferon-gamma base editing",
        why="The name finds `interferon-γ`.",
        telling="base editing",
        first="10.1016/j.ccell.2022.12.009",
    ),
    Way(typed="NFκB microglia", why="Kappa within a symbol.", telling="microglia"),
    Way(typed="µ-opioid receptor", why="The micro sign instead of mu.", telling="receptor"),
    Way(typed="μ-opioid receptor", why="Mu itself.", telling="receptor"),
    Way(typed="Ω-3 fatty acids", why="A capital letter.", telling="fatty acids"),
    Way(typed="alpha diversity microbiome", why="The name of a letter as a word.", telling="diversity microbiome"),
    Way(typed="小胶质细胞 TREM2", why="Chinese beside a symbol.", telling="TREM2"),
    Way(typed="микроглия болезнь Альцгеймера", why="Russian keywords.", telling="микроглия Альцгеймера"),
    Way(typed="アルツハイマー病 ミクログリア", why="Japanese keywords.", telling="アルツハイマー病 ミクログリア"),
    Way(typed="ﾐｸﾛｸﾞﾘｱ ＴＲＥＭ２", why="Half and full width: sent in the ordinary form.", telling="TREM2"),
    Way(typed="الخلايا الدبقية الصغيرة", why="Arabic, from right to left.", telling="الدبقية"),
    Way(typed="Sjögren syndrome naïve T cells", why="Accents are sent.", telling="syndrome cells"),
    Way(typed="Ménière's disease", why="Accent and apostrophe.", telling="disease"),
)
