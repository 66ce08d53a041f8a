import { createRemoteJWKSet, customFetch, type JWTVerifyGetKey } from 'jose';
import * as oauth from 'oauth4webapi';
import { Agent, buildConnector, fetch as undiciFetch, type RequestInit as UndiciInit } from 'undici';
import { LogoutTokenRefused, ProviderRefusal, verifyLogoutToken, type ProviderLogout } from './back-channel-logout.ts';
import { isPlainLoopback } from './public-url.ts';

// Uses oauth4webapi, because openid-client 6.9 wraps timeouts in the same error class as refusals.
const REQUEST_TIMEOUT_MS = 10_000;
/** Lifetime of the discovered metadata. */
const DISCOVERY_MS = 3_600_000;
/** Minimum interval between requests for keys: any client can send tokens of unknown keys. */
const KEYS_COOLDOWN_MS = 5_000;
const JWT = /^[\w-]+\.[\w-]+\.[\w-]+$/;

export interface OidcOptions {
  readonly issuer: string;
  /** Address at which this server reaches the issuer, if it differs. */
  readonly internalUrl: string | undefined;
  readonly clientId: string;
  /** Undefined for a public client, which uses PKCE only. */
  readonly clientSecret: string | undefined;
  readonly scope: string;
  /** API that the tokens are for (RFC 8707), if the provider requires it. */
  readonly resource: string | undefined;
  readonly callbackUrl: string;
  readonly signedOutUrl: string;
  /** In milliseconds since 1970. */
  readonly now: () => number;
}

/** State of a sign-in until the browser returns from the provider. */
export interface PendingSignIn {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
  readonly maxAgeSeconds: number;
}

export interface Tokens {
  readonly accessToken: string;
  readonly accessExpiresAtMs: number;
  readonly refreshToken: string | undefined;
}

export interface Identity {
  readonly issuer: string;
  readonly subject: string;
  readonly name: string | undefined;
  readonly email: string | undefined;
  readonly signedInAtMs: number;
  /** Authentication context (`acr`). */
  readonly acr: string | undefined;
  /** Session at the provider (`sid`). */
  readonly providerSession: string | undefined;
}

/** The provider or identity rejected the code, the token or the person, who must sign in again. */
export class SignInRefused extends ProviderRefusal {
  override name = 'SignInRefused';
}

/**
 * Form of the codes of OAuth 2.0 and oauth4webapi. Authorization responses come from browsers: other text is dropped.
 */
const REASON = /^[A-Za-z_]{1,60}$/;
const toReason = (error: { readonly error?: unknown; readonly code?: unknown }): string => {
  const reason = error.error ?? error.code;
  return typeof reason === 'string' && REASON.test(reason) ? reason : 'refused-by-provider';
};

/** Default if the provider omits `expires_in` (RFC 6749 section 5.1 only recommends it). */
const DEFAULT_LIFETIME_SECONDS = 300;

/** Creates an agent that connects to one address. Requests keep the host name of their URL. */
function createAgent(address: string): Agent {
  const { protocol, hostname, port } = new URL(address);
  const connect = buildConnector({ timeout: REQUEST_TIMEOUT_MS });
  return new Agent({
    connect: (options, done) =>
      connect({ ...options, protocol, hostname, port: port || (protocol === 'https:' ? '443' : '80') }, done),
    // One connection per request: there are few, and none has to be closed later.
    pipelining: 0,
  });
}

/** Client of any provider with discovery: code flow with PKCE, state, nonce and a check of `iss`. */
export class OidcClient {
  readonly #options: OidcOptions;
  readonly #issuer: URL;
  readonly #client: oauth.Client;
  readonly #internalAgent: Agent | undefined;
  #keys: { readonly address: string; readonly find: JWTVerifyGetKey } | undefined;
  #server: { readonly found: Promise<oauth.AuthorizationServer>; readonly atMs: number } | undefined;

