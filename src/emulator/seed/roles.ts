import type { Role } from '../../contract/generated/types.ts';
import { createRandom, type Random } from '../../text/random.ts';
import { dayMs } from '../clock.ts';
import type { SeedContext, Seeded } from '../resources/resource.ts';

type RoleDefinition = {
  readonly name: string;
  readonly slug: string;
  readonly description: string;
  readonly allow: readonly string[];
  readonly assignableTo?: readonly string[];
  readonly appliesTo?: readonly string[];
  /** Given only together with another role. */
  readonly isAddition?: true;
};

const definitions: readonly RoleDefinition[] = [
  {
    name: 'Administrator',
    slug: 'administrator',
    description: 'Everything, in every merchant account.',
    allow: ['*'],
    appliesTo: ['instance'],
  },
  {
    name: 'Developer',
    slug: 'developer',
    description: 'Builds and tests integrations: API keys, webhooks and the logs of failed requests.',
    allow: ['*.read', 'checkout-sessions.write', 'transactions.write', 'buyers.write'],
  },
  {
    name: 'Support Agent',
    slug: 'support-agent',
    description: 'Looks up buyers and finds out why their payments fail.',
    allow: [
      'buyers.read',
      'payment-methods.read',
      'gift-cards.read',
      'checkout-sessions.read',
      'api-logs.read',
    ],
  },
  {
    name: 'Personal Data Viewer',
    slug: 'personal-data-viewer',
    description: 'Uncovers the billing details of buyers for those who may see the buyers already.',
    allow: ['buyers.billing-details.read'],
    isAddition: true,
  },
  {
    name: 'Finance Analyst',
    slug: 'finance-analyst',
    description: 'Reads payment methods, gift cards and wallets.',
    allow: ['payment-methods.read', 'gift-cards.read', 'digital-wallets.read'],
  },
  {
    name: 'Auditor',
    slug: 'auditor',
    description: 'Reads who did what, and which roles allow it.',
    allow: ['audit-logs.read', 'roles.read', 'webhook-subscriptions.read'],
    appliesTo: ['instance', 'merchant-account'],
  },
  {
    name: 'Checkout Service',
    slug: 'checkout-service',
    description: 'For the key pair of a shop that runs checkout sessions.',
    allow: ['embed', 'checkout-sessions.read', 'checkout-sessions.write', 'transactions.write'],
    assignableTo: ['api-key-pair'],
  },
];

/** Makes the roles of a seed: always the same ones, with ids of the seed. Newest first, as in the list. */
export function seedRoles({ seed, endMs }: SeedContext): readonly Seeded<Role>[] {
  const random = createRandom(seed, 'roles');
  return definitions.map((definition, index) => ({
    record: seedRole(random, definition),
    createdMs: endMs - index * dayMs,
  }));
}

function seedRole(random: Random, definition: RoleDefinition): Role {
  return {
    type: 'role',
    id: random.uuid(),
    name: definition.name,
    slug: definition.slug,
    description: definition.description,
    permissions: { allow: [...definition.allow] },
    assignable_to: [...(definition.assignableTo ?? ['user', 'api-key-pair'])],
    applies_to: [...(definition.appliesTo ?? ['merchant-account'])],
    is_standalone_assignable: definition.isAddition !== true,
  };
}
