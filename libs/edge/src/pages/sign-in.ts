import { setTimeout as delay } from 'node:timers/promises';
import { Router, type Request, type Response } from 'express';
import type { Logger } from '@saleschannel/runtime';
import { z } from 'zod';
import type { Sealer } from '@saleschannel/auth';
import type { SecurityLog } from '../index.ts';
import type { CookieJar } from './cookies.ts';
import { createBackChannelLogout } from './back-channel-logout.ts';
import { SignInRefused, type PendingSignIn, type OidcClient } from './oidc.ts';
import { requireOwnPage } from './page-requests.ts';
import { sendPlainPage } from './html.ts';
import { sendProblem } from './problem.ts';
import { createRateLimitRecorder, recordSecurityEvent, toSecurityActor } from './security-entry.ts';
import { SESSION_SECONDS, type OpenSession, type Session, type Sessions } from './sessions.ts';

const LOGIN_SECONDS = 600;
/** Maximum wait for the provider during a sign-out. */
const SIGN_OUT_MS = 2_000;
const RETURN_CHARACTERS_AT_MOST = 2_000;

const loginShape = z.object({
  state: z.string(),
  nonce: z.string(),
  codeVerifier: z.string(),
  maxAgeSeconds: z.number(),
  returnTo: z.string(),
  replaces: z.string().optional(),
  expiresAtMs: z.number(),
});

export interface SignInOptions {
  readonly application: string;
  readonly publicUrl: URL;
  readonly cookies: CookieJar;
  readonly sealer: Sealer;
  readonly sessions: Sessions;
  readonly oidc: OidcClient;
  readonly securityLog: SecurityLog;
  readonly now: () => number;
  readonly logger: Logger;
}

/** Returns a path of this site, by default the start page. `/.//elsewhere` would resolve to another site. */
function parseReturnPath(text: unknown, publicUrl: URL): string {
  if (typeof text !== 'string' || !text.startsWith('/') || text.length > RETURN_CHARACTERS_AT_MOST) return '/';
  const url = URL.parse(text, publicUrl.href);
  const isOurs = url?.origin === publicUrl.origin && !url.pathname.startsWith('//');
  return isOurs ? `${url.pathname}${url.search}${url.hash}` : '/';
}

function parseMaxAge(text: unknown): number {
  const seconds = typeof text === 'string' && /^\d{1,5}$/.test(text) ? Number(text) : SESSION_SECONDS;
  return Math.min(seconds, SESSION_SECONDS);
}