  constructor(options: OidcOptions) {
    this.#options = options;
    this.#issuer = new URL(options.issuer);
    this.#client = { client_id: options.clientId };
    this.#internalAgent = options.internalUrl === undefined ? undefined : createAgent(options.internalUrl);
  }

  /**
   * Starts a sign-in. Returns the URL for the browser.
   * @param maxAgeSeconds maximum age of the person's authentication
   * @param acrValues accepted authentication contexts, separated by spaces; undefined accepts any
   */
  async begin(maxAgeSeconds: number, acrValues?: string): Promise<{ url: string; login: PendingSignIn }> {
    const { authorization_endpoint: endpoint } = await this.#discover();
    if (endpoint === undefined) throw new Error('The identity provider has no authorization endpoint.');
    const login: PendingSignIn = {
      state: oauth.generateRandomState(),
      nonce: oauth.generateRandomNonce(),
      codeVerifier: oauth.generateRandomCodeVerifier(),
      maxAgeSeconds,
    };
    const { clientId, callbackUrl, scope, resource } = this.#options;
    const url = new URL(endpoint);
    const parameters = {
      client_id: clientId,
      response_type: 'code',
      redirect_uri: callbackUrl,
      scope,
      state: login.state,
      nonce: login.nonce,
      code_challenge: await oauth.calculatePKCECodeChallenge(login.codeVerifier),
      code_challenge_method: 'S256',
      max_age: String(maxAgeSeconds),
      ...(acrValues === undefined ? {} : { acr_values: acrValues }),
      ...(resource === undefined ? {} : { resource }),
    };
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
    return { url: url.href, login };
  }

