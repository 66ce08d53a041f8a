import { createHash, randomUUID } from 'node:crypto';
import type { Request, Response } from 'express';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { CookieJar } from './cookies.ts';
import type { Identity, OidcClient, Tokens } from './oidc.ts';
import { SignInRefused } from './oidc.ts';
import type { Sealer } from '@saleschannel/auth';

/** How long a session may last, however much is done in it. */
export const SESSION_SECONDS = 12 * 3_600;
/** How long nobody may do anything in it. */
const IDLE_SECONDS = 30 * 60;
/** That somebody is there is written down at most this often. */
const SEEN_EVERY_MS = 60_000;
/** An access token is exchanged this long before it ends, so that it does not end on its way. */
const REFRESH_BEFORE_MS = 30_000;
/** For requests that were sent with the tokens of before. A provider takes each refresh token once. */
const REFRESHED_KEPT_MS = 60_000;
const REFRESHED_KEPT_AT_MOST = 5_000;

const sessionShape = z.object({
  id: z.string(),
  issuer: z.string(),
  subject: z.string(),
  name: z.string().optional(),
  email: z.string().optional(),
  startedAtMs: z.number(),
  signedInAtMs: z.number(),
  accessToken: z.string(),
  accessExpiresAtMs: z.number(),
  refreshToken: z.string().optional(),
});

const seenShape = z.object({ id: z.string(), atMs: z.number() });

/** Somebody who is signed in. The browser keeps it, sealed; the server keeps nothing. */
export type Session = Readonly<z.infer<typeof sessionShape>>;

export interface OpenSession {
  readonly session: Session;
  readonly seenAtMs: number;
}

export interface SessionsOptions {
  readonly application: string;
  readonly cookies: CookieJar;
  readonly sealer: Sealer;
  readonly oidc: OidcClient;
  /** In milliseconds since 1970. */
  readonly now: () => number;
}

const endOf = ({ startedAtMs }: Session): number => startedAtMs + SESSION_SECONDS * 1_000;

/**
 * Sessions in sealed cookies. Tokens and the time of the last act are two cookies: otherwise the answer to a request
 * that was sent before a refresh could bring the tokens of before back.
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

  /** Begins a session and writes its cookies. */
  async begin(response: Response, identity: Identity, tokens: Tokens): Promise<void> {
    const nowMs = this.#options.now();
    const session = { id: randomUUID(), ...identity, ...tokens, startedAtMs: nowMs };
    await this.#write(response, session);
    await this.seen(response, { session, seenAtMs: 0 });
  }

  /** Undefined when nobody is signed in, or no more. */
  async read(request: Request): Promise<OpenSession | undefined> {
    const { cookies, sealer, now } = this.#options;
    const [sealed, sealedSeen] = [cookies.readPieces(request, 'session'), cookies.read(request, 'seen')];
    if (sealed === undefined || sealedSeen === undefined) return undefined;
    const [session, seen] = await Promise.all([
      sealer.open(this.#purpose('session'), sealed, sessionShape),
      sealer.open(this.#purpose('seen'), sealedSeen, seenShape),
    ]);
    const nowMs = now();
    if (!session || seen?.id !== session.id) return undefined;
    if (nowMs >= endOf(session) || nowMs >= seen.atMs + IDLE_SECONDS * 1_000) return undefined;
    return { session, seenAtMs: seen.atMs };
  }

  /**
   * The session with an access token that is good for now. Requests of the same moment share one refresh.
   * @throws SignInRefused when the provider gives none any more. @throws Error when it cannot be asked and the token
   *   has ended
   */
  async usable(response: Response, session: Session): Promise<Session> {
    const { now } = this.#options;
    if (session.accessExpiresAtMs - now() > REFRESH_BEFORE_MS) return session;
    if (session.refreshToken === undefined) {
      if (session.accessExpiresAtMs > now()) return session;
      throw new SignInRefused('the access token has ended and there is no other');
    }
    let refreshed: Session;
    try {
      refreshed = await this.#refresh(session, session.refreshToken);
    } catch (error) {
      // A provider that is away for a moment takes nothing from a token that has not ended.
      if (error instanceof SignInRefused || session.accessExpiresAtMs <= now()) throw error;
      return session;
    }
    // Every one of these requests writes them: the browser may never see the answer to the first.
    await this.#write(response, refreshed);
    return refreshed;
  }

  /** Somebody did something: the time of silence begins anew. */
  async seen(response: Response, { session, seenAtMs }: OpenSession): Promise<void> {
    const { cookies, sealer, now } = this.#options;
    const atMs = now();
    if (atMs - seenAtMs < SEEN_EVERY_MS) return;
    const sealed = await sealer.seal(this.#purpose('seen'), { id: session.id, atMs });
    cookies.write(response, 'seen', sealed, { sameSite: 'strict', maxAgeSeconds: IDLE_SECONDS });
  }

  end(response: Response): void {
    const { cookies } = this.#options;
    cookies.clearPieces(response, 'session');
    cookies.clear(response, 'seen');
  }

  /** When it ends at the latest, and when it ends if nothing is done. */
  endsOf({ session, seenAtMs }: OpenSession): { readonly atMs: number; readonly idleAtMs: number } {
    const atMs = endOf(session);
    return { atMs, idleAtMs: Math.min(atMs, seenAtMs + IDLE_SECONDS * 1_000) };
  }

  #purpose(what: 'session' | 'seen'): string {
    return `${this.#options.application}-${what}`;
  }

  #refresh(session: Session, refreshToken: string): Promise<Session> {
    const key = createHash('sha256').update(refreshToken).digest('base64url');
    const known = this.#refreshed.get(key);
    if (known) return known;
    const refreshing = this.#options.oidc.refresh(refreshToken).then((tokens) => ({ ...session, ...tokens }));
    this.#refreshed.set(key, refreshing);
    refreshing.catch(() => this.#refreshed.delete(key));
    return refreshing;
  }

  async #write(response: Response, session: Session): Promise<void> {
    const { cookies, sealer, now } = this.#options;
    const sealed = await sealer.seal(this.#purpose('session'), session);
    const maxAgeSeconds = Math.max(0, Math.floor((endOf(session) - now()) / 1_000));
    cookies.writePieces(response, 'session', sealed, { sameSite: 'strict', maxAgeSeconds });
  }
}
