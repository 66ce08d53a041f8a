import { BlockList, isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Rules for the addresses of endpoints. */
export interface TargetRules {
  /** Allows private networks, any port and plain HTTP. For development and tests. */
  readonly allowsPrivate: boolean;
  readonly ports: ReadonlySet<number>;
  /** Public addresses that are refused. */
  readonly refused: BlockList;
  /**
   * Hosts of the installation itself, which are refused. With private networks allowed, receivers share the machine, so
   * that only the installation's own ports are refused.
   */
  readonly own: OwnHosts;
}

/** The only range assigned to hosts of the internet (RFC 4291 section 2.4). */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');
const HTTPS_PORT = 443;

/**
 * Public unicast addresses of cloud agents: Azure's hands out configuration and credentials. Agents of other clouds
 * have link-local, unique local or shared addresses.
 */
const cloudAgents = ['168.63.129.16'];

/** @throws Error for a text that is neither an address nor a subnet */
export function parseAddresses(texts: readonly string[]): BlockList {
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

const agents = parseAddresses(cloudAgents);

/**
 * Reports whether an address is public: unicast, not private, loopback, link-local or reserved, no IPv4 address
 * embedded in IPv6, and no cloud agent.
 * @param text as a resolver returns it, without brackets and zone
 */
export function isPublicAddress(text: string): boolean {
  // Other notations of IPv4 never come from resolvers or URLs.
  if (!ipaddr.IPv4.isValidFourPartDecimal(text) && !ipaddr.IPv6.isValid(text)) return false;
  const address = ipaddr.parse(text);
  if (address.range() !== 'unicast' || isIn(agents, text)) return false;
  return address.kind() === 'ipv4' || (address as ipaddr.IPv6).match(GLOBAL_IPV6);
}

const isIn = (list: BlockList, address: string): boolean => list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** Reports whether messages may go to an address. */
export const mayConnect = (address: string, { allowsPrivate, refused, own }: TargetRules): boolean =>
  allowsPrivate || (isPublicAddress(address) && !isIn(refused, address) && !own.hasAddress(address));

/** Returns the literal address in a URL, or undefined for a name. */
export function addressIn(url: URL): string | undefined {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  return ipaddr.isValid(host) ? host : undefined;
}

/** Reserved by RFC 6761 section 6.3. */
const isLocalName = (host: string): boolean => /(^|\.)localhost\.?$/.test(host);

/**
 * Returns the reason to refuse a URL, as text for people, or undefined. Names are checked on sending, because their
 * addresses may change. {@link checkPort} checks the port.
 */
export function checkTarget(text: string, rules: TargetRules): string | undefined {
  const url = URL.parse(text);
  if (!url) return 'must be an absolute URL';
  if (url.protocol !== 'https:' && !(rules.allowsPrivate && url.protocol === 'http:'))
    return 'must begin with https://';
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or password';
  if (text.includes('#')) return 'must not have a fragment';
  const isOwn = rules.allowsPrivate ? rules.own.hasHostAndPort(url) : rules.own.hasHost(url);
  if (isOwn) return 'must not be an address of this installation';
  if (rules.allowsPrivate) return undefined;
  const address = addressIn(url);
  const isAllowed = address === undefined ? !isLocalName(url.hostname) : mayConnect(address, rules);
  return isAllowed ? undefined : 'must be a public internet address';
}

/**
 * Returns the reason to refuse the port of a valid URL, or undefined. Checked only when a URL is set: existing
 * endpoints keep their port until their URL changes.
 */
export function checkPort(text: string, { allowsPrivate, ports }: TargetRules): string | undefined {
  const port = Number(URL.parse(text)?.port || HTTPS_PORT);
  return allowsPrivate || ports.has(port) ? undefined : `must have the port ${[...ports].join(' or ')}`;
}

const defaultPorts: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };

const portOf = ({ port, protocol }: URL): string | undefined => port || defaultPorts[protocol];
const nameOf = ({ hostname }: URL): string => hostname.replace(/\.$/, '');

/** Hosts of the installation itself: their names and latest addresses. */
export class OwnHosts {
  readonly #urls: readonly URL[];
  readonly #addresses = new Map<string, readonly string[]>();
  #refused = parseAddresses([]);

  /** @param texts names or URLs. @throws Error for any other text */
  constructor(texts: readonly string[]) {
    this.#urls = texts.map((text) => {
      const url = URL.parse(text.includes('://') ? text : `https://${text}`);
      if (!url) throw new Error(`${text} is neither a name nor a URL`);
      return url;
    });
    for (const url of this.#urls) {
      const address = addressIn(url);
      if (address !== undefined) this.setAddresses(address, [address]);
    }
  }

  /** Names to resolve. */
  get names(): string[] {
    return [...new Set(this.#urls.filter((url) => addressIn(url) === undefined).map(nameOf))];
  }

  /** Replaces the addresses of a name. */
  setAddresses(name: string, addresses: readonly string[]): void {
    this.#addresses.set(name, addresses);
    this.#refused = parseAddresses([...this.#addresses.values()].flat());
  }

  hasAddress(address: string): boolean {
    return isIn(this.#refused, address);
  }

  /** Reports whether a URL names one of the hosts, at any port. */
  hasHost(url: URL): boolean {
    return this.#urls.some((own) => nameOf(own) === nameOf(url));
  }

  /** Reports whether a URL names one of the hosts at that host's port. */
  hasHostAndPort(url: URL): boolean {
    return this.#urls.some((own) => nameOf(own) === nameOf(url) && portOf(own) === portOf(url));
  }
}
