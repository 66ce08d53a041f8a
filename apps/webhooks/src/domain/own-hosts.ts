import { parseAddresses, addressIn, isIn } from './target.ts';

const defaultPorts: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };

const portOf = ({ port, protocol }: URL): string | undefined => port || defaultPorts[protocol];
const nameOf = ({ hostname }: URL): string => hostname.replace(/\.$/, '');

/** Hosts of the installation itself: their names and latest addresses. */
export class OwnHosts {
  readonly #urls: readonly URL[];
  readonly #addresses = new Map<string, readonly string[]>();
  #refused = parseAddresses([]);

  /**
   * @param texts names or URLs
   * @throws Error for any other text
   */
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
