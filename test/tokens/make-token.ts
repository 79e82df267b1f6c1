/** Parts of a header and claims that tests care about; a text stands for the bytes of the part as they are. */
type Part = Readonly<Record<string, unknown>> | string;

/** A signature that no test expects to see, in three pieces that none may see either. */
export const SIGNATURE = 'c2lnbmF0dXJlLW9uZQ_c2lnbmF0dXJlLXR3bw_c2lnbmF0dXJlLXRocmVl';

/** A token that nobody signed, with the header and claims given. */
export function makeToken(header: Part, claims: Part, signature: string = SIGNATURE): string {
  return `${encode(header)}.${encode(claims)}.${signature}`;
}

function encode(part: Part): string {
  return Buffer.from(typeof part === 'string' ? part : JSON.stringify(part)).toString('base64url');
}
