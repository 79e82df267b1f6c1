import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toHtml } from '../../../../src/features/api-logs/report/html.ts';
import { findChromium, openTab, type Tab } from '../../../harness/chromium.ts';
import { folderForAll } from '../../../harness/temporary-folder.ts';
import { textContrasts } from './contrast.ts';
import { logOf, reportOf } from './sample-report.ts';

const folder = folderForAll();
const chromium = findChromium();
/** Loads and runs something, if the page lets it. */
const HOSTILE = `</pre></code><script>document.title='ran'</script><img src=http://127.0.0.1:9/x><style>*{display:none}</style>`;

/** Everything that a report can show: many causes, long words without a space, markup, gaps, 4xx, 5xx and others. */
async function longReport(): Promise<string> {
  const logs = Array.from({ length: 120 }, (_, index) =>
    logOf({
      id: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
      request_url: `https://api.example.com/${'segment'.repeat(index % 7 === 0 ? 40 : 1)}/${index % 30}`,
      request_received_at: new Date(Date.parse('2026-03-01T00:00:00Z') + index * 290_000).toISOString(),
      response_status_code: [400, 401, 404, 422, 500, 502, null][index % 7],
      request_body: { note: 'x'.repeat(3000) },
      response_body: {
        code: `code_${index % 30}`,
        message: HOSTILE,
        details: [{ message: 'y'.repeat(500) }],
      },
    }),
  );
  const values = { since: '12h', message: [`!${'z'.repeat(300)}`] };
  return toHtml(await reportOf(logs, { values, profile: 'profile'.repeat(20) }));
}

describe.skipIf(chromium === undefined)('an HTML report in Chromium (skipped where there is none)', () => {
  let tab: Tab;
  const url = pathToFileURL(join(folder, 'report.html')).href;
  beforeAll(async () => {
    writeFileSync(join(folder, 'report.html'), await longReport());
    tab = await openTab(chromium ?? '');
  }, 60_000);
  afterAll(async () => {
    await tab?.close();
  });

  const show = async (width: number, scheme: 'light' | 'dark', media = ''): Promise<void> => {
    const metrics = { width, height: 800, deviceScaleFactor: 1, mobile: width < 500 };
    await tab.send('Emulation.setDeviceMetricsOverride', metrics);
    const features = [{ name: 'prefers-color-scheme', value: scheme }];
    await tab.send('Emulation.setEmulatedMedia', { media, features });
    await tab.open(url);
    await tab.evaluate(`document.querySelectorAll('details').forEach((part) => { part.open = true })`);
  };

  it('loads nothing but itself, and runs nothing', async () => {
    await show(1280, 'light');
    expect(new Set(tab.requests)).toEqual(new Set([url]));
    expect(tab.complaints).toEqual([]);
    expect(await tab.evaluate('document.title')).toMatch(/^Most often (?:4|5)\d\d POST \/segment/);
    expect(await tab.evaluate('document.querySelectorAll("script, img, link, iframe").length')).toBe(0);
    expect(await tab.evaluate('getComputedStyle(document.querySelector("h1")).display')).toBe('block');
  });

  it.each([320, 360, 768, 1280])('fits into %i pixels', async (width) => {
    await show(width, 'light');
    const tooWide = await tab.evaluate(`[...document.querySelectorAll('body *')]
      .filter((element) => element.getBoundingClientRect().right > document.documentElement.clientWidth + 0.5)
      .map((element) => element.tagName + ' ' + element.className)`);
    expect(tooWide).toEqual([]);
    const beyond = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    expect(await tab.evaluate(beyond)).toBe(0);
  });

  it.each([
    ['light', ''],
    ['dark', ''],
    ['dark', 'print'],
  ] as const)('has a contrast of 4.5 or more in every text: %s %s', async (scheme, media) => {
    await show(1280, scheme, media);
    const contrasts = (await tab.evaluate(`(${textContrasts})()`)) as { text: string; contrast: number }[];
    expect(contrasts.length).toBeGreaterThan(100);
    expect(contrasts.filter(({ contrast }) => contrast < 4.5)).toEqual([]);
  });

  it('is dark where the user wants it, and black on white on paper', async () => {
    const background = 'getComputedStyle(document.body).backgroundColor';
    await show(1280, 'dark');
    expect(await tab.evaluate(background)).toBe('rgb(15, 19, 24)');
    await show(1280, 'dark', 'print');
    expect(await tab.evaluate(background)).toBe('rgb(255, 255, 255)');
  });

  it('has its page numbers, and every body unfolded, on paper', async () => {
    await tab.send('Emulation.setEmulatedMedia', { media: 'print' });
    await tab.open(url);
    const heights = await tab.evaluate(
      '[...document.querySelectorAll("pre")].map((pre) => pre.getBoundingClientRect().height)',
    );
    expect((heights as number[]).filter((height) => height < 20)).toEqual([]);
    const { data } = await tab.send('Page.printToPDF', { preferCSSPageSize: true });
    expect(
      Buffer.from(String(data), 'base64')
        .toString('latin1')
        .match(/\/Type \/Page\b/g)?.length,
    ).toBeGreaterThan(3);
  });

  it('marks its axis with times that do not overlap at any width', async () => {
    for (const width of [320, 768, 1280]) {
      await show(width, 'light');
      const boxes = (await tab.evaluate(`[...document.querySelectorAll('.ticks text')]
        .map((text) => text.getBoundingClientRect()).filter(({ width }) => width > 0)
        .map(({ left, right, top }) => ({ left, right, top }))`)) as {
        left: number;
        right: number;
        top: number;
      }[];
      expect(boxes.length).toBeGreaterThan(1);
      const overlaps = boxes.filter((box) =>
        boxes.some(
          (other) =>
            other !== box && other.top === box.top && other.left <= box.left && other.right > box.left,
        ),
      );
      expect(overlaps, String(width)).toEqual([]);
    }
  });

  it('names its chart and its sections for assistive technology', async () => {
    await show(1280, 'light');
    const { nodes } = await tab.send('Accessibility.getFullAXTree');
    const named = (nodes as { role: { value: string }; name?: { value: string } }[])
      .filter(({ role }) => ['image', 'region', 'complementary'].includes(role.value))
      .map(({ role, name }) => `${role.value}: ${name?.value}`);
    expect(named.toSorted()).toEqual([
      'complementary: What may be missing',
      expect.stringMatching(/^image: Failed requests over time Each bar covers 15 minutes. The highest, /),
      'region: Examples',
      'region: Notes',
      'region: Timeline',
      'region: What fails most',
      'region: What was looked at',
    ]);
  });
});
