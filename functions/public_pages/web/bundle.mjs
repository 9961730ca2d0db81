// Bundles `src` into the folder named by the first argument: index.html, and scripts and styles with their hashes in
// their names, so that browsers may keep them for ever.
import { build } from "esbuild";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";

const target = process.argv[2];
if (!target) throw new Error("usage: bundle.mjs FOLDER");
await rm(target, { recursive: true, force: true });
await mkdir(target, { recursive: true });
const { metafile } = await build({
  entryPoints: { page: "src/main.tsx", style: "src/styles/all.css" },
  outdir: target,
  bundle: true,
  splitting: true,
  format: "esm",
  target: ["es2022"],
  minify: true,
  legalComments: "none",
  jsx: "automatic",
  jsxImportSource: "preact",
  entryNames: "[name].[hash]",
  chunkNames: "[name].[hash]",
  assetNames: "[name].[hash]",
  metafile: true,
});
const made = (entry) => {
  const found = Object.entries(metafile.outputs).find(([, output]) => output.entryPoint === entry);
  if (!found) throw new Error(`nothing was made of ${entry}`);
  return `assets/${basename(found[0])}`;
};
const page = (await readFile("src/index.html", "utf8"))
  .replace("%SCRIPT%", made("src/main.tsx"))
  .replace("%STYLE%", made("src/styles/all.css"));
await writeFile(join(target, "index.html"), page);
