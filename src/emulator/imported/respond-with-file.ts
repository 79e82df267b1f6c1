import { plainPath } from '../../descriptions/path-words.ts';
import { own } from '../../json/is-object.ts';
import { bareType } from '../../text/media-type.ts';
import type { EmulatorResponse } from '../http/response.ts';
import { readPage } from '../store/keyset.ts';
import { asDocument, type OperationRequest, requireAlong } from './call.ts';
import type { Document } from './overlay.ts';

/** The largest number of records in a file. */
const MOST_ROWS = 100;

/**
 * Responds to an operation that does not return JSON with a small file of a media type that it declares. The same records give the same
 * file. A type with rows, such as CSV, contains the records that the path names.
 * @throws HttpError `not_found` if a record in the path does not exist
 */
export function respondWithFile(call: OperationRequest): EmulatorResponse {
  const { operation } = call.prepared;
  const type = typeFor(operation.downloadTypes ?? [], call.context.headers.accept);
  const charset = /^text\//.test(type) ? '; charset=utf-8' : '';
  return {
    status: operation.successStatus,
    body: fileOf(type, `${operation.method} ${operation.path}`, recordsOf(call)),
    headers: { 'content-type': `${type}${charset}` },
  };
}

/** The first declared type that the request accepts, else the first declared one. A range such as `image/*` becomes one of its types. */
function typeFor(types: readonly string[], accept = ''): string {
  const accepted = accept.split(',').map(bareType);
  const type = types.find((one) => accepted.includes(one)) ?? types[0] ?? 'application/octet-stream';
  const [range = ''] = type.split('/*');
  return type.endsWith('/*') ? (own(MEMBERS, range) ?? 'application/octet-stream') : type;
}

const MEMBERS: Readonly<Record<string, string>> = { text: 'text/plain', image: 'image/png' };

type Rows = { readonly columns: readonly string[]; readonly records: readonly Document[] };

/** The record that the last parameter of the path names, or the records of the collection before its last segment. */
function recordsOf(call: OperationRequest): Rows {
  const { served, records, prepared, context, scope } = call;
  const of = served.kind?.isDocument ? undefined : served.kind;
  const isOnRecord = served.action === 'get' || served.action === 'custom';
  const last = requireAlong(call, isOnRecord ? [...served.above, of] : served.above);
  const outer = plainPath(prepared.operation.path).replace(/\/[^/]*$/, '');
  const kind = last?.kind ?? of ?? records.all().find(({ path }) => path === outer);
  const layout = kind && records.layoutOf(records.canonical(kind));
  if (!layout) return { columns: ['id'], records: [] };
  records.prepare(kind, scope);
  const list = records.tables.list(records.partition(kind, scope), undefined, []);
  const page = () => readPage(context.database, list, { position: undefined, limit: MOST_ROWS });
  const documents = Buffer.from(last?.stored.document ?? page().documents);
  const found = (JSON.parse(`[${documents.toString()}]`) as unknown[]).map(asDocument);
  const names = [...layout.schema.members.keys()];
  // The columns are the members that are neither lists nor objects.
  const columns = names.filter((name) => found.every((record) => typeof (record[name] ?? '') !== 'object'));
  return { columns, records: found };
}

function fileOf(type: string, title: string, records: Rows): string | Buffer {
  if (/csv|tab-separated/.test(type)) return separated(records, type.includes('tab') ? '\t' : ',');
  if (/ndjson|jsonl|json-lines|json-seq/.test(type))
    return records.records.map((record) => `${JSON.stringify(record)}\n`).join('');
  if (/html$/.test(type))
    return `<!doctype html>\n<title>${escaped(title)}</title>\n<p>${escaped(title)}</p>\n`;
  if (/xml$/.test(type))
    return `<?xml version="1.0" encoding="UTF-8"?>\n<document>${escaped(title)}</document>\n`;
  if (/^text\/|yaml$/.test(type)) return `# ${title}\n`;
  return Buffer.from(own(SAMPLES, type) ?? BYTES, 'base64');
}

function separated({ columns, records }: Rows, separator: string): string {
  const lines = [columns, ...records.map((record) => columns.map((name) => record[name] ?? ''))];
  return lines.map((line) => `${line.map((value) => cell(String(value))).join(separator)}\r\n`).join('');
}

function cell(text: string): string {
  return /[",\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

/** A page without text. */
const PDF = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]>>endobj
trailer<</Root 1 0 R>>
%%EOF
`;

/** The smallest documents of some types, in Base64. */
const SAMPLES: Readonly<Record<string, string>> = {
  'application/pdf': Buffer.from(PDF).toString('base64'),
  'application/zip': Buffer.concat([Buffer.from('PK\x05\x06'), Buffer.alloc(18)]).toString('base64'),
  'image/gif': 'R0lGODlhAQABAIAAAAAAAP///ywAAAAAAQABAAACAUwAOw==',
  'image/png':
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
};

/** Every byte once, for types without a sample. */
const BYTES = Buffer.from(Array.from({ length: 256 }, (_, index) => index)).toString('base64');
