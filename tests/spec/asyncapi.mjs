// Prints what the stock parser of AsyncAPI says of a file, as JSON.
import { pathToFileURL } from "node:url";

const [parser, file] = process.argv.slice(2);
const { Parser, fromFile } = (await import(pathToFileURL(parser).href)).default;
const { document, diagnostics } = await fromFile(new Parser(), file).parse();
const channels = document ? document.channels().all().map((each) => each.id()) : [];
console.log(JSON.stringify({ channels, errors: diagnostics.filter((each) => each.severity < 2) }));
