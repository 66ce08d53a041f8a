import type { Client as GrpcClient } from '@grpc/grpc-js';

export interface RenewedChannelOptions {
  /** Opens a channel with connections of its own. */
  readonly open: () => GrpcClient;
  /** From this time on a channel is renewed, give or take a tenth, so that not all callers do so at once. */
  readonly ageMs: number;
}

/** A call of grpc-js, of whatever kind. It says once what came of it. */
interface Ending {
  once(event: 'status', listener: () => void): unknown;
}

interface Opened {
  readonly client: GrpcClient;
  readonly renewAt: number;
  /** Under way. */
  calls: number;
}

const SPREAD = 0.1;
/** Nobody waits for the new channel: calls go over the old one until it is there. */
const CONNECT_MS = 2_000;
const AGAIN_MS = 1_000;

/**
 * A channel that is now and then opened anew: the name is looked up again, and replicas that are new get their share of
 * calls. A channel by itself looks only when it loses a connection. The old channel closes when its calls have ended,
 * so no call is lost by it. The price is a question to the name server, and a connection to each replica, every few
 * seconds while there are calls.
 *
 * It is written by hand because the usual way loses calls: where the server ends old connections
 * (`grpc.max_connection_age_ms`), grpc-js 1.14 refuses what was about to be sent and tries once more. A call that meets
 * two such connections fails, and may not be repeated by whoever made it (measured with 64 calls at once).
 */
export class RenewedChannel {
  readonly #options: RenewedChannelOptions;
  #current: Opened;
  #next: GrpcClient | undefined;
  #isClosed = false;
  /** No earlier than this, after a channel that could not be renewed. */
  #notBefore = 0;

  constructor(options: RenewedChannelOptions) {
    this.#options = options;
    this.#current = this.#opened(options.open());
  }

  #opened(client: GrpcClient): Opened {
    const ageMs = this.#options.ageMs * (1 + SPREAD * (2 * Math.random() - 1));
    return { client, renewAt: performance.now() + ageMs, calls: 0 };
  }

  /** Starts a call over the channel there is. */
  call<C extends Ending>(start: (client: GrpcClient) => C): C {
    const used = this.#current;
    const call = start(used.client);
    used.calls += 1;
    call.once('status', () => {
      used.calls -= 1;
      this.#closeUnused(used);
    });
    if (performance.now() >= Math.max(used.renewAt, this.#notBefore)) this.#renew();
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
        this.#notBefore = performance.now() + AGAIN_MS;
        next.close();
        return;
      }
      const old = this.#current;
      this.#current = this.#opened(next);
      this.#closeUnused(old);
    });
  }
}
