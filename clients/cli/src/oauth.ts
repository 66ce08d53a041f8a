import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ConnectionError } from '@saleschannel/sdk';
import * as oauth from 'oauth4webapi';
import type { TokenCredentials } from './config.ts';
import { UsageError } from './failures.ts';

const REQUEST_TIMEOUT_MS = 10_000;
/** Time limit for the sign-in. */
const SIGN_IN_TIMEOUT_MS = 5 * 60_000;
/** Maximum age of a fresh sign-in, equal to its time limit. */
const FRESH_SECONDS = SIGN_IN_TIMEOUT_MS / 1_000;
const CALLBACK = '/callback';
/** Default if the response has no lifetime, which RFC 6749 section 5.1 only recommends. */
const DEFAULT_LIFETIME_SECONDS = 300;

const PAGE = '<!doctype html><meta charset="utf-8"><title>scs</title><p>';

export interface SignInOptions {
  readonly issuer: string;
  readonly clientId: string;
  /** Requires a new authentication, even within a session of the provider. */
  readonly isFresh: boolean;
  /** Accepted authentication contexts, separated by spaces. */
  readonly acrValues: string | undefined;
  readonly signal: AbortSignal;
  /** Shows the user the sign-in address. */
  readonly show: (url: string) => void;
}

const isLoopback = ({ hostname }: URL): boolean => /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname);

/** Allows plain HTTP for a development provider on this machine. */
const requestTo = (issuer: URL) => ({
  signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
  [oauth.allowInsecureRequests]: isLoopback(issuer),
});

async function discover(issuer: URL): Promise<oauth.AuthorizationServer> {
  return oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, requestTo(issuer)));
}

const toCredentials = (
  { issuer, clientId }: Pick<TokenCredentials, 'issuer' | 'clientId'>,
  answer: oauth.TokenEndpointResponse,
  refreshToken?: string,
): TokenCredentials => ({
  kind: 'tokens',
  issuer,
  clientId,
  accessToken: answer.access_token,
  expiresAtMs: Date.now() + (answer.expires_in ?? DEFAULT_LIFETIME_SECONDS) * 1_000,
  refreshToken: answer.refresh_token ?? refreshToken,
});

/**
 * Signs a user in by authorization code with PKCE, redirecting to a loopback port (RFC 8252 section 7.3).
 * @throws Error on refusal, timeout or an invalid response
 */
export async function signIn(options: SignInOptions): Promise<TokenCredentials> {
  const { issuer: issuerText, clientId, isFresh, signal, show } = options;
  const issuer = new URL(issuerText);
  const server = await discover(issuer);
  if (server.authorization_endpoint === undefined)
    throw new UsageError(`The issuer ${issuerText} has no authorization endpoint.`);
  const client: oauth.Client = { client_id: clientId };
  const [state, nonce, verifier] = [
    oauth.generateRandomState(),
    oauth.generateRandomNonce(),
    oauth.generateRandomCodeVerifier(),
  ];
  const callbackServer = await waitForCallback(AbortSignal.any([signal, AbortSignal.timeout(SIGN_IN_TIMEOUT_MS)]));
  try {
    const redirectUri = `http://127.0.0.1:${callbackServer.port}${CALLBACK}`;
    const url = new URL(server.authorization_endpoint);
    const parameters = {
      client_id: clientId,
      response_type: 'code',
      redirect_uri: redirectUri,
      ...optionalParameters(server, options),
      state,
      nonce,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    };
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
    show(url.href);
    const callback = await callbackServer.answer;
    // Checks the state and, if present, the issuer (RFC 9207).
    const valid = oauth.validateAuthResponse(server, client, callback, state);
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
      // Checks the time of authentication that the provider reports.
      ...(isFresh && { maxAge: FRESH_SECONDS }),
    });
    return toCredentials({ issuer: issuerText, clientId }, answer);
  } finally {
    callbackServer.stop();
  }
}

/** Optional parameters of the authorization request. */
function optionalParameters(
  { scopes_supported: scopes }: oauth.AuthorizationServer,
  { isFresh, acrValues }: SignInOptions,
): Record<string, string> {
  const canStay = scopes?.includes('offline_access') ?? false;
  // OpenID Connect Core section 11: offline access requires consent.
  const prompts = [...(isFresh ? ['login'] : []), ...(canStay ? ['consent'] : [])];
  return {
    scope: canStay ? 'openid offline_access' : 'openid',
    ...(prompts.length > 0 && { prompt: prompts.join(' ') }),
    ...(isFresh && { max_age: String(FRESH_SECONDS) }),
    ...(acrValues !== undefined && { acr_values: acrValues }),
  };
}

/**
 * Gets a new access token.
 * @throws ConnectionError if the provider is temporarily unreachable; Error if the user must sign in again
 */
export async function refresh(credentials: TokenCredentials): Promise<TokenCredentials> {
  try {
    return await requestRefresh(credentials);
  } catch (cause) {
    if (cause instanceof oauth.ResponseBodyError && cause.error === 'invalid_grant') throw expiredError();
    if (!isTransient(cause)) throw cause;
    throw new ConnectionError(`${credentials.issuer} did not issue an access token: ${(cause as Error).message}`, {
      cause,
    });
  }
}

const expiredError = (): Error => new Error('The sign-in has expired. Run scs login.');

/** Whether the provider is unavailable: timeout, broken connection or server error. */
function isTransient(error: unknown): boolean {
  if (error instanceof oauth.OperationProcessingError || error instanceof oauth.ResponseBodyError) {
    const { status } = (error instanceof oauth.ResponseBodyError ? error : (error.cause ?? {})) as { status?: number };
    return status !== undefined && (status >= 500 || status === 429);
  }
  // Network errors of fetch. Programming errors have a code.
  const { name, code } = error as { name?: unknown; code?: unknown };
  return name === 'TimeoutError' || (name === 'TypeError' && code === undefined);
}

async function requestRefresh(credentials: TokenCredentials): Promise<TokenCredentials> {
  const { issuer: issuerText, clientId, refreshToken } = credentials;
  if (refreshToken === undefined) throw expiredError();
  const issuer = new URL(issuerText);
  const server = await discover(issuer);
  const client: oauth.Client = { client_id: clientId };
  const response = await oauth.refreshTokenGrantRequest(server, client, oauth.None(), refreshToken, requestTo(issuer));
  return toCredentials(credentials, await oauth.processRefreshTokenResponse(server, client, response), refreshToken);
}

/** Revokes the tokens, if the provider supports it (RFC 7009). */
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

interface CallbackServer {
  readonly port: number;
  readonly answer: Promise<URLSearchParams>;
  stop(): void;
}

/** Listens on a loopback port for one callback of the browser. */
async function waitForCallback(signal: AbortSignal): Promise<CallbackServer> {
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
  // The awaiting caller handles failures. This prevents an unhandled rejection before.
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
