/** Reads the rows of a CSV file with the parser at this path and does nothing with them: what `bulk plan` is compared with. */
import { createReadStream } from 'node:fs';
import { pathToFileURL } from 'node:url';

const [, , parser, file] = process.argv;
const { parse } = await import(pathToFileURL(parser).href);
let rows = 0;
for await (const _ of createReadStream(file).pipe(parse())) rows += 1;
process.stdout.write(`${rows}\n`);
