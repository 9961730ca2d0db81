r"""The commands for names of journals of astronomy: `\apj` in manuscripts, and in each .bib and .bbl made from ADS.

Source: aas_macros.sty of the American Astronomical Society.
"""

from __future__ import annotations

_WRITTEN = (
    r"\aap A&A;\aapr A&A Rev.;\aaps A&AS;\aj AJ;\ao Appl. Opt.;\apj ApJ;\apjl ApJL;\apjlett ApJL;\apjs ApJS;"
    r"\apjsupp ApJS;\aplett Astrophys. Lett.;\applopt Appl. Opt.;\apss Ap&SS;\araa ARA&A;\azh AZh;\baas BAAS;"
    r"\gca Geochim. Cosmochim. Acta;\grl Geophys. Res. Lett.;\icarus Icarus;\jcap JCAP;\jcp J. Chem. Phys.;"
    r"\jgr J. Geophys. Res.;\jqsrt J. Quant. Spectrosc. Radiat. Transf.;\jrasc JRASC;\memras MmRAS;\memsai MmSAI;"
    r"\mnras MNRAS;\na New A;\nar New A Rev.;\nat Nature;\nphysa Nucl. Phys. A;\pasa PASA;\pasj PASJ;\pasp PASP;"
    r"\physrep Phys. Rep.;\physscr Phys. Scr.;\planss Planet. Space Sci.;\pra Phys. Rev. A;\prb Phys. Rev. B;"
    r"\prc Phys. Rev. C;\prd Phys. Rev. D;\pre Phys. Rev. E;\prl Phys. Rev. Lett.;\procspie Proc. SPIE;\qjras QJRAS;"
    r"\rmxaa RMxAA;\skytel S&T;\solphys Sol. Phys.;\sovast Soviet Ast.;\ssr Space Sci. Rev.;\zap ZAp"
)
JOURNALS: dict[str, str] = {
    command: name for command, _, name in (written.partition(" ") for written in _WRITTEN.split(";"))
}
