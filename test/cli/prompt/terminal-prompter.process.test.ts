import { PassThrough } from 'node:stream';
import { finished } from 'node:stream/promises';
import { describe, expect, it } from 'vitest';
import { createTerminalPrompter } from '../../../src/cli/prompt/terminal-prompter.ts';
import { AbortedError } from '../../../src/errors.ts';
import { createSink } from '../../../src/output/streams.ts';
import { failureOf } from '../../client/failure-of.ts';
import { MemoryStream } from '../../output/memory-stream.ts';
import { askInTerminal, type Question, screenOf } from './terminal-questions.ts';

describe('a question on a terminal', () => {
  it('gives the line without the white space around it', async () => {
    const { answer, outcome, shown } = askInTerminal([['ask', 'Name']]);
    await answer('Name: ', '  two words \r');
    expect(await outcome()).toEqual(['two words']);
    expect(screenOf(await shown())).toEqual(['Name:   two words', '']);
  });

  it.each([
    ['shows what Enter alone stands for, and gives it', '\r', 'acme'],
    ['takes white space for Enter alone', '  \r', 'acme'],
    ['gives what is typed instead', 'b\r', 'b'],
  ])('%s', async (_, keys, name) => {
    const { answer, outcome } = askInTerminal([['ask', 'Name', { fallback: 'acme' }]]);
    await answer('Name [acme]: ', keys);
    expect(await outcome()).toEqual([name]);
  });

  it('gives the empty text for Enter alone where nothing else is said', async () => {
    const { answer, outcome } = askInTerminal([['ask', 'Name']]);
    await answer('Name: ', '\r');
    expect(await outcome()).toEqual(['']);
  });

  it.each([
    [
      40,
      [
        'The profile acme is marked as',
        'production. Remove the mark? [y/N]: n',
        'How should payctl get its credentials?',
        '  1  Copy a private key from a file',
        '  2  Use a private key file without',
        '     copying it',
        'Choose [1]: 2',
        '',
      ],
    ],
    [
      80,
      [
        'The profile acme is marked as production. Remove the mark? [y/N]: n',
        'How should payctl get its credentials?',
        '  1  Copy a private key from a file',
        '  2  Use a private key file without copying it',
        'Choose [1]: 2',
        '',
      ],
    ],
  ])('is broken between words on %d columns', async (columns, screen) => {
    const questions: Question[] = [
      ['confirm', 'The profile acme is marked as production. Remove the mark?'],
      [
        'choose',
        'How should payctl get its credentials?',
        ['Copy a private key from a file', 'Use a private key file without copying it'],
      ],
    ];
    const { answer, outcome, shown } = askInTerminal(questions, { columns });
    await answer('[y/N]: ', 'n\r');
    await answer('Choose [1]: ', '2\r');
    expect(await outcome()).toEqual([false, 1]);
    expect(screenOf(await shown())).toEqual(screen);
  });

  it('shows nothing raw that comes from elsewhere', async () => {
    const evil = '\u001b]0;x\u0007';
    const { answer, shown } = askInTerminal([
      ['ask', `A${evil}`, { fallback: `b${evil}` }],
      ['choose', `C${evil}`, [`d${evil}`]],
      ['confirm', `E${evil}`],
      ['askSecret', `F${evil}`],
    ]);
    await answer('A', '\r');
    await answer('Choose', '\r');
    await answer('[y/N]', '\r');
    await answer('not shown', 's\r');
    expect(screenOf(await shown())).toEqual([
      'A␛]0;x␇ [b␛]0;x␇]:',
      'C␛]0;x␇',
      '  1  d␛]0;x␇',
      'Choose [1]:',
      'E␛]0;x␇ [y/N]:',
      'F␛]0;x␇ (not shown):',
      '',
    ]);
  });

  it('says what is wrong with an answer below it, and asks again', async () => {
    const { answer, seen, outcome, shown } = askInTerminal([['ask', 'Name', { check: 'short' }]]);
    await answer('Name: ', 'far too long for this\r');
    await seen('Name: ', 2);
    await answer('', 'ab\r');
    expect(await outcome()).toEqual(['ab']);
    expect(screenOf(await shown())).toEqual([
      'Name: far too long for this',
      'It is ␛[2J too long. Type less.',
      'Name: ab',
      '',
    ]);
  });

  it('asks again where what Enter stands for is wrong', async () => {
    const { answer, outcome } = askInTerminal([['ask', 'Name', { fallback: 'too long', check: 'short' }]]);
    await answer('Name [too long]: ', '\r');
    await answer('Type less.', 'ab\r');
    expect(await outcome()).toEqual(['ab']);
  });

  it('takes back what Backspace takes back', async () => {
    const { answer, outcome, shown } = askInTerminal([['ask', 'Name']]);
    await answer('Name: ', 'acmx', '\u007f', 'e', 'ü', '\b', '\r');
    expect(await outcome()).toEqual(['acme']);
    expect(screenOf(await shown())).toEqual(['Name: acme', '']);
  });

  // Lines that end before, at and behind the right margin of 40 columns, once and twice.
  const LENGTHS = [27, 28, 29, 30, 31, 32, 69, 70, 71, 104];

  it.each(LENGTHS)('leaves a long line as it was pasted and changed: %d letters', async (length) => {
    const text = '0123456789'.repeat(11).slice(0, length);
    const { answer, outcome, shown } = askInTerminal([['ask', 'Base URL']], { columns: 40 });
    await answer('Base URL: ', `${text}\u007f`, text.slice(-1), 'xy', '\u007f', '\u007f', '\r');
    expect(await outcome()).toEqual([text]);
    const rows = `Base URL: ${text}`.match(/.{1,40}/g) ?? [];
    const screen = screenOf(`above\r\n${await shown()}`, 40);
    expect(screen.filter((row) => row !== '')).toEqual(['above', ...rows]);
  });

  it('leaves a long line as it was typed and changed', async () => {
    const text = '0123456789'.repeat(4);
    const { answer, outcome, shown } = askInTerminal([['ask', 'Base URL']], { columns: 40 });
    await answer('Base URL: ', ...text, 'x', '\u007f', '\r');
    expect(await outcome()).toEqual([text]);
    expect(screenOf(await shown(), 40)).toEqual([`Base URL: ${text.slice(0, 30)}`, text.slice(30), '']);
  });

  it('asks in plain text on a terminal that can do nothing else', async () => {
    const { answer, outcome, shown } = askInTerminal([['ask', 'Name']], { env: { TERM: 'dumb' } });
    await answer('Name: ', 'acme\r');
    expect(await outcome()).toEqual(['acme']);
    expect(await shown()).not.toContain('\u001b');
  });
});

