import { randomUUID } from 'node:crypto';
import { BusError, type Caller, type Reply, type Service } from './bus.ts';
import { agreeOnCipher, DH_ALGORITHM } from './key-exchange.ts';
import type { Message } from './message.ts';
import { bytesFrom, listFrom, variantFrom } from './types.ts';
import { cipherOf, decrypt, itemAt, type Vault } from './vault.ts';

type Method = (vault: Vault, call: Message, caller: Caller) => Reply;

const ROOT = '/org/freedesktop/secrets';
const COLLECTION = `${ROOT}/collection/login`;
const PROMPT = `${ROOT}/prompt/unlock`;
/** The path that says: there is none. */
const NONE = '/';

/** `org.freedesktop.secrets` with one collection, as far as clients that store and find passwords need it. */
export function createService(vault: Vault): Service {
  return (call, caller) => {
    const member = String(call.member);
    if (!vault.isOnBus) {
      throw new BusError(
        'org.freedesktop.DBus.Error.ServiceUnknown',
        `The name ${call.destination} was not provided by any .service files`,
      );
    }
    vault.calls.push(member);
    const refusal = vault.refusals.get(member);
    if (refusal !== undefined) throw new BusError('org.freedesktop.DBus.Error.AccessDenied', refusal);
    const method = METHODS[member];
    if (!method) throw new BusError('org.freedesktop.DBus.Error.UnknownMethod', `there is no ${member}`);
    return method(vault, call, caller);
  };
}

const METHODS: Readonly<Record<string, Method>> = {
  OpenSession(vault, { body: [algorithm, input] }) {
    if (algorithm !== DH_ALGORITHM) {
      throw new BusError('org.freedesktop.DBus.Error.NotSupported', `${algorithm} is not supported`);
    }
    const cipher = agreeOnCipher(bytesFrom(variantFrom(input).value));
    const session = `${ROOT}/session/${vault.ciphers.size + 1}`;
    vault.ciphers.set(session, cipher);
    return { signature: 'vo', body: [{ signature: 'ay', value: cipher.publicKey }, session] };
  },
  SearchItems(vault, { body: [wanted] }) {
    const pairs = attributesFrom(wanted);
    const paths = [...vault.items].filter(([, { attributes }]) =>
      Object.entries(pairs).every(([name, value]) => attributes[name] === value),
    );
    const found = paths.map(([path]) => path);
    return { signature: 'aoao', body: vault.locked ? [[], found] : [found, []] };
  },
  Unlock(vault, { body: [paths] }) {
    return { signature: 'aoo', body: vault.locked ? [[], PROMPT] : [paths, NONE] };
  },
  /** The answer of the person comes later than the reply, as from a dialog. */
  Prompt(vault, _call, caller) {
    if (vault.person !== 'is away') setTimeout(() => answerPrompt(vault, caller), 20);
    return { signature: '', body: [] };
  },
  ReadAlias(vault) {
    return { signature: 'o', body: [vault.hasDefaultCollection ? COLLECTION : NONE] };
  },
  /** Of all properties, the binding asks for `Locked` alone. */
  Get(vault) {
    return { signature: 'v', body: [{ signature: 'b', value: vault.locked }] };
  },
  CreateItem(vault, { body: [properties, secret] }) {
    const values = new Map(listFrom(properties).map((pair) => pairFrom(pair)));
    const property = (name: string) => variantFrom(values.get(`org.freedesktop.Secret.Item.${name}`)).value;
    const path = `${COLLECTION}/${randomUUID().replaceAll('-', '_')}`;
    vault.items.set(path, {
      label: String(property('Label')),
      attributes: attributesFrom(property('Attributes')),
      secret: decrypt(vault, secret),
    });
    return { signature: 'oo', body: [path, NONE] };
  },
  GetSecret(vault, call) {
    const [session] = call.body;
    const { iv, data } = cipherOf(vault, session).encrypt(itemAt(vault, call).secret);
    return { signature: '(oayays)', body: [[session, iv, data, 'application/octet-stream']] };
  },
  SetSecret(vault, call) {
    itemAt(vault, call).secret = decrypt(vault, call.body[0]);
    return { signature: '', body: [] };
  },
  Delete(vault, call) {
    itemAt(vault, call);
    vault.items.delete(String(call.path));
    return { signature: 'o', body: [NONE] };
  },
};

function answerPrompt(vault: Vault, caller: Caller): void {
  const dismissed = vault.person === 'dismisses';
  vault.locked &&= dismissed;
  caller.send({
    path: PROMPT,
    interface: 'org.freedesktop.Secret.Prompt',
    member: 'Completed',
    signature: 'bv',
    body: [dismissed, { signature: 'ao', value: dismissed ? [] : [...vault.items.keys()] }],
  });
}

function attributesFrom(value: unknown): Record<string, string> {
  return Object.fromEntries(listFrom(value).map((pair) => pairFrom(pair).map(String)));
}

function pairFrom(pair: unknown): [string, unknown] {
  const [name, value] = listFrom(pair);
  return [String(name), value];
}
