"""The words with which people ask an assistant for papers, as parts of regular expressions."""

from __future__ import annotations

VERBS = (
    "(?:(?:please|pls|plz) )?(?:(?:can|could) you )?(?:(?:please|pls|plz) )?"
    "(?:(?:help me )?(?:find|show|give|get|list|suggest|recommend|summari[sz]e|write|provide|collect|retrieve|fetch"
    "|identify|locate|gather)(?: me| us)?(?: with)?|(?:search|look) for|look up"
    "|(?:i am |i'm )?(?:looking for|trying to find)"
    "|i (?:need|want)|(?:i would|i'd) like)(?: to (?:find|see|read|get|search for|look for|know about|learn about))?"
)
JUDGED = (
    "(?:most )?(?:key|important|best|top|seminal|classic|landmark|foundational|influential|essential|must[- ]read|core"
    "|pivotal|groundbreaking|fundamental)"
)
ADJECTIVES = (
    f"(?:the|some|a few|most recent|recent|latest|newest|new|current|{JUDGED}"
    "|(?:(?:most|highly|top(?: [0-9]{1,3})?) )?cited"
    "|systematic|literature|review|relevant|reliable|credible|any|good|peer[- ]reviewed|scientific|academic|scholarly"
    "|original|open[- ]access|free full[- ]text|free|freely (?:available|accessible)|[0-9]{1,3}|three|five|ten) "
)
ONE = "(?:journal|research) article|review|paper|article|study"
MANY = (
    "(?:journal|research) (?:articles|papers)|reviews|papers|articles|studies|publications|pre-?prints|literature"
    "|research|meta-analyses"
)
# Where an assistant is to search: `search PubMed for …`.
SERVICES = (
    "(?:please )?(?:(?:can|could) you )?(?:please )?(?:search|query) (?:in |on |through )?(?:the )?"
    "(?:pubmed|medline|embase|scopus|arxiv|europe pmc|semantic scholar|openalex|crossref|google scholar|web of science"
    "|(?:scientific |medical |academic )?(?:literature|databases?))(?: (?:and|or) \\w+)?(?: databases?)?"
    " (?:for|on|about)"
)
THANKS = "(?:many )?thanks|thank you|thx|ty|cheers|please|pls|plz"
LISTS = "(?:(?:an? |the )?(?:brief |short |quick )?(?:list|summary|overview|synthesis|examples|selection|couple) of )?"
FREE = r"\b(?:open[- ]access|free(?:ly)?)\b"
SOURCES = "sources|references|citations|evidence"  # only of what is asked for: `sources of error` is a subject
FOR_WHAT = "(?: for (?:my|our|an?) (?:essay|thesis|paper|project|review|dissertation|homework|assignment|report))?"
WHICH = "(?:(?:what|which) (?:are|is) (?=the |some ))?"
GREETING = "(?:(?:hi|hello|hey|good (?:morning|afternoon|evening))(?: there| all| everyone)?[,.!]* )?"
ABOUT = "on|about|abt|of|regarding|concerning|into|for|(?:related|relating|similar) to"

# The same in other languages: the verb, papers and what stands before the subject. Papers alone begin a request only
# where hardly a title begins so: `Studien über Hysterie` and `关于…的研究` are titles.
_OTHERS = (
    ("(?:bitte )?(?:ich suche|ich brauche|suche|finde|zeige? mir|gib mir)(?: bitte)?(?: nach)?"
     "(?: aktuelle[nr]?| neue[nr]?)?",
     "artikeln?|studien|publikationen|literatur|papers?|veröffentlichungen", "über|zum thema|zu|zum|zur", ""),
    ("(?:por favor,? )?(?:busco|buscar?|búscame|encuentra|encuéntrame|necesito|muéstrame|dame)(?: los| unos)?",
     "(?:artículos(?: científicos)?|estudios|publicaciones|papers)(?: recientes)?", "sobre|acerca de",
     "artículos(?: científicos)?(?: recientes)?"),
    ("(?:je (?:re)?cherche|cherche[rz]?(?:-moi)?|trouve[rz]?(?:-moi)?|donnez?-moi)(?: des| les)?",
     "(?:articles(?: scientifiques)?|études|publications)(?: récente?s)?", "sur|à propos de",
     "articles(?: scientifiques)?(?: récents)?"),
    ("(?:por favor,? )?(?:procuro|procurar?|buscar?|busco|encontre|quero|preciso de|mostre-me)(?: os| uns)?",
     "(?:artigos(?: científicos)?|estudos|publicações)(?: recentes)?", "sobre|acerca de",
     "artigos(?: científicos)?(?: recentes)?"),
    ("(?:per favore,? )?(?:cerco|cerca(?:mi)?|trova(?:mi)?|mostrami)(?: degli| gli)?",
     "(?:articoli(?: scientifici)?|studi|pubblicazioni)(?: recenti)?", "su|sul|sullo|sulla|sulle|sui|sugli",
     "articoli(?: scientifici)?(?: recenti)?"),
)  # fmt: skip
OTHER_VERBS = "|".join(verb for verb, *_ in _OTHERS) + "|请|帮我|查找|搜索|检索|寻找"
OTHER_PAPERS = "|".join(papers for _, papers, *_ in _OTHERS) + "|论文|文献|文章"
_ARTICLE = "(?:(?:der|die|das|den|dem|el|la|los|las|le|les|lo|il|o|a|os|as) )?"
OTHER_FRAMES = "|".join(
    f"(?:{verb}) (?:{papers}) (?:{about}) {_ARTICLE}(?=\\S)"
    + (f"|(?:{alone}) (?:{about}) {_ARTICLE}(?=\\S)" if alone else "")
    for verb, papers, about, alone in _OTHERS
)
CHINESE = (
    "(?:请?(?:帮我)?(?:查找|搜索|检索|寻找|找)(?:一下|一些)?)?(?:关于|有关)(?P<about>.+)的(?:论文|文献|文章)[。.]?"
)
