import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

/** A certificate and its private key, both as PEM. */
export type MadeCertificate = { readonly cert: string; readonly key: string };

/** What a certificate says; one of an authority signs itself. */
export type CertificateOptions = {
  readonly from: Date;
  readonly to: Date;
  /** IPv4 addresses that it is made out for. */
  readonly addresses: readonly string[];
  /** Who signs it. Default: it signs itself. */
  readonly authority?: { readonly name: string; readonly key: KeyObject };
};

const ECDSA_WITH_SHA256 = Buffer.from('300a06082a8648ce3d040302', 'hex');
const COMMON_NAME = Buffer.from('0603550403', 'hex');
const SUBJECT_ALTERNATIVE_NAME = Buffer.from('0603551d11', 'hex');

/** Makes a certificate (RFC 5280) of the name `Doctor Test`, so that its dates can lie around today. */
export function makeCertificate({ from, to, addresses, authority }: CertificateOptions): MadeCertificate {
  const { publicKey, privateKey } = newKeys();
  const names = addresses.map((address) => der(0x87, Buffer.from(address.split('.').map(Number))));
  const extension = der(0x30, SUBJECT_ALTERNATIVE_NAME, der(0x04, der(0x30, ...names)));
  const content = der(
    0x30,
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1]), randomBytes(8)),
    ECDSA_WITH_SHA256,
    nameOf(authority?.name ?? 'Doctor Test'),
    der(0x30, timeOf(from), timeOf(to)),
    nameOf('Doctor Test'),
    publicKey.export({ format: 'der', type: 'spki' }),
    der(0xa3, der(0x30, extension)),
  );
  const signature = sign('sha256', content, authority?.key ?? privateKey);
  const whole = der(0x30, content, ECDSA_WITH_SHA256, der(0x03, Buffer.from([0]), signature));
  const lines = whole.toString('base64').match(/.{1,64}/g) ?? [];
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
  };
}

/** Makes an authority that nobody knows. */
export function makeAuthority(): { readonly name: string; readonly key: KeyObject } {
  return { name: 'Nobody Knows', key: newKeys().privateKey };
}

function newKeys(): { readonly publicKey: KeyObject; readonly privateKey: KeyObject } {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' });
}

function nameOf(text: string): Buffer {
  return der(0x30, der(0x31, der(0x30, COMMON_NAME, der(0x0c, Buffer.from(text)))));
}

/** As UTCTime, which reaches to 2049. */
function timeOf(date: Date): Buffer {
  const digits = date.toISOString().replace(/\D/g, '');
  return der(0x17, Buffer.from(`${digits.slice(2, 14)}Z`));
}

/** One element of DER: tag, length, content. */
function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}
