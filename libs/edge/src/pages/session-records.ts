import { createHash } from 'node:crypto';
import { DomainError } from '@saleschannel/errors';
import type { CallOptions, ServiceClient } from '@saleschannel/grpc';
import { LRUCache } from 'lru-cache';
import type { ProviderLogout } from './back-channel-logout.ts';
import { SignInRefused, type Identity, type Tokens } from './oidc.ts';

/**
 * Lifetime of cached answers of identity. A session that ends there ends at every replica within two seconds. While
 * identity cannot be reached, no session is valid.
 */
const KNOWN_MS = 2_000;
const KNOWN_AT_MOST = 50_000;
const TIMEOUT_MS = 3_000;

export type SessionDirectory = Pick<
  ServiceClient<'sessions'>,
  'BeginSession' | 'AddSessionToken' | 'CheckSession' | 'EndSession' | 'EndProviderSessions'
>;

type AccessToken = Pick<Tokens, 'accessToken' | 'accessExpiresAtMs'>;

interface NewSessionRecord
  extends Pick<Identity, 'issuer' | 'subject' | 'signedInAtMs' | 'acr' | 'providerSession'>, AccessToken {
  readonly id: string;
  readonly expiresAtMs: number;
}

const toTime = (ms: number): string => new Date(ms).toISOString();

const toToken = ({ accessToken, accessExpiresAtMs }: AccessToken) => ({
  sha256: createHash('sha256').update(accessToken).digest('hex'),
  expiresAt: toTime(accessExpiresAtMs),
});

const isEnded = (error: unknown): boolean => error instanceof DomainError && error.code === 'unauthenticated';

export class SessionRecords {
  readonly #directory: SessionDirectory;
  readonly #known = new LRUCache<string, Promise<boolean>>({ max: KNOWN_AT_MOST, ttl: KNOWN_MS });

  constructor(directory: SessionDirectory) {
    this.#directory = directory;
  }

  /**
   * Records a session. Returns the id of the user, which operators do not have.
   * @throws SignInRefused for a person who may not sign in. @throws DomainError 'unavailable'
   */
  async begin(record: NewSessionRecord, options: CallOptions): Promise<string | undefined> {
    const { id, issuer, subject, signedInAtMs, acr, providerSession, expiresAtMs } = record;
    const optional = { ...(acr !== undefined && { acr }), ...(providerSession !== undefined && { providerSession }) };
    const times = { signedInAt: toTime(signedInAtMs), expiresAt: toTime(expiresAtMs) };
    const request = { id, issuer, subject, ...times, ...optional, token: toToken(record) };
    const call = this.#directory.BeginSession(request, { timeoutMs: TIMEOUT_MS, ...options });
    return (await translateRefusal(call)).userId;
  }

  /** @throws SignInRefused for a session that has ended. @throws DomainError 'unavailable' */
  async addToken(id: string, tokens: AccessToken): Promise<void> {
    await translateRefusal(this.#directory.AddSessionToken({ id, token: toToken(tokens) }, { timeoutMs: TIMEOUT_MS }));
  }

  /** @throws DomainError 'unavailable' */
  isAlive(id: string): Promise<boolean> {
    return this.#known.get(id) ?? this.#ask(id, false);
  }

  /** Records use of the session. @throws DomainError 'unavailable' */
  async recordUse(id: string): Promise<void> {
    await this.#ask(id, true);
  }

  /** @throws DomainError 'unavailable' */
  async end(id: string, options: CallOptions): Promise<void> {
    await this.#directory.EndSession({ id }, { timeoutMs: TIMEOUT_MS, ...options });
    this.#known.delete(id);
  }

  /** Ends sessions. Returns the ids of those that had not ended. @throws DomainError 'unavailable' */
  async endByProvider({ issuer, subject, providerSession }: ProviderLogout, options: CallOptions): Promise<string[]> {
    const signOut = { issuer, ...(subject && { subject }), ...(providerSession && { providerSession }) };
    const call = this.#directory.EndProviderSessions(signOut, { timeoutMs: TIMEOUT_MS, ...options });
    const ids = (await call).sessions.map(({ id }) => id);
    for (const id of ids) this.#known.delete(id);
    return ids;
  }

  /** Caches the answer from the time of the call. */
  #ask(id: string, isUsed: boolean): Promise<boolean> {
    const answer = this.#directory.CheckSession({ id, isUsed }, { timeoutMs: TIMEOUT_MS }).then(
      () => true,
      (error: unknown) => {
        if (isEnded(error)) return false;
        throw error;
      },
    );
    this.#known.set(id, answer);
    answer.catch(() => {
      if (this.#known.peek(id) === answer) this.#known.delete(id);
    });
    return answer;
  }
}

/** @throws SignInRefused if identity rejects the person or the session */
async function translateRefusal<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    if (isEnded(error))
      throw new SignInRefused('refused-by-identity', 'identity rejected this session', { cause: error });
    throw error;
  }
}
