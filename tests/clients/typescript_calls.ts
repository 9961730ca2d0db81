// Calls by the client that is generated from the API's document: a search, its result set, a paper, a citation, a saved
// search; or, with the argument `read`, the context that the citation is in, when the queue has been written.
import createClient from "openapi-fetch";
import type { components, paths } from "./api.js";

const api = createClient<paths, "application/json">({ baseUrl: process.argv[2]!, headers: { "x-api-key": "any" } });
const context: components["schemas"]["CitationRequest"]["context"] = { type: "debate", id: "by-typescript" };
const answer = process.argv[3] === "read" ? await read() : await write();
console.log(JSON.stringify(answer));

async function write() {
  const search: components["schemas"]["SearchRequest"] = {
    query: "TREM2 microglia", max_results: 2, providers: ["crossref", "pubmed"], sort: "relevance",
  };
  const found = await api.POST("/v1/literature-search", { body: search });
  if (!found.data) throw new Error("the search was not answered");
  const total: number = found.data.total_count;
  const key: string = found.data.results[0]?.key ?? "";
  const resultSet = await api.GET("/v1/result-sets/{id}", { params: { path: { id: found.data.result_set_id } } });
  const stored: number | undefined = resultSet.data?.total_count;
  const paper = await api.GET("/v1/papers/{id}", { params: { path: { id: key } } });
  const title: string | undefined = paper.data?.paper?.title;

  const cited = await api.POST("/v1/citations", { body: { context, papers: [key] } });
  const recorded: number | undefined = cited.data?.recorded;
  const made = await api.POST("/v1/saved-searches", {
    body: { name: "TREM2, each day", search: { query: "TREM2 microglia" }, schedule: { expression: "rate(1 day)" } },
  });
  const own = await api.GET("/v1/saved-searches/{id}", { params: { path: { id: made.data?.id ?? "" } } });
  const saved: string | undefined = own.data?.name;
  return { total, stored, key, title, recorded, saved };
}

async function read() {
  const page = await api.GET("/v1/graph/contexts/{type}/{id}", { params: { path: context } });
  const cited: string[] | undefined = page.data?.items.map((item) => item.key);
  const papers: number | undefined = (await api.GET("/v1/graph/stats")).data?.papers;
  return { cited, papers };
}

declare const process: { argv: string[] };
