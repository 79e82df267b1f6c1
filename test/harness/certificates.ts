import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

/** A certificate and its private key, both as PEM. */
export type MadeCertificate = { readonly cert: string; readonly key: string };

/** An authority: what it signs with, and its own certificate where it has one. */
export type Authority = { readonly name: string; readonly key: KeyObject; readonly cert?: string };

/** What a certificate says; without an authority it signs itself. */
export type CertificateOptions = {
  readonly from?: Date;
  readonly to?: Date;
  /** IP addresses that it is made out for. */
  readonly addresses?: readonly string[];
  /** Host names that it is made out for. */
  readonly hosts?: readonly string[];
  /** Default: `Doctor Test`. */
  readonly name?: string;
  readonly authority?: Authority;
};

const DAY = 86_400_000;

const ECDSA_WITH_SHA256 = Buffer.from('300a06082a8648ce3d040302', 'hex');
const COMMON_NAME = Buffer.from('0603550403', 'hex');
const SUBJECT_ALTERNATIVE_NAME = Buffer.from('0603551d11', 'hex');
/** Critical, `CA: TRUE`. */
const IS_AUTHORITY = Buffer.from('300f0603551d130101ff040530030101ff', 'hex');

/** A date some days from now, before or after it. */
export function daysFromNow(days: number): Date {
  return new Date(Date.now() + days * DAY);
}

/** Makes a certificate (RFC 5280), by default one that is valid for 60 days more. */
export function makeCertificate(options: CertificateOptions): MadeCertificate {
  const { addresses = [], hosts = [] } = options;
  const names = [
    ...hosts.map((host) => der(0x82, Buffer.from(host))),
    ...addresses.map((address) => der(0x87, bytesOf(address))),
  ];
  const extension = der(0x30, SUBJECT_ALTERNATIVE_NAME, der(0x04, der(0x30, ...names)));
  const { cert, key } = build({ ...options, extensions: names.length > 0 ? [extension] : [] });
  return { cert, key: key.export({ format: 'pem', type: 'pkcs8' }).toString() };
}

/** Makes an authority with a certificate of its own, signed by another one or by itself. */
export function makeAuthority(
  options: CertificateOptions & { readonly name?: string } = {},
): Required<Authority> {
  const { name = 'Nobody Knows' } = options;
  return { name, ...build({ ...options, name, extensions: [IS_AUTHORITY] }) };
}

type Parts = CertificateOptions & { readonly extensions: readonly Buffer[] };

function build({ from, to, name = 'Doctor Test', authority, extensions }: Parts): {
  cert: string;
  key: KeyObject;
} {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const content = der(
    0x30,
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1]), randomBytes(8)),
    ECDSA_WITH_SHA256,
    nameOf(authority?.name ?? name),
    der(0x30, timeOf(from ?? daysFromNow(-30)), timeOf(to ?? daysFromNow(60))),
    nameOf(name),
    publicKey.export({ format: 'der', type: 'spki' }),
    ...(extensions.length > 0 ? [der(0xa3, der(0x30, ...extensions))] : []),
  );
  const signature = sign('sha256', content, authority?.key ?? privateKey);
  const whole = der(0x30, content, ECDSA_WITH_SHA256, der(0x03, Buffer.from([0]), signature));
  const lines = whole.toString('base64').match(/.{1,64}/g) ?? [];
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`,
    key: privateKey,
  };
}

/** IPv4, or `::1`. */
function bytesOf(address: string): Buffer {
  if (address === '::1') return Buffer.concat([Buffer.alloc(15), Buffer.from([1])]);
  return Buffer.from(address.split('.').map(Number));
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
