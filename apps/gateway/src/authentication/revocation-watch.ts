import type { ServiceClient } from '@saleschannel/grpc';
import { LRUCache } from 'lru-cache';

export interface AuditHeads {
  /** By sales channel. Channels without a trail are missing. */
  readonly heads: ReadonlyMap<string, string>;
  /** Trail of the installation. */
  readonly installation: string;
}

export interface RevocationWatchOptions {
  /** Reads the trails of all services whose changes matter. @throws Error if one of them does not answer */
  readHeads(salesChannelIds: readonly string[]): Promise<readonly AuditHeads[]>;
  /** Monotonic clock, in milliseconds. */
  readonly now: () => number;
}

/** Lifetime of a confirmation, the same as of an answer of identity. */
export const CONFIRMATION_LIFETIME_MS = 2_000;
/**
 * Nothing in a channel is confirmed for this time after a change. Changes that other principals made under their rights
 * of just before it, perhaps in another channel, have ended by then.
 */
export const QUIET_PERIOD_MS = 10_000;
/** Channels without a request for this time are no longer watched. */
const FORGOTTEN_AFTER_MS = 30_000;
const CHANNELS_AT_MOST = 10_000;
const CHANNELS_PER_CALL = 1_000;
const POLL_TIMEOUT_MS = 1_500;

interface Observation {
  readonly head: string;
  /** Start of the poll that first saw this head. */
  readonly sinceMs: number;
  /** Start of the last poll that saw it. */
  readonly confirmedAtMs: number;
}

interface WatchedChannel {
  /** Undefined before the first poll. */
  observed: Observation | undefined;
  requestedAtMs: number;
}

/**
 * Tells whether keys, bindings, roles, suspension or disabled users of a sales channel have changed. Audit trails
 * record all of these in the transaction of the change, so an answer of identity stays right while the trails keep
 * their heads. Without this watch, every key would be checked again every two seconds. A poll that fails or is late
 * confirms nothing, so it cannot prolong a revoked right.
 */
export class RevocationWatch {
  readonly #options: RevocationWatchOptions;
  readonly #channels = new LRUCache<string, WatchedChannel>({ max: CHANNELS_AT_MOST });
  #installation: Observation | undefined;

  constructor(options: RevocationWatchOptions) {
    this.#options = options;
  }

  /** Returns whether an answer requested at this time is still right. From now on the channel is watched. */
  isUnchanged(salesChannelId: string, requestedAtMs: number): boolean {
    let channel = this.#channels.get(salesChannelId);
    const nowMs = this.#options.now();
    if (!channel) this.#channels.set(salesChannelId, (channel = { observed: undefined, requestedAtMs: nowMs }));
    channel.requestedAtMs = nowMs;
    return this.#confirms(channel.observed, requestedAtMs) && this.#confirms(this.#installation, requestedAtMs);
  }

  #confirms(observed: Observation | undefined, requestedAtMs: number): boolean {
    if (observed === undefined || observed.sinceMs + QUIET_PERIOD_MS > requestedAtMs) return false;
    return observed.confirmedAtMs + CONFIRMATION_LIFETIME_MS > this.#options.now();
  }

  /** Polls the trails of watched channels. Call it at least once a second. If it throws, nothing is confirmed. */
  async poll(): Promise<void> {
    this.#forgetUnused();
    const channels = [...this.#channels.keys()];
    for (let at = 0; at < channels.length; at += CHANNELS_PER_CALL)
      await this.#poll(channels.slice(at, at + CHANNELS_PER_CALL));
  }

  #forgetUnused(): void {
    const sinceMs = this.#options.now() - FORGOTTEN_AFTER_MS;
    for (const [id, { requestedAtMs }] of this.#channels.entries())
      if (requestedAtMs < sinceMs) this.#channels.delete(id);
  }

  async #poll(salesChannelIds: readonly string[]): Promise<void> {
    // The answer may or may not include changes made during the poll, so its start counts.
    const startedMs = this.#options.now();
    const trails = await this.#options.readHeads(salesChannelIds);
    const observe = (previous: Observation | undefined, head: string): Observation => ({
      head,
      sinceMs: previous?.head === head ? previous.sinceMs : startedMs,
      confirmedAtMs: startedMs,
    });
    this.#installation = observe(this.#installation, trails.map(({ installation }) => installation).join());
    for (const id of salesChannelIds) {
      const channel = this.#channels.peek(id);
      if (channel) channel.observed = observe(channel.observed, trails.map(({ heads }) => heads.get(id) ?? '0').join());
    }
  }
}

export const createHeadReader =
  (trails: readonly Pick<ServiceClient<'auditLog'>, 'GetTrailEnds'>[]): RevocationWatchOptions['readHeads'] =>
  (scopes) =>
    Promise.all(
      trails.map(async (trail) => {
        const { ends, installation } = await trail.GetTrailEnds(
          { scopes: [...scopes] },
          { timeoutMs: POLL_TIMEOUT_MS },
        );
        return { heads: new Map(ends.map(({ scope, sequence }) => [scope, sequence])), installation };
      }),
    );
