import nock from 'nock';

export const ORIGIN = 'https://api.example.com';

/** A request as nock saw it. */
export type Sent = {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
};

type NockAnswer = {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | object;
};

/** Has nock answer one GET at the origin, whatever its path, and returns the list in which that request appears. */
export function answerOnce({ status = 200, headers = {}, body = { items: [] } }: NockAnswer = {}): Sent[] {
  const sent: Sent[] = [];
  nock(ORIGIN)
    .get(() => true)
    .reply((request: Request) => {
      sent.push({ method: request.method, url: request.url, headers: Object.fromEntries(request.headers) });
      return [status, body, headers];
    });
  return sent;
}
