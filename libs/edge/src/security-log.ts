import { meter, type Logger } from '@saleschannel/runtime';

/** Stable names, from the OWASP Logging Vocabulary where it has one. docs/operate/security.md lists them. */
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

/** Routine events are logged at `info`, the others at `warn`. */
const routine: ReadonlySet<SecurityEvent> = new Set(['authn_login_success', 'session_ended']);

/** Contains no secrets. */
export interface SecurityEntry {
  readonly event: SecurityEvent;
  /** Details, such as the code of the problem. */
  readonly reason?: string | undefined;
  readonly address?: string | undefined;
  readonly operation?: string | undefined;
  /** Authenticated caller: `user <id>`, `key <id>`, or `subject <sub>` for a person known only to the provider. */
  readonly actor?: string | undefined;
  readonly keyId?: string | undefined;
  readonly salesChannelId?: string | undefined;
  /** The session of the portal or the console. */
  readonly sessionId?: string | undefined;
  /** Key id in the request, whether it exists or not. */
  readonly claimedKeyId?: string | undefined;
  readonly requestId?: string | undefined;
}

/** Entries within this time that differ only in their request id are logged once, then counted. */
export const SECURITY_WINDOW_MS = 60_000;
/**
 * Maximum number of different entries per event and window. Further ones are counted per event only. The limit is per
 * event, so that invented key ids cannot hide events of other kinds.
 */
export const SECURITY_ENTRIES_AT_MOST = 500;

interface Recorded {
  readonly entry: SecurityEntry;
  further: number;
}

/**
 * Log of sign-ins, refusals and suspicious requests, marked with `log: "security"`. An entry is logged at once. Equal
 * entries are counted and logged as a `count` when the window ends, so that no client can fill a disk.
 */
export class SecurityLog {
  readonly #logger: Logger;
  readonly #now: () => number;
  readonly #counter = meter().createCounter('saleschannel.security.events', {
    description: 'Sign-ins, rejected requests and suspicious requests',
  });
  #windowStart: number;
  /** Logged entries by event, then by all fields that distinguish entries. */
  #recorded = new Map<SecurityEvent, Map<string, Recorded>>();
  #overflow = new Map<SecurityEvent, number>();
  #timer: NodeJS.Timeout | undefined;

  /** @param options.now monotonic clock, in milliseconds */
  constructor({ logger, now }: { readonly logger: Logger; readonly now: () => number }) {
    // Independent of the level of the service's own log.
    this.#logger = logger.child({ log: 'security' }, { level: logger.level === 'silent' ? 'silent' : 'info' });
    this.#now = now;
    this.#windowStart = now();
    // Alerts detect the first event of a kind only if its series already exists.
    for (const event of events) this.#counter.add(0, { event });
  }

  record(entry: SecurityEntry): void {
    this.#counter.add(1, { event: entry.event });
    if (this.#now() - this.#windowStart >= SECURITY_WINDOW_MS) this.flush();
    const { event, reason, address, operation, actor, keyId, sessionId, claimedKeyId } = entry;
    const key = JSON.stringify([reason, address, operation, actor, keyId, sessionId, claimedKeyId]);
    const ofEvent = this.#recorded.get(event) ?? new Map<string, Recorded>();
    this.#recorded.set(event, ofEvent);
    const known = ofEvent.get(key);
    if (known) known.further += 1;
    else if (ofEvent.size >= SECURITY_ENTRIES_AT_MOST) this.#overflow.set(event, (this.#overflow.get(event) ?? 0) + 1);
    else {
      ofEvent.set(key, { entry, further: 0 });
      this.#write(entry, event);
    }
  }

  /** Logs how often each entry recurred, and starts a new window. */
  flush(): void {
    const recorded = [...this.#recorded.values()].flatMap((ofEvent) => [...ofEvent.values()]);
    for (const { entry, further } of recorded) {
      if (further === 0) continue;
      // The named request was already logged.
      const { requestId: _logged, ...alike } = entry;
      this.#write({ ...alike, count: further }, `${entry.event}, repeated`);
    }
    for (const [event, count] of this.#overflow) this.#write({ event, count }, `${event}, further ones`);
    this.#recorded = new Map();
    this.#overflow = new Map();
    this.#windowStart = this.#now();
  }

  #write(entry: SecurityEntry & { readonly count?: number }, text: string): void {
    this.#logger[routine.has(entry.event) ? 'info' : 'warn'](entry, text);
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
