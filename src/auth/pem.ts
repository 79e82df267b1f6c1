/** One block of a PEM text: `PRIVATE KEY`, `EC PRIVATE KEY`, `PUBLIC KEY` ..., and the bytes it encloses. */
export type PemBlock = {
  readonly label: string;
  readonly der: Buffer;
  /** True of the old OpenSSL form, whose headers say that a passphrase protects the block. */
  readonly encrypted: boolean;
};

const BLOCK = /-----BEGIN ([A-Z0-9 ]{1,40})-----([\s\S]*?)-----END \1-----/g;

/**
 * The blocks of a PEM text, or of the base64 of one. Line ends may be of any kind, also the two characters `\n`, blanks
 * or nothing at all, because that is what environment variables and CI systems make of them.
 * Empty when the text is neither.
 */
export function readPem(source: string): PemBlock[] {
  const blocks = blocksOf(source);
  return blocks.length > 0 ? blocks : blocksOf(decodeBase64(source) ?? '');
}

function blocksOf(text: string): PemBlock[] {
  return [...text.matchAll(BLOCK)].flatMap(([, label = '', body = '']) => {
    const encrypted = body.includes('Proc-Type: 4,ENCRYPTED');
    const base64 = body.replaceAll(/\\[rnt]|\s/g, '');
    if (!encrypted && !/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) {
      return [];
    }
    return [{ label, encrypted, der: Buffer.from(base64, 'base64') }];
  });
}

function decodeBase64(text: string): string | undefined {
  const compact = text.replaceAll(/\\[rnt]|[\s"']/g, '');
  return /^[A-Za-z0-9+/_-]+={0,2}$/.test(compact)
    ? Buffer.from(compact, 'base64').toString('utf8')
    : undefined;
}