  /** Completes a sign-in. @throws SignInRefused if the answer does not belong to it */
  async finish(answer: URLSearchParams, login: PendingSignIn): Promise<Tokens & { readonly identity: Identity }> {
    const server = await this.#discover();
    return this.#translateRefusals(async () => {
      const parameters = oauth.validateAuthResponse(server, this.#client, answer, login.state);
      const response = await oauth.authorizationCodeGrantRequest(
        server,
        this.#client,
        this.#authentication(server),
        parameters,
        this.#options.callbackUrl,
        login.codeVerifier,
        this.#request(),
      );
      const result = await oauth.processAuthorizationCodeResponse(server, this.#client, response, {
        expectedNonce: login.nonce,
        maxAge: login.maxAgeSeconds,
        requireIdToken: true,
      });
      return { ...this.#toTokens(result, undefined), identity: this.#toIdentity(result) };
    });
  }

  /** @throws SignInRefused if the provider no longer accepts the token */
  async refresh(refreshToken: string): Promise<Tokens> {
    const server = await this.#discover();
    return this.#translateRefusals(async () => {
      const response = await oauth.refreshTokenGrantRequest(
        server,
        this.#client,
        this.#authentication(server),
        refreshToken,
        this.#request(),
      );
      return this.#toTokens(await oauth.processRefreshTokenResponse(server, this.#client, response), refreshToken);
    });
  }

  /** Revokes a token (RFC 7009), if the provider supports it. */
  async revoke(token: string): Promise<void> {
    const server = await this.#discover();
    if (server.revocation_endpoint === undefined) return;
    const request = this.#request();
    const response = await oauth.revocationRequest(server, this.#client, this.#authentication(server), token, request);
    await oauth.processRevocationResponse(response);
  }

  /** Verifies a logout token. @throws LogoutTokenRefused. @throws Error if the provider's keys cannot be read */
  async readLogoutToken(token: string | null): Promise<ProviderLogout> {
    // Arbitrary text must not cause requests to the provider.
    if (token === null || !JWT.test(token))
      throw new LogoutTokenRefused('malformed', '`logout_token` must be a signed JWT.');
    const { issuer, jwks_uri: address } = await this.#discover();
    if (address === undefined) throw new Error('The identity provider has no jwks_uri.');
    const { clientId, now } = this.#options;
    return verifyLogoutToken(token, { issuer, clientId, keys: this.#findKeys(address), nowMs: now() });
  }

  #findKeys(address: string): JWTVerifyGetKey {
    if (this.#keys?.address === address) return this.#keys.find;
    const find = createRemoteJWKSet(new URL(address), {
      cooldownDuration: KEYS_COOLDOWN_MS,
      timeoutDuration: REQUEST_TIMEOUT_MS,
      [customFetch]: (url, options) => this.#send(url, options),
    });
    this.#keys = { address, find };
    return find;
  }

  /** Returns the URL at which the person signs out of the provider (OpenID Connect RP-Initiated Logout). */
  async signOutUrl(): Promise<string> {
    const { end_session_endpoint: endpoint } = await this.#discover();
    if (endpoint === undefined) return this.#options.signedOutUrl;
    const url = new URL(endpoint);
    url.searchParams.set('client_id', this.#options.clientId);
    url.searchParams.set('post_logout_redirect_uri', this.#options.signedOutUrl);
    return url.href;
  }

  #discover(): Promise<oauth.AuthorizationServer> {
    const nowMs = this.#options.now();
    if (this.#server && nowMs - this.#server.atMs < DISCOVERY_MS) return this.#server.found;
    const found = oauth
      .discoveryRequest(this.#issuer, this.#request())
      .then((response) => oauth.processDiscoveryResponse(this.#issuer, response));
    const server = { found, atMs: nowMs };
    this.#server = server;
    found.catch(() => {
      if (this.#server === server) this.#server = undefined;
    });
    return found;
  }

  /** Options of each request. Plain HTTP is allowed on loopback addresses only, for development. */
  #request() {
    return {
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
      [oauth.allowInsecureRequests]: isPlainLoopback(this.#issuer),
      [oauth.customFetch]: (url: string, options: object) => this.#send(url, options),
    };
  }

  /** Sends a request under the issuer's host name, from which the provider derives its URLs. */
  async #send(url: string, options: object): Promise<Response> {
    if (this.#internalAgent === undefined || new URL(url).origin !== this.#issuer.origin) return fetch(url, options);
    // The fetch of Node cannot set Host, and accepts agents of its bundled undici only.
    const response = await undiciFetch(url, { ...(options as UndiciInit), dispatcher: this.#internalAgent });
    return response as unknown as Response;
  }

  #authentication(server: oauth.AuthorizationServer): oauth.ClientAuth {
    const { clientSecret } = this.#options;
    if (clientSecret === undefined) return oauth.None();
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    return methods.includes('client_secret_basic')
      ? oauth.ClientSecretBasic(clientSecret)
      : oauth.ClientSecretPost(clientSecret);
  }

  #toTokens(result: oauth.TokenEndpointResponse, previousRefreshToken: string | undefined): Tokens {
    return {
      accessToken: result.access_token,
      accessExpiresAtMs: this.#options.now() + (result.expires_in ?? DEFAULT_LIFETIME_SECONDS) * 1_000,
      refreshToken: result.refresh_token ?? previousRefreshToken,
    };
  }

  #toIdentity(result: oauth.TokenEndpointResponse): Identity {
    const claims = oauth.getValidatedIdTokenClaims(result);
    if (!claims) throw new SignInRefused('refused-by-provider', 'the identity provider sent no ID token');
    const text = (value: unknown): string | undefined => (typeof value === 'string' ? value.slice(0, 200) : undefined);
    return {
      issuer: claims.iss,
      subject: claims.sub,
      name: text(claims['name']) ?? text(claims['preferred_username']),
      email: text(claims['email']),
      signedInAtMs: (claims.auth_time ?? claims.iat) * 1_000,
      acr: text(claims['acr']),
      providerSession: text(claims['sid']),
    };
  }

  /** Translates errors that are refusals of the provider. */
  async #translateRefusals<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      const isRefusal =
        error instanceof oauth.AuthorizationResponseError ||
        error instanceof oauth.OperationProcessingError ||
        (error instanceof oauth.ResponseBodyError && error.status < 500);
      if (!isRefusal) throw error;
      throw new SignInRefused(toReason(error), error.message, { cause: error });
    }
  }
}