describe('a choice', () => {
  const WHICH: Question = ['choose', 'Which one?', ['the first', 'the second', 'the third']];

  it.each(['0', '4', '-1', '1.5', 'two', '2 3', '1e0', '٢', '99999999999999999999'])(
    'refuses %j, and asks again below the list',
    async (keys) => {
      const { answer, seen, outcome, shown } = askInTerminal([WHICH]);
      await answer('Choose [1]: ', `${keys}\r`);
      await seen('Choose [1]: ', 2);
      await answer('', '2\r');
      expect(await outcome()).toEqual([1]);
      expect(screenOf(await shown())).toEqual([
        'Which one?',
        '  1  the first',
        '  2  the second',
        '  3  the third',
        `Choose [1]: ${keys}`,
        'Enter a number from 1 to 3',
        'Choose [1]: 2',
        '',
      ]);
    },
  );

  it.each([
    ['\r', 0],
    [' 3 \r', 2],
    ['02\r', 1],
  ])('takes %j for the index %d', async (keys, index) => {
    const { answer, outcome } = askInTerminal([WHICH]);
    await answer('Choose [1]: ', keys);
    expect(await outcome()).toEqual([index]);
  });
});

describe('a confirmation', () => {
  it.each([
    ['y', true],
    ['YES', true],
    [' y ', true],
    ['', false],
    ['n', false],
    ['yeah', false],
    ['1', false],
    ['yes please', false],
  ])('of %j is %s', async (keys, yes) => {
    const { answer, outcome } = askInTerminal([['confirm', 'Sure?']]);
    await answer('Sure? [y/N]: ', `${keys}\r`);
    expect(await outcome()).toEqual([yes]);
  });

  it('takes no yes that came in one piece with an answer before', async () => {
    const { answer, outcome } = askInTerminal([
      ['ask', 'Name'],
      ['confirm', 'Sure?'],
    ]);
    await answer('Name: ', 'acme\ry\r');
    await answer('[y/N]: ', '\r');
    expect(await outcome()).toEqual(['acme', false]);
  });
});

