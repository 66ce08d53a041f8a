import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { PRINCIPAL_MIN_REMAINING_MS, type Principal, type Receivers, type TokenVerifier } from '@saleschannel/auth';
import type { CallOptions, ServiceClient } from '@saleschannel/grpc';
import { countCacheUse } from '@saleschannel/runtime';
import { parseAuthorization, type Credential, type ApiSurface } from './credentials.ts';
import type { RevocationWatch } from './revocation-watch.ts';

/** Authenticated principal of a credential, valid for two seconds or while nothing changes. */
export interface Session {
  readonly principal: Principal;
  /** Signed by identity. Every service verifies it. */
  readonly principalToken: string;
  /** Key of rate limits: a user over all keys and tokens, or an account holder over all registry keys. */
  readonly limitKey: string;
  /** On the authenticator's clock. After this time, the session is valid only if nothing has changed since. */
  readonly freshUntilMs: number;
}

/** Lifetime of an answer of identity that the revocation watch does not confirm. */
export const SESSION_LIFETIME_MS = 2_000;
/** All sessions, tokens included. */
const SESSION_BYTES_AT_MOST = 64 * 1_024 * 1_024;
/** Size of a session without its token. */
const SESSION_BYTES = 1_024;

export type Authenticate = (
  ...given: Parameters<ServiceClient<'identity'>['Authenticate']>
) => Promise<{ readonly principalToken: string; readonly goodForMs?: number }>;

const surfaces = { SALES_CHANNEL: 'SURFACE_SALES_CHANNEL', REGISTRY: 'SURFACE_REGISTRY' } as const;

export interface AuthenticatorOptions {
  authenticate: Authenticate;
  verifier: Pick<TokenVerifier, 'verifyPrincipal'>;
  /** Confirms sessions beyond two seconds. */
  revocationWatch?: Pick<RevocationWatch, 'isUnchanged'>;
  /** Monotonic clock, in milliseconds. */
  now: () => number;
}

/** API that a credential is presented to, and the services that the request needs. */
export interface CredentialScope {
  readonly surface: ApiSurface;
  /** Services that accept the principal token. */
  readonly receivers: Receivers;
}

/** Allows a session to live longer than two seconds while its sales channel shows no change. */
interface Extension {
  readonly salesChannelId: string;
  readonly requestedAtMs: number;
  /** After this time, the token would expire too soon. */
  readonly untilMs: number;
}

interface CachedSession extends Session {
  /** Undefined if changes leave no audit record: tokens of the issuer, and rights of account holders. */
  readonly extension: Extension | undefined;
  /** Users and keys that a broadcast may name. */
  readonly owners: readonly string[];
}

/**
 * Turns `Authorization` headers into sessions. The cache key is the SHA-256 of header and receivers, so a usual request
 * costs a hash and a look-up, and the header is not kept. Concurrent first requests share one call.
 *
 * An answer of identity lasts two seconds. The answer for an API key lasts longer, up to the end of its token, while
 * the audit trails of its channel and of the installation confirm every two seconds that nothing has changed. A revoked
 * right ends within two seconds either way, even while the broker is down.
 */
export class Authenticator {
  readonly #options: AuthenticatorOptions;
  readonly #sessions: LRUCache<string, CachedSession>;
  readonly #byOwner = new Map<string, Set<string>>();
  readonly #pending = new Map<string, Promise<CachedSession>>();
  readonly #cacheUse = countCacheUse('sessions');
  /** Broadcasts so far. */
  #changes = 0;

