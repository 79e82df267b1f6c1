import { UsageError } from '../errors.ts';
import { fileErrorReason } from '../files/file-error.ts';
import { LIMITS, readRegularFile } from '../files/read-file.ts';
import { quote } from '../text/format.ts';

/** A PEM file that a setting names; `origin` is what messages call it: `--ca-file`, `the ca_file of profile acme`. */
export type PemFile = { readonly path: string; readonly origin: string };

const CERTIFICATE =
  /-----BEGIN (?:X509 |TRUSTED )?CERTIFICATE-----[\s\S]+?-----END (?:X509 |TRUSTED )?CERTIFICATE-----/g;

/** Reads certificates of authorities as PEM. @throws UsageError `invalid_ca_file`, which names the file and the reason */
export function readAuthorities(file: PemFile): string {
  const invalid = (reason: string, hint: string) => invalidFile('invalid_ca_file', file, { reason, hint });
  const certificates = readText(file, invalid).match(CERTIFICATE) ?? [];
  if (certificates.length === 0) {
    const hint = 'Use a PEM file, which has lines such as -----BEGIN CERTIFICATE-----.';
    throw invalid('it contains no certificate', hint);
  }
  const broken = certificates.findIndex((text) => !isCertificate(text));
  if (broken === -1) return certificates.join('\n');
  throw invalid(`certificate ${broken + 1} of ${certificates.length} is damaged`, 'Export the file again.');
}

/** The two files of mutual TLS. */
export type ClientFiles = { readonly certificate: PemFile; readonly key: PemFile };

/**
 * Reads the certificate of a client and its key, and checks that they belong together.
 * @throws UsageError `invalid_client_certificate`, which names the file and the reason
 */
export function readClientCertificate({ certificate, key }: ClientFiles): { cert: string; key: string } {
  const { X509Certificate } = process.getBuiltinModule('node:crypto');
  const wrong = (file: PemFile) => (reason: string, hint: string) =>
    invalidFile('invalid_client_certificate', file, { reason, hint });
  const cert = readText(certificate, wrong(certificate));
  const [first] = cert.match(CERTIFICATE) ?? [];
  if (first === undefined || !isCertificate(first)) {
    const hint = 'Use a PEM file, which has lines such as -----BEGIN CERTIFICATE-----.';
    throw wrong(certificate)('it contains no certificate', hint);
  }
  const pem = readText(key, wrong(key));
  if (!new X509Certificate(first).checkPrivateKey(readKey(pem, wrong(key)))) {
    throw wrong(key)(
      `it is not the key of the certificate in ${certificate.path}`,
      'Use the private key that belongs to the certificate.',
    );
  }
  return { cert, key: pem };
}

type ToError = (reason: string, hint: string) => UsageError;

function readKey(pem: string, invalid: ToError) {
  const { createPrivateKey } = process.getBuiltinModule('node:crypto');
  try {
    return createPrivateKey(pem);
  } catch {
    if (/ENCRYPTED/.test(pem)) {
      throw invalid(
        'it is encrypted',
        'Decrypt it into a file that only you can read: openssl pkey -in KEY -out NEW_KEY',
      );
    }
    throw invalid(
      'it contains no private key',
      'Use a PEM file, which has a line such as -----BEGIN PRIVATE KEY-----.',
    );
  }
}

function isCertificate(text: string): boolean {
  const { X509Certificate } = process.getBuiltinModule('node:crypto');
  try {
    return new X509Certificate(text).serialNumber !== '';
  } catch {
    return false;
  }
}

/** How the content of such a file begins, where somebody gave that instead of the path: PEM, base64 of it, a bare key. */
const CONTENT = /-----BEGIN|^\s*(LS0tLS1CRUdJTi|MI[GHI]|MHc|MC4)/;

/** Refuses the content of a file where its path belongs, without showing it. @throws UsageError `path_expected` */
export function requirePath({ path, origin }: PemFile): void {
  if (!CONTENT.test(path)) return;
  const message = `${origin} contains a key or a certificate instead of the path of a file`;
  throw new UsageError('path_expected', message, {
    hint: 'Store it in a file that only you can read, and give the path of that file.',
  });
}

function readText(file: PemFile, invalid: ToError): string {
  requirePath(file);
  try {
    return readRegularFile(file.path, LIMITS.certificates);
  } catch (error) {
    throw invalid(fileErrorReason(error), 'Use a PEM file that you have permission to read.');
  }
}

function invalidFile(
  code: string,
  { path, origin }: PemFile,
  { reason, hint }: { readonly reason: string; readonly hint: string },
): UsageError {
  return new UsageError(code, `${origin} is ${quote(path)}, which cannot be used: ${reason}`, { hint });
}
