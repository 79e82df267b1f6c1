import { createHmac, createPublicKey } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { CompactSign } from 'jose/jws/compact/sign';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Approver } from '../../../src/config/profile.ts';
import {
  addApproval,
  type PlanToApprove,
  requireApproval,
} from '../../../src/features/bulk/apply/approval.ts';
import { generateKey, readSigningKey, type SigningKey } from '../../../src/tokens/keys.ts';
import { readPublicKeys } from '../../../src/tokens/public-keys.ts';
import { failureOf } from '../../client/failure-of.ts';
import { propertyRuns } from '../../harness/property-runs.ts';
import { folderForTest } from '../../harness/temporary-folder.ts';
import { ED25519_KEY, KEYS_WITH_LEADING_ZEROS, RSA_KEY } from '../../tokens/key-vectors.ts';

const CREATED = '2026-03-01T12:00:00.000Z';
const LATER = new Date('2026-03-01T12:05:00.000Z');
const HEADER = {
  command: 'transactions refunds create',
  origin: 'https://api.example.com/v1',
  merchant_account: 'outlet',
  rows: 200,
  totals: { EUR: '1234.56', JPY: '60000' },
  created_at: CREATED,
};

const anna = await readSigningKey(ED25519_KEY.pem);
const own = await readSigningKey((await generateKey()).privateKeyPem);
const rsa = await readSigningKey(RSA_KEY.pem);

let plan: PlanToApprove;
beforeEach(() => {
  plan = { path: join(folderForTest(), 'refunds.plan'), hash: 'a'.repeat(64), header: HEADER };
});

async function approverOf({ publicJwk }: SigningKey, name?: string): Promise<Approver> {
  const [key] = await readPublicKeys(JSON.stringify({ ...publicJwk, kid: name }));
  if (!key) throw new Error('no key');
  return key;
}

/** The message and hint with which the plan is refused; undefined where it is approved. */
async function refusal(by: PlanToApprove = plan, keys: readonly SigningKey[] = [anna]) {
  const approvers = await Promise.all(keys.map((key) => approverOf(key)));
  const done = requireApproval(by, { approvers, ownKey: own.keyId });
  return await done.then(
    () => undefined,
    async () => {
      const { code, message, hint } = (await failureOf(done)) as unknown as Record<string, string>;
      expect(code).toBe('not_approved');
      return { why: message?.replace(by.path, 'PLAN'), hint: hint?.replace(by.path, 'PLAN') };
    },
  );
}

const approvalText = () => readFileSync(`${plan.path}.approval`, 'utf8').trim();
const write = (...lines: readonly string[]) => writeFileSync(`${plan.path}.approval`, lines.join('\n'));
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** The parts of an approval by a key. */
async function partsOf(key: SigningKey) {
  await addApproval(plan, key, LATER);
  const [header = '', payload = '', signature = ''] = approvalText().split('.');
  const decoded = (part: string): Record<string, unknown> =>
    JSON.parse(Buffer.from(part, 'base64url').toString());
  return { header: decoded(header), payload: decoded(payload), parts: { header, payload, signature } };
}

describe('a plan is approved', () => {
  it.each([...KEYS_WITH_LEADING_ZEROS, ED25519_KEY, RSA_KEY])(
    'by a key of an approver: $name',
    async ({ pem }) => {
      const key = await readSigningKey(pem);
      expect(await addApproval(plan, key, LATER)).toBe(true);
      expect(await refusal(plan, [key])).toBeUndefined();
    },
  );

  it('by one of several, among other approvals, whatever their ends of lines', async () => {
    await addApproval(plan, rsa, LATER);
    await addApproval(plan, anna, LATER);
    const [one = '', other = ''] = readFileSync(`${plan.path}.approval`, 'utf8').split('\n');
    write('damaged', '', `${one}\r`, `${other}\r`, '');
    expect(await refusal(plan, [own, anna])).toBeUndefined();
    expect(await refusal(plan, [rsa])).toBeUndefined();
  });

  it('in a private file with what was approved, and no claim that a token has', async () => {
    const { header, payload } = await partsOf(anna);
    expect(header).toEqual({ alg: 'EdDSA', typ: 'payctl-approval', kid: ED25519_KEY.thumbprint });
    const { created_at: _, ...terms } = HEADER;
    expect(payload).toEqual({ plan_sha256: plan.hash, ...terms, approved_at: LATER.toISOString() });
    expect(statSync(`${plan.path}.approval`).mode & 0o777).toBe(0o600);
  });

  it('once by each key', async () => {
    expect(await addApproval(plan, anna, LATER)).toBe(true);
    expect(await addApproval(plan, anna, new Date(LATER.getTime() + 1))).toBe(false);
    expect(approvalText().split('\n')).toHaveLength(1);
    expect(await addApproval({ ...plan, hash: 'b'.repeat(64) }, anna, LATER)).toBe(true);
    expect(await refusal()).toBeUndefined();
  });

  it('also after a line that was cut off', async () => {
    writeFileSync(`${plan.path}.approval`, 'eyJhbGciOi');
    await addApproval(plan, anna, LATER);
    expect(await refusal()).toBeUndefined();
    await addApproval(plan, rsa, LATER);
    expect(readFileSync(`${plan.path}.approval`, 'utf8')).toMatch(/^eyJhbGciOi\n\S+\n\S+\n$/);
  });

  it('not by a clock that is behind the plan', async () => {
    const early = new Date('2026-03-01T11:59:59.999Z');
    await expect(addApproval(plan, anna, early)).rejects.toMatchObject({ code: 'plan_from_future' });
    expect(await addApproval(plan, anna, new Date(CREATED))).toBe(true);
  });
});

