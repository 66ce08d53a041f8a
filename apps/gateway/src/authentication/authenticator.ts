import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { PRINCIPAL_LEFT_MS, type Principal, type Receivers, type TokenVerifier } from '@saleschannel/auth';
import type { CallOptions, ServiceClient } from '@saleschannel/grpc';
import { countCacheUse } from '@saleschannel/runtime';
import { parseAuthorization, type Credential, type Surface } from './credentials.ts';
import type { Standing } from './standing.ts';

/** Whom a credential stands for, for the next two seconds or while nothing changes. */
export interface Session {
  readonly principal: Principal;
  /** Signed by identity. Every service verifies it. */
  readonly principalToken: string;
  /** Whom rate limits count: a user over all keys and tokens, or an account holder over all registry keys. */
  readonly limitKey: string;
  /** After this time of the authenticator's clock it is asked for again, unless it is known that nothing changed. */
  readonly freshUntilMs: number;
}

/** How long an answer of identity is used without knowing more. */
export const SESSION_LIFETIME_MS = 2_000;
/** All sessions together, tokens and all. */
const SESSION_BYTES_AT_MOST = 64 * 1_024 * 1_024;
/** Of a session without its token. */
const SESSION_BYTES = 1_024;

/** The RPC that checks a credential. */
export type Authenticate = (
  ...given: Parameters<ServiceClient<'identity'>['Authenticate']>
) => Promise<{ readonly principalToken: string; readonly goodForMs?: number }>;

const surfaces = { SALES_CHANNEL: 'SURFACE_SALES_CHANNEL', REGISTRY: 'SURFACE_REGISTRY' } as const;

export interface AuthenticatorOptions {
  authenticate: Authenticate;
  verifier: Pick<TokenVerifier, 'principal'>;
  /** Knows of what has not changed. Without it, every answer is used for two seconds. */
  standing?: Pick<Standing, 'holds'>;
  /** Milliseconds that never go backwards. */
  now: () => number;
}

/** What a credential is shown for. */
export interface Door {
  readonly surface: Surface;
  /** The services that shall take the principal token. */
  readonly receivers: Receivers;
}

/** What a session stands on as long as it does not change. */
interface Ground {
  /** The sales channel. */
  readonly scope: string;
  readonly askedAtMs: number;
  /** Then too little is left of the token. */
  readonly untilMs: number;
}

interface Held extends Session {
  /** Undefined for what may change without any trail: tokens of the issuer, and the standing of account holders. */
  readonly ground: Ground | undefined;
  /** What a broadcast may name. */
  readonly owners: readonly string[];
}

/**
 * Turns `Authorization` headers into sessions. It remembers each by the SHA-256 of its header and receivers, so that
 * the usual request costs a hash and a look-up. First requests at the same time share one call. The header itself is
 * not kept.
 *
 * An answer of identity is used for two seconds. That of an API key is used for longer, up to its token's end, as long
 * as the audit trails of its channel and of the installation confirm every two seconds that nothing has changed. So
 * whatever is taken away ends within two seconds either way, also while the broker is down.
 */
export class Authenticator {
  readonly #options: AuthenticatorOptions;
  readonly #sessions: LRUCache<string, Held>;
  readonly #byOwner = new Map<string, Set<string>>();
  readonly #pending = new Map<string, Promise<Held>>();
  readonly #use = countCacheUse('sessions');
  #forgotten = 0;

