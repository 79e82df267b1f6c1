/**
 * The style sheet of an HTML report: light and dark, from 320 pixels to a desktop, and on paper. Every text has a contrast of
 * 4.5:1 or more with what is behind it.
 */
export const STYLE = `
:root {
  color-scheme: light dark;
  --page: #f5f6f8; --card: #fff; --line: #d9dee4; --text: #1a1f26; --soft: #55606c; --code: #f0f2f5;
  --client: #b45a00; --client-text: #7d3f00; --client-back: #fff0dd;
  --server: #c0262d; --server-text: #8f1219; --server-back: #ffe9e8;
  --notice-back: #fff8e0; --notice-line: #d9a400; --accent: #0b5cad;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #0f1318; --card: #181e25; --line: #323b46; --text: #e8ebef; --soft: #a7b1bc; --code: #222a33;
    --client: #e59a3c; --client-text: #ffc680; --client-back: #3a2813;
    --server: #f2635f; --server-text: #ffb5b1; --server-back: #451a1d;
    --notice-back: #332a0c; --notice-line: #d9a400; --accent: #7db8f5;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; padding: 2rem 1rem; background: var(--page); color: var(--text);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Liberation Sans", sans-serif; overflow-wrap: anywhere;
}
main, header { max-width: 62rem; margin: 0 auto; }
h1 { font-size: clamp(1.25rem, 4vw, 1.7rem); line-height: 1.25; margin: .2rem 0 .5rem; letter-spacing: -.02em; }
h2 { font-size: 1.2rem; margin: 0 0 1rem; }
h3 { font-size: 1rem; margin: 0; display: flex; flex-wrap: wrap; gap: .35rem .6rem; align-items: baseline; }
p { margin: 0 0 .75rem; }
a { color: var(--accent); }
.over { color: var(--soft); font-size: .85rem; font-weight: 600; margin: 0; }
.lead { font-size: 1.1rem; color: var(--soft); max-width: 45rem; }
code, pre { font: .875em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace; unicode-bidi: isolate; }
section { background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: 1.25rem; margin: 1.25rem 0; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); gap: .75rem; margin: 1.25rem 0; padding: 0; list-style: none; }
.tiles li { background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: .8rem 1rem; color: var(--soft); font-size: .875rem; }
.tiles strong { display: block; font-size: 1.7rem; line-height: 1.2; color: var(--text); font-variant-numeric: tabular-nums; }
.tiles .client strong { color: var(--client-text); }
.tiles .server strong { color: var(--server-text); }
.notice { background: var(--notice-back); border: 1px solid var(--notice-line); border-radius: 12px; padding: .9rem 1.25rem; margin: 1.25rem 0; }
.notice p:last-child, .note:last-child { margin: 0; }
.causes { list-style: none; margin: 0; padding: 0; }
.causes li { padding: .8rem 0; border-top: 1px solid var(--line); }
.causes li:first-child { border-top: 0; padding-top: 0; }
.cause { display: flex; gap: .35rem 1rem; align-items: baseline; justify-content: space-between; }
.cause > span:first-child { min-width: 0; }
.count { flex: none; font-weight: 650; font-variant-numeric: tabular-nums; text-align: right; }
.soft, .note, figcaption, dt { color: var(--soft); }
.soft, .note, figcaption { font-size: .875rem; }
.status { display: inline-block; min-width: 2.6rem; padding: 0 .45rem; border-radius: 6px; text-align: center; font-size: .8125rem; font-weight: 700; background: var(--code); color: var(--text); font-variant-numeric: tabular-nums; }
.client > .status, .status.client { background: var(--client-back); color: var(--client-text); }
.server > .status, .status.server { background: var(--server-back); color: var(--server-text); }
svg { display: block; width: 100%; }
.bar { height: 8px; margin: .45rem 0 .3rem; border-radius: 4px; background: var(--code); }
.plot { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 0 .6rem; }
.scale { display: flex; flex-direction: column; justify-content: space-between; text-align: right; margin: -.6rem 0; }
.scale, .ticks { font-size: .8125rem; color: var(--soft); font-variant-numeric: tabular-nums; }
.timeline { height: 150px; border-bottom: 1px solid var(--soft); }
.ticks { grid-column: 2; height: 42px; overflow: visible; fill: var(--soft); }
.ticks line { stroke: var(--soft); }
.grid { stroke: var(--line); vector-effect: non-scaling-stroke; }
rect { fill: var(--soft); }
rect.client { fill: var(--client); }
rect.server { fill: var(--server); }
figure { margin: 0; }
.key::before { content: ""; display: inline-block; width: .7em; height: .7em; border-radius: 2px; margin-right: .4em; background: var(--client); }
.key.server::before { background: var(--server); }
.key { margin-right: 1rem; }
article { border-top: 1px solid var(--line); padding: 1.25rem 0; }
article:first-of-type { border-top: 0; padding-top: 0; }
article:last-child { padding-bottom: 0; }
dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: .3rem 1.25rem; margin: .8rem 0 0; }
dd { margin: 0; }
dd + dd { grid-column: 2; }
pre { margin: 0; padding: .75rem .9rem; background: var(--code); border-radius: 8px; white-space: pre-wrap; overflow-wrap: anywhere; }
details { margin-top: .5rem; }
summary { cursor: pointer; color: var(--accent); font-size: .875rem; }
table { border-collapse: collapse; font-size: .875rem; font-variant-numeric: tabular-nums; margin-top: .5rem; }
th, td { text-align: right; padding: .2rem .9rem .2rem 0; font-weight: 400; }
thead th { color: var(--soft); }
th:first-child { text-align: left; }
@media (max-width: 40rem) {
  body { padding: 1.25rem .75rem; }
  section { padding: 1rem; }
  dl { grid-template-columns: minmax(0, 1fr); gap: 0; }
  dd { margin-bottom: .5rem; }
  dd + dd { grid-column: 1; }
  .timeline { height: 110px; }
  .further { display: none; }
}
@media print {
  :root {
    --page: #fff; --card: #fff; --line: #c8cdd3; --text: #000; --soft: #454d57; --code: #f3f4f6;
    --client: #b45a00; --client-text: #7d3f00; --client-back: #fff0dd;
    --server: #c0262d; --server-text: #8f1219; --server-back: #ffe9e8; --notice-back: #fff8e0; --accent: #000;
  }
  @page { margin: 16mm 16mm 20mm; @bottom-right { content: "Page " counter(page) " of " counter(pages); font: 8pt sans-serif; color: #454d57; } }
  body { padding: 0; font-size: 10pt; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  section { border: 0; border-top: 1px solid var(--line); border-radius: 0; padding: 1rem 0 0; }
  .causes li, .tiles, .notice, figure, dl, tr, pre { break-inside: avoid; }
  h2, h3, summary { break-after: avoid; }
  pre { border: 1px solid var(--line); box-decoration-break: clone; }
  details::details-content { content-visibility: visible; display: block; }
  summary { list-style: none; color: var(--soft); }
  figure + details { display: none; }
  a { color: inherit; text-decoration: none; }
}
`;
