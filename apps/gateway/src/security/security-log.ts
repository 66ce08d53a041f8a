import { meter, type Logger } from '@saleschannel/runtime';

/**
 * What is told, in the names of the OWASP Logging Vocabulary as far as it has one. They are stable: docs/security.md
 * lists them for those who watch.
 */
export type SecurityEvent =
  | 'authn_login_fail'
  | 'authn_login_lock'
  | 'authz_fail'
  | 'excess_rate_limit_exceeded'
  | 'excess_connections'
  | 'input_validation_fail'
  | 'malicious_cors'
  | 'proxy_unnamed';

/** Never a secret. */
export interface SecurityEntry {
  readonly event: SecurityEvent;
  /** What exactly, for instance the code of the problem. */
  readonly reason?: string | undefined;
  readonly address?: string | undefined;
  readonly operation?: string | undefined;
  /** Who was recognised: `user <id>` or `key <id>`. */
  readonly actor?: string | undefined;
  /** With which API key of theirs a user was recognised. */
  readonly keyId?: string | undefined;
  readonly salesChannelId?: string | undefined;
  /** The key id that was shown, whether it exists or not. */
  readonly claimedKeyId?: string | undefined;
  readonly requestId?: string | undefined;
}

export interface SecurityLogOptions {
  readonly logger: Logger;
  /** Milliseconds that never go backwards. */
  readonly now: () => number;
}

/** Entries that are alike are told once in this time, and then how many there were. */
export const SECURITY_WINDOW_MS = 60_000;
/**
 * Entries of one event that differ from each other, in a window. Further ones are counted by their event alone. Each
 * event has its own, or whoever makes up key ids could hide what they do besides.
 */
export const SECURITY_ENTRIES_AT_MOST = 500;

interface Told {
  readonly entry: SecurityEntry;
  further: number;
}

/**
 * The gateway's log of what was refused and what is suspicious, one line each, apart from the log of the service by
 * `log: "security"`. An entry is told at once. Those like it are counted, and told as a `count` when the window ends:
 * so what somebody sends cannot fill a disk.
 */
export class SecurityLog {
  readonly #logger: Logger;
  readonly #now: () => number;
  readonly #counter = meter().createCounter('saleschannel.security.events', {
    description: 'What was refused and what is suspicious',
  });
  #windowStart: number;
  /** By event, and by everything that tells entries apart. */
  #told = new Map<SecurityEvent, Map<string, Told>>();
  #untold = new Map<SecurityEvent, number>();
  #timer: NodeJS.Timeout | undefined;

  constructor({ logger, now }: SecurityLogOptions) {
    // It does not fall silent with the level of the service's own log.
    this.#logger = logger.child({ log: 'security' }, { level: logger.level === 'silent' ? 'silent' : 'info' });
    this.#now = now;
    this.#windowStart = now();
  }

  record(entry: SecurityEntry): void {
    this.#counter.add(1, { event: entry.event });
    if (this.#now() - this.#windowStart >= SECURITY_WINDOW_MS) this.flush();
    const { event, reason, address, operation, actor, keyId, claimedKeyId } = entry;
    const key = JSON.stringify([reason, address, operation, actor, keyId, claimedKeyId]);
    const ofEvent = this.#told.get(event) ?? new Map<string, Told>();
    this.#told.set(event, ofEvent);
    const told = ofEvent.get(key);
    if (told) told.further += 1;
    else if (ofEvent.size >= SECURITY_ENTRIES_AT_MOST) this.#untold.set(event, (this.#untold.get(event) ?? 0) + 1);
    else {
      ofEvent.set(key, { entry, further: 0 });
      this.#logger.warn(entry, event);
    }
  }

  /** Tells how often each entry came again, and begins a new window. */
  flush(): void {
    const told = [...this.#told.values()].flatMap((ofEvent) => [...ofEvent.values()]);
    for (const { entry, further } of told) {
      if (further === 0) continue;
      // The request that is named was told already.
      const { requestId: _told, ...alike } = entry;
      this.#logger.warn({ ...alike, count: further }, `${entry.event}, further ones like it`);
    }
    for (const [event, count] of this.#untold) this.#logger.warn({ event, count }, `${event}, further ones`);
    this.#told = new Map();
    this.#untold = new Map();
    this.#windowStart = this.#now();
  }

  start(): Promise<void> {
    this.#timer = setInterval(() => this.flush(), SECURITY_WINDOW_MS).unref();
    return Promise.resolve();
  }

  stop(): Promise<void> {
    clearInterval(this.#timer);
    this.flush();
    return Promise.resolve();
  }
}
