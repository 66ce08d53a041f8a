import { Client as GrpcClient, credentials, type ClientOptions } from '@grpc/grpc-js';
import { InProcessChannel } from './in-process-channel.ts';
import { parseInProcessName } from './listening.ts';
import { tlsOptions, type Tls } from './tls.ts';

interface RenewedChannelOptions {
  /** Opens a channel with connections of its own. */
  readonly open: () => GrpcClient;
  /** Age at which a channel is renewed, plus or minus a tenth, so that not all callers renew at the same time. */
  readonly ageMs: number;
}

/** A grpc-js call of any kind, which emits its status once. */
interface Endable {
  once(event: 'status', listener: () => void): unknown;
}

interface Opened {
  readonly client: GrpcClient;
  readonly renewAt: number;
  /** Number of running calls. */
  calls: number;
}

const SPREAD = 0.1;
/** Limit for connecting a new channel. Calls use the old one meanwhile. */
const CONNECT_MS = 2_000;
const RETRY_MS = 1_000;

/**
 * A channel that is periodically reopened, so that its name is resolved again and new replicas get their share of
 * calls. A plain channel resolves its name only when it loses a connection. The old channel closes when its calls have
 * ended, so no call is lost. The cost is a DNS query and a connection to each replica, every few seconds while there
 * are calls.
 *
 * Written by hand because the usual way, a server that ends old connections (`grpc.max_connection_age_ms`), loses
 * calls: grpc-js 1.14 refuses calls about to be sent and retries once. A call that meets two such connections fails,
 * and its caller may be unable to repeat it (measured with 64 concurrent calls).
 */
export class RenewedChannel {
  readonly #options: RenewedChannelOptions;
  #current: Opened;
  #next: GrpcClient | undefined;
  #isClosed = false;
  /** Earliest time of the next renewal, after a failed one. */
  #retryAt = 0;

  constructor(options: RenewedChannelOptions) {
    this.#options = options;
    this.#current = this.#track(options.open());
  }

  #track(client: GrpcClient): Opened {
    const ageMs = this.#options.ageMs * (1 + SPREAD * (2 * Math.random() - 1));
    return { client, renewAt: performance.now() + ageMs, calls: 0 };
  }

  /** Starts a call over the current channel. */
  call<C extends Endable>(start: (client: GrpcClient) => C): C {
    const used = this.#current;
    const call = start(used.client);
    used.calls += 1;
    call.once('status', () => {
      used.calls -= 1;
      this.#closeUnused(used);
    });
    if (performance.now() >= Math.max(used.renewAt, this.#retryAt)) this.#renew();
    return call;
  }

  close(): void {
    this.#isClosed = true;
    this.#current.client.close();
    this.#next?.close();
  }

  #closeUnused(used: Opened): void {
    if (used !== this.#current && used.calls === 0) used.client.close();
  }

  #renew(): void {
    if (this.#next || this.#isClosed) return;
    const next = this.#options.open();
    this.#next = next;
    next.waitForReady(Date.now() + CONNECT_MS, (error) => {
      this.#next = undefined;
      if (this.#isClosed) return;
      if (error) {
        this.#retryAt = performance.now() + RETRY_MS;
        next.close();
        return;
      }
      const old = this.#current;
      this.#current = this.#track(next);
      this.#closeUnused(old);
    });
  }
}

export interface ChannelSettings {
  /** Credentials of this program, and the called program. Undefined for plaintext. Unused inside a process. */
  readonly tls: { readonly own: Tls; readonly receiver: string } | undefined;
  /** Options of a channel over sockets. */
  readonly options: ClientOptions;
  /** Whether calls of a method are retried when the server is unavailable. Over sockets, `options` decide. */
  readonly isRepeatable?: (path: string) => boolean;
}

/** Opens a channel to an address: `host:port` or `in-process:<name>`. */
export function openChannel(
  address: string,
  { tls, options, isRepeatable = () => false }: ChannelSettings,
): GrpcClient {
  const name = parseInProcessName(address);
  if (name !== undefined)
    return new GrpcClient(address, credentials.createInsecure(), {
      channelOverride: new InProcessChannel(name, isRepeatable),
    });
  const ownCredentials = tls?.own.createClientCredentials(tls.receiver) ?? credentials.createInsecure();
  return new GrpcClient(address, ownCredentials, { ...options, ...(tls && tlsOptions(tls.receiver)) });
}
