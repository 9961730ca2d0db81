// The frame around every view: its name, the ways to the views, the key, the theme.
import { render } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { addressOf, useAddress } from "./address";
import { Announcer } from "./parts/announce";
import { arrive, Heading, keepFocus } from "./parts/focus";
import { askForKey, KeyDialog, useKeyChanges } from "./parts/key";
import { storedKey } from "./session";
import { texts } from "./texts";
import { Contexts } from "./views/contexts";
import { Network } from "./views/network";
import { PaperView } from "./views/paper";
import { References } from "./views/references";
import { SavedView } from "./views/saved";
import { Search } from "./views/search";
import { Sources } from "./views/sources";

type View = (props: { fields: URLSearchParams }) => preact.JSX.Element;
// In the order of the navigation.
const VIEWS: Record<string, { title: string; view: View }> = {
  search: { title: texts.nav.search, view: Search },
  paper: { title: texts.nav.paper, view: PaperView },
  network: { title: texts.nav.network, view: Network },
  references: { title: texts.nav.references, view: References },
  contexts: { title: texts.nav.contexts, view: Contexts },
  saved: { title: texts.nav.saved, view: SavedView },
  sources: { title: texts.nav.sources, view: Sources },
};

function NotFound() {
  return <section class="notice"><Heading>{texts.notFound.title}</Heading><p><a href={addressOf("search")}>{texts.notFound.back}</a></p></section>;
}

function Page() {
  const { view, fields } = useAddress();
  useKeyChanges();
  const known = VIEWS[view];
  const main = useRef<HTMLElement>(null);
  const first = useRef(true);
  // At once: later, it would take the focus from a field that the reader has reached by then.
  useLayoutEffect(() => {
    document.title = known && view !== "search" ? `${known.title} · ${texts.title}` : texts.title;
    if (!first.current) {
      arrive();
      scrollTo(0, 0);
    }
    first.current = false;
  }, [fields]);
  const Shown = known?.view ?? NotFound;
  return (
    <>
      <a class="skip" href="#main" onClick={(event) => { event.preventDefault(); main.current?.focus(); }}>{texts.skip}</a>
      <header class="top">
        <a class="name" href={addressOf("search")}>{texts.title}</a>
        <nav aria-label={texts.nav.label}>
          {Object.entries(VIEWS).map(([name, it]) => (
            <a key={name} href={addressOf(name)} aria-current={name === view ? "page" : undefined}>{it.title}</a>
          ))}
        </nav>
        <button type="button" class="quiet key" onClick={askForKey}>{storedKey() ? texts.key.set : texts.key.open}</button>
      </header>
      <main ref={main} id="main" tabIndex={-1}><Shown key={view} fields={fields} /></main>
      <footer>
        <span>{texts.untrusted}</span>
        <span class="ways"><a href="docs">{texts.footer.api}</a><a href="openapi.json">{texts.footer.openapi}</a><a href="llms.txt">{texts.footer.models}</a></span>
      </footer>
      <Announcer />
      <KeyDialog />
    </>
  );
}

const root = document.getElementById("page");
keepFocus();
if (root) render(<Page />, root);
