import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { describe, expect, it, onTestFinished } from 'vitest';
import { failureOf } from './failure-of.ts';
import { clientAt, serve } from './live-client.ts';

/** Notes the path of each request of undici as its head is written to the socket. */
function noteWrites(events: string[]): void {
  const note = (message: unknown) => {
    const { request } = message as { readonly request: { readonly path: string } };
    events.push(`write ${request.path}`);
  };
  subscribe('undici:client:sendHeaders', note);
  onTestFinished(() => void unsubscribe('undici:client:sendHeaders', note));
}

describe('the request for the page after', () => {
  it('is on the wire before the present page is read', async () => {
    const pages = [
      '{"items":[1],"next_cursor":"1"}',
      '{"items":[2],"next_cursor":"2"}',
      '{"items":[3],"next_cursor":null}',
    ];
    const { origin } = await serve((request, response) => {
      const cursor = new URL(request.url ?? '', 'http://localhost').searchParams.get('cursor');
      response.setHeader('content-type', 'application/json');
      response.end(pages[Number(cursor ?? 0)]);
    });
    const events: string[] = [];
    noteWrites(events);
    const readPage = ({ text }: { readonly text: string }) => {
      events.push(`read ${text}`);
      return undefined;
    };
    for await (const _ of clientAt(origin).buyers.fetch({}, { readPage }));
    expect(events).toEqual([
      'write /buyers?limit=100',
      'write /buyers?cursor=1&limit=100',
      `read ${pages[0]}`,
      'write /buyers?cursor=2&limit=100',
      `read ${pages[1]}`,
      `read ${pages[2]}`,
    ]);
  });

  it('is not sent where the present page leads back to an earlier one', async () => {
    const pages = ['{"items":[1],"next_cursor":"1"}', '{"items":[2],"next_cursor":"1"}'];
    const { origin, requests } = await serve((request, response) => {
      const cursor = new URL(request.url ?? '', 'http://localhost').searchParams.get('cursor');
      response.setHeader('content-type', 'application/json');
      response.end(pages[Number(cursor ?? 0)]);
    });
    const walk = async () => {
      for await (const _ of clientAt(origin).buyers.pages());
    };
    expect(await failureOf(walk())).toMatchObject({ code: 'cursor_loop' });
    expect(requests.map(({ url }) => url)).toEqual(['/buyers?limit=100', '/buyers?cursor=1&limit=100']);
  });
});
