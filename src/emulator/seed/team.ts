import { createRandom } from '../../text/random.ts';

type Person = {
  readonly name: string;
  readonly mailbox: string;
  readonly status?: string;
  readonly isStaff?: boolean;
};

/** Six colleagues, one of whom has left and one of whom was invited only, and an engineer of the service itself. */
const people: readonly [Person, ...Person[]] = [
  { name: 'Inês Caldeira', mailbox: 'ines.caldeira@merchant.example.com' },
  { name: 'Oskar Lindqvist', mailbox: 'oskar.lindqvist@merchant.example.com' },
  { name: 'Meera Pillai', mailbox: 'meera.pillai@merchant.example.com' },
  { name: "Dara O'Shea", mailbox: 'dara.oshea@merchant.example.com' },
  { name: '荒巻 結衣', mailbox: 'yui.aramaki@merchant.example.com' },
  { name: 'Lea Brunner', mailbox: 'lea.brunner@merchant.example.com', status: 'deleted' },
  { name: 'Samuel Okonjo', mailbox: 'support@service.example.com', isStaff: true },
];

/** Makes the users of the dashboard, as the audit log and webhook subscriptions show them: always the same people, with ids of the seed. */
export function seedTeam(seed: number) {
  const random = createRandom(seed, 'team');
  const member = ({ name, mailbox, status = 'active', isStaff = false }: Person) => ({
    type: 'user' as const,
    id: random.uuid(),
    name,
    is_staff: isStaff,
    status,
    email_address: mailbox,
  });
  const [first, ...others] = people;
  return [member(first), ...others.map(member)] as const;
}
