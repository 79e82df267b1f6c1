import description from '../../../contract/generated/description.json' with { type: 'json' };
import { COMMAND_OPERATIONS } from './operations.ts';

// Read by the scripts that render help and completion, never by a command: it loads the whole description.

/** Topics whose commands call no operation, or whose operations are described together with others. */
const OWN_LINES: Readonly<Record<string, string>> = {
  api: 'Import an API description and use its operations.',
  auth: 'Log in and out, check credentials, sign and decode tokens.',
  bulk: 'Plan many changes from a table, and send each exactly once.',
  'buyers shipping-details': 'Shipping details of a buyer.',
  export: 'Copy whole lists to files, and check the copy.',
  emulator: 'A local copy of the API for trying things out and for tests.',
  'emulator deliveries': 'Show and retry what the emulator delivers to subscriptions.',
  'payment-service-definitions': 'Payment service definitions.',
  webhooks: 'Receive, check, send and replay webhooks.',
  profiles: 'Named settings to switch between instances and merchant accounts.',
};

/**
 * The first help line of each topic, sorted by topic. The line of a resource is the description of its tag in the API
 * description.
 */
export const TOPICS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({ ...tagLines(), ...OWN_LINES }).sort(([first], [second]) => (first < second ? -1 : 1)),
);

function tagLines(): Record<string, string> {
  const paths: Readonly<Record<string, Readonly<Record<string, unknown>>>> = description.paths;
  return Object.fromEntries(
    Object.entries(COMMAND_OPERATIONS).map(([command, { method, path }]) => {
      const source = paths[path]?.[method.toLowerCase()] as { readonly tags: readonly string[] };
      const line = description.tags.find(({ name }) => name === source.tags[0])?.description;
      return [command.split(' ').slice(0, -1).join(' '), line ?? ''];
    }),
  );
}

const GROUPS: readonly (readonly [title: string, words: readonly string[]])[] = [
  [
    'PAYMENTS',
    ['buyers', 'payment-methods', 'checkout-sessions', 'payment-service-definitions', 'digital-wallets'],
  ],
  ['LOGS AND SET-UP', ['api-logs', 'audit-logs', 'roles', 'webhook-subscriptions']],
  ['CONNECTION', ['auth', 'profiles', 'doctor']],
  ['TOOLS', ['webhooks', 'export', 'sync', 'api', 'emulator', 'completion']],
];

/** The groups of `payctl --help`, each with the first words of its commands; a resource without a group is in the first. */
export const HELP_GROUPS = GROUPS.map(([title, words], index) => {
  const grouped = GROUPS.flatMap(([, names]) => names);
  const firstWords = Object.keys(TOPICS).map((topic) => topic.split(' ')[0] ?? '');
  const others = [...new Set(firstWords)].filter((word) => !grouped.includes(word));
  return [title, index === 0 ? [...words, ...others] : words] as const;
});
