const isLoopback = (hostname: string): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);

export const isPlainLoopback = ({ protocol, hostname }: URL): boolean => protocol === 'http:' && isLoopback(hostname);

/**
 * Parses the URL by which browsers reach a site.
 * @param variable name of the setting
 * @throws Error for plain HTTP beyond loopback addresses, which would expose cookies
 */
export function parsePublicUrl(variable: string, text: string): URL {
  const url = new URL(text);
  if (url.protocol !== 'https:' && !isLoopback(url.hostname))
    throw new Error(`${variable} ${url.origin} must use HTTPS: plain HTTP is for loopback addresses only`);
  if (url.pathname !== '/') throw new Error(`${variable} must have no path: a site needs its own origin`);
  return url;
}
