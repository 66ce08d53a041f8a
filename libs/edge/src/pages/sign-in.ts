import { setTimeout as delay } from 'node:timers/promises';
import type { SecurityLog } from '../index.ts';
import { Router, type Request, type Response } from 'express';
import type { Logger } from '@saleschannel/runtime';
import { z } from 'zod';
import type { CookieJar } from './cookies.ts';
import { backChannelLogout } from './back-channel-logout.ts';
import { SignInRefused, type Login, type OidcClient } from './oidc.ts';
import { requireOwnPage } from './own-page.ts';
import { sendPlainPage } from './plain-page.ts';
import { sendProblem } from './problem.ts';
import { recordRateLimited, recordSecurity, securityActor } from './security-entry.ts';
import type { Sealer } from '@saleschannel/auth';
import { SESSION_SECONDS, type OpenSession, type Session, type Sessions } from './sessions.ts';

/** How long signing in at the provider may take. */
const LOGIN_SECONDS = 600;
/** How long a sign-out waits for the provider. */
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

/**
 * A path of this site, or the start. Never another site: what is left of `/.//elsewhere` when its dots are resolved
 * begins like the address of one.
 */
function returnPathOf(text: unknown, publicUrl: URL): string {
  if (typeof text !== 'string' || !text.startsWith('/') || text.length > RETURN_CHARACTERS_AT_MOST) return '/';
  const url = URL.parse(text, publicUrl.href);
  const isOurs = url?.origin === publicUrl.origin && !url.pathname.startsWith('//');
  return isOurs ? `${url.pathname}${url.search}${url.hash}` : '/';
}

function maxAgeOf(text: unknown): number {
  const seconds = typeof text === 'string' && /^\d{1,5}$/.test(text) ? Number(text) : SESSION_SECONDS;
  return Math.min(seconds, SESSION_SECONDS);
}