describe('a plan is refused', () => {
  const command = 'payctl bulk approve PLAN --key-file KEY.pem';

  it('without an approval, and the hint says whose is missing', async () => {
    expect(await refusal()).toEqual({
      why: 'PLAN is not approved',
      hint: `It needs the approval of ${anna.keyId}, who must run: ${command}`,
    });
    const approvers = [
      await approverOf(anna, 'Anna'),
      await approverOf(rsa, 'Bob'),
      await approverOf(own, 'me'),
    ];
    const rule = { approvers, ownKey: own.keyId };
    await expect(requireApproval(plan, rule)).rejects.toMatchObject({
      hint: expect.stringContaining('of one of Anna, Bob, who'),
    });
    const alone = { approvers: approvers.slice(2), ownKey: own.keyId };
    await expect(requireApproval(plan, alone)).rejects.toMatchObject({
      hint: 'The key of the only approver also signs the tokens of payctl. To add a second person: payctl profiles set PROFILE --approvers FILE',
    });
  });

  it.each<[string, () => Promise<unknown>, string]>([
    [
      'approved by the own key',
      () => addApproval(plan, own, LATER),
      'signed with the key that also signs the tokens of payctl',
    ],
    [
      'approved by another key',
      () => addApproval(plan, rsa, LATER),
      `by the key "${rsa.keyId}", which does not belong to an approver`,
    ],
    [
      'approved before it was made',
      () =>
        addApproval(
          { ...plan, header: { ...HEADER, created_at: '2026-03-01T11:00:00Z' } },
          anna,
          new Date('2026-03-01T11:59:59Z'),
        ),
      'older than the plan',
    ],
  ])('where it was %s', async (_, approve, reason) => {
    await approve();
    expect((await refusal(plan, [anna, own]))?.why).toBe(
      `PLAN is not approved: an approval exists, but it is ${reason}`,
    );
  });

  it('where anything of it is another', async () => {
    await addApproval(plan, anna, LATER);
    const headers: readonly Partial<PlanToApprove['header']>[] = [
      { command: 'transactions captures create' },
      { origin: 'https://api.example.com/v2' },
      { merchant_account: null },
      { merchant_account: 'Outlet' },
      { rows: 201 },
      { totals: { EUR: '1234.56' } },
      { totals: { EUR: '1234.560', JPY: '60000' } },
    ];
    const others: readonly PlanToApprove[] = [
      { ...plan, hash: `b${plan.hash.slice(1)}` },
      ...headers.map((members) => ({ ...plan, header: { ...HEADER, ...members } })),
    ];
    for (const other of others) expect((await refusal(other))?.why).toContain('it is for another plan');
  });

  it('where any bit of an approval is another', { tags: 'slow' }, async () => {
    const { parts } = await partsOf(anna);
    const text = approvalText();
    // The last character of a part has bits that do not count.
    const ends = [parts.header.length - 1, text.length - parts.signature.length - 2, text.length - 1];
    await fc.assert(
      fc.asyncProperty(
        fc.nat(text.length - 1).filter((at) => !ends.includes(at)),
        fc.constantFrom(...'abcXYZ019-_.= \n"'),
        async (at, character) => {
          fc.pre(text[at] !== character);
          write(text.slice(0, at) + character + text.slice(at + 1));
          expect(await refusal()).toBeDefined();
        },
      ),
      propertyRuns(2000),
    );
  });

  it('where a member of what was signed is another', { tags: 'slow' }, async () => {
    const { payload, parts } = await partsOf(anna);
    const value = fc.oneof(fc.jsonValue(), fc.constant('2026-03-01T12:05:00.001Z'));
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...Object.keys(payload)), value, async (name, other) => {
        fc.pre(JSON.stringify(payload[name]) !== JSON.stringify(other));
        write([parts.header, encode({ ...payload, [name]: other }), parts.signature].join('.'));
        expect(await refusal()).toBeDefined();
      }),
      propertyRuns(1000),
    );
  });

  it.each<[string, Record<string, unknown>]>([
    ['a token', { typ: 'JWT' }],
    ['an approval without a type', { typ: undefined }],
    ['an approval without a key', { kid: undefined }],
    ['an approval with a critical member', { crit: ['payctl'], payctl: true }],
    ['an approval whose payload is not encoded', { crit: ['b64'], b64: false }],
  ])('where the approver signed %s', async (_, members) => {
    const { header, parts } = await partsOf(anna);
    const given = { ...header, ...members };
    const input = `${encode(given)}.${parts.payload}`;
    const { sign } = process.getBuiltinModule('node:crypto');
    write(`${input}.${sign(null, Buffer.from(input), anna.privateKey).toString('base64url')}`);
    expect(await refusal()).toBeDefined();
  });

  it('where the approver signed other terms', async () => {
    const { payload } = await partsOf(anna);
    for (const text of [
      JSON.stringify({ ...payload, note: 1 }),
      JSON.stringify({ ...payload, approved_at: 7 }),
      JSON.stringify({ ...payload, approved_at: 'now' }),
      ` ${JSON.stringify(payload)}`,
      JSON.stringify(payload).replace('"rows":200', '"rows":1,"rows":200'),
    ]) {
      const signed = new CompactSign(Buffer.from(text));
      write(
        await signed
          .setProtectedHeader({ alg: anna.algorithm, typ: 'payctl-approval', kid: anna.keyId })
          .sign(anna.privateKey),
      );
      expect(await refusal()).toBeDefined();
    }
  });

  it('where another key signed in the name of an approver', async () => {
    const { header, parts } = await partsOf(rsa);
    for (const key of [anna, own]) {
      const forged = await new CompactSign(Buffer.from(parts.payload, 'base64url'))
        .setProtectedHeader({ ...header, alg: key.algorithm })
        .sign(key.privateKey);
      write(forged);
      expect((await refusal(plan, [rsa]))?.why).toContain('not signed by the key');
    }
  });

  it('where the own key is listed under another ID', async () => {
    const { header, parts } = await partsOf(own);
    const forged = await new CompactSign(Buffer.from(parts.payload, 'base64url'))
      .setProtectedHeader({ ...header, alg: own.algorithm, kid: 'boss' })
      .sign(own.privateKey);
    write(forged);
    const approvers = [{ ...(await approverOf(own)), kid: 'boss' }];
    const done = requireApproval(plan, { approvers, ownKey: own.keyId });
    await expect(done).rejects.toMatchObject({ message: expect.stringContaining('also signs the tokens') });
  });

  it('where nobody signed, or an RSA public key was taken for a secret', async () => {
    const { header, parts } = await partsOf(rsa);
    const jwk = createPublicKey(rsa.privateKey);
    const secrets = [
      jwk.export({ type: 'spki', format: 'pem' }),
      jwk.export({ type: 'spki', format: 'der' }),
      jwk.export({ type: 'pkcs1', format: 'pem' }),
      JSON.stringify(jwk.export({ format: 'jwk' })),
    ];
    for (const alg of ['none', 'HS256', 'HS384', 'HS512', 'hs256', 'None']) {
      const input = `${encode({ ...header, alg })}.${parts.payload}`;
      write(`${input}.`, `${input}.AAAA`, ...signed(input, alg, secrets));
      expect(await refusal(plan, [rsa])).toBeDefined();
    }
  });

  it('where the file cannot be read', async () => {
    write('x'.repeat(65 * 1024));
    await expect(requireApproval(plan, { approvers: [], ownKey: undefined })).rejects.toMatchObject({
      code: 'unreadable_file',
      message: `The approvals in ${plan.path}.approval cannot be read: it is larger than 64 KiB`,
    });
  });
});

function signed(input: string, alg: string, secrets: readonly (string | Buffer)[]): readonly string[] {
  const digest = /^hs(\d+)$/i.exec(alg)?.[1];
  if (digest === undefined) return [];
  return secrets.map(
    (secret) => `${input}.${createHmac(`sha${digest}`, secret).update(input).digest('base64url')}`,
  );
}
