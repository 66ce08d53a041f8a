import { createHash, randomUUID } from 'node:crypto';
import type { Request, Response } from 'express';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { Sealer } from '@saleschannel/auth';
import type { SecurityLog } from '../index.ts';
import type { CookieJar } from './cookies.ts';
import type { ProviderLogout } from './back-channel-logout.ts';
import type { Identity, OidcClient, Tokens } from './oidc.ts';
import { SignInRefused } from './oidc.ts';
import { getRequestId } from './problem.ts';
import { recordSecurityEvent, toSecurityActor } from './security-entry.ts';
import type { SessionRecords } from './session-records.ts';

export const SESSION_SECONDS = 12 * 3_600;
/** Maximum time without user activity. */
const IDLE_SECONDS = 30 * 60;
/** Minimum interval between records of use. */
const RECORD_USE_EVERY_MS = 60_000;
/** Remaining lifetime below which an access token is refreshed, so that it does not expire in transit. */
const REFRESH_BEFORE_MS = 30_000;
/** Lifetime of cached refreshes, for requests sent with the previous tokens. A refresh token can be used once. */
const REFRESHED_KEPT_MS = 60_000;
const REFRESHED_KEPT_AT_MOST = 5_000;

const sessionShape = z.object({
  id: z.string(),
  issuer: z.string(),
  subject: z.string(),
  /** Undefined for operators, and in sessions of earlier releases. */
  userId: z.string().optional(),
  name: z.string().optional(),
  email: z.string().optional(),
  startedAtMs: z.number(),
  signedInAtMs: z.number(),
  acr: z.string().optional(),
  accessToken: z.string(),
  accessExpiresAtMs: z.number(),
  refreshToken: z.string().optional(),
});

const seenShape = z.object({ id: z.string(), atMs: z.number() });

/** Session of a person. The browser stores it, sealed. Identity records its id and its end. */
export type Session = Readonly<z.infer<typeof sessionShape>>;

export interface OpenSession {
  readonly session: Session;
  readonly lastActiveAtMs: number;
}

export interface NewSession {
  readonly identity: Identity;
  readonly tokens: Tokens;
  readonly replaces: string | undefined;
}

export interface SessionsOptions {
  readonly application: string;
  readonly cookies: CookieJar;
  readonly sealer: Sealer;
  readonly oidc: OidcClient;
  readonly records: SessionRecords;
  readonly securityLog: SecurityLog;
  /** In milliseconds since 1970. */
  readonly now: () => number;
}

const callOptions = (response: Response) => ({
  clientAddress: response.req.ip,
  requestId: getRequestId(response),
});

const endOf = ({ startedAtMs }: Session): number => startedAtMs + SESSION_SECONDS * 1_000;

/**
 * Sessions in sealed cookies. Tokens and the time of the last activity are separate cookies: otherwise the answer to a
 * request sent before a refresh could restore the previous tokens.
 */
