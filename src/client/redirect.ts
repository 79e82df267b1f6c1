/** A redirect that was not followed. */
export type Redirect = {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly request: { readonly origin: string };
};

/**
 * What to do about a redirect, as a sentence. Only a permanent one (301, 308) to another origin means that the service has moved; any other
 * most likely comes from a captive portal or a sign-in page, which is never the base URL.
 */
export function redirectHint({ status, headers, request: { origin } }: Redirect): string {
  const target = URL.parse(headers.location ?? '', origin);
  if (target === null || target.origin === origin) {
    return 'Check the path of the base URL: the API is not at this address.';
  }
  if (status === 301 || status === 308) {
    return `If you know that ${target.origin} is the service, set the base URL to it.`;
  }
  return `Open ${origin} in a browser and sign in: the network or a proxy in front of the service requires it.`;
}
