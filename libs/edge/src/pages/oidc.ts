import { createRemoteJWKSet, customFetch, type JWTVerifyGetKey } from 'jose';
import * as oauth from 'oauth4webapi';
import { Agent, buildConnector, fetch as fetchBy, type RequestInit as InitBy } from 'undici';
import { LogoutTokenRefused, verifyLogoutToken, type Logout } from './logout-token.ts';
import { isPlainLoopback } from './public-url.ts';

const REQUEST_TIMEOUT_MS = 10_000;
/** What the provider says of itself is asked for again after this time. */
const DISCOVERY_MS = 3_600_000;
/** Anybody can show tokens of unknown keys. The provider is asked for new keys no more often than this. */
const KEYS_COOLDOWN_MS = 5_000;
const JWT = /^[\w-]+\.[\w-]+\.[\w-]+$/;

export interface OidcOptions {
  readonly issuer: string;
  /** Where the issuer is reached from here, if not at its own address. */
  readonly internalUrl: string | undefined;
  readonly clientId: string;
  /** Undefined: a public client, which is known by PKCE alone. */
  readonly clientSecret: string | undefined;
  readonly scope: string;
  /** RFC 8707: the API that the tokens are for, where the provider asks for it. */
  readonly resource: string | undefined;
  readonly callbackUrl: string;
  /** Where the provider sends people after they have signed out. */
  readonly signedOutUrl: string;
  /** In milliseconds since 1970. */
  readonly now: () => number;
}

/** What is kept of a sign-in until the browser comes back from the provider. */
export interface Login {
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
  /** When the person showed who they are. */
  readonly signedInAtMs: number;
  /** How they showed it (`acr`). */
  readonly acr: string | undefined;
  /** Their session at the provider (`sid`). */
  readonly providerSession: string | undefined;
}

/** The provider or identity refuses: the code, the token or the person. Signing in again is the remedy. */
export class SignInRefused extends Error {
  override name = 'SignInRefused';
  /** Stable, for the security log. Never text of a browser. */
  readonly reason: string;

