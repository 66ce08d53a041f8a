import { ConnectionError } from '@saleschannel/sdk';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as oauth from 'oauth4webapi';
import type { TokenCredentials } from './config.ts';
import { Misuse } from './context.ts';

const REQUEST_TIMEOUT_MS = 10_000;
/** How long a person may take to sign in. */
const SIGN_IN_MS = 5 * 60_000;
/** How old a sign-in may be that shall be a fresh one: as long as a person may take. */
const FRESH_SECONDS = SIGN_IN_MS / 1_000;
const CALLBACK = '/callback';
/** Without a word about it (RFC 6749 section 5.1 only recommends one). */
const USUAL_LIFETIME_SECONDS = 300;

const PAGE = '<!doctype html><meta charset="utf-8"><title>scs</title><p>';

export interface SignInOptions {
  readonly issuer: string;
  readonly clientId: string;
  /** The person shows who they are, also where the provider still knows them. */
  readonly isFresh: boolean;
  /** Ways to do so, with spaces between, of which one must be used. */
  readonly acrValues: string | undefined;
  readonly signal: AbortSignal;
  /** Shows the person where to sign in. */
  readonly show: (url: string) => void;
}

const isLoopback = ({ hostname }: URL): boolean => /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname);

/** Plain HTTP is for a provider of development, on this machine. */
const requestTo = (issuer: URL) => ({
  signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
  [oauth.allowInsecureRequests]: isLoopback(issuer),
});

async function discover(issuer: URL): Promise<oauth.AuthorizationServer> {
  return oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, requestTo(issuer)));
}

const credentialsOf = (
  { issuer, clientId }: Pick<TokenCredentials, 'issuer' | 'clientId'>,
  answer: oauth.TokenEndpointResponse,
  refreshToken?: string,
): TokenCredentials => ({
  kind: 'tokens',
  issuer,
  clientId,
  accessToken: answer.access_token,
  expiresAtMs: Date.now() + (answer.expires_in ?? USUAL_LIFETIME_SECONDS) * 1_000,
  refreshToken: answer.refresh_token ?? refreshToken,
});

/**
 * Signs a person in by code and PKCE, who comes back to a port of this machine (RFC 8252 section 7.3).
 * @throws Error when they do not, or the answer is not the one to this sign-in
 */
export async function signIn(options: SignInOptions): Promise<TokenCredentials> {
  const { issuer: issuerText, clientId, isFresh, signal, show } = options;
  const issuer = new URL(issuerText);
  const server = await discover(issuer);
  if (server.authorization_endpoint === undefined)
    throw new Misuse(`The issuer ${issuerText} has no authorization endpoint.`);
  const client: oauth.Client = { client_id: clientId };
  const [state, nonce, verifier] = [
    oauth.generateRandomState(),
    oauth.generateRandomNonce(),
    oauth.generateRandomCodeVerifier(),
  ];
  const waiting = await waitForCallback(AbortSignal.any([signal, AbortSignal.timeout(SIGN_IN_MS)]));
  try {
    const redirectUri = `http://127.0.0.1:${waiting.port}${CALLBACK}`;
    const url = new URL(server.authorization_endpoint);
    const parameters = {
      client_id: clientId,
      response_type: 'code',
      redirect_uri: redirectUri,
      ...wishesOf(server, options),
      state,
      nonce,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    };
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
    show(url.href);
    const answered = await waiting.answer;
    // State and, where the provider names it, the issuer (RFC 9207) are those of this sign-in.
    const valid = oauth.validateAuthResponse(server, client, answered, state);
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      oauth.None(),
      valid,
      redirectUri,
      verifier,
      requestTo(issuer),
    );
    const answer = await oauth.processAuthorizationCodeResponse(server, client, response, {
      expectedNonce: nonce,
      requireIdToken: true,
      // The provider says when the person signed in, and that is checked.
      ...(isFresh && { maxAge: FRESH_SECONDS }),
    });
    return credentialsOf({ issuer: issuerText, clientId }, answer);
  } finally {
    waiting.stop();
  }
}

