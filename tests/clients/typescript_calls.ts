// A search, a paper and the graph by the client that is generated from the API's document.
import createClient from "openapi-fetch";
import type { components, paths } from "./api.js";

const api = createClient<paths, "application/json">({ baseUrl: process.argv[2]!, headers: { "x-api-key": "any" } });

const search: components["schemas"]["SearchRequest"] = {
  query: "TREM2 microglia", max_results: 2, providers: ["crossref", "pubmed"], sort: "relevance",
};
const found = await api.POST("/v1/literature-search", { body: search });
if (!found.data) throw new Error("the search was not answered");
const total: number = found.data.total_count;
const key: string | undefined = found.data.results[0]?.key;

const paper = await api.GET("/v1/papers/{id}", { params: { path: { id: key ?? "" } } });
const title: string | undefined = paper.data?.paper?.title;

const graph = await api.GET("/v1/graph/stats");
const papers: number | undefined = graph.data?.papers;

console.log(JSON.stringify({ total, key, title, papers }));
declare const process: { argv: string[] };