  constructor(reason: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

/** Codes of OAuth 2.0 and of oauth4webapi. A browser brings an authorization response: what it says may be anything. */
const REASON = /^[A-Za-z_]{1,60}$/;
const reasonOf = (error: { readonly error?: unknown; readonly code?: unknown }): string => {
  const reason = error.error ?? error.code;
  return typeof reason === 'string' && REASON.test(reason) ? reason : 'refused-by-provider';
};

/** Without a word about it (RFC 6749 section 5.1 only recommends one). */
const USUAL_LIFETIME_SECONDS = 300;

/** Connections go to one address, whatever the URL says. What is sent by them names the URL's. */
function connectingTo(address: string): Agent {
  const { protocol, hostname, port } = new URL(address);
  const connect = buildConnector({ timeout: REQUEST_TIMEOUT_MS });
  return new Agent({
    connect: (options, done) =>
      connect({ ...options, protocol, hostname, port: port || (protocol === 'https:' ? '443' : '80') }, done),
    // A connection for each request: these are few, and nothing is left to close.
    pipelining: 0,
  });
}

/** Code flow with PKCE, state, nonce and the check of `iss`, at any provider that can be discovered. */
export class OidcClient {
  readonly #options: OidcOptions;
  readonly #issuer: URL;
  readonly #client: oauth.Client;
  readonly #inside: Agent | undefined;
  #keys: { readonly address: string; readonly find: JWTVerifyGetKey } | undefined;
  #server: { readonly found: Promise<oauth.AuthorizationServer>; readonly atMs: number } | undefined;

  constructor(options: OidcOptions) {
    this.#options = options;
    this.#issuer = new URL(options.issuer);
    this.#client = { client_id: options.clientId };
    this.#inside = options.internalUrl === undefined ? undefined : connectingTo(options.internalUrl);
  }

  /**
   * Where the browser goes to sign in.
   * @param maxAgeSeconds how long ago the person may have done so
   * @param acrValues how they may show who they are, with spaces between; in any way when undefined
   */
  async begin(maxAgeSeconds: number, acrValues?: string): Promise<{ url: string; login: Login }> {
    const { authorization_endpoint: endpoint } = await this.#discover();
    if (endpoint === undefined) throw new Error('the identity provider names no authorization endpoint');
    const login: Login = {
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

  /** @throws SignInRefused when what came back is not the answer to this sign-in */
  async finish(answer: URLSearchParams, login: Login): Promise<Tokens & { readonly identity: Identity }> {
    const server = await this.#discover();
    return this.#refusing(async () => {
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
      return { ...this.#tokensOf(result, undefined), identity: this.#identityOf(result) };
    });
  }

  /** @throws SignInRefused when the provider takes the token no more */
  async refresh(refreshToken: string): Promise<Tokens> {
    const server = await this.#discover();
    return this.#refusing(async () => {
      const response = await oauth.refreshTokenGrantRequest(
        server,
        this.#client,
        this.#authentication(server),
        refreshToken,
        this.#request(),
      );
      return this.#tokensOf(await oauth.processRefreshTokenResponse(server, this.#client, response), refreshToken);
    });
  }

  /** RFC 7009. Does nothing at a provider that cannot. */
  async revoke(token: string): Promise<void> {
    const server = await this.#discover();
    if (server.revocation_endpoint === undefined) return;
    const request = this.#request();
    const response = await oauth.revocationRequest(server, this.#client, this.#authentication(server), token, request);
    await oauth.processRevocationResponse(response);
  }

  /** Reads a logout token of the provider. @throws LogoutTokenRefused. @throws Error when its keys cannot be read */
  async readLogoutToken(token: string | null): Promise<Logout> {
    // Nobody is asked for what cannot be a token.
    if (token === null || !JWT.test(token))
      throw new LogoutTokenRefused('malformed', '`logout_token` must be a signed JWT.');
    const { issuer, jwks_uri: address } = await this.#discover();
    if (address === undefined) throw new Error('the identity provider names no keys');
    const { clientId, now } = this.#options;
    return verifyLogoutToken(token, { issuer, clientId, keys: this.#keysAt(address), nowMs: now() });
  }

  #keysAt(address: string): JWTVerifyGetKey {
    if (this.#keys?.address === address) return this.#keys.find;
    const find = createRemoteJWKSet(new URL(address), {
      cooldownDuration: KEYS_COOLDOWN_MS,
      timeoutDuration: REQUEST_TIMEOUT_MS,
      [customFetch]: (url, options) => this.#send(url, options),
    });
    this.#keys = { address, find };
    return find;
  }

  /** Where the person signs out of the provider too (OpenID Connect RP-Initiated Logout). */
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

  /** Plain HTTP is for a provider of development, on this machine. */
  #request(): {
    signal: AbortSignal;
    [oauth.allowInsecureRequests]: boolean;
    [oauth.customFetch]: (url: string, options: object) => Promise<Response>;
  } {
    return {
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
      [oauth.allowInsecureRequests]: isPlainLoopback(this.#issuer),
      [oauth.customFetch]: (url, options) => this.#send(url, options),
    };
  }

  /** The provider is asked under its own name, wherever it is: it makes its addresses of the name. */
  async #send(url: string, options: object): Promise<Response> {
    if (this.#inside === undefined || new URL(url).origin !== this.#issuer.origin) return fetch(url, options);
    // The fetch of Node sends no Host but that of the URL, and takes an agent of its own release only.
    const response = await fetchBy(url, { ...(options as InitBy), dispatcher: this.#inside });
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

  #tokensOf(result: oauth.TokenEndpointResponse, before: string | undefined): Tokens {
    return {
      accessToken: result.access_token,
      accessExpiresAtMs: this.#options.now() + (result.expires_in ?? USUAL_LIFETIME_SECONDS) * 1_000,
      refreshToken: result.refresh_token ?? before,
    };
  }

  #identityOf(result: oauth.TokenEndpointResponse): Identity {
    const claims = oauth.getValidatedIdTokenClaims(result);
    if (!claims) throw new SignInRefused('refused-by-provider', 'the identity provider named nobody');
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

  async #refusing<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      const isOurs =
        error instanceof oauth.AuthorizationResponseError ||
        error instanceof oauth.OperationProcessingError ||
        (error instanceof oauth.ResponseBodyError && error.status < 500);
      if (!isOurs) throw error;
      throw new SignInRefused(reasonOf(error), error.message, { cause: error });
    }
  }
}