  constructor(options: AuthenticatorOptions) {
    this.#options = options;
    this.#sessions = new LRUCache({
      maxSize: SESSION_BYTES_AT_MOST,
      sizeCalculation: ({ principalToken }) => SESSION_BYTES + principalToken.length,
      dispose: (session, key) => this.#unlink(session, key),
    });
  }

  findSession(header: string, scope: CredentialScope): Session | undefined {
    const session = this.#sessions.get(cacheKey(header, scope));
    return this.#cacheUse.count(session !== undefined && this.isFresh(session) ? session : undefined);
  }

  isFresh(session: Session): boolean {
    const now = this.#options.now();
    if (session.freshUntilMs > now) return true;
    const { extension } = session as CachedSession;
    if (!extension || extension.untilMs <= now) return false;
    return this.#options.revocationWatch?.isUnchanged(extension.salesChannelId, extension.requestedAtMs) ?? false;
  }

  /** Calls identity. @throws DomainError 'unauthenticated', or 'unavailable' if identity does not answer */
  authenticate(header: string, scope: CredentialScope, options: CallOptions): Promise<Session> {
    const key = cacheKey(header, scope);
    let pending = this.#pending.get(key);
    if (!pending) {
      const credential = parseAuthorization(header, scope.surface);
      const calling = this.#authenticate(key, credential, scope, options).finally(() => {
        if (this.#pending.get(key) === calling) this.#pending.delete(key);
      });
      this.#pending.set(key, calling);
      pending = calling;
    }
    return pending;
  }

  /** Call it when rights of a user change. */
  forgetUser(userId: string): void {
    this.#forget(`user ${userId}`);
  }

  /** Call it when a key is deleted. */
  forgetKey(keyId: string): void {
    this.#forget(`key ${keyId}`);
  }

  async #authenticate(
    key: string,
    credential: Credential,
    { surface, receivers }: CredentialScope,
    options: CallOptions,
  ): Promise<CachedSession> {
    const requestedAtMs = this.#options.now();
    const changesBefore = this.#changes;
    const request = { surface: surfaces[surface], receivers: [...receivers], ...credential };
    const { principalToken, goodForMs = 0 } = await this.#options.authenticate(request, options);
    const principal = await this.#options.verifier.verifyPrincipal(principalToken);
    const owner = principal.kind === 'user' ? `user ${principal.userId}` : `key ${principal.keyId}`;
    const owners = 'key' in credential ? [owner, `key ${credential.key.keyId}`] : [owner];
    const session = {
      principal,
      principalToken,
      limitKey: principal.kind === 'user' ? owner : `account holder ${principal.accountHolderId}`,
      freshUntilMs: requestedAtMs + SESSION_LIFETIME_MS,
      extension: createExtension(principal, credential, {
        requestedAtMs,
        untilMs: requestedAtMs + cacheTimeMs(goodForMs),
      }),
      owners,
    };
    // If a broadcast arrived during the call, the answer may be outdated. Only the pending requests use it.
    if (changesBefore === this.#changes) this.#remember(key, session);
    return session;
  }

  #remember(key: string, session: CachedSession): void {
    this.#sessions.set(key, session);
    for (const owner of session.owners) {
      const keys = this.#byOwner.get(owner);
      if (keys) keys.add(key);
      else this.#byOwner.set(owner, new Set([key]));
    }
  }

  #unlink(session: CachedSession, key: string): void {
    for (const owner of session.owners) {
      const keys = this.#byOwner.get(owner);
      keys?.delete(key);
      if (keys?.size === 0) this.#byOwner.delete(owner);
    }
  }

  #forget(owner: string): void {
    this.#changes += 1;
    this.#pending.clear();
    for (const key of this.#byOwner.get(owner) ?? []) this.#sessions.delete(key);
  }
}

/**
 * Returns for how long to use a token with this remaining lifetime. Random, so that tokens expire at different times.
 */
const cacheTimeMs = (goodForMs: number): number =>
  Math.max(0, goodForMs - PRINCIPAL_MIN_REMAINING_MS) * (0.75 + Math.random() / 4);

function createExtension(
  principal: Principal,
  credential: Credential,
  times: Omit<Extension, 'salesChannelId'>,
): Extension | undefined {
  if (!('key' in credential) || principal.kind !== 'user' || principal.accountHolderId !== undefined) return undefined;
  return principal.salesChannelId === undefined ? undefined : { salesChannelId: principal.salesChannelId, ...times };
}

const cacheKey = (header: string, { surface, receivers }: CredentialScope): string =>
  hash('sha256', `${surface} ${receivers.join()} ${header}`, 'base64');
