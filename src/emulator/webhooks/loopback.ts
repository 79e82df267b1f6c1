/** Why the emulator does not send to a URL, as a clause; undefined where it does. No name is looked up for it. */
export function whyNotSent(text: string): string | undefined {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol))
    return 'the URL of the subscription is not an http or https URL';
  return isLoopback(url) ? undefined : 'the emulator delivers to loopback addresses only';
}

/** Whether the host of a URL is this machine by definition. */
export function isLoopback({ hostname }: URL): boolean {
  // A URL writes each notation of an IPv4 address, such as `127.1`, in four decimals.
  return /^127(\.\d{1,3}){3}$/.test(hostname) || hostname === '[::1]' || isLocalName(hostname);
}

/** `localhost`, and the names below it, which a name server might know as something else. */
export function isLocalName(hostname: string): boolean {
  return /^([a-z0-9_-]+\.)*localhost$/.test(hostname);
}
