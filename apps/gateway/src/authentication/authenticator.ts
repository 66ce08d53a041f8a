import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { PRINCIPAL_LIFETIME_MS, type Principal, type Receivers, type TokenVerifier } from '@saleschannel/auth';
import type { CallOptions, ServiceClient } from '@saleschannel/grpc';
import { parseAuthorization, type Credential, type Surface } from './credentials.ts';

/** Whom a credential stands for, for the next two seconds. */
export interface Session {
  readonly principal: Principal;
  /** Signed by identity. Every service verifies it. */
  readonly principalToken: string;
  /** Whom rate limits count: a user over all keys and tokens, or an account holder over all registry keys. */
  readonly limitKey: string;
  /** After this time of the authenticator's clock it is asked for again. */
  readonly freshUntilMs: number;
}

/**
 * How long an answer of identity is used. It leaves a request more than half of the token's lifetime to be carried out.
 */
export const SESSION_LIFETIME_MS = 2_000;
if (SESSION_LIFETIME_MS > PRINCIPAL_LIFETIME_MS / 2)
  throw new Error('a session must not outlive half of its principal token');
const SESSIONS_AT_MOST = 20_000;

/** The RPC that checks a credential. */
export type Authenticate = Pick<ServiceClient<'identity'>, 'Authenticate'>['Authenticate'];

const surfaces = { SALES_CHANNEL: 'SURFACE_SALES_CHANNEL', REGISTRY: 'SURFACE_REGISTRY' } as const;

export interface AuthenticatorOptions {
  authenticate: Authenticate;
  verifier: Pick<TokenVerifier, 'principal'>;
  /** Milliseconds that never go backwards. */
  now: () => number;
}

/** What a credential is shown for. */
export interface Door {
  readonly surface: Surface;
  /** The services that shall take the principal token. */
  readonly receivers: Receivers;
}

interface Held extends Session {
  /** What a broadcast may name. */
  readonly owners: readonly string[];
}

/**
 * Turns `Authorization` headers into sessions. It remembers each by the SHA-256 of its header and receivers, so that
 * the usual request costs a hash and a look-up. First requests at the same time share one call. The header itself is
 * not kept.
 */
export class Authenticator {
  readonly #options: AuthenticatorOptions;
  readonly #sessions: LRUCache<string, Held>;
  readonly #byOwner = new Map<string, Set<string>>();
  readonly #pending = new Map<string, Promise<Held>>();
  #forgotten = 0;

  constructor(options: AuthenticatorOptions) {
    this.#options = options;
    this.#sessions = new LRUCache({ max: SESSIONS_AT_MOST, dispose: (session, key) => this.#unlink(session, key) });
  }

  /** The session of a header that was seen within the last two seconds. */
  known(header: string, door: Door): Session | undefined {
    const session = this.#sessions.get(keyOf(header, door));
    return session !== undefined && this.isFresh(session) ? session : undefined;
  }

  isFresh(session: Session): boolean {
    return session.freshUntilMs > this.#options.now();
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
    const { principalToken } = await this.#options.authenticate(request, options);
    const principal = await this.#options.verifier.principal(principalToken);
    const owner = principal.kind === 'user' ? `user ${principal.userId}` : `key ${principal.keyId}`;
    const owners = 'key' in credential ? [owner, `key ${credential.key.keyId}`] : [owner];
    const session = {
      principal,
      principalToken,
      limitKey: principal.kind === 'user' ? owner : `account holder ${principal.accountHolderId}`,
      freshUntilMs: askedAtMs + SESSION_LIFETIME_MS,
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

const keyOf = (header: string, { surface, receivers }: Door): string =>
  hash('sha256', `${surface} ${receivers.join()} ${header}`, 'base64');
