/** What each group of commands is about; the first line of its help. A test compares the keys with the folders. */
export const TOPICS: Readonly<Record<string, string>> = {
  'api-logs': 'API error logs: failed requests, and why they failed.',
  auth: 'Credentials: what is used, storing them, minting and reading tokens.',
  'audit-logs': 'Audit logs: what dashboard users did.',
  buyers: 'Buyers: the persons and companies that pay.',
  'buyers gift-cards': 'Gift cards of a buyer.',
  'buyers shipping-details': 'Shipping details of a buyer.',
  'checkout-sessions': 'Checkout sessions: short-lived, with a cart, metadata and airline data.',
  'digital-wallets': 'Digital wallets: where they may be used, and their certificates.',
  'payment-methods': 'Stored payment methods of buyers.',
  'payment-service-definitions': 'Payment service definitions.',
  'payment-service-definitions sessions': 'Sessions with a payment service.',
  profiles: 'Profiles: named settings to switch between instances and merchant accounts.',
  roles: 'Roles of the instance, and what they allow.',
  'webhook-subscriptions': 'Webhook subscriptions: where the service sends its events.',
  emulator: 'The emulator: the service in small, on this machine, to try and test against.',
};

/** The groups of `payctl --help`, each with the first words of its commands. A test compares them with the folders. */
export const HELP_GROUPS: readonly (readonly [title: string, words: readonly string[]])[] = [
  [
    'PAYMENTS',
    ['buyers', 'payment-methods', 'checkout-sessions', 'payment-service-definitions', 'digital-wallets'],
  ],
  ['LOGS AND SET-UP', ['api-logs', 'audit-logs', 'roles', 'webhook-subscriptions']],
  ['CONNECTION', ['auth', 'profiles', 'doctor']],
  ['TOOLS', ['emulator', 'completion']],
];

/** The first lines of `payctl --help`. */
export const ROOT_HELP_HEAD = `Administer a payment orchestration service from the command line.

USAGE
  $ payctl COMMAND [FLAGS]

Try it without an account: payctl buyers list --profile emulator`;

/** The last lines of the help of the program and of its topics. */
export const ROOT_HELP_TAIL = `Add --help to a command for its flags and examples.`;
