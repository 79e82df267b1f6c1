import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { toRoff } from '../../../scripts/help/roff.ts';
import { commandTree } from '../../../scripts/help/tree.ts';
import { helpPages, manPages } from '../../../scripts/help/write.ts';
import { timeSpanOf } from '../../../src/cli/flags/time-filter.ts';
import { HELP_TOPICS } from '../../../src/cli/routing/catalog/help-topics.ts';
import { toHelpText } from '../../../src/cli/routing/help/page.ts';
import { renderHelp } from '../../../src/cli/routing/help-text.ts';

const root = join(import.meta.dirname, '../../..');
const tree = await commandTree(root, '1.2.3');
const pages = new Map(helpPages(tree).map((page) => [page.name, toHelpText(page)]));
const man = manPages(tree);
const shown = (name: string, columns: number) => renderHelp(pages.get(name) ?? '', columns);
const lineCount = (name: string, columns: number) => shown(name, columns).trimEnd().split('\n').length;
const names = tree.commands.map(({ command }) => command);

describe('the help of a command', () => {
  it.each(names)('fits on a screen: %s', (name) => {
    expect(lineCount(name, 100)).toBeLessThanOrEqual(45);
    expect(lineCount(name, 80)).toBeLessThanOrEqual(55);
  });

  it('takes 40 lines at most where it has no more than eight flags of its own', () => {
    const long = tree.commands
      .filter(({ flags }) => flags.filter(({ shared }) => !shared).length <= 8)
      .filter(({ command }) => lineCount(command, 100) > 40);
    expect(long).toEqual([]);
  });

  it.each(tree.commands)(
    'describes its own flags, and refers to the shared ones in a line: $command',
    ({ command, flags }) => {
      const words = shown(command, 80).replaceAll(/\s+/g, ' ');
      const [before = '', after = ''] = words.split('Shared flags, such as ');
      expect(after).toContain('their variables: payctl help flags');
      for (const { name, shared, summary, environment, values } of flags) {
        if (!shared) expect(before).toContain(name);
        expect(before.includes(`${name} `) && before.includes(summary)).toBe(!shared);
        if (environment && !shared) expect(words).toContain(environment);
        if (!shared && values) expect(before).toContain(`One of ${values.join(', ')}.`);
      }
    },
  );

  it('begins with what it does and how it is used', () => {
    expect(shown('checkout-sessions get', 80).split('\n').slice(0, 4)).toEqual([
      'Show a checkout session.',
      '',
      'Usage: payctl checkout-sessions get ID [FLAGS]',
      '',
    ]);
  });

  it.each([
    ['export', '[RESOURCE...]'],
    ['sync', '[RESOURCE...]'],
    ['webhooks replay', '[ID...]'],
    ['webhooks verify', '[ID]'],
    ['bulk plan', 'COMMAND'],
  ])('says whether %s takes several arguments', (name, args) => {
    expect(shown(name, 80)).toContain(`\nUsage: payctl ${name} ${args} [FLAGS]\n`);
  });

  it('ends with its request and the scope that this needs', () => {
    expect(shown('buyers gift-cards list', 100)).toMatch(
      /\n\nRequest: GET \/buyers\/gift-cards with the scope gift-cards\.read or embed\.\n$/,
    );
  });
});

