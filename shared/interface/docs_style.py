"""How `/docs` looks: on a phone and on a desk, by day and by night."""

from __future__ import annotations

STYLE = """
:root { color-scheme: light dark; --text: #1b1f24; --ground: #fff; --soft: #f3f5f7; --line: #d5dae0; --link: #0757b5 }
@media (prefers-color-scheme: dark) {
  :root { --text: #e4e8ec; --ground: #14181c; --soft: #1f252b; --line: #3a424a; --link: #7ab8ff }
}
* { box-sizing: border-box }
body { margin: 0 auto; max-width: 70rem; padding: 1rem; color: var(--text); background: var(--ground);
  font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere }
a { color: var(--link) }
h2 { margin-top: 2.5rem; border-bottom: 1px solid var(--line) }
h3 { margin: 2rem 0 .5rem }
h4 { margin: 1rem 0 .25rem }
nav h2 { margin: 1rem 0 0; border: 0; font-size: 1rem }
nav ul { margin: .25rem 0; padding-left: 1.2rem }
code, pre { font: .875rem/1.45 ui-monospace, monospace }
code { background: var(--soft); padding: .05rem .25rem; border-radius: .2rem }
pre { background: var(--soft); padding: .75rem; border-radius: .4rem; overflow: auto; white-space: pre-wrap }
section > div { overflow-x: auto }
table { border-collapse: collapse; width: 100%; font-size: .9rem }
th, td { text-align: left; vertical-align: top; padding: .35rem .5rem; border-top: 1px solid var(--line) }
th { font-weight: 600 }
small { opacity: .75 }
h3 b { font-size: .8rem; padding: .15rem .45rem; border-radius: .3rem; background: var(--link); color: var(--ground) }
@media (max-width: 40rem) {
  thead { display: none }
  tr, th, td { display: block; border: 0; padding: .1rem 0 }
  tr { border-top: 1px solid var(--line); padding: .5rem 0 }
}
"""
