/** Where a request goes; an IPv6 address may have brackets. */
export type ProxiedHost = { readonly host: string; readonly port: number };

/**
 * The entry of NO_PROXY for which a host is reached directly, or undefined. Entries are separated by commas or blanks and read as
 * curl reads them: `*`, a domain with its subdomains (`example.com`, `.example.com`, `*.example.com`), an address, a network
 * (`10.0.0.0/8`), each with `:PORT` for one port only. An entry that is none of these excludes nothing.
 */
export function findExclusion(noProxy: string, { host, port }: ProxiedHost): string | undefined {
  const name = bare(host);
  return noProxy.split(/[\s,]+/).find((entry) => entry !== '' && excludes(entry, name, port));
}

function excludes(entry: string, host: string, port: number): boolean {
  const { isIP } = process.getBuiltinModule('node:net');
  // Bare IPv6 addresses have colons of their own.
  const withPort = isIP(entry.split('/')[0] ?? '') === 6 ? null : /^(.*):(\d+)$/.exec(entry);
  if (withPort && Number(withPort[2]) !== port) return false;
  const pattern = bare(withPort?.[1] ?? entry);
  if (pattern === '*') return true;
  if (isIP(host) !== 0) return isWithin(host, pattern);
  const domain = pattern.replace(/^\*?\.(?=.)/, '');
  return domain !== '' && (host === domain || host.endsWith(`.${domain}`));
}

/** Whether an address is in a network, or is the address that is given instead of one. */
function isWithin(address: string, pattern: string): boolean {
  const { BlockList, isIP } = process.getBuiltinModule('node:net');
  const [network = '', bits, ...rest] = pattern.split('/');
  const version = isIP(bare(network));
  const most = version === 6 ? 128 : 32;
  const length = bits === undefined ? most : /^\d{1,3}$/.test(bits) ? Number(bits) : Number.NaN;
  if (version === 0 || rest.length > 0 || !(length <= most)) return false;
  const list = new BlockList();
  list.addSubnet(bare(network), length, version === 6 ? 'ipv6' : 'ipv4');
  return list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}

/** In lower case, without the brackets of an IPv6 address and the last dot of a complete name. */
function bare(host: string): string {
  return host
    .toLowerCase()
    .replace(/^\[(.*)\]/, '$1')
    .replace(/(?<=.)\.$/, '');
}
