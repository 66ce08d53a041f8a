import { experimental, type ChannelOptions } from '@grpc/grpc-js';

type Listener = experimental.ResolverListener;
type Uri = experimental.GrpcUri;

const addressesOf = new Map<string, Set<string>>();

/** Names that lead to addresses as a name server's do: looked up when asked to, and forgotten by nobody. */
class TestResolver {
  readonly #name: string;
  readonly #listener: Listener;

  constructor(target: Uri, listener: Listener, _options: ChannelOptions) {
    this.#name = target.path;
    this.#listener = listener;
  }

  updateResolution(): void {
    const endpoints = [...(addressesOf.get(this.#name) ?? [])].map((address) => {
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
  /** What clients are told. */
  readonly name: string;
  /** From the next time on that a client looks the name up. */
  add(address: string): void;
  /** The name leads nowhere. */
  clear(): void;
}

export function replicasOf(service: string): Replicas {
  const addresses = new Set<string>();
  addressesOf.set(service, addresses);
  return { name: `test:${service}`, add: (address) => void addresses.add(address), clear: () => addresses.clear() };
}
