import type { Algorithm } from './keys.ts';
import { type Inspection, shown, type TokenFault } from './token-fault.ts';

const ALGORITHMS: readonly Algorithm[] = ['ES256', 'ES384', 'ES512', 'EdDSA', 'RS256', 'PS256'];

/** What is wrong with how a token is signed, and by which key. */
export function headerFaults(inspection: Inspection): TokenFault[] {
  return [...algorithmFaults(inspection), ...keyFaults(inspection), ...typeFaults(inspection)];
}

function algorithmFaults({ content: { header }, isSigned }: Inspection): TokenFault[] {
  const alg = typeof header.alg === 'string' ? header.alg : '';
  if (alg.toLowerCase() === 'none') {
    const message = 'The algorithm is none: the token is not signed, and anybody could have written it.';
    return [{ code: 'algorithm_none', severity: 'fault', message }];
  }
  const unsigned: TokenFault[] = isSigned ? [] : [SIGNATURE_MISSING];
  if (ALGORITHMS.some((name) => name === alg)) return unsigned;
  if (/^HS\d+$/.test(alg)) {
    const message = `${shown(alg)} signs with a secret that both sides share, where the service expects a key pair.`;
    return [{ code: 'algorithm_shared_secret', severity: 'fault', message }, ...unsigned];
  }
  const message = Object.hasOwn(header, 'alg')
    ? `The algorithm ${shown(header.alg)} is none of ${ALGORITHMS.join(', ')}.`
    : 'The header names no algorithm in alg.';
  return [{ code: 'algorithm_unknown', severity: 'fault', message }, ...unsigned];
}

const SIGNATURE_MISSING: TokenFault = {
  code: 'signature_missing',
  severity: 'fault',
  message: 'There is no signature: the token was cut off, or never signed.',
};

function keyFaults({ content: { keyId }, ownKey }: Inspection): TokenFault[] {
  if (keyId === undefined) {
    const message = 'The header names no key in kid, so a service cannot tell which key to verify with.';
    return [{ code: 'no_key_id', severity: 'fault', message }];
  }
  if (!ownKey || ownKey.keyId === keyId) return [];
  const message = `The token names the key ${shown(keyId)}, not the key in use: that of ${ownKey.origin} is ${ownKey.keyId}.`;
  return [{ code: 'other_key', severity: 'warning', message }];
}

function typeFaults({ content: { header } }: Inspection): TokenFault[] {
  const { typ } = header;
  if (typ === undefined || (typeof typ === 'string' && typ.toUpperCase() === 'JWT')) return [];
  return [{ code: 'type_unusual', severity: 'warning', message: `typ is ${shown(typ)} instead of "JWT".` }];
}
