import { meter, type Logger } from '@saleschannel/runtime';

/** Names of the OWASP Logging Vocabulary where it has one. They are stable: docs/operate/security.md lists them. */
const events = [
  'authn_login_fail',
  'authn_login_lock',
  'authn_login_success',
  'authz_fail',
  'excess_rate_limit_exceeded',
  'excess_connections',
  'input_validation_fail',
  'malicious_cors',
  'proxy_unnamed',
  'session_ended',
] as const;

export type SecurityEvent = (typeof events)[number];

/** Events of ordinary days. They are logged at `info`, the others at `warn`. */
const ordinary: ReadonlySet<SecurityEvent> = new Set(['authn_login_success', 'session_ended']);

/** Never a secret. */
export interface SecurityEntry {
  readonly event: SecurityEvent;
  /** What exactly, for instance the code of the problem. */
  readonly reason?: string | undefined;
  readonly address?: string | undefined;
  readonly operation?: string | undefined;
  /** Who was recognised: `user <id>`, `key <id>`, or `subject <sub>` for whoever is known to the provider alone. */
  readonly actor?: string | undefined;
  /** With which API key of theirs a user was recognised. */
  readonly keyId?: string | undefined;
  readonly salesChannelId?: string | undefined;
  /** The session of the portal or the console. */
  readonly sessionId?: string | undefined;
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
 * The log of sign-ins, refusals and suspicious requests of one edge, set apart from the log of the service by
 * `log: "security"`. An entry is logged at once. Entries like it are counted, and logged as a `count` when the window
 * ends, so that no client can fill a disk.
 */
export class SecurityLog {
  readonly #logger: Logger;
  readonly #now: () => number;
  readonly #counter = meter().createCounter('saleschannel.security.events', {
    description: 'Sign-ins, rejected requests and suspicious requests',
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
    // An alert sees the first event of a kind only where the series was there before.
    for (const event of events) this.#counter.add(0, { event });
  }

  record(entry: SecurityEntry): void {
    this.#counter.add(1, { event: entry.event });
    if (this.#now() - this.#windowStart >= SECURITY_WINDOW_MS) this.flush();
    const { event, reason, address, operation, actor, keyId, sessionId, claimedKeyId } = entry;
    const key = JSON.stringify([reason, address, operation, actor, keyId, sessionId, claimedKeyId]);
    const ofEvent = this.#told.get(event) ?? new Map<string, Told>();
    this.#told.set(event, ofEvent);
    const told = ofEvent.get(key);
    if (told) told.further += 1;
    else if (ofEvent.size >= SECURITY_ENTRIES_AT_MOST) this.#untold.set(event, (this.#untold.get(event) ?? 0) + 1);
    else {
      ofEvent.set(key, { entry, further: 0 });
      this.#write(entry, event);
    }
  }

  /** Tells how often each entry came again, and begins a new window. */
  flush(): void {
    const told = [...this.#told.values()].flatMap((ofEvent) => [...ofEvent.values()]);
    for (const { entry, further } of told) {
      if (further === 0) continue;
      // The request that is named was told already.
      const { requestId: _told, ...alike } = entry;
      this.#write({ ...alike, count: further }, `${entry.event}, further ones like it`);
    }
    for (const [event, count] of this.#untold) this.#write({ event, count }, `${event}, further ones`);
    this.#told = new Map();
    this.#untold = new Map();
    this.#windowStart = this.#now();
  }

  #write(entry: SecurityEntry & { readonly count?: number }, text: string): void {
    this.#logger[ordinary.has(entry.event) ? 'info' : 'warn'](entry, text);
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