describe('what is typed before a question', () => {
  const BUSY = { busyMilliseconds: 600 };

  it.each(['y\r', 'y', 'n\ry'])('is no answer to a confirmation: %j', async (early) => {
    const { answer, outcome } = askInTerminal([['confirm', 'Sure?']], BUSY);
    await answer('busy ', early);
    await answer('[y/N]: ', '\r');
    expect(await outcome()).toEqual([false]);
  });

  it('does not stand in the way of the answer to a confirmation', async () => {
    const { answer, outcome } = askInTerminal([['confirm', 'Sure?']], BUSY);
    await answer('busy ', 'n\rno');
    await answer('[y/N]: ', 'y\r');
    expect(await outcome()).toEqual([true]);
  });

  it('is taken for the answer to every other question', async () => {
    const { answer, outcome } = askInTerminal([['ask', 'Name']], BUSY);
    await answer('busy ', 'acme\r');
    expect(await outcome()).toEqual(['acme']);
  });
});

describe('a question in a process that is stopped and continued', () => {
  it.each<[string, Question, keys: string, answer: unknown]>([
    ['line', ['ask', 'Name'], 'cme', 'acme'],
    ['secret', ['askSecret', 'Name'], 'hidden', 'hidden'],
    ['choice', ['choose', 'Which?', ['first', 'x', 'third']], '\u007f3', 2],
    ['confirmation', ['confirm', 'Sure?'], '\u007fyes', true],
  ])('is shown again and takes its answer: a %s', async (kind, question, keys, taken) => {
    const prompt = { line: 'Name: ', secret: '(not shown): ', choice: '[1]: ', confirmation: '[y/N]: ' }[
      kind
    ];
    const { answer, outcome, running, seen } = askInTerminal([question], { inShell: true });
    await answer(prompt ?? '', 'a', '\u001a');
    await answer('shell 2> ', 'fg\r');
    await seen(prompt ?? '', 2);
    await answer('', `${keys}\r`);
    await answer('shell 3> ', 'exit\r');
    const shown = (await running.done).stdout;
    expect(await outcome()).toEqual([taken]);
    expect(shown).not.toContain('hidden');
    expect(shown).not.toContain('Warning');
  });

  it('can be stopped again, and keeps what is above it', async () => {
    const { answer, outcome, seen, shown } = askInTerminal([['ask', 'Name']], { columns: 40, inShell: true });
    const text = '0123456789'.repeat(7);
    await answer('Name: ', text, '\u001a');
    await answer('shell 2> ', 'fg\r');
    await seen('Name: ', 2);
    await answer('', '\u001a');
    await answer('shell 3> ', 'fg\r');
    await seen('Name: ', 3);
    await answer('', 'x\r');
    await answer('shell 4> ', 'exit\r');
    expect(await outcome()).toEqual([`${text}x`]);
    const screen = screenOf(await shown(), 40);
    expect(screen.filter((row) => row === 'shell 2> fg' || row === 'shell 3> fg')).toHaveLength(2);
  });

  it('begins anew where half of a secret was typed unseen, and is in raw mode again', async () => {
    const { answer, outcome, running, seen } = askInTerminal([['askSecret', 'Key']], { inShell: true });
    await answer('(not shown): ', '-----BEGIN KEY-----\rhalf-a-', '\u001a');
    await answer('shell 2> ', 'fg\r');
    await seen('(not shown): ', 2);
    await answer('', 'whole', '-secretx', '\u007f', '\r');
    await answer('shell 3> ', 'exit\r');
    const shown = (await running.done).stdout;
    expect(await outcome()).toEqual(['whole-secret']);
    expect(shown).not.toMatch(/half|whole|secret/);
  });

  it.each([
    ['Ctrl-C', '\u0003'],
    ['Ctrl-D', '\u0004'],
  ])('ends with AbortedError at %s', async (_, keys) => {
    const { answer, outcome, seen, shown } = askInTerminal([['askSecret', 'Key']], { inShell: true });
    await answer('(not shown): ', '\u001a');
    await answer('shell 2> ', 'fg\r');
    await seen('(not shown): ', 2);
    await answer('', keys);
    await answer('shell 3> ', 'exit\r');
    expect(await outcome()).toEqual(['AbortedError: Interrupted']);
    expect(await shown()).not.toContain('Warning');
  });
});

