import { experimental, type ChannelOptions } from '@grpc/grpc-js';

type Listener = experimental.ResolverListener;
type Uri = experimental.GrpcUri;

const addressesByName = new Map<string, Set<string>>();

/** Resolves test names like a name server: on request only, without caching. */
class TestResolver {
  readonly #name: string;
  readonly #listener: Listener;

  constructor(target: Uri, listener: Listener, _options: ChannelOptions) {
    this.#name = target.path;
    this.#listener = listener;
  }

  updateResolution(): void {
    const endpoints = [...(addressesByName.get(this.#name) ?? [])].map((address) => {
      const { host, port = 0 } = experimental.splitHostPort(address) ?? { host: address };
      return { addresses: [{ host, port }] };
    });
    setImmediate(() => this.#listener(experimental.statusOrFromValue(endpoints), {}, null, ''));
  }

  destroy(): void {}

  static getDefaultAuthority = ({ path }: Uri): string => path;
}

experimental.registerResolver('test', TestResolver as never);

export interface Replicas {
  /** The name for clients. */
  readonly name: string;
  /** Takes effect at a client's next resolution. */
  add(address: string): void;
  /** Makes the name resolve to no address. */
  clear(): void;
}

export function createReplicas(service: string): Replicas {
  const addresses = new Set<string>();
  addressesByName.set(service, addresses);
  return { name: `test:${service}`, add: (address) => void addresses.add(address), clear: () => addresses.clear() };
}
