import { addressesOf, addressIn, isIn } from './target.ts';

/** Default ports of the protocols that these URLs have. */
const defaultPorts: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };

const portOf = ({ port, protocol }: URL): string | undefined => port || defaultPorts[protocol];
const nameOf = ({ hostname }: URL): string => hostname.replace(/\.$/, '');

/** The hosts by which the installation itself is reached: their names, and the addresses that these had last. */
export class OwnHosts {
  readonly #urls: readonly URL[];
  readonly #addresses = new Map<string, readonly string[]>();
  #refused = addressesOf([]);

  /**
   * @param texts names or URLs
   * @throws Error for a text that is neither
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

  /** Names that have to be resolved. */
  get names(): string[] {
    return [...new Set(this.#urls.filter((url) => addressIn(url) === undefined).map(nameOf))];
  }

  /** Remembers what a name resolves to now, instead of what it resolved to before. */
  setAddresses(name: string, addresses: readonly string[]): void {
    this.#addresses.set(name, addresses);
    this.#refused = addressesOf([...this.#addresses.values()].flat());
  }

  hasAddress(address: string): boolean {
    return isIn(this.#refused, address);
  }

  /** Reports whether a URL names one of the hosts, whatever its port. */
  hasHost(url: URL): boolean {
    return this.#urls.some((own) => nameOf(own) === nameOf(url));
  }

  /** Reports whether a URL names one of the hosts at the very port that the installation has there. */
  hasHostAndPort(url: URL): boolean {
    return this.#urls.some((own) => nameOf(own) === nameOf(url) && portOf(own) === portOf(url));
  }
}
