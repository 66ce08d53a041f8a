import ipaddr from 'ipaddr.js';

/** 2000::/3 is all that was ever given out for hosts of the internet (RFC 4291 section 2.4). */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Whether an address is of the public internet: unicast, and neither private, loopback, link-local, reserved, nor one
 * that carries another address in it, through which a private one could be reached.
 * @param text as a resolver returns it, without brackets and zone
 */
export function isPublicAddress(text: string): boolean {
  // Other forms of IPv4 are not what a resolver or a URL says.
  if (!ipaddr.IPv4.isValidFourPartDecimal(text) && !ipaddr.IPv6.isValid(text)) return false;
  const address = ipaddr.parse(text);
  if (address.range() !== 'unicast') return false;
  return address.kind() === 'ipv4' || (address as ipaddr.IPv6).match(GLOBAL_IPV6);
}

/** The address that a URL names itself, without a resolver. */
export function addressIn(url: URL): string | undefined {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  return ipaddr.isValid(host) ? host : undefined;
}

/** RFC 6761 section 6.3 */
const isLocalName = (host: string): boolean => /(^|\.)localhost\.?$/.test(host);

/**
 * Why nothing can be sent to a URL, for people. Undefined for a good one. A name is judged when something is sent: what
 * it resolves to may change.
 */
export function faultOfTarget(text: string, allowsPrivate: boolean): string | undefined {
  const url = URL.parse(text);
  if (!url) return 'must be an absolute URL';
  if (url.protocol !== 'https:' && !(allowsPrivate && url.protocol === 'http:')) return 'must begin with https://';
  if (url.username !== '' || url.password !== '') return 'must not hold a user name or password';
  if (text.includes('#')) return 'must not have a fragment';
  if (allowsPrivate) return undefined;
  const address = addressIn(url);
  const isPrivate = address === undefined ? isLocalName(url.hostname) : !isPublicAddress(address);
  return isPrivate ? 'must be an address of the public internet' : undefined;
}
