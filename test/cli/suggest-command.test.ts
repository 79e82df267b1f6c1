import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HELP_TOPICS } from '../../src/cli/catalog/help-topics.ts';
import { COMMAND_SYNONYMS, GROUP_SYNONYMS, VERB_SYNONYMS } from '../../src/cli/catalog/synonyms.ts';
import { listCommands } from '../../src/cli/route.ts';
import { hintForLeadingFlag, hintForUnknown, unknownWords } from '../../src/cli/suggest-command.ts';

const commands = listCommands(join(import.meta.dirname, '../../src/commands'));
const groups = new Set(
  commands.flatMap((command) => {
    const words = command.split(' ').slice(0, -1);
    return words.map((_, index) => words.slice(0, index + 1).join(' '));
  }),
);
const topics = Object.keys(HELP_TOPICS).map((topic) => `help ${topic}`);
const hint = (line: string) => hintForUnknown(line.split(' '), commands);

/** Behind a verb that a group does not have. */
const ENDPOINT = /^For an endpoint without a command, use payctl api (?:get|post|put|patch|delete) PATH\. /;

/** What a hint suggests to type, or whose help it names; undefined for the list of all commands. */
function suggested(text: string): string | undefined {
  const [, meant, group] =
    /^Did you mean: payctl ([a-z -]+)(?: --search TEXT| TEXT)?$|^List the commands of [a-z -]+: payctl ([a-z -]+) --help$/.exec(
      text.replace(ENDPOINT, ''),
    ) ?? [];
  if (meant === undefined && group === undefined) {
    expect(text.replace(ENDPOINT, '')).toBe('List the commands: payctl --help');
  }
  return meant ?? group;
}

