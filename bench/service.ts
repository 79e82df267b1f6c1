/**
 * The least that answers GET /buyers, in a process of its own: so many buyers, pages from memory, an optional delay.
 * Arguments: number of buyers, delay in ms, and for https the files of a certificate and of its key. Prints its origin.
 */
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';

const [, , total = 100, delay = 0] = process.argv.map(Number);
const [certificate, key] = process.argv.slice(4);

/** What is the same in every buyer is written once, so that the service is never what a measurement waits for. */
const COMMON = JSON.stringify({
  merchant_account_id: 'default',
  created_at: '2026-03-01T12:00:00.000+00:00',
  updated_at: '2026-03-02T12:00:00.000+00:00',
  billing_details: {
    first_name: 'Ada',
    last_name: 'Müller',
    email_address: 'ada@example.com',
    phone_number: '+441134960000',
    address: { city: 'Leeds', country: 'GB', postal_code: 'LS1 1AA', line1: '10 Example Street' },
    tax_id: { value: '12345', kind: 'gb.vat' },
  },
}).slice(1);

function buyer(index: number): string {
  const id = `${index.toString(16).padStart(8, '0')}-7c1e-4d0a-9b52-3f6d1c0e8a77`;
  return `{"type":"buyer","id":"${id}","display_name":"Buyer number ${index}","external_identifier":"customer-${index}",${COMMON}`;
}

function page(start: number, limit: number): string {
  const end = Math.min(total, start + limit);
  const items = Array.from({ length: end - start }, (_, offset) => buyer(start + offset));
  const next = end < total ? `"${end}"` : 'null';
  return `{"items":[${items.join(',')}],"limit":${limit},"next_cursor":${next},"previous_cursor":null}`;
}

const listener: RequestListener = (request, response) => {
  const { searchParams } = new URL(request.url ?? '/', 'http://localhost');
  const body = page(Number(searchParams.get('cursor') ?? 0), Number(searchParams.get('limit') ?? 20));
  const answer = () => response.writeHead(200, { 'content-type': 'application/json' }).end(body);
  if (delay > 0) setTimeout(answer, delay);
  else answer();
};

const server =
  certificate !== undefined && key !== undefined
    ? createSecureServer({ cert: readFileSync(certificate), key: readFileSync(key) }, listener)
    : createServer(listener);
server.listen(0, '127.0.0.1', () => {
  const scheme = certificate === undefined ? 'http' : 'https';
  process.stdout.write(`${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
