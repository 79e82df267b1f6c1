import type { Bar, Bars } from '../histogram.ts';
import { grouped, minuteOf, stepInWords } from './figures.ts';

/** The bars of a report as a figure with a scale and an axis, and as a table of figures. */
export function timelineFigure(timeline: Bars): string {
  const { step_seconds: step, bars } = timeline;
  const most = Math.max(...bars.map(({ count }) => count));
  const top = topOf(most);
  const busiest = bars.find(({ count }) => count === most);
  const text = `Each bar covers ${stepInWords(step)}. The highest, ${grouped(most)}, begins at ${minuteOf(busiest?.from ?? '', step)}.`;
  const rows = bars.map((bar) => `<tr><th scope="row">${minuteOf(bar.from, step)}</th>${cells(bar)}</tr>`);
  const scale = (top === 1 ? [1, 0] : [top, top / 2, 0]).map((count) => `<span>${grouped(count)}</span>`);
  return `<section aria-labelledby="timeline"><h2 id="timeline">Timeline</h2>
<figure>
<div class="plot">
<div class="scale" aria-hidden="true">${scale.join('')}</div>
<svg class="timeline" viewBox="0 0 ${bars.length * 10} 100" preserveAspectRatio="none" role="img" aria-labelledby="chart-title chart-text">
<title id="chart-title">Failed requests over time</title>
<desc id="chart-text">${text}</desc>
<path class="grid" d="M0 0H${bars.length * 10}${top === 1 ? '' : `M0 50H${bars.length * 10}`}"/>
${bars.map((bar, index) => drawBar(bar, { index, top, step })).join('\n')}
</svg>
<svg class="ticks" aria-hidden="true">
${drawTicks(ticksOf(timeline))}
</svg>
</div>
<figcaption><p><span class="key">4xx</span><span class="key server">5xx</span>${text}</p></figcaption>
</figure>
<details><summary>Figures</summary>
<table><thead><tr><th scope="col">From</th><th scope="col">Count</th><th scope="col">4xx</th><th scope="col">5xx</th></tr></thead>
<tbody>
${rows.join('\n')}
</tbody></table></details>
</section>`;
}

function cells({ count, '4xx': client, '5xx': server }: Bar): string {
  return [count, client, server].map((value) => `<td>${grouped(value)}</td>`).join('');
}

/** What failed in the service is at the foot of a bar, with what was refused above it. */
function drawBar(bar: Bar, { index, top: full, step }: { index: number; top: number; step: number }): string {
  const { count, '4xx': client, '5xx': server } = bar;
  let top = 100;
  const part = (value: number, kind: string): string => {
    if (value === 0) return '';
    const height = (value / full) * 100;
    top -= height;
    return `<rect class="${kind}" x="${index * 10 + 1}" y="${top.toFixed(2)}" width="8" height="${height.toFixed(2)}"/>`;
  };
  const parts = part(server, 'server') + part(client, 'client') + part(count - client - server, '');
  return `<g><title>${minuteOf(bar.from, step)}: ${grouped(count)}</title>${parts}</g>`;
}

/** A day is written below the first of its ticks; every second tick may be hidden where there is little room. */
function drawTicks(ticks: readonly Tick[]): string {
  return ticks
    .map(({ at, day, time }, index) => {
      const x = `${(at * 100).toFixed(2)}%`;
      const isNewDay = day !== ticks[index - 1]?.day;
      const anchor = at < 0.08 ? 'start' : at > 0.9 ? 'end' : 'middle';
      const lines = time === '' ? [day] : [time, isNewDay ? day : ''];
      const texts = lines.map((line, row) =>
        line === '' ? '' : `<text x="${x}" y="${20 + row * 17}" text-anchor="${anchor}">${line}</text>`,
      );
      return `<g${index % 2 === 1 && !(isNewDay && time !== '') ? ' class="further"' : ''}><line x1="${x}" x2="${x}" y2="6"/>${texts.join('')}</g>`;
    })
    .join('\n');
}

/** A mark below a bar: its position, from 0 to 1, and the time at which the bar begins. */
export type Tick = {
  readonly at: number;
  readonly day: string;
  /** Empty where the marks are days. */
  readonly time: string;
};

const HOUR = 3_600;
const DAY = 24 * HOUR;
/** Distances between ticks, in seconds; larger ones are days. */
const DISTANCES = [60, 300, 600, 900, 1_800, HOUR, 2 * HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR, DAY];
/** Days from tick to tick, in each power of ten. */
const DAYS = [1, 2, 5];
const MOST_TICKS = 6;

/** The ticks of a time axis, at most six, at round times in UTC; the first bar has one where no other would. */
export function ticksOf({ step_seconds: step, bars }: Bars): readonly Tick[] {
  const distance = distanceFor(step, bars.length);
  const round = bars.filter(({ from }) => (Date.parse(from) / 1000) % distance === 0);
  const marked = new Set(round.length === 0 ? bars.slice(0, 1) : round);
  return bars.flatMap((bar, index) =>
    marked.has(bar) ? [tickOf(bar, { at: index / bars.length, distance })] : [],
  );
}

function tickOf({ from }: Bar, { at, distance }: { at: number; distance: number }): Tick {
  const [day = '', time = ''] = from.split('T');
  return { at, day, time: distance >= DAY ? '' : time.slice(0, 5) };
}

/** The smallest distance that is a multiple of the step and leaves enough room. */
function distanceFor(step: number, count: number): number {
  const days = Array.from({ length: 10 }, (_, zeros) =>
    DAYS.map((first) => first * 10 ** zeros * DAY),
  ).flat();
  const fits = (distance: number) => distance % step === 0 && (count * step) / distance <= MOST_TICKS - 1;
  return [...DISTANCES, ...days].find(fits) ?? step * count;
}

/** The top of a scale of counts: 1, 2 or 5 times a power of ten, at least as much as the largest count. */
export function topOf(most: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, most)));
  return ([1, 2, 5, 10].find((first) => first * power >= most) ?? 10) * power;
}