describe('the hint for an unknown command', () => {
  it.each([
    ['buyers lst', 'buyers list'],
    ['byers list', 'buyers list'],
    ['buyer', 'buyers'],
    ['Buyers list', 'buyers list'],
    ['list buyers', 'buyers list'],
    ['docter', 'doctor'],
    ['login', 'auth login'],
    ['signin', 'auth login'],
    ['whoami', 'auth status'],
    ['current', 'auth status'],
    ['stop', 'emulator stop'],
    ['emulator kill', 'emulator stop'],
    ['emulator run', 'emulator start'],
    ['emulator ps', 'emulator status'],
    ['webhooks', 'webhook-subscriptions'],
    ['webhooks list', 'webhook-subscriptions list'],
    ['webhoks list', 'webhook-subscriptions list'],
    ['webhooks ls', 'webhook-subscriptions list'],
    ['logs', 'api-logs'],
    ['events find', 'audit-logs list'],
    ['customers', 'buyers'],
    ['customers view 1234', 'buyers get'],
    ['cards', 'payment-methods'],
    ['checkout show', 'checkout-sessions get'],
    ['checkout-sessions edit c5000000', 'checkout-sessions update'],
    ['sessions create', 'payment-service-definitions sessions create'],
    ['sessions get', 'checkout-sessions get'],
    ['giftcards', 'buyers gift-cards'],
    ['buyers giftcards list', 'buyers gift-cards list'],
    ['gift-cards list', 'buyers gift-cards list'],
    ['config', 'profiles'],
    ['config view', 'profiles show'],
    ['profiles add acme', 'profiles set'],
    ['profiles new', 'profiles set'],
    ['profiles rm acme', 'profiles delete'],
    ['profiles remove', 'profiles delete'],
    ['profiles current', 'profiles show'],
    ['profiles switch', 'profiles use'],
    ['env', 'help environment'],
    ['setings', 'help settings'],
    ['exit-code', 'help exit-codes'],
  ])('is, for %s: %s', (typed, meant) => {
    expect(hint(typed)).toBe(`Did you mean: payctl ${meant}`);
  });

  it.each([
    ['transactions captur a936dacc-4199-4f09-b12b-2462586e7a7b', 'transactions capture'],
    ['buyers gte ef28fde9-0a34-4b8e-9d0d-1c1b9f3a3c11', 'buyers get'],
    ['bueyrs list guim', 'buyers list'],
    ['refunds create', 'transactions refunds create'],
    ['refunds create a936dacc-4199-4f09-b12b-2462586e7a7b', 'transactions refunds create'],
    ['refunds', 'transactions refunds'],
    ['shipping-details create b1', 'buyers shipping-details create'],
  ])('is the same whatever follows the command, for %s: %s', (typed, meant) => {
    const described = ['transactions capture', 'transactions refunds create', 'transactions refunds list'];
    expect(hintForUnknown(typed.split(' '), [...commands, ...described])).toBe(
      `Did you mean: payctl ${meant}`,
    );
  });

  it.each([
    ['customers list', 'v1 customers list'],
    ['events list', 'billing events list'],
    ['customers view', 'buyers get'],
    ['sessions', 'checkout-sessions'],
  ])('is what an import has by that name before what else the word stands for: %s', (typed, meant) => {
    const described = ['v1 customers list', 'billing events list', 'payment sessions list'];
    expect(hintForUnknown(typed.split(' '), [...commands, ...described])).toBe(
      `Did you mean: payctl ${meant}`,
    );
  });

  it('names the group where no command is near, whatever follows', () => {
    expect(hint('buyers frobnicate a936dacc x')).toBe('List the commands of buyers: payctl buyers --help');
  });

  it.each([
    ['buyers delete x', 'List the commands of buyers: payctl buyers --help', 'delete'],
    ['roles create', 'List the commands of roles: payctl roles --help', 'post'],
    ['members delete x', 'List the commands of roles: payctl roles --help', 'delete'],
    ['payouts update x', 'List the commands: payctl --help', 'put'],
  ])('names no other verb for one that there is not: %s', (typed, where, method) => {
    expect(hint(typed)).toBe(`For an endpoint without a command, use payctl api ${method} PATH. ${where}`);
  });

  it('is a switch of its own where one before the command is misspelt', () => {
    expect(['--verison', '--vesion', '--hepl'].map(hintForLeadingFlag)).toEqual([
      'Did you mean --version?',
      'Did you mean --version?',
      'Did you mean --help?',
    ]);
  });

  it.each(['buyers search ada', 'search ada', 'find', 'customers find x', 'lookup ada', 'buyers fnid'])(
    'names the command that searches, for %s',
    (typed) => {
      expect(hint(typed)).toBe('Did you mean: payctl buyers find TEXT');
    },
  );

  it.each(['customers query x', 'buyers filter'])('names the flag that searches, for %s', (typed) => {
    expect(hint(typed)).toBe('Did you mean: payctl buyers list --search TEXT');
  });

  it.each([
    ['frobnicate', 'List the commands: payctl --help'],
    ['buyers frobnicate', 'List the commands of buyers: payctl buyers --help'],
    ['list', 'List the commands: payctl --help'],
    ['rm', 'List the commands: payctl --help'],
    ['constructor', 'List the commands: payctl --help'],
    ['__proto__ x', 'List the commands: payctl --help'],
  ])('says where to look where nothing is likely: %s', (typed, text) => {
    expect(hint(typed)).toBe(text);
  });

  it('names only commands, groups and topics that there are', () => {
    const words = [
      ...Object.keys({ ...COMMAND_SYNONYMS, ...GROUP_SYNONYMS, ...VERB_SYNONYMS }),
      ...groups,
      ...commands.flatMap((command) => command.split(' ')),
    ];
    const known = new Set([...commands, ...groups, ...topics]);
    const line = fc.array(fc.oneof(fc.constantFrom(...words), fc.string()), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(line, (typed) => {
        const meant = suggested(hintForUnknown(typed, commands));
        if (meant !== undefined) expect(known).toContain(meant);
      }),
      { numRuns: 1000 },
    );
  });

  it('knows something for every word of the tables', () => {
    const mute = Object.keys({ ...COMMAND_SYNONYMS, ...GROUP_SYNONYMS }).filter(
      (word) => suggested(hint(word)) === undefined && !COMMAND_SYNONYMS[word]?.includes('api get'),
    );
    expect(mute).toEqual([]);
    const verbs = new Set(commands.map((command) => command.split(' ').at(-1)));
    const useless = Object.entries(VERB_SYNONYMS).filter(
      ([, meant]) => !meant.some((verb) => verbs.has(verb)),
    );
    expect(useless).toEqual([]);
  });
});

describe('the words of an unknown command', () => {
  it.each([
    ['buyers update ef28fde9-5d24-429e-af7b-494ed25fc77c', 'buyers update'],
    ['buyers search ada', 'buyers search'],
    ['buyers gift-cards delete x', 'buyers gift-cards delete'],
    ['byers list', 'byers list'],
    ['customers get 17', 'customers get'],
    ['customers find ada@example.com now', 'customers find'],
    ['17 18', '17'],
    ['Buyers list', 'Buyers list'],
  ])('are without what follows them, for %s: %s', (typed, words) => {
    expect(unknownWords(typed.split(' '), commands)).toBe(words);
  });
});