/** What a challenge may have asked for. The API judges what became of it, so that nobody need trust this. */
const acrValuesOf = (text: unknown): string | undefined =>
  typeof text === 'string' && /^[!#-[\]-~ ]{1,500}$/.test(text) ? text : undefined;

/** What a page may know of the session. No token is among it. */
function describe(open: OpenSession, sessions: Sessions, nowMs: number): object {
  const { issuer, subject, name, email, signedInAtMs } = open.session;
  const ends = sessions.endsOf(open);
  return {
    signedIn: true,
    issuer,
    subject,
    name,
    email,
    signedInAt: new Date(signedInAtMs).toISOString(),
    expiresAt: new Date(ends.atMs).toISOString(),
    idleExpiresAt: new Date(ends.idleAtMs).toISOString(),
    /** Clocks of browsers differ. */
    now: new Date(nowMs).toISOString(),
    accessExpiresAt: new Date(open.session.accessExpiresAtMs).toISOString(),
  };
}

/** `/sign-in`, `/callback`, `/sign-out` and `/session`, for browsers. */
class SignIn {
  readonly #options: SignInOptions;
  readonly #purpose: string;

  constructor(options: SignInOptions) {
    this.#options = options;
    this.#purpose = `${options.application}-login`;
  }

  /** `?return=<path>&max_age=<seconds>&acr_values=<words>`: sends the browser to the provider. */
  async begin(request: Request, response: Response): Promise<void> {
    const { oidc, publicUrl, sealer, cookies, sessions, now, logger } = this.#options;
    const { return: returnTo, max_age: maxAge, acr_values: acrValues } = request.query;
    let begun: { url: string; login: Login };
    try {
      begun = await oidc.begin(maxAgeOf(maxAge), acrValuesOf(acrValues));
    } catch (error) {
      logger.error({ err: error }, 'the identity provider cannot be asked');
      return sendPlainPage(response, 503, 'Signing in is not possible now', [
        'The identity provider cannot be reached.',
        { href: request.originalUrl, text: 'Try again' },
      ]);
    }
    const sealed = await sealer.seal(this.#purpose, {
      ...begun.login,
      returnTo: returnPathOf(returnTo, publicUrl),
      // Strict cookies stay at home when the browser comes back from the provider.
      replaces: (await sessions.held(request))?.id,
      expiresAtMs: now() + LOGIN_SECONDS * 1_000,
    });
    // Lax, for once: the browser comes back from another site.
    cookies.write(response, 'login', sealed, { sameSite: 'lax', maxAgeSeconds: LOGIN_SECONDS });
    response.set('Cache-Control', 'no-store').redirect(303, begun.url);
  }

  /** The browser is back from the provider. */
  async finish(request: Request, response: Response): Promise<void> {
    const { oidc, sealer, cookies, sessions, publicUrl, now, logger } = this.#options;
    const sealed = cookies.read(request, 'login');
    const login = sealed === undefined ? undefined : await sealer.open(this.#purpose, sealed, loginShape);
    cookies.clear(response, 'login');
    const again = (path: string) => ({ href: `/sign-in?return=${encodeURIComponent(path)}`, text: 'Sign in again' });
    if (!login || login.expiresAtMs <= now()) {
      this.#recordFailure(response, login ? 'sign-in-expired' : 'sign-in-unknown');
      return sendPlainPage(response, 400, 'You are not signed in', [
        'This sign-in was begun in another browser, or too long ago, or was used before.',
        again('/'),
      ]);
    }
    let subject: string | undefined;
    try {
      const { identity, ...tokens } = await oidc.finish(new URL(request.originalUrl, publicUrl).searchParams, login);
      ({ subject } = identity);
      await sessions.begin(request, response, { identity, tokens, replaces: login.replaces });
    } catch (error) {
      const isRefused = error instanceof SignInRefused;
      if (isRefused) this.#recordFailure(response, error.reason, subject);
      else logger.error({ err: error }, 'a sign-in did not succeed');
      return sendPlainPage(response, isRefused ? 400 : 503, 'You are not signed in', [
        isRefused ? 'The identity provider did not confirm who you are.' : 'Signing in is not possible at the moment.',
        again(login.returnTo),
      ]);
    }
    // A redirect would still count as coming from the provider's site, and strict cookies would stay at home. What
    // this page leads to is asked for by this site.
    sendPlainPage(response, 200, 'You are signed in', [{ href: login.returnTo, text: 'Continue' }], login.returnTo);
  }

  #recordFailure(response: Response, reason: string, subject?: string): void {
    const { securityLog } = this.#options;
    recordSecurity(securityLog, response, { event: 'authn_login_fail', reason, actor: securityActor({ subject }) });
  }

  /** Ends the session, and says where the browser signs out of the provider too. */
  async end(request: Request, response: Response): Promise<void> {
    const { oidc, sessions, publicUrl, logger } = this.#options;
    let session: Session | undefined;
    try {
      session = await sessions.end(request, response);
    } catch (error) {
      logger.error({ err: error }, 'a session could not be ended');
      return sendProblem(request, response, 'unavailable', 'Your session could not be ended. Try again.');
    }
    const token = session?.refreshToken ?? session?.accessToken;
    const failed = (error: unknown): void => logger.warn({ err: error }, 'a token could not be revoked');
    const revoked = token === undefined ? undefined : oidc.revoke(token).catch(failed);
    const told = oidc.signOutUrl().catch(() => publicUrl.href);
    const url = await Promise.race([
      Promise.all([told, revoked]).then(([address]) => address),
      delay(SIGN_OUT_MS, publicUrl.href, { ref: false }),
    ]);
    response.set('Cache-Control', 'no-store').json({ signOutUrl: url });
  }

  /** Who is signed in. With POST somebody says that they are still there. */
  async tell(request: Request, response: Response): Promise<void> {
    const { sessions, now } = this.#options;
    response.set('Cache-Control', 'no-store');
    try {
      const open = await sessions.read(request, response);
      if (!open) return void response.json({ signedIn: false });
      const session = await sessions.usable(response, open.session);
      const isAct = request.method === 'POST';
      if (isAct) await sessions.seen(response, { session, seenAtMs: 0 });
      response.json(describe({ session, seenAtMs: isAct ? now() : open.seenAtMs }, sessions, now()));
    } catch (error) {
      if (!(error instanceof SignInRefused)) {
        return sendProblem(request, response, 'unavailable', 'Your session cannot be checked at the moment.');
      }
      sessions.forget(response);
      response.json({ signedIn: false });
    }
  }
}

export function signInRoutes(options: SignInOptions): Router {
  const signIn = new SignIn(options);
  const router = Router();
  const ownPage = requireOwnPage(options.publicUrl, options.securityLog);
  router.get('/sign-in', (request, response) => signIn.begin(request, response));
  router.get('/callback', (request, response) => signIn.finish(request, response));
  // The provider sends it, and is known by the signature of its token alone.
  router.post('/backchannel-logout', recordRateLimited(options.securityLog), backChannelLogout(options));
  router.post('/sign-out', ownPage, (request, response) => signIn.end(request, response));
  router
    .route('/session')
    .all(ownPage)
    .get((request, response) => signIn.tell(request, response))
    .post((request, response) => signIn.tell(request, response));
  return router;
}
