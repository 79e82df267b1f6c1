import { describe, expect, it } from 'vitest';
import { OUTPUT_FORMATS } from '../../src/output/formats.ts';
import { serviceForAll } from './service-for-all.ts';

const ADDRESS = { city: 'Personal-City', country: 'PersonalLand', line1: 'Personal Street 1', line2: null };
const NAMES = {
  first_name: 'Personal-Ada',
  last_name: 'Personal-Lovelace',
  email_address: 'personal@example.com',
  phone_number: '+44personal',
};
const BILLING = {
  ...NAMES,
  address: ADDRESS,
  tax_id: { value: 'Personal-1', kind: 'gb.vat' },
  nickname: 'Personal',
};
const BUYER = {
  type: 'buyer',
  id: 'b-1',
  display_name: 'Ada L',
  account_number: 'A-7',
  billing_details: BILLING,
};
const PASSENGER = {
  ...NAMES,
  title: 'Dr',
  passport_number: 'Personal-P',
  frequent_flyer_number: 'Personal-F',
  date_of_birth: '1815-12-10 personal',
  ticket_number: 'T-9',
};
const SESSION = {
  type: 'checkout-session',
  id: 's-1',
  airline: { booking_code: 'BC1', passengers: [PASSENGER] },
};
const SHIPPING = { type: 'shipping-details', id: 'd-1', buyer_id: 'b-1', ...NAMES, address: ADDRESS };
const USER = { type: 'user', id: 'u-1', name: 'Grace', email_address: 'grace@example.com' };

const page = (...items: object[]) => ({ items, limit: 20, next_cursor: null, previous_cursor: null });
const ANSWERS: Record<string, object> = {
  '/buyers': page(BUYER),
  '/payment-methods': page({ type: 'payment-method', id: 'p-1', label: '1111', buyer: BUYER }),
  '/audit-logs': page({ type: 'audit-log', id: 'a-1', user: USER }),
  '/checkout/sessions/s-1': SESSION,
  '/buyers/b-1/shipping-details': SHIPPING,
};

const service = serviceForAll(({ url }) => ({ body: ANSWERS[url.replace(/\?.*/, '')] ?? {} }));
const run = (argv: readonly string[], columns?: number) => service.run(argv, { columns });

const LISTS = [
  ['buyers', 'list', 'billing_details.email_address'],
  ['payment-methods', 'list', 'buyer.billing_details.email_address'],
] as const;
/** Lists of which a table or CSV would show other columns. */
const CHOSEN = LISTS.map(([topic, verb, path]) => [topic, verb, '--columns', `id,${path}`]);
const DOCUMENTS = [
  ['checkout-sessions', 'get', 's-1'],
  ['checkout-sessions', 'update', 's-1', '--data', '{"airline":null}'],
  ['buyers', 'shipping-details', 'create', 'b-1', '--data', '{"first_name":"X"}'],
];
const WARNING = 'Personal data is masked. Add --reveal-pii to show it.';
const PERSONAL = /personal/i;

const warningOf = (format: string) =>
  format.endsWith('json')
    ? `${JSON.stringify({ warning: { code: 'personal_data_masked', message: WARNING } })}\n`
    : `${WARNING}\n`;

describe.each(OUTPUT_FORMATS)('personal data in %s', (format) => {
  it.each([...CHOSEN, ...DOCUMENTS])('is masked, which one warning says: %s %s', async (...argv) => {
    for (const columns of [undefined, 200]) {
      const { stdout, stderr, code } = await run([...argv, '-o', format], columns);
      expect({ code, stdout }).toEqual({ code: 0, stdout: expect.not.stringMatching(PERSONAL) });
      expect(stdout).toContain('********');
      expect(stderr).toContain(warningOf(format));
      expect(stderr.split('masked').length).toBe(format.endsWith('json') ? 3 : 2);
    }
  });

  it.each([...CHOSEN, ...DOCUMENTS])(
    'is shown with --reveal-pii, without a warning: %s %s',
    async (...argv) => {
      const { stdout, stderr } = await run([...argv, '-o', format, '--reveal-pii']);
      expect(stdout).toContain('personal@example.com');
      expect(`${stdout}${stderr}`).not.toContain('********');
      expect(stderr).not.toContain('masked');
    },
  );

  it.each(LISTS)('is masked in many pages and in the results of --jq: %s %s', async (topic, verb, path) => {
    for (const more of [
      ['--all', '--columns', `id,${path}`],
      ['--jq', '.. | strings'],
    ]) {
      const { stdout, code } = await run([topic, verb, '-o', format, ...more]);
      expect({ code, stdout }).toEqual({ code: 0, stdout: expect.not.stringMatching(PERSONAL) });
      expect(stdout).toContain('********');
    }
  });
});

describe('masking', () => {
  it('leaves names by which operators find things, what has no value, and the text of everything else', async () => {
    const masked = { city: '********', country: '********', line1: '********', line2: null };
    const names = Object.fromEntries(Object.keys(NAMES).map((name) => [name, '********']));
    const billing = {
      ...names,
      address: masked,
      tax_id: { value: '********', kind: 'gb.vat' },
      nickname: '********',
    };
    const { stdout } = await run(['buyers', 'list', '-o', 'json']);
    expect(stdout).toBe(`${JSON.stringify(page({ ...BUYER, billing_details: billing }))}\n`);
    const session = JSON.parse((await run(['checkout-sessions', 'get', 's-1', '-o', 'json'])).stdout);
    expect(session.airline).toMatchObject({
      booking_code: 'BC1',
      passengers: [{ title: 'Dr', ticket_number: 'T-9' }],
    });
  });

  it('does not warn where no field that holds any is shown, nor under --quiet', async () => {
    expect((await run(['buyers', 'list', '--columns', 'id,display_name'])).stderr).toBe('');
    expect((await run(['buyers', 'list', '-o', 'json', '--quiet'])).stderr).toBe('');
  });

  it('does not concern staff', async () => {
    const { stdout, stderr } = await run(['audit-logs', 'list', '-o', 'ndjson']);
    expect(stdout).toContain('grace@example.com');
    expect(stderr).toBe('');
    expect((await run(['audit-logs', 'list', '--reveal-pii'])).code).toBe(2);
  });

  it('does not concern the request that --dry-run shows', async () => {
    const body = '{"first_name":"Personal-Ada"}';
    const argv = ['buyers', 'shipping-details', 'create', 'b-1', '--data', body, '--dry-run', '-o', 'json'];
    expect(JSON.parse((await run(argv)).stdout).body).toEqual({ first_name: 'Personal-Ada' });
  });
});
