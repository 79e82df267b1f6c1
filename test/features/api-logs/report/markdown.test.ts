import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toHtml } from '../../../../src/features/api-logs/report/html.ts';
import { block, cellCode, code, toMarkdown } from '../../../../src/features/api-logs/report/markdown.ts';
import { propertyRuns } from '../../../harness/property-runs.ts';
import { logOf, reportOf } from './sample-report.ts';

/** What a reader of Markdown sees outside code: blocks and spans are taken out as CommonMark reads them. */
function outsideCode(markdown: string): string {
  const lines: string[] = [];
  let fence: string | undefined;
  for (const line of markdown.split('\n')) {
    const ticks = /^`{3,}/.exec(line)?.[0];
    if (fence === undefined && ticks !== undefined) fence = ticks;
    else if (fence !== undefined && /^`+\s*$/.test(line) && line.trim().length >= fence.length)
      fence = undefined;
    else if (fence === undefined) lines.push(line);
  }
  expect(fence).toBeUndefined();
  return lines.join('\n').replace(/(?<!`)(`+)(?!`)[^\n]*?(?<!`)\1(?!`)/g, 'CODE');
}

const HOSTILE = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '`',
        '``',
        '```',
        '~~~',
        '|',
        '\\',
        '\n',
        '\r',
        '<script>',
        '[a](http://x)',
        '*b*',
        '# h',
        ' ',
      ),
      fc.constantFrom('EVIL', 'https://EVIL.example', '@EVIL', '&#60;', '-->', '\u202e', '- [ ] x'),
    ),
    { maxLength: 12 },
  )
  .map((parts) => `EVIL${parts.join('')}EVIL`);