  constructor(options: AuthenticatorOptions) {
    this.#options = options;
    this.#sessions = new LRUCache({
      maxSize: SESSION_BYTES_AT_MOST,
      sizeCalculation: ({ principalToken }) => SESSION_BYTES + principalToken.length,
      dispose: (session, key) => this.#unlink(session, key),
    });
  }

  /** The session of a header that was seen before, while it is fresh. */
  known(header: string, door: Door): Session | undefined {
    const session = this.#sessions.get(keyOf(header, door));
    return this.#use.found(session !== undefined && this.isFresh(session) ? session : undefined);
  }

  isFresh(session: Session): boolean {
    const now = this.#options.now();
    if (session.freshUntilMs > now) return true;
    const { ground } = session as Held;
    if (!ground || ground.untilMs <= now) return false;
    return this.#options.standing?.holds(ground.scope, ground.askedAtMs) ?? false;
  }

  /**
   * Asks identity.
   * @throws DomainError 'unauthenticated' when the credential is worth nothing, 'unavailable' when that cannot be found
   * out
   */
  ask(header: string, door: Door, options: CallOptions): Promise<Session> {
    const key = keyOf(header, door);
    let pending = this.#pending.get(key);
    if (!pending) {
      const credential = parseAuthorization(header, door.surface);
      const asked = this.#ask(key, credential, door, options).finally(() => {
        if (this.#pending.get(key) === asked) this.#pending.delete(key);
      });
      this.#pending.set(key, asked);
      pending = asked;
    }
    return pending;
  }

  /** Rights of a user changed. */
  forgetUser(userId: string): void {
    this.#forget(`user ${userId}`);
  }

  /** A key was deleted. */
  forgetKey(keyId: string): void {
    this.#forget(`key ${keyId}`);
  }

  async #ask(key: string, credential: Credential, { surface, receivers }: Door, options: CallOptions): Promise<Held> {
    const askedAtMs = this.#options.now();
    const forgotten = this.#forgotten;
    const request = { surface: surfaces[surface], receivers: [...receivers], ...credential };
    const { principalToken, goodForMs = 0 } = await this.#options.authenticate(request, options);
    const principal = await this.#options.verifier.principal(principalToken);
    const owner = principal.kind === 'user' ? `user ${principal.userId}` : `key ${principal.keyId}`;
    const owners = 'key' in credential ? [owner, `key ${credential.key.keyId}`] : [owner];
    const session = {
      principal,
      principalToken,
      limitKey: principal.kind === 'user' ? owner : `account holder ${principal.accountHolderId}`,
      freshUntilMs: askedAtMs + SESSION_LIFETIME_MS,
      ground: groundOf(principal, credential, { askedAtMs, untilMs: askedAtMs + used(goodForMs) }),
      owners,
    };
    // A broadcast that came meanwhile may have meant this answer: it serves the requests that wait for it and no
    // others.
    if (forgotten === this.#forgotten) this.#remember(key, session);
    return session;
  }

  #remember(key: string, session: Held): void {
    this.#sessions.set(key, session);
    for (const owner of session.owners) {
      const keys = this.#byOwner.get(owner);
      if (keys) keys.add(key);
      else this.#byOwner.set(owner, new Set([key]));
    }
  }

  #unlink(session: Held, key: string): void {
    for (const owner of session.owners) {
      const keys = this.#byOwner.get(owner);
      keys?.delete(key);
      if (keys?.size === 0) this.#byOwner.delete(owner);
    }
  }

  #forget(owner: string): void {
    this.#forgotten += 1;
    this.#pending.clear();
    for (const key of this.#byOwner.get(owner) ?? []) this.#sessions.delete(key);
  }
}

/**
 * For how long a token is used that is good for so long. Not all that were made at the same time end at the same time,
 * so that they are not asked for again at once.
 */
const used = (goodForMs: number): number => Math.max(0, goodForMs - PRINCIPAL_LEFT_MS) * (0.75 + Math.random() / 4);

function groundOf(
  principal: Principal,
  credential: Credential,
  times: { readonly askedAtMs: number; readonly untilMs: number },
): Ground | undefined {
  if (!('key' in credential) || principal.kind !== 'user' || principal.accountHolderId !== undefined) return undefined;
  return principal.salesChannelId === undefined ? undefined : { scope: principal.salesChannelId, ...times };
}

const keyOf = (header: string, { surface, receivers }: Door): string =>
  hash('sha256', `${surface} ${receivers.join()} ${header}`, 'base64');
