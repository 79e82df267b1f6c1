// The same list by the SDK of a service of this family. Arguments: the file of the SDK, origin.
import { pathToFileURL } from 'node:url';

const [file, serverURL] = process.argv.slice(2);
const { Gr4vy } = await import(pathToFileURL(file).href);
const client = new Gr4vy({ serverURL, bearerAuth: 'x' });
const page = await client.buyers.list({ limit: 100 });
process.stdout.write(`${JSON.stringify(page.result)}\n`);
process.exit();
