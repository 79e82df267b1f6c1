import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { escapeHtml, toHtml } from '../../../../src/features/api-logs/report/html.ts';
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
    const html = toHtml(await reportOf([logOf()], { values: { since: '2h' } }));
    for (const text of [
      '<h1>1 failed request in 2 hours</h1>',
      'acme \u00b7 api.example.com \u00b7 2026-03-01 08:00 to 2026-03-01 10:00 UTC',
      'The service lists no entry from 2026-03-01 08:00 UTC to 2026-03-01 09:30 UTC.',
      '<li><strong>1</strong> failed requests</li>',
      '<desc id="chart-text">Each bar is 5 minutes. Most failed from 2026-03-01 09:30 on: 1.</desc>',
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

  it('has the tags of a harmless report, whatever the service sends', async () => {
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
    );
  });
});