describe('every page', () => {
  it.each([80, 100, 300])('has no line that is wider than the terminal or 100 columns: %i', (columns) => {
    const wide = [...pages.keys()].flatMap((name) =>
      shown(name, columns)
        .split('\n')
        .filter((line) => line.length > Math.min(columns, 100)),
    );
    expect(wide).toEqual([]);
  });

  it('has no blank at the end of a line, and no two blank lines', () => {
    const untidy = [...pages.keys()].filter((name) => /[ \t]\n|\n\n\n|\t/.test(shown(name, 80)));
    expect(untidy).toEqual([]);
  });

  it('of the program names every command with its group, and every topic', () => {
    const index = shown('', 80).replaceAll(/\s+/g, ' ');
    for (const name of names) {
      const [first = '', ...rest] = name.split(' ');
      expect(index).toContain(` ${first} `);
      if (rest.length > 0) expect(index).toMatch(new RegExp(`[(,] ?${rest.join(' ')}[,)]`));
    }
    for (const topic of Object.keys(HELP_TOPICS)) expect(index).toContain(` help ${topic} `);
  });

  it('of a group names its commands with their summaries', () => {
    for (const { command, summary } of tree.commands.filter(({ command }) => command.includes(' '))) {
      const group = command.split(' ').slice(0, -1).join(' ');
      expect(shown(group, 80).replaceAll(/\s+/g, ' ')).toContain(` ${command} ${summary}`);
    }
  });

  it('of the flags describes every shared flag', () => {
    const text = shown('flags', 80);
    const shared = tree.commands.flatMap(({ flags }) => flags.filter((flag) => flag.shared));
    for (const { name } of shared) expect(text).toContain(name);
    for (const name of ['--limit', '--all', '--data', '--dry-run', '--yes']) expect(text).toContain(name);
  });
});

it('names only times that payctl reads', () => {
  const now = Date.parse('2026-03-10T12:00:00Z');
  const blocks = helpPages(tree)
    .find(({ name }) => name === 'times')
    ?.sections.flatMap((one) => one.blocks);
  const rows = blocks?.flatMap((block) => (block.kind === 'rows' ? block.rows : [])) ?? [];
  const times = rows.flatMap(([term]) => term.split(', '));
  expect(times).toContain('yesterday 10:00');
  expect(times.filter((since) => timeSpanOf({ since }, now).from === undefined)).toEqual([]);
});

describe('the man pages', () => {
  it('are one for the program, and one for each command and topic', () => {
    expect(man.map(([file]) => file)).toEqual([
      'payctl.1',
      ...names.map((name) => `payctl-${name.replaceAll(' ', '-')}.1`),
      ...Object.keys(HELP_TOPICS).map((topic) => `payctl-${topic}.7`),
    ]);
  });

  it.each(man)('consist of requests that every formatter knows: %s', (file, roff) => {
    const known = /^\.(\\"|TH|SH|PP|TP|B|BR|RS|RE|nf|fi|nh|ad)( |$)|^[^.']|^\\&\./;
    expect(roff.split('\n').filter((line) => line !== '' && !known.test(line))).toEqual([]);
    expect(roff).toMatch(/^[\t\n\x20-\x7e]*$/);
    expect(roff).toContain(`.TH "${file.replace(/\.\d$/, '').toUpperCase().replaceAll('-', '\\-')}" `);
  });

  it('show any text as it is', () => {
    const page = {
      name: 'x y',
      summary: 'Show it.',
      sections: [
        {
          heading: 'TEXT',
          blocks: [
            { kind: 'text', text: '.SH is no heading, \\n no line, é no e' },
            { kind: 'rows', rows: [["'term", "it's -x"]] },
            { kind: 'command', command: `payctl --jq '.a' "~^\`"` },
          ],
        },
      ],
    } as const;
    const roff = toRoff(page, { chapter: 1, source: 'payctl 1', seeAlso: ['payctl(1)'] });
    expect(roff).toContain('\\&.SH is no heading, \\en no line, \\[u00E9] no e\n');
    expect(roff).toContain('.B \\(aqterm\nit\\(aqs \\-x\n');
    expect(roff).toContain('payctl \\-\\-jq \\(aq.a\\(aq \\(dq\\(ti\\(ha\\(ga\\(dq\n');
    expect(roff).toContain('.BR payctl (1)\n');
  });

  const hasGroff = spawnSync('groff', ['--version']).status === 0;
  it.skipIf(!hasGroff)('are formatted without a warning', () => {
    const warnings = man.flatMap(([file, input]) => {
      const { stderr } = spawnSync('groff', ['-man', '-ww', '-z', '-Tutf8'], { input, encoding: 'utf8' });
      return stderr === '' ? [] : [`${file}: ${stderr}`];
    });
    expect(warnings).toEqual([]);
  });
});
