import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Finding } from '../../../src/features/doctor/finding.ts';
import { drawFinding } from '../../../src/features/doctor/print.ts';
import { loadColors, plainColors } from '../../../src/output/terminal.ts';
import { displayWidth } from '../../../src/output/width.ts';
import { anyText } from '../../harness/any-text.ts';
import { lines } from '../../harness/lines.ts';

const FAILED: Finding = {
  name: 'merchant-account',
  state: 'fail',
  message:
    'the service rejects outlet (--merchant-account): requests fail with it (404) and succeed without it',
  remedy: 'Use another merchant account ID with --merchant-account, or remove it.',
};
const draw = (finding: Finding, width = 80) => drawFinding(finding, { width, colors: plainColors });

describe('a finding on a terminal', () => {
  it('is one line where it fits', () => {
    expect(draw({ name: 'clock', state: 'pass', message: 'matches the clock of the service' })).toBe(
      'pass  clock             matches the clock of the service\n',
    );
  });

  it('is wrapped between words, with what to do below', () => {
    expect(draw(FAILED)).toBe(
      lines(
        'fail  merchant-account  the service rejects outlet (--merchant-account):',
        '                        requests fail with it (404) and succeed without it',
        '                        -> Use another merchant account ID with',
        '                           --merchant-account, or remove it.',
      ),
    );
  });

  it('has its text below the name on a narrow terminal, and commands on lines of their own', () => {
    const remedy = 'No profile is set. Use one: payctl profiles use sandbox';
    const message = 'no profile is in use; available: sandbox, live';
    expect(draw({ name: 'settings', state: 'fail', message, remedy }, 40)).toBe(
      lines(
        'fail  settings',
        '      no profile is in use; available:',
        '      sandbox, live',
        '      -> No profile is set. Use one:',
        '         payctl profiles use sandbox',
      ),
    );
    expect(draw({ name: 'settings', state: 'fail', message, remedy }, 160)).toBe(
      lines(
        'fail  settings          no profile is in use; available: sandbox, live',
        '                        -> No profile is set. Use one:',
        '                           payctl profiles use sandbox',
      ),
    );
  });

  it('keeps a word whole that is longer than the line, and the text around it in one column', () => {
    const path = `/${'x'.repeat(80)}`;
    expect(draw({ name: 'host', state: 'pass', message: `in ${path} private` })).toBe(
      lines('pass  host', '    in', `    ${path}`, '    private'),
    );
  });

  it('has the colour of its state, and no colour that a reader would need', async () => {
    const colors = await loadColors(true);
    const shown = drawFinding(FAILED, { width: 200, colors });
    expect(shown.startsWith('\u001b[31mfail\u001b[39m  merchant-account  the service')).toBe(true);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: taking colours away is what it is for
    expect(shown.replace(/\u001b\[\d+m/g, '')).toBe(draw(FAILED, 200));
  });

  it('keeps within the width whatever was found, but for single long words, and never sends a control character', () => {
    const text = anyText(200);
    fc.assert(
      fc.property(text, text, fc.integer({ min: 60, max: 200 }), (message, remedy, width) => {
        const shown = draw({ name: 'tls', state: 'warn', message, remedy }, width);
        for (const line of shown.slice(0, -1).split('\n')) {
          expect(line).not.toMatch(/[\p{Cc}\u2028\u2029\u202a-\u202e]/u);
          const isOneWord = !line
            .slice(24)
            .replace(/^-> |^ {3}/, '')
            .includes(' ');
          if (!isOneWord) expect(displayWidth(line)).toBeLessThanOrEqual(width);
        }
      }),
    );
  });
});
