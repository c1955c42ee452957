// The search of a built site without a browser: `node search.js SITE QUERY ...` prints what it finds, best first, as JSON.
const { readFileSync } = require("node:fs");
const vm = require("node:vm");

const [site, ...queries] = process.argv.slice(2);
const nothing = { addEventListener() {}, getElementById: () => ({}) };
const told = { SPHINX_HIGHLIGHT_ENABLED: false, _ready() {}, _: (text) => text, queries };
const context = vm.createContext({ document: nothing, ...told });
context.window = context;
for (const file of ["_static/language_data.js", "_static/searchtools.js", "searchindex.js"])
  vm.runInContext(readFileSync(`${site}/${file}`, "utf8"), context);
const search = `queries.map((query) => Search._performSearch(...Search._parseQuery(query))
  .reverse().map(([page, title]) => [page, title]))`;
console.log(JSON.stringify(vm.runInContext(search, context)));