describe('an interrupted question', () => {
  const QUESTIONS: readonly Question[] = [
    ['ask', 'Name', { fallback: 'x' }],
    ['askSecret', 'Token'],
    ['choose', 'Which?', ['a', 'b']],
    ['confirm', 'Sure?'],
  ];
  const cases = QUESTIONS.flatMap((question) =>
    [
      ['Ctrl-C', '\u0003'],
      ['Ctrl-C behind letters', 'abc\u0003'],
      ['Ctrl-D', '\u0004'],
    ].map(([name, keys]) => ({ method: question[0], question, name, keys: keys ?? '' })),
  );

  it.each(cases)(
    'ends with AbortedError, and its line with it: $method, $name',
    async ({ question, keys }) => {
      const { answer, outcome, shown } = askInTerminal([question]);
      await answer(': ', keys);
      expect(await outcome()).toEqual(['AbortedError: Interrupted']);
      expect((await shown()).endsWith('\n')).toBe(true);
    },
  );

  /** The streams of a terminal, which note in which order it is switched over and written to. */
  function fakeTerminal() {
    const log: string[] = [];
    const input = Object.assign(new PassThrough(), {
      isTTY: true,
      setRawMode: (raw: boolean) => void log.push(raw ? 'raw' : 'cooked'),
    });
    const stream = new MemoryStream({ isTTY: true, columns: 80 });
    const { write } = stream;
    stream.write = (text, done) => {
      log.push(text);
      return write.call(stream, text, done);
    };
    const abort = new AbortController();
    const prompter = createTerminalPrompter({ input, output: createSink(stream), signal: abort.signal });
    return { prompter, abort, input, log };
  }

  it('ends with AbortedError on a signal, and leaves the terminal as it was', async () => {
    const { prompter, abort, input, log } = fakeTerminal();
    const answer = failureOf(prompter.askSecret('Token'));
    abort.abort();
    expect(await answer).toBeInstanceOf(AbortedError);
    expect(log).toEqual(['raw', 'Token (not shown): ', 'cooked', '\n']);
    expect(input.listenerCount('keypress')).toBe(0);
    expect(input.isPaused()).toBe(true);
  });

  it.each(['ask', 'askSecret', 'confirm'] as const)(
    'ends with AbortedError where the input is at its end already: %s',
    async (method) => {
      const { prompter, input, log } = fakeTerminal();
      input.end();
      await finished(input.resume());
      expect(await failureOf(prompter[method]('Name'))).toBeInstanceOf(AbortedError);
      expect(log).toEqual([]);
    },
  );

  it('ends with AbortedError where the input fails', async () => {
    const { prompter, input } = fakeTerminal();
    const answer = failureOf(prompter.ask('Name'));
    input.destroy(new Error('EIO'));
    expect(await answer).toBeInstanceOf(AbortedError);
  });

  it('ends with AbortedError where the input ends before a confirmation is shown', async () => {
    const { prompter, input, log } = fakeTerminal();
    const answer = failureOf(prompter.confirm('Sure?'));
    input.end();
    expect(await answer).toBeInstanceOf(AbortedError);
    expect(log).toEqual(['raw', 'cooked', '\n']);
  });

  it('is not even asked after a signal', async () => {
    const { prompter, abort, log } = fakeTerminal();
    abort.abort();
    for (const question of [prompter.ask('Name'), prompter.askSecret('Token'), prompter.confirm('Sure?')]) {
      expect(await failureOf(question)).toBeInstanceOf(AbortedError);
    }
    expect(log).toEqual([]);
  });
});
