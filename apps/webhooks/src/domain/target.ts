import { BlockList, isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { OwnHosts } from './own-hosts.ts';

/** Where endpoints may be. */
export interface TargetRules {
  /** Allows private networks, any port, and no TLS. For development and tests. */
  readonly allowsPrivate: boolean;
  readonly ports: ReadonlySet<number>;
  /** Public addresses that are refused all the same. */
  readonly refused: BlockList;
  /**
   * Hosts of the installation itself. Where private networks are allowed everything is on one machine, receivers too:
   * there the installation's own ports are refused and no others.
   */
  readonly own: OwnHosts;
}

/** 2000::/3 is all that was ever given out for hosts of the internet (RFC 4291 section 2.4). */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');
const HTTPS_PORT = 443;

/**
 * Public unicast addresses at which a cloud answers its own machines: Azure's host agent, which hands out
 * configuration and credentials. Those of other clouds are link-local, unique local or shared addresses.
 */
const cloudAgents = ['168.63.129.16'];

/** @throws Error for a text that is neither an address nor a subnet */
export function addressesOf(texts: readonly string[]): BlockList {
  const list = new BlockList();
  for (const text of texts) {
    const [address = '', bits] = text.split('/');
    const family = isIP(address);
    if (family === 0) throw new Error(`${text} is neither an address nor a subnet`);
    const type = family === 6 ? 'ipv6' : 'ipv4';
    list.addSubnet(address, bits === undefined ? (family === 6 ? 128 : 32) : Number(bits), type);
  }
  return list;
}

const agents = addressesOf(cloudAgents);

/**
 * Reports whether an address is of the public internet: unicast, neither private, loopback, link-local nor reserved,
 * not a carrier of another address through which a private one could be reached, and not a cloud's agent.
 * @param text as a resolver returns it, without brackets and zone
 */
export function isPublicAddress(text: string): boolean {
  // Resolvers and URLs write IPv4 in no other form.
  if (!ipaddr.IPv4.isValidFourPartDecimal(text) && !ipaddr.IPv6.isValid(text)) return false;
  const address = ipaddr.parse(text);
  if (address.range() !== 'unicast' || isIn(agents, text)) return false;
  return address.kind() === 'ipv4' || (address as ipaddr.IPv6).match(GLOBAL_IPV6);
}

export const isIn = (list: BlockList, address: string): boolean =>
  list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** Reports whether messages may go to an address. */
export const mayConnect = (address: string, { allowsPrivate, refused, own }: TargetRules): boolean =>
  allowsPrivate || (isPublicAddress(address) && !isIn(refused, address) && !own.hasAddress(address));

/** The address that a URL names itself, without a resolver. */
export function addressIn(url: URL): string | undefined {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  return ipaddr.isValid(host) ? host : undefined;
}

/** RFC 6761 section 6.3 */
const isLocalName = (host: string): boolean => /(^|\.)localhost\.?$/.test(host);

/**
 * Tells why nothing can be sent to a URL, for people. Undefined for a good one. A name is judged when something is
 * sent, for what it resolves to may change. The port is judged by {@link faultOfPort}.
 */
export function faultOfTarget(text: string, rules: TargetRules): string | undefined {
  const url = URL.parse(text);
  if (!url) return 'must be an absolute URL';
  if (url.protocol !== 'https:' && !(rules.allowsPrivate && url.protocol === 'http:'))
    return 'must begin with https://';
  if (url.username !== '' || url.password !== '') return 'must not hold a user name or password';
  if (text.includes('#')) return 'must not have a fragment';
  const isOwn = rules.allowsPrivate ? rules.own.hasHostAndPort(url) : rules.own.hasHost(url);
  if (isOwn) return 'must not be an address of this installation';
  if (rules.allowsPrivate) return undefined;
  const address = addressIn(url);
  const isGood = address === undefined ? !isLocalName(url.hostname) : mayConnect(address, rules);
  return isGood ? undefined : 'must be an address of the public internet';
}

/**
 * Tells why the port of a good URL is refused. Checked when a URL is set and not when a message is sent: endpoints from
 * before this rule go on until their URL is changed.
 */
export function faultOfPort(text: string, { allowsPrivate, ports }: TargetRules): string | undefined {
  const port = Number(URL.parse(text)?.port || HTTPS_PORT);
  return allowsPrivate || ports.has(port) ? undefined : `must have the port ${[...ports].join(' or ')}`;
}
