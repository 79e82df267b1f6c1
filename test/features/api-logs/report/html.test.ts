import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { escapeHtml, toHtml } from '../../../../src/features/api-logs/report/html.ts';
import { toMarkdown } from '../../../../src/features/api-logs/report/markdown.ts';
import { propertyRuns } from '../../../harness/property-runs.ts';
import { logOf, reportOf } from './sample-report.ts';

/** Every tag of a page, by its name and attributes. */
function tagsOf(html: string): readonly string[] {
  return html.replace(/<style>[\s\S]*?<\/style>/, '<style>').match(/<[^>]*>/g) ?? [];
}

describe('HTML of a report', () => {
  it('allows its own style sheet and nothing else', async () => {
    const html = toHtml(await reportOf([logOf()]));
    const style = /<style>([\s\S]*?)<\/style>/.exec(html)?.[1] ?? '';
    const hash = createHash('sha256').update(style).digest('base64');
    expect(html).toContain(
      `content="default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'"`,
    );
    expect(html).not.toMatch(/<script|<link|<img|<iframe|url\(|@import|\bsrc=|\bon\w+=|\bstyle=/i);
    expect(html.match(/href="[^"]*"/g)).toEqual(['href="#cause-1"']);
  });

  it('shows the same as Markdown: figures, timeline, causes, examples, where it comes from', async () => {
    const earlier = logOf({ id: 'b', request_received_at: '2026-03-01T09:00:00Z' });
    const html = toHtml(await reportOf([logOf(), earlier], { values: { since: '2h' } }));
    for (const text of [
      '<title>400 POST /buyers/{buyer_id}/shipping-details: /phone_number must match</title>',
      '<h1>400 <code>POST /buyers/{buyer_id}/shipping-details</code>: <code>/phone_number must match</code></h1>',
      '<p class="lead">2 failed requests in 2 hours. All of them have the same cause.</p>',
      '<dt>Time span</dt><dd>2026-03-01 08:00 UTC to 2026-03-01 10:00 UTC</dd>',
      '<dt>Profile</dt><dd><code>acme</code></dd>',
      'The service lists no entry from 2026-03-01 08:00 UTC to 2026-03-01 09:00 UTC.',
      'names and streets in free text cannot be recognised. To leave out all free text, add --no-messages',
      '<li><strong>2</strong> failed requests</li>',
      '<rect class="client" width="100.00" height="1"/>',
      '<desc id="chart-text">Each bar covers a minute. The highest, 1, begins at 2026-03-01 09:00.</desc>',
      '<code>POST /buyers/{buyer_id}/shipping-details</code>',
      '<code>/phone_number must match</code>',
      '<code>POST api.example.com/buyers/buyer-1/shipping-details</code>',
      '<dt>Filters</dt><dd><code>--since 2h</code></dd>',
      '&#34;input&#34;: &#34;phone-number-1&#34;',
    ]) {
      expect(html).toContain(text);
    }
    expect(html).not.toContain('113 496');
  });

  it('folds bodies, and says that a cause is not known', async () => {
    const html = toHtml(
      await reportOf([logOf({ response_status_code: 418, response_body: { code: 'teapot' } })]),
    );
    expect(html).toContain(
      '<h1>418 <code>POST /buyers/{buyer_id}/shipping-details</code>: <code>teapot</code></h1>',
    );
    expect(html).toContain(
      '<dt>Likely cause</dt><dd>a server in front of the service may have sent this status, which the specification does not list; look at the body of the response</dd>',
    );
    expect(html).toContain('<details><summary>Response body</summary>\n<pre>{\n  &#34;code&#34;');
  });

  it('has neither profile, host nor commands for a merchant', async () => {
    const logs = Array.from({ length: 12 }, (_, index) =>
      logOf({ id: `l-${index}`, response_body: { code: 'c'.repeat(index + 1) } }),
    );
    const report = await reportOf(logs, { view: 'merchant' });
    for (const text of [toHtml(report), toMarkdown(report)]) {
      expect(text).not.toMatch(/acme|api\.example\.com|payctl api|Profile|Host|Try|--no-messages/);
      expect(text).toContain('POST /buyers/buyer-1/shipping-details');
      expect(text).toContain('And 2 further causes have no example here.');
    }
  });

  it('says that nothing failed', async () => {
    const html = toHtml(await reportOf([]));
    expect(html).toContain('<h1>No failed requests</h1>');
    expect(html).not.toMatch(/<svg|<article/);
  });

  it('shows text as text, without characters that change what one sees', () => {
    expect(escapeHtml(`<b a="1" c='2'>&amp;\u202e\u0000`)).toBe(
      '&#60;b a=&#34;1&#34; c=&#39;2&#39;&#62;&#38;amp;&#60;U+202E&#62;\u2400',
    );
  });

  it('has the tags of a harmless report, whatever the service sends', { tags: 'slow' }, async () => {
    const pieces = fc.constantFrom(
      '</code>',
      '</pre><script>alert(1)</script>',
      '"><img src=x onerror=alert(1)>',
      "' onclick='x",
      '</style><style>*{display:none}</style>',
      '<!--',
      ']]>',
      '&lt;',
      '\u0000',
      '\n',
    );
    const text = fc.array(pieces, { maxLength: 4 }).map((parts) => `x${parts.join('')}`);
    const make = async (one: string, two: string) => {
      const logs = [
        logOf({ id: one, request_method: two, request_url: `https://h/${one}`, response_status_code: 404 }),
        logOf({ request_url: one, response_body: { code: two, message: one, [two]: one } }),
        logOf({ response_status_code: 500, response_body: two, request_body: one }),
      ];
      const report = await reportOf(logs, { profile: one });
      return tagsOf(toHtml({ ...report, filters: { where: [two] } }));
    };
    const harmless = await make('x', 'x');
    await fc.assert(
      fc.asyncProperty(text, text, async (one, two) => {
        expect(await make(one, two)).toEqual(harmless);
      }),
      propertyRuns(300, 30),
    );
  });
});
