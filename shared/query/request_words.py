"""The words with which people ask an assistant for papers, as parts of regular expressions."""

from __future__ import annotations

VERBS = (
    "(?:(?:please|pls|plz) )?(?:(?:can|could) you )?(?:(?:please|pls|plz) )?"
    "(?:(?:find|show|give|get|list|suggest|recommend|summari[sz]e|write|provide|collect)(?: me| us)?|search for"
    "|(?:i am |i'm )?looking for|i (?:need|want))"
)
JUDGED = "(?:most )?(?:key|important|best|top|seminal|classic|landmark|foundational|influential)"
ADJECTIVES = (
    f"(?:the|some|a few|most recent|most cited|highly cited|recent|latest|newest|new|current|{JUDGED}"
    "|systematic|literature|review|relevant|reliable|credible|any|good|peer[- ]reviewed|scientific|academic|scholarly"
    "|original|open[- ]access|free full[- ]text|free|freely (?:available|accessible)|[0-9]{1,3}|three|five|ten) "
)
ONE = "(?:journal|research) article|review|paper|article|study"
MANY = (
    "(?:journal|research) (?:articles|papers)|reviews|papers|articles|studies|publications|pre-?prints|literature"
    "|research|meta-analyses"
)
SOURCES = "sources|references|citations|evidence"  # only of what is asked for: `sources of error` is a subject
FOR_WHAT = "(?: for (?:my|our|an?) (?:essay|thesis|paper|project|review|dissertation|homework|assignment|report))?"
WHICH = "(?:(?:what|which) (?:are|is) (?=the |some ))?"
GREETING = "(?:(?:hi|hello|hey|good (?:morning|afternoon|evening))(?: there| all| everyone)?[,.!]* )?"
ABOUT = "on|about|abt|of|regarding|concerning|into|for|(?:related|relating) to"

# The same in other languages: the verb, papers and what stands before the subject. Papers alone begin a request only
# where hardly a title begins so: `Studien über Hysterie` and `关于…的研究` are titles.
_OTHERS = (
    ("(?:bitte )?(?:ich suche|suche|finde|zeige? mir|gib mir)(?: bitte)?(?: nach)?(?: aktuelle[nr]?| neue[nr]?)?",
     "artikeln?|studien|publikationen|literatur|papers?|veröffentlichungen", "über|zum thema|zu|zum|zur", ""),
    ("(?:por favor,? )?(?:busco|buscar?|búscame|encuentra|encuéntrame|necesito|muéstrame|dame)(?: los| unos)?",
     "artículos(?: científicos)?|estudios|publicaciones|papers", "sobre|acerca de", "artículos(?: científicos)?"),
    ("(?:je (?:re)?cherche|cherche[rz]?(?:-moi)?|trouve[rz]?(?:-moi)?|donnez?-moi)(?: des| les)?",
     "articles(?: scientifiques)?|études|publications", "sur|à propos de", "articles(?: scientifiques)?"),
    ("(?:por favor,? )?(?:procuro|procurar?|buscar?|busco|encontre|preciso de|mostre-me)(?: os| uns)?",
     "artigos(?: científicos)?|estudos|publicações", "sobre|acerca de", "artigos(?: científicos)?"),
)  # fmt: skip
OTHER_VERBS = "|".join(verb for verb, *_ in _OTHERS) + "|请|帮我|查找|搜索|检索|寻找"
OTHER_FRAMES = "|".join(
    f"(?:{verb}) (?:{papers}) (?:{about}) (?=\\S)" + (f"|(?:{alone}) (?:{about}) (?=\\S)" if alone else "")
    for verb, papers, about, alone in _OTHERS
)
CHINESE = (
    "(?:请?(?:帮我)?(?:查找|搜索|检索|寻找|找)(?:一下|一些)?)?(?:关于|有关)(?P<about>.+)的(?:论文|文献|文章)[。.]?"
)