describe('Markdown of a report', () => {
  it('is a ticket: what failed, how often, when, why, and what to do', async () => {
    const logs = [
      logOf(),
      logOf({
        id: 'b',
        request_received_at: '2026-03-01T08:30:00Z',
        response_status_code: 502,
        response_body: '<h1>Bad gateway</h1>',
      }),
    ];
    expect(toMarkdown(await reportOf(logs, { values: { since: '2h' } }))).toMatchInlineSnapshot(`
      "# Most often 400 \`POST /buyers/{buyer_id}/shipping-details\`: \`/phone_number must match\`

      2 failed requests in 2 hours. They have 2 causes; the largest accounts for 50%.

      - Entries: 2 looked at, 2 in this report
      - Time span: 2026-03-01 08:00 UTC to 2026-03-01 10:00 UTC
      - Filters: \`--since 2h\`
      - Profile: \`acme\`
      - Host: \`api.example.com\`
      - Merchant account: that of the token
      - Created: 2026-03-01 10:00 UTC by payctl/1.2.3

      > The service lists no entry from 2026-03-01 08:00 UTC to 2026-03-01 08:30 UTC. Either nothing failed then, or the log does not reach back that far.
      >
      > Personal data and secrets are masked, but names and streets in free text cannot be recognised. To leave out all free text, add --no-messages

      ## Causes

      | # | Count | Share | Status | Request | Code | Why | Last seen |
      |---:|---:|---:|---:|---|---|---|---|
      | 1 | 1 | 50% | 400 | \`POST /buyers/{buyer_id}/shipping-details\` | \`bad_request\` | \`/phone_number must match\` | 2026-03-01 09:30 |
      | 2 | 1 | 50% | 502 | \`POST /buyers/{buyer_id}/shipping-details\` | - | \`<h1>Bad gateway</h1>\` | 2026-03-01 08:30 |

      ## Timeline

      Each line covers 5 minutes. Times without failures are left out.

      \`\`\`text
      2026-03-01 08:30  1  ████████████████████████████████████████ (1 with 5xx)
      2026-03-01 09:30  1  ████████████████████████████████████████
      \`\`\`

      ## Examples

      ### 1. 400 \`POST /buyers/{buyer_id}/shipping-details\`

      - Request: \`POST api.example.com/buyers/buyer-1/shipping-details\`
      - Why: \`/phone_number must match\`
      - Meaning: The token was accepted, but the request has missing or invalid data.
      - Likely cause: a value does not have the format that its detail gives; \`correct /phone_number, then send the request again\`
      - Try: \`payctl api-logs get 5041a892-fb00-4846-8360-690c9631e63e\`
      - Try: \`payctl api-logs list --status 400 --method POST --path '/buyers/{buyer_id}/shipping-details' --pointer /phone_number\`
      - Try: \`payctl api show POST '/buyers/{buyer_id}/shipping-details'\`
      - Time: 2026-03-01 09:30 UTC, response after 56 ms
      - ID: \`5041a892-fb00-4846-8360-690c9631e63e\`

      Response body:

      \`\`\`json
      {
        "type": "error",
        "code": "bad_request",
        "message": "Generic error",
        "details": [
          {
            "pointer": "/phone_number",
            "message": "must match",
            "input": "phone-number-1"
          }
        ]
      }
      \`\`\`

      ### 2. 502 \`POST /buyers/{buyer_id}/shipping-details\`

      - Request: \`POST api.example.com/buyers/buyer-1/shipping-details\`
      - Why: \`<h1>Bad gateway</h1>\`
      - Meaning: The service failed; the request itself may be valid.
      - Likely cause: a server behind the gateway of the service failed or could not be reached; \`find out whether the request was processed before you send it again\`
      - Likely cause: the service may have processed the request although it failed: its outcome is unknown
      - Try: \`payctl api-logs summary --status 5xx --by hour\`
      - Try: \`payctl api-logs list --status 502 --method POST --path '/buyers/{buyer_id}/shipping-details'\`
      - Time: 2026-03-01 08:30 UTC, response after 3600.1 s
      - ID: \`b\`

      Response body:

      \`\`\`text
      <h1>Bad gateway</h1>
      \`\`\`

      ## Notes

      - Personal data, identifiers, tokens and secrets are replaced: the same value has the same name everywhere in this report, such as buyer-1 or email-2.
      - The service does not log request bodies.
      - Times are in UTC.
      "
    `);
  });

  it('says that nothing failed', async () => {
    const text = toMarkdown(await reportOf([], { values: { since: '2h', status: ['5xx'] } }));
    expect(text).toMatchInlineSnapshot(`
      "# No failed requests in 2 hours

      - Entries: 0 looked at, 0 in this report
      - Time span: 2026-03-01 08:00 UTC to 2026-03-01 10:00 UTC
      - Filters: \`--since 2h\`, \`--status 5xx\`
      - Profile: \`acme\`
      - Host: \`api.example.com\`
      - Merchant account: that of the token
      - Created: 2026-03-01 10:00 UTC by payctl/1.2.3

      > The service lists no entry from 2026-03-01 08:00 UTC to 2026-03-01 10:00 UTC. Either nothing failed then, or the log does not reach back that far.

      ## Notes

      - Times are in UTC.
      "
    `);
  });

  it.each([
    ['plain', '`plain`'],
    ['a`b', '``a`b``'],
    ['`', '`` ` ``'],
    [' a ', '`  a  `'],
    ['a\nb', '`a\u240ab`'],
    ['', '-'],
  ])('writes %j as code', (text, written) => {
    expect(code(text)).toBe(written);
  });

  it.each([
    ['a|b', '`a\\|b`'],
    ['a\\|b', '`a\\\\\\|b`'],
  ])('writes %j as code of a cell', (text, written) => {
    expect(cellCode(text)).toBe(written);
  });

  it('writes a block that its text cannot end', () => {
    expect(block('a\n```\nb', 'text')).toBe('````text\na\n```\nb\n````');
  });

  it('has every text of the service in code, and in no other cell than its own', {
    tags: 'slow',
  }, async () => {
    await fc.assert(
      fc.asyncProperty(HOSTILE, HOSTILE, async (one, two) => {
        const logs = [
          logOf({ id: one, request_method: two, request_url: `https://h/${one}?${two}=${one}` }),
          logOf({
            request_url: one,
            response_body: { code: one, message: two, [one]: two, details: [{ pointer: one, message: two }] },
          }),
          logOf({ response_status_code: 500, response_body: two, request_body: one }),
        ];
        const values = { message: [`!${one}`] };
        const report = await reportOf(logs, { profile: one, files: [two], values: {} });
        const markdown = toMarkdown({ ...report, filters: values });
        const outside = outsideCode(markdown);
        expect(outside).not.toMatch(/EVIL|[<\u202e]/);
        const rows = outside.split('\n').filter((line) => line.startsWith('|'));
        expect(rows.map((row) => row.split('|').length)).toEqual(rows.map(() => 10));
      }),
      propertyRuns(300, 30),
    );
  });
});

describe('the causes without an example', () => {
  const logsOf = (count: number) =>
    Array.from({ length: count }, (_, index) =>
      logOf({ id: `l-${index}`, request_url: `https://h/p-${'x'.repeat(index)}` }),
    );
  const FURTHER =
    'And 3 further causes have no example here. All causes, each with the ID of an example, with the same filters: payctl api-logs summary -o json';

  it('are counted below the examples, with the command that lists them', { tags: 'slow' }, async () => {
    const report = await reportOf(logsOf(13));
    expect(toMarkdown(report)).toContain(`\n\n${FURTHER}\n\n## Notes`);
    expect(toHtml(report)).toContain(FURTHER.replaceAll('"', '&#34;'));
    expect(toMarkdown(await reportOf(logsOf(11)))).toContain('And 1 further cause has no example here.');
  });

  it('are not mentioned where each has one', async () => {
    expect(toMarkdown(await reportOf(logsOf(10)))).not.toContain('further');
  });
});
