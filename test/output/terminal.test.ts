import { describe, expect, it } from 'vitest';
import { decideTerminal, type TerminalInputs } from '../../src/output/terminal.ts';

function decide(changes: Partial<TerminalInputs>) {
  return decideTerminal({
    isTTY: true,
    columns: 120,
    env: { TERM: 'xterm' },
    noColorFlag: false,
    ...changes,
  });
}

describe('decideTerminal', () => {
  it('shows colour and redraws on a terminal', () => {
    const terminal = {
      isTerminal: true,
      color: true,
      width: 120,
      canRedraw: true,
      unicode: true,
      times: 'local',
    };
    expect(decide({})).toEqual(terminal);
  });

  it('shows no colour in a pipe and assumes 80 columns', () => {
    const terminal = {
      isTerminal: false,
      color: false,
      width: 80,
      canRedraw: false,
      unicode: true,
      times: 'sent',
    };
    expect(decide({ isTTY: undefined, columns: undefined })).toEqual(terminal);
  });

  it('treats a dumb terminal as one that can neither colour nor redraw', () => {
    const terminal = {
      isTerminal: true,
      color: false,
      width: 120,
      canRedraw: false,
      unicode: false,
      times: 'local',
    };
    expect(decide({ env: { TERM: 'dumb' } })).toEqual(terminal);
  });

  it.each([
    ['--no-color over FORCE_COLOR', { noColorFlag: true, env: { FORCE_COLOR: '1' } }, false],
    ['NO_COLOR over FORCE_COLOR', { env: { NO_COLOR: '1', FORCE_COLOR: '1' } }, false],
    ['FORCE_COLOR over a pipe', { isTTY: false, env: { FORCE_COLOR: '1' } }, true],
    ['FORCE_COLOR over a dumb terminal', { env: { FORCE_COLOR: 'yes', TERM: 'dumb' } }, true],
    ['FORCE_COLOR=0 over a terminal', { env: { FORCE_COLOR: '0' } }, false],
    ['FORCE_COLOR=false over a terminal', { env: { FORCE_COLOR: 'false' } }, false],
    ['the terminal over empty variables', { env: { NO_COLOR: '', FORCE_COLOR: '' } }, true],
  ])('prefers %s', (_, changes, color) => {
    expect(decide(changes).color).toBe(color);
  });
});