/** Validates `acr_values` of a challenge. The browser could change it, so the API checks the resulting sign-in. */
const parseAcrValues = (text: unknown): string | undefined =>
  typeof text === 'string' && /^[!#-[\]-~ ]{1,500}$/.test(text) ? text : undefined;

/** Returns the data of the session for its page, without tokens. */
function describe(open: OpenSession, sessions: Sessions, nowMs: number): object {
  const { issuer, subject, name, email, signedInAtMs } = open.session;
  const ends = sessions.getExpiry(open);
  return {
    signedIn: true,
    issuer,
    subject,
    name,
    email,
    signedInAt: new Date(signedInAtMs).toISOString(),
    expiresAt: new Date(ends.atMs).toISOString(),
    idleExpiresAt: new Date(ends.idleAtMs).toISOString(),
    /** For browsers whose clock is wrong. */
    now: new Date(nowMs).toISOString(),
    accessExpiresAt: new Date(open.session.accessExpiresAtMs).toISOString(),
  };
}

class SignIn {
  readonly #options: SignInOptions;
  readonly #purpose: string;

  constructor(options: SignInOptions) {
    this.#options = options;
    this.#purpose = `${options.application}-login`;
  }

  /** Redirects the browser to the provider. Query: `return=<path>&max_age=<seconds>&acr_values=<words>`. */
  async begin(request: Request, response: Response): Promise<void> {
    const { oidc, publicUrl, sealer, cookies, sessions, now, logger } = this.#options;
    const { return: returnTo, max_age: maxAge, acr_values: acrValues } = request.query;
    let begun: { url: string; login: PendingSignIn };
    try {
      begun = await oidc.begin(parseMaxAge(maxAge), parseAcrValues(acrValues));
    } catch (error) {
      logger.error({ err: error }, 'the identity provider cannot be reached');
      return sendPlainPage(response, 503, 'Signing in is not possible now', [
        'The identity provider cannot be reached.',
        { href: request.originalUrl, text: 'Try again' },
      ]);
    }
    const sealed = await sealer.seal(this.#purpose, {
      ...begun.login,
      returnTo: parseReturnPath(returnTo, publicUrl),
      // Kept here, because browsers do not send strict cookies when they return from the provider.
      replaces: (await sessions.readCookies(request))?.id,
      expiresAtMs: now() + LOGIN_SECONDS * 1_000,
    });
    // Lax, because the browser returns from another site.
    cookies.write(response, 'login', sealed, { sameSite: 'lax', maxAgeSeconds: LOGIN_SECONDS });
    response.set('Cache-Control', 'no-store').redirect(303, begun.url);
  }

  async finish(request: Request, response: Response): Promise<void> {
    const { oidc, sealer, cookies, sessions, publicUrl, now, logger } = this.#options;
    const sealed = cookies.read(request, 'login');
    const login = sealed === undefined ? undefined : await sealer.open(this.#purpose, sealed, loginShape);
    cookies.clear(response, 'login');
    const again = (path: string) => ({ href: `/sign-in?return=${encodeURIComponent(path)}`, text: 'Sign in again' });
    if (!login || login.expiresAtMs <= now()) {
      this.#recordFailure(response, login ? 'sign-in-expired' : 'sign-in-unknown');
      return sendPlainPage(response, 400, 'You are not signed in', [
        'This sign-in was started in another browser, has expired, or was already used.',
        again('/'),
      ]);
    }
    let subject: string | undefined;
    try {
      const { identity, ...tokens } = await oidc.finish(new URL(request.originalUrl, publicUrl).searchParams, login);
      ({ subject } = identity);
      await sessions.begin(response, { identity, tokens, replaces: login.replaces });
    } catch (error) {
      const isRefused = error instanceof SignInRefused;
      if (isRefused) this.#recordFailure(response, error.reason, subject);
      else logger.error({ err: error }, 'a sign-in failed');
      return sendPlainPage(response, isRefused ? 400 : 503, 'You are not signed in', [
        isRefused ? 'The identity provider did not confirm who you are.' : 'Signing in is not possible at the moment.',
        again(login.returnTo),
      ]);
    }
    // After an HTTP redirect, browsers would still treat the request as cross-site and withhold strict cookies. After a
    // page of this site, they do not.
    sendPlainPage(response, 200, 'You are signed in', [{ href: login.returnTo, text: 'Continue' }], login.returnTo);
  }

  #recordFailure(response: Response, reason: string, subject?: string): void {
    const { securityLog } = this.#options;
    recordSecurityEvent(securityLog, response, {
      event: 'authn_login_fail',
      reason,
      actor: toSecurityActor({ subject }),
    });
  }

  /** Ends the session, and returns the URL at which the browser signs out of the provider. */
  async end(response: Response): Promise<void> {
    const { oidc, sessions, publicUrl, logger } = this.#options;
    let session: Session | undefined;
    try {
      session = await sessions.end(response);
    } catch (error) {
      logger.error({ err: error }, 'a session could not be ended');
      return sendProblem(response, 'unavailable', 'Your session could not be ended. Try again.');
    }
    const token = session?.refreshToken ?? session?.accessToken;
    const failed = (error: unknown): void => logger.warn({ err: error }, 'a token could not be revoked');
    const revoked = token === undefined ? undefined : oidc.revoke(token).catch(failed);
    const providerUrl = oidc.signOutUrl().catch(() => publicUrl.href);
    const url = await Promise.race([
      Promise.all([providerUrl, revoked]).then(([address]) => address),
      delay(SIGN_OUT_MS, publicUrl.href, { ref: false }),
    ]);
    response.set('Cache-Control', 'no-store').json({ signOutUrl: url });
  }

  /** Describes the session. POST counts as user activity. */
  async show(request: Request, response: Response): Promise<void> {
    const { sessions, now } = this.#options;
    response.set('Cache-Control', 'no-store');
    try {
      const open = await sessions.read(response);
      if (!open) return void response.json({ signedIn: false });
      const session = await sessions.refreshIfNeeded(response, open.session);
      const isActivity = request.method === 'POST';
      if (isActivity) await sessions.recordUse(response, { session, lastActiveAtMs: 0 });
      response.json(describe({ session, lastActiveAtMs: isActivity ? now() : open.lastActiveAtMs }, sessions, now()));
    } catch (error) {
      if (!(error instanceof SignInRefused)) {
        return sendProblem(response, 'unavailable', 'Your session cannot be checked at the moment.');
      }
      sessions.clearCookies(response);
      response.json({ signedIn: false });
    }
  }
}

export function createSignInRoutes(options: SignInOptions): Router {
  const signIn = new SignIn(options);
  const router = Router();
  const ownPage = requireOwnPage(options.publicUrl, options.securityLog);
  router.get('/sign-in', (request, response) => signIn.begin(request, response));
  router.get('/callback', (request, response) => signIn.finish(request, response));
  // Sent by the provider, which the signature of its token authenticates.
  router.post('/backchannel-logout', createRateLimitRecorder(options.securityLog), createBackChannelLogout(options));
  router.post('/sign-out', ownPage, (_request, response) => signIn.end(response));
  router
    .route('/session')
    .all(ownPage)
    .get((request, response) => signIn.show(request, response))
    .post((request, response) => signIn.show(request, response));
  return router;
}