/** How the person shall sign in. */
function wishesOf(
  { scopes_supported: scopes }: oauth.AuthorizationServer,
  { isFresh, acrValues }: SignInOptions,
): Record<string, string> {
  const canStay = scopes?.includes('offline_access') ?? false;
  // OpenID Connect Core section 11: whoever wants to stay signed in asks for consent.
  const prompts = [...(isFresh ? ['login'] : []), ...(canStay ? ['consent'] : [])];
  return {
    scope: canStay ? 'openid offline_access' : 'openid',
    ...(prompts.length > 0 && { prompt: prompts.join(' ') }),
    ...(isFresh && { max_age: String(FRESH_SECONDS) }),
    ...(acrValues !== undefined && { acr_values: acrValues }),
  };
}

/**
 * A new access token.
 * @throws ConnectionError when the provider cannot be reached, which may pass; Error when it gives none: sign in again
 */
export async function refresh(kept: TokenCredentials): Promise<TokenCredentials> {
  try {
    return await refreshed(kept);
  } catch (cause) {
    if (cause instanceof oauth.ResponseBodyError && cause.error === 'invalid_grant') throw ended();
    if (!isPassing(cause)) throw cause;
    throw new ConnectionError(`${kept.issuer} did not issue an access token: ${(cause as Error).message}`, { cause });
  }
}

const ended = (): Error => new Error('The sign-in has expired. Run scs login.');

/** Whether the provider was away: no answer in time, a broken connection, or an error of a server. */
function isPassing(error: unknown): boolean {
  if (error instanceof oauth.OperationProcessingError || error instanceof oauth.ResponseBodyError) {
    const { status } = (error instanceof oauth.ResponseBodyError ? error : (error.cause ?? {})) as { status?: number };
    return status !== undefined && (status >= 500 || status === 429);
  }
  // Of fetch. What this program does wrong is no matter of the network, and has a code.
  const { name, code } = error as { name?: unknown; code?: unknown };
  return name === 'TimeoutError' || (name === 'TypeError' && code === undefined);
}

async function refreshed(kept: TokenCredentials): Promise<TokenCredentials> {
  const { issuer: issuerText, clientId, refreshToken } = kept;
  if (refreshToken === undefined) throw ended();
  const issuer = new URL(issuerText);
  const server = await discover(issuer);
  const client: oauth.Client = { client_id: clientId };
  const response = await oauth.refreshTokenGrantRequest(server, client, oauth.None(), refreshToken, requestTo(issuer));
  return credentialsOf(kept, await oauth.processRefreshTokenResponse(server, client, response), refreshToken);
}

/** Ends the sign-in at the provider too, where that can (RFC 7009). */
export async function revoke({
  issuer: issuerText,
  clientId,
  refreshToken,
  accessToken,
}: TokenCredentials): Promise<void> {
  const issuer = new URL(issuerText);
  const server = await discover(issuer);
  if (server.revocation_endpoint === undefined) return;
  const client: oauth.Client = { client_id: clientId };
  const token = refreshToken ?? accessToken;
  const response = await oauth.revocationRequest(server, client, oauth.None(), token, requestTo(issuer));
  await oauth.processRevocationResponse(response);
}

interface Waiting {
  readonly port: number;
  readonly answer: Promise<URLSearchParams>;
  stop(): void;
}

/** Listens on a port of the loopback for the browser to come back once. */
async function waitForCallback(signal: AbortSignal): Promise<Waiting> {
  const server: Server = createServer();
  const answer = new Promise<URLSearchParams>((resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('The sign-in was not completed in time.')), { once: true });
    server.on('request', (request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1');
      const isAnswer = request.method === 'GET' && pathname === CALLBACK;
      response.writeHead(isAnswer ? 200 : 404, {
        'Content-Type': 'text/html; charset=utf-8',
        'Content-Security-Policy': "default-src 'none'",
        'Cache-Control': 'no-store',
        Connection: 'close',
      });
      response.end(isAnswer ? `${PAGE}You can close this page and go back to the terminal.` : `${PAGE}Page not found.`);
      if (isAnswer) resolve(searchParams);
    });
  });
  // Whoever waits hears of it. Until then nobody does.
  answer.catch(() => undefined);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    answer,
    stop: () => {
      server.close();
      server.closeIdleConnections();
    },
  };
}
