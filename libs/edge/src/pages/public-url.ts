const isLoopback = (hostname: string): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);

/** Plain HTTP that never leaves this machine. */
export const isPlainLoopback = ({ protocol, hostname }: URL): boolean => protocol === 'http:' && isLoopback(hostname);

/**
 * The address by which browsers reach a site.
 * @param variable what it is set by
 * @throws Error for plain HTTP elsewhere than on this machine: cookies and what they open would be everyone's
 */
export function publicUrlOf(variable: string, text: string): URL {
  const url = new URL(text);
  if (url.protocol !== 'https:' && !isLoopback(url.hostname))
    throw new Error(`${variable} ${url.origin} must be HTTPS: plain HTTP is for a loopback address only`);
  if (url.pathname !== '/') throw new Error(`${variable} must have no path: it is the address of a site of its own`);
  return url;
}
