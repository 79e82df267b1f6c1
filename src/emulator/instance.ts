const crypto = process.getBuiltinModule('node:crypto');

/** Path, outside the contract, at which an emulator proves which instance it is. Needs no token. */
export const instancePath = '/__emulator';

/** The secret of one run of the emulator, known to it and to `running.json`. */
export function createNonce(): string {
  return crypto.randomBytes(24).toString('base64url');
}

/**
 * The proof that only a holder of the nonce can give to a challenge. The nonce itself never crosses the wire, so
 * that no other process can pick it up and pose as the emulator after its end.
 */
export function proveInstance(nonce: string, challenge: string): string {
  return crypto.createHmac('sha256', nonce).update(challenge).digest('base64url');
}

/**
 * The proof by which an emulator knows that a request to stop comes from a holder of its nonce. A challenge contains no
 * blanks, so no answer to a challenge is this proof.
 */
export function proveStop(nonce: string): string {
  return proveInstance(nonce, 'stop this emulator');
}

/** The proof, in a question about the served description, that the sender knows the nonce of the emulator. */
export function proveQuestion(nonce: string): string {
  return proveInstance(nonce, 'which description is served');
}
