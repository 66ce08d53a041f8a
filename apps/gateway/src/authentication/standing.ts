import { LRUCache } from 'lru-cache';

/** How long the audit trails of scopes are, at one time. */
export interface TrailEnds {
  /** By scope. A scope without a trail is missing. */
  readonly ends: ReadonlyMap<string, string>;
  /** Of the installation, whatever the scopes. */
  readonly installation: string;
}

export interface StandingOptions {
  /** Asks every service whose changes matter. @throws Error when one of them cannot be asked */
  readEnds(scopes: readonly string[]): Promise<readonly TrailEnds[]>;
  /** Milliseconds that never go backwards. */
  readonly now: () => number;
}

/** A confirmation counts for so long: as long as an answer of identity. */
export const CONFIRMED_MS = 2_000;
/**
 * After a change in a scope nothing is confirmed there for so long. A change by a principal of just before it, who may
 * still be of another scope, is over by then.
 */
export const QUIET_MS = 10_000;
/** A scope that nobody has asked about for so long is not looked at any more. */
const FORGOTTEN_AFTER_MS = 30_000;
const SCOPES_AT_MOST = 10_000;
const SCOPES_AT_ONCE = 1_000;

interface Known {
  readonly end: string;
  /** The look that first saw it so, by its beginning. */
  readonly sinceMs: number;
  /** The last look that saw it so, by its beginning. */
  readonly confirmedAtMs: number;
}

/**
 * Whether anything has changed in a sales channel that an answer of identity tells of: keys, bindings, roles,
 * suspension, disabled users. All of these are recorded in audit trails, in the transaction that changes them. So an
 * answer that was asked for after a look at the trails is still right as long as later looks see them end there.
 *
 * It gains that an answer need not be asked for again every two seconds for each key. It risks nothing by being late: a
 * look that fails, or does not come, confirms nothing.
 */
export class Standing {
  readonly #options: StandingOptions;
  /** Scopes that somebody asked about. Undefined: not looked at yet. */
  readonly #scopes = new LRUCache<string, { known: Known | undefined; askedAtMs: number }>({ max: SCOPES_AT_MOST });
  #installation: Known | undefined;

  constructor(options: StandingOptions) {
    this.#options = options;
  }

  /** Whether what was asked for at a time still holds, as far as the scope goes. From now on the scope is looked at. */
  holds(scope: string, askedAtMs: number): boolean {
    let entry = this.#scopes.get(scope);
    const nowMs = this.#options.now();
    if (!entry) this.#scopes.set(scope, (entry = { known: undefined, askedAtMs: nowMs }));
    entry.askedAtMs = nowMs;
    return this.#confirms(entry.known, askedAtMs) && this.#confirms(this.#installation, askedAtMs);
  }

  #confirms(known: Known | undefined, askedAtMs: number): boolean {
    if (known === undefined || known.sinceMs + QUIET_MS > askedAtMs) return false;
    return known.confirmedAtMs + CONFIRMED_MS > this.#options.now();
  }

  /**
   * Looks at the trails, unless nobody asks. To be called every second.
   * @throws what `readEnds` throws: then nothing is confirmed
   */
  async look(): Promise<void> {
    this.#forgetUnused();
    const scopes = [...this.#scopes.keys()];
    for (let at = 0; at < scopes.length; at += SCOPES_AT_ONCE)
      await this.#lookAt(scopes.slice(at, at + SCOPES_AT_ONCE));
  }

  #forgetUnused(): void {
    const sinceMs = this.#options.now() - FORGOTTEN_AFTER_MS;
    for (const [scope, { askedAtMs }] of this.#scopes.entries()) if (askedAtMs < sinceMs) this.#scopes.delete(scope);
  }

  async #lookAt(scopes: readonly string[]): Promise<void> {
    // What is changed while the services are asked may be in their answer or not: so the beginning counts.
    const startedMs = this.#options.now();
    const trails = await this.#options.readEnds(scopes);
    const seen = (known: Known | undefined, end: string): Known => ({
      end,
      sinceMs: known?.end === end ? known.sinceMs : startedMs,
      confirmedAtMs: startedMs,
    });
    this.#installation = seen(this.#installation, trails.map(({ installation }) => installation).join());
    for (const scope of scopes) {
      const entry = this.#scopes.peek(scope);
      if (entry) entry.known = seen(entry.known, trails.map(({ ends }) => ends.get(scope) ?? '0').join());
    }
  }
}