export class Sessions {
  readonly #options: SessionsOptions;
  readonly #refreshed = new LRUCache<string, Promise<Session>>({
    max: REFRESHED_KEPT_AT_MOST,
    ttl: REFRESHED_KEPT_MS,
  });

  constructor(options: SessionsOptions) {
    this.#options = options;
  }

  /**
   * Begins a session and writes its cookies. It replaces a session of the same browser.
   * @throws SignInRefused for a person who may not sign in. @throws DomainError 'unavailable'
   */
  async begin(response: Response, { identity, tokens, replaces }: NewSession) {
    const nowMs = this.#options.now();
    const { acr, providerSession, ...person } = identity;
    const begun: Session = { id: randomUUID(), ...person, acr, ...tokens, startedAtMs: nowMs };
    const record = { ...begun, acr, providerSession, expiresAtMs: endOf(begun) };
    const call = callOptions(response);
    const { records, securityLog } = this.#options;
    if (replaces !== undefined) {
      await records.end(replaces, call);
      recordSecurityEvent(securityLog, response, { event: 'session_ended', reason: 'replaced', sessionId: replaces });
    }
    const session = { ...begun, userId: await records.begin(record, call) };
    const about = { actor: toSecurityActor(session), sessionId: session.id };
    recordSecurityEvent(securityLog, response, { event: 'authn_login_success', ...about });
    await this.#write(response, session);
    await this.#writeSeen(response, session);
  }

  /** Returns the session of a request, unless it has ended. @throws DomainError 'unavailable' without identity */
  async read(response: Response): Promise<OpenSession | undefined> {
    const open = await this.#open(response.req);
    if (!open || (await this.#options.records.isAlive(open.session.id))) return open;
    this.#recordEnd(response, open.session, 'elsewhere');
    return undefined;
  }

  /** Whether the session of a long answer is still valid. False while identity cannot be reached. */
  isStillValid(session: Session): Promise<boolean> {
    if (this.#options.now() >= endOf(session)) return Promise.resolve(false);
    return this.#options.records.isAlive(session.id).catch(() => false);
  }

  /** Returns the session in the cookies, even if it has ended. */
  async readCookies(request: Request): Promise<Session | undefined> {
    const { cookies, sealer } = this.#options;
    const sealed = cookies.readPieces(request, 'session');
    return sealed === undefined ? undefined : sealer.open(this.#purpose('session'), sealed, sessionShape);
  }

  async #open(request: Request): Promise<OpenSession | undefined> {
    const { cookies, sealer, now } = this.#options;
    const sealedSeen = cookies.read(request, 'seen');
    if (sealedSeen === undefined) return undefined;
    const [session, lastUse] = await Promise.all([
      this.readCookies(request),
      sealer.open(this.#purpose('seen'), sealedSeen, seenShape),
    ]);
    const nowMs = now();
    if (!session || lastUse?.id !== session.id) return undefined;
    if (nowMs >= endOf(session) || nowMs >= lastUse.atMs + IDLE_SECONDS * 1_000) return undefined;
    return { session, lastActiveAtMs: lastUse.atMs };
  }

  /**
   * Returns the session with a valid access token. Concurrent requests share one refresh.
   * @throws SignInRefused if the provider rejects the refresh. @throws Error if it cannot be reached and the token has
   *   expired
   */
  async refreshIfNeeded(response: Response, session: Session): Promise<Session> {
    const { now } = this.#options;
    if (session.accessExpiresAtMs - now() > REFRESH_BEFORE_MS) return session;
    if (session.refreshToken === undefined) {
      if (session.accessExpiresAtMs > now()) return session;
      throw new SignInRefused('no-refresh-token', 'the access token has expired and cannot be refreshed');
    }
    let refreshed: Session;
    try {
      refreshed = await this.#refresh(session, session.refreshToken);
    } catch (error) {
      // While the provider cannot be reached, the token is used until it expires.
      if (error instanceof SignInRefused) this.#recordEnd(response, session, error.reason);
      if (error instanceof SignInRefused || session.accessExpiresAtMs <= now()) throw error;
      return session;
    }
    // All requests that share the refresh write the cookies: the answer to the first may get lost.
    await this.#write(response, refreshed);
    return refreshed;
  }

  /** Restarts the idle time of the session, at most once a minute. */
  async recordUse(response: Response, { session, lastActiveAtMs }: OpenSession): Promise<void> {
    if (this.#options.now() - lastActiveAtMs < RECORD_USE_EVERY_MS) return;
    await this.#options.records.recordUse(session.id);
    await this.#writeSeen(response, session);
  }

  /**
   * Ends the session of a request everywhere, then in its browser. Returns the session.
   * @throws DomainError 'unavailable' if it could not be ended: the browser keeps it for a retry
   */
  async end(response: Response): Promise<Session | undefined> {
    const session = await this.readCookies(response.req);
    if (session) {
      await this.#options.records.end(session.id, callOptions(response));
      this.#recordEnd(response, session, 'sign-out');
    }
    this.clearCookies(response);
    return session;
  }

  /** Ends the sessions that have ended at the provider. @throws DomainError 'unavailable' */
  async endByProvider(response: Response, logout: ProviderLogout): Promise<void> {
    const { records, securityLog } = this.#options;
    const about = { reason: 'provider', actor: toSecurityActor(logout) };
    for (const sessionId of await records.endByProvider(logout, callOptions(response)))
      recordSecurityEvent(securityLog, response, { event: 'session_ended', ...about, sessionId });
  }

  /** Removes the cookies of an ended session from the browser. */
  clearCookies(response: Response): void {
    const { cookies } = this.#options;
    cookies.clearPieces(response, 'session');
    cookies.clear(response, 'seen');
  }

  /** Returns the latest end of the session, and its end without further activity. */
  getExpiry({ session, lastActiveAtMs }: OpenSession): { readonly atMs: number; readonly idleAtMs: number } {
    const atMs = endOf(session);
    return { atMs, idleAtMs: Math.min(atMs, lastActiveAtMs + IDLE_SECONDS * 1_000) };
  }

  /** @param reason `elsewhere` for the cookie of a session that was ended elsewhere */
  #recordEnd(response: Response, session: Session, reason: string): void {
    const about = { reason, actor: toSecurityActor(session), sessionId: session.id };
    recordSecurityEvent(this.#options.securityLog, response, { event: 'session_ended', ...about });
  }

  #purpose(what: 'session' | 'seen'): string {
    return `${this.#options.application}-${what}`;
  }

  #refresh(session: Session, refreshToken: string): Promise<Session> {
    const key = createHash('sha256').update(refreshToken).digest('base64url');
    const known = this.#refreshed.get(key);
    if (known) return known;
    const refreshing = this.#renew(session, refreshToken);
    this.#refreshed.set(key, refreshing);
    refreshing.catch(() => this.#refreshed.delete(key));
    return refreshing;
  }

  /** Records new tokens before their first use, so that they end with the session. */
  async #renew(session: Session, refreshToken: string): Promise<Session> {
    const { oidc, records } = this.#options;
    const tokens = await oidc.refresh(refreshToken);
    await records.addToken(session.id, tokens);
    return { ...session, ...tokens };
  }

  async #writeSeen(response: Response, { id }: Session): Promise<void> {
    const { cookies, sealer, now } = this.#options;
    const sealed = await sealer.seal(this.#purpose('seen'), { id, atMs: now() });
    cookies.write(response, 'seen', sealed, { sameSite: 'strict', maxAgeSeconds: IDLE_SECONDS });
  }

  async #write(response: Response, session: Session): Promise<void> {
    const { cookies, sealer, now } = this.#options;
    const sealed = await sealer.seal(this.#purpose('session'), session);
    const maxAgeSeconds = Math.max(0, Math.floor((endOf(session) - now()) / 1_000));
    cookies.writePieces(response, 'session', sealed, { sameSite: 'strict', maxAgeSeconds });
  }
}
