"""Facts about family names, for names whose order or letters alone do not show which part is the family name.

All are folded: lower case, without accents.
"""

from __future__ import annotations

import re


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


# China's family names in pinyin, the most frequent first.
_CHINESE = (
    "wang li zhang liu chen yang huang zhao wu zhou xu sun ma zhu hu guo he lin gao luo zheng liang xie song tang deng "
    "han feng cao peng zeng xiao tian dong pan yuan cai jiang yu du ye cheng su wei lu ding ren shen yao cui zhong tan "
    "fan jin shi liao jia xia fu fang bai zou meng xiong qin qiu yin xue yan duan lei hou long tao gu mao hao gong "
    "shao wan qian"
)
_KOREAN = "kim lee park choi jung jeong kang cho yoon jang lim shin kwon hwang ahn hong"
_VIETNAMESE = "nguyen tran le pham hoang huynh phan vu vo dang bui ngo duong ly"
# Where the family name comes first at home: name -> its rank among the names of its language.
EASTERN = {name: rank for names in (_KOREAN, _VIETNAMESE, _CHINESE) for rank, name in enumerate(names.split())}
HUNGARIAN = _names(
    "nagy kovacs toth szabo horvath varga kiss molnar nemeth farkas balogh papp takacs juhasz lakatos meszaros olah "
    "racz fekete szilagyi torok feher balazs gal szucs kocsis pinter fodor szalai sipos lukacs gulyas biro kiraly "
    "katona jakab bogdan boros sandor bognar kelemen lovasz erdos szemeredi barabasi kariko"
)
HUNGARIAN_GIVEN = _names(
    "laszlo istvan jozsef janos zoltan sandor gabor ferenc attila peter tamas zsolt tibor andras csaba imre lajos "
    "gyorgy balazs gyula pal bela endre geza denes akos levente krisztian maria erzsebet katalin ilona eva anna "
    "zsuzsanna margit judit agnes julianna andrea ildiko krisztina erika albert"
)
# Where two family names are usual, the first of them.
IBERIAN = _names(
    "garcia rodriguez gonzalez fernandez lopez martinez sanchez perez gomez jimenez ruiz hernandez diaz moreno "
    "alvarez munoz romero alonso gutierrez navarro torres dominguez vazquez ramos ramirez serrano molina morales "
    "suarez ortega delgado castro ortiz rubio marin sanz iglesias nunez medina garrido cortes castillo silva souza "
    "oliveira ferreira pereira rodrigues almeida carvalho ribeiro"
)
# Family names of two and three letters, which could be initials by their length.
SHORT = _names(
    "ba do du fu gu he ho hu le li lu lv ma ng ni oh qi su wu xu ye yi yu "
    "aly bai cai cao cho cox cui das dee deb dey doe fan fay fox gao gil guo hai han hao hou jia jin kim koh kwa lai "
    "lam lau law lee lei lew lim lin liu lou low luo mao may mir ong pak pan ray ren roy sen shi sim sun tan tao tay "
    "teo wan wei woo xia xie xue yan yao yap yee yeo yin yoo yun zhu zou"
)
ONE_LETTER = frozenset("eouy")
SHORT_GIVEN = _names("al bo cy di ed jo ty vi")
TWO_CHARACTERS = frozenset(
    ("欧阳", "歐陽", "司马", "司馬", "诸葛", "諸葛", "上官", "夏侯", "皇甫", "东方", "令狐", "慕容", "尉迟")
)

_SYLLABLE = (
    r"(?:[zcs]h|[bpmfdtnlgkhjqxzcsrwy])?(?:iang|iong|uang|ang|eng|ong|iao|ian|ing|uai|uan|ai|ei|ao|ou|an|en|ia|ie|iu|"
    r"in|ua|uo|ui|un|ue|a|o|e|i|u)"
)
_PINYIN = re.compile(rf"{_SYLLABLE}(?:[ -]?{_SYLLABLE}){{0,2}}")


def looks_eastern(given: str) -> bool:
    """Whether a folded given name has the form of Chinese in pinyin: `feng`, `xiao ping`."""
    return _PINYIN.fullmatch(given) is not None
