import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HELP_TOPICS } from '../../../src/cli/routing/catalog/help-topics.ts';
import {
  COMMAND_SYNONYMS,
  GROUP_SYNONYMS,
  VERB_SYNONYMS,
} from '../../../src/cli/routing/catalog/synonyms.ts';
import { listCommands } from '../../../src/cli/routing/route.ts';
import {
  hintForLeadingFlag,
  hintForUnknown,
  type UnknownHint,
  unknownWords,
} from '../../../src/cli/routing/suggest-command.ts';
import { propertyRuns } from '../../harness/property-runs.ts';

const commands = listCommands(join(import.meta.dirname, '../../../src/commands'));
const groups = new Set(
  commands.flatMap((command) => {
    const words = command.split(' ').slice(0, -1);
    return words.map((_, index) => words.slice(0, index + 1).join(' '));
  }),
);
const topics = Object.keys(HELP_TOPICS).map((topic) => `help ${topic}`);
const hint = (line: string) => hintForUnknown(line.split(' '), commands);

/** What a hint suggests to type, or whose help it names; undefined for raw requests and for the list of all commands. */
function suggested({ hint: text, tryNext = [] }: UnknownHint): string | undefined {
  const [, meant, group] =
    /^Did you mean: payctl ([a-z -]+?)(?: --search TEXT| TEXT)?$|^([a-z -]+) has (?:no list, )?(?:only )?[a-z, -]+(?:: payctl \2 --help|\. For an endpoint without a command: payctl api (?:get|post|put|patch|delete) PATH)$/.exec(
      text,
    ) ?? [];
  if (meant !== undefined || group !== undefined) return meant ?? group;
  expect(tryNext.at(-1) ?? text.replace('List the commands: ', '')).toBe('payctl --help');
  return undefined;
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
    ['hooks', 'webhook-subscriptions'],
    ['hooks ls', 'webhook-subscriptions list'],
    ['webhook verify', 'webhooks verify'],
    ['webhoks verify', 'webhooks verify'],
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
    ['profils create', 'profiles set'],
    ['emulater list', 'emulator status'],
    ['profiles rm acme', 'profiles delete'],
    ['profiles remove', 'profiles delete'],
    ['profiles current', 'profiles show'],
    ['profiles switch', 'profiles use'],
    ['env', 'help environment'],
    ['setings', 'help settings'],
    ['exit-code', 'help exit-codes'],
    ['status', 'auth status'],
    ['import openapi', 'api import'],
    ['resend 1234', 'webhooks replay'],
    ['webhooks resend 1234', 'webhooks replay'],
    ['events resend 1234', 'webhooks replay'],
    ['bulk resume refunds', 'bulk apply'],
    ['buyers export', 'export buyers --to DIR'],
    ['customers dump', 'export buyers --to DIR'],
  ])('is, for %s: %s', (typed, meant) => {
    expect(hint(typed)).toEqual({ hint: `Did you mean: payctl ${meant}` });
  });

  it.each([
    ['transactions captur a936dacc-4199-4f09-b12b-2462586e7a7b', 'transactions capture'],
    ['buyers gte ef28fde9-0a34-4b8e-9d0d-1c1b9f3a3c11', 'buyers get'],
    ['bueyrs list guim', 'buyers list'],
    ['refunds create', 'transactions refunds create'],
    ['refunds create a936dacc-4199-4f09-b12b-2462586e7a7b', 'transactions refunds create'],
    ['refunds', 'transactions refunds'],
    ['refund', 'transactions refunds create'],
    ['refund a936dacc-4199-4f09-b12b-2462586e7a7b', 'transactions refunds create'],
    ['refund create a936dacc-4199-4f09-b12b-2462586e7a7b', 'transactions refunds create'],
    ['refund list', 'transactions refunds list'],
    ['capture a936dacc-4199-4f09-b12b-2462586e7a7b', 'transactions capture'],
    ['shipping-details create b1', 'buyers shipping-details create'],
  ])('is the same whatever follows the command, for %s: %s', (typed, meant) => {
    const described = ['transactions capture', 'transactions refunds create', 'transactions refunds list'];
    expect(hintForUnknown(typed.split(' '), [...commands, ...described])).toEqual({
      hint: `Did you mean: payctl ${meant}`,
    });
  });

  it.each([
    ['customers list', 'v1 customers list'],
    ['events list', 'billing events list'],
    ['customers view', 'buyers get'],
    ['sessions', 'checkout-sessions'],
    ['customer payment sessions list', 'payment sessions list'],
    ['customer payment sessions list 17', 'payment sessions list'],
    ['bulk us-verifications', 'service-bulk us-verifications'],
    ['bulk us-verifications -', 'service-bulk us-verifications'],
  ])('is what an import has by that name before what else the word stands for: %s', (typed, meant) => {
    const described = [
      'v1 customers list',
      'billing events list',
      'payment sessions list',
      'service-bulk us-verifications',
      'us-verifications create',
    ];
    expect(hintForUnknown(typed.split(' '), [...commands, ...described])).toEqual({
      hint: `Did you mean: payctl ${meant}`,
    });
  });

  it.each([
    ['checkout-sessions list', 'checkout-sessions has no list, only get and update', 'checkout-sessions'],
    ['checkout-sessions ls', 'checkout-sessions has no list, only get and update', 'checkout-sessions'],
    ['checkout-sessions find x', 'checkout-sessions has no list, only get and update', 'checkout-sessions'],
    ['checkout-sesions list', 'checkout-sessions has no list, only get and update', 'checkout-sessions'],
    ['list checkout-sessions', 'checkout-sessions has no list, only get and update', 'checkout-sessions'],
    ['sessions list', 'checkout-sessions has no list, only get and update', 'checkout-sessions'],
    [
      'buyers shipping-details list b1',
      'buyers shipping-details has no list, only create',
      'buyers shipping-details',
    ],
    [
      'payment-service-definitions list',
      'payment-service-definitions has no list, only sessions',
      'payment-service-definitions',
    ],
    ['buyers frobnicate a936dacc x', 'buyers has find, get, gift-cards, list and shipping-details', 'buyers'],
  ])('says what a group has where it has no list, or nothing is near: %s', (typed, text, group) => {
    expect(hint(typed)).toEqual({ hint: `${text}: payctl ${group} --help` });
  });

  it.each([
    ['buyers delete x', 'buyers has only find, get, gift-cards, list and shipping-details', 'delete'],
    ['buyers gift-cards create', 'buyers gift-cards has only get and list', 'post'],
    ['buyers shipping-details get x', 'buyers shipping-details has only create', 'get'],
    ['roles create', 'roles has only get and list', 'post'],
    ['members delete x', 'roles has only get and list', 'delete'],
    ['hooks create', 'webhook-subscriptions has only get and list', 'post'],
  ])('names no other verb for one that there is not: %s', (typed, text, method) => {
    expect(hint(typed)).toEqual({
      hint: `${text}. For an endpoint without a command: payctl api ${method} PATH`,
    });
  });

  it('gives two commands, each alone, for a verb of a group that there is not', () => {
    expect(hint('payouts update x')).toEqual({
      hint: 'An endpoint without a command can be requested by its path.',
      tryNext: ['payctl api put PATH', 'payctl --help'],
    });
  });

  it('names the first commands of a group with many', () => {
    const many = Array.from({ length: 30 }, (_, index) => `things verb${index}`);
    expect(hintForUnknown(['things', 'delete'], many).hint).toBe(
      'things has only verb0, verb1, verb2, verb3, verb4, verb5, verb6, verb7 and 22 more. For an endpoint without a command: payctl api delete PATH',
    );
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
      expect(hint(typed)).toEqual({ hint: 'Did you mean: payctl buyers find TEXT' });
    },
  );

  it.each(['customers query x', 'buyers filter'])('names the flag that searches, for %s', (typed) => {
    expect(hint(typed)).toEqual({ hint: 'Did you mean: payctl buyers list --search TEXT' });
  });

  it.each([
    ['frobnicate', 'List the commands: payctl --help'],
    ['list', 'List the commands: payctl --help'],
    ['rm', 'List the commands: payctl --help'],
    ['constructor', 'List the commands: payctl --help'],
    ['__proto__ x', 'List the commands: payctl --help'],
  ])('says where to look where nothing is likely: %s', (typed, text) => {
    expect(hint(typed)).toEqual({ hint: text });
  });

  it.each([
    ['lob', 'Did you mean: payctl help api-logs'],
    ['buyers lst', 'Did you mean: payctl help buyers list'],
    ['lookup', 'Did you mean: payctl help buyers find'],
    ['mony', 'Did you mean: payctl help money'],
    ['buyers dump', 'Did you mean: payctl help export'],
    ['frobnicate it', 'Search the help: payctl help --search frobnicate it'],
    ['payouts delete', 'Search the help: payctl help --search payouts delete'],
  ])('is about the help where that was asked for: help %s', (typed, text) => {
    expect(hintForUnknown(typed.split(' '), commands, { isHelp: true })).toEqual({ hint: text });
  });

  it.each(['time', 'tims', 'amounts', 'mony', 'agent', 'agnts', 'flag', 'format', 'exitcode'])(
    'names the topic of the help for %s',
    (typed) => {
      expect(topics).toContain(suggested(hint(typed)));
    },
  );

  it('names only commands, groups and topics that there are', { tags: 'slow' }, () => {
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
      propertyRuns(1000),
    );
  });

  it('knows something for every word of the tables', { tags: 'slow' }, () => {
    const all = [...commands, 'transactions list', 'transactions refunds create'];
    const mute = Object.keys({ ...COMMAND_SYNONYMS, ...GROUP_SYNONYMS }).filter(
      (word) =>
        suggested(hintForUnknown([word], all)) === undefined && !COMMAND_SYNONYMS[word]?.includes('api get'),
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
