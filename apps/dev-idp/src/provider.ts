import { randomBytes } from 'node:crypto';
import type { JWK } from 'jose';
import {
  errors,
  Provider,
  type Adapter,
  type AdapterFactory,
  type AdapterPayload,
  type ClientMetadata,
  type Configuration,
  type OIDCContext,
} from 'oidc-provider';
import type { KnownClients, ScriptClient, WebClient } from './clients.ts';
import { SIGNING_ALGORITHM } from './signing-key.ts';

/** The public client with which people sign in, from the API's documentation pages or a tool on their own machine. */
export const DOCS_CLIENT_ID = 'docs';

/** The public client of `scs`, with which people sign in from a terminal. */
const CLI_CLIENT_ID = 'cli';

/** Redirect address of a program on the person's machine, on any port (RFC 8252 section 7.3). */
const LOOPBACK_REDIRECT_URI = 'http://127.0.0.1/callback';

/** The only API for which tokens are issued. RFC 8707 requires a URI here. The token's audience is a setting. */
const API_RESOURCE = 'urn:saleschannel:api';

const MINUTE_S = 60;
const DAY_S = 86_400;

export interface ProviderOptions {
  readonly issuer: string;
  readonly audience: string;
  readonly accessTokenSeconds: number;
  readonly docsRedirectUris: readonly string[];
  readonly key: JWK;
  readonly clients: KnownClients;
}

const publicClient = (id: string, name: string, redirectUris: readonly string[]): ClientMetadata => ({
  client_id: id,
  client_name: name,
  // Native clients may use any port of a loopback address (RFC 8252 section 7.3).
  application_type: 'native',
  token_endpoint_auth_method: 'none',
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  redirect_uris: [...redirectUris],
  scope: 'openid offline_access',
});

/** Claims about a person, as a production provider has them (OpenID Connect Core section 5.1). */
const toProfile = (name: string) => ({
  email: name.includes('@') ? name : `${name}@example.test`,
  email_verified: true,
  name,
});

/** Time of the sign-in (RFC 9068 section 2.2.1). */
const toAuthTime = ({ AuthorizationCode: code, RefreshToken: refresh }: OIDCContext['entities']) => ({
  auth_time: (code ?? refresh)?.authTime,
});

const scriptMetadata = ({ clientId, clientSecret }: ScriptClient): ClientMetadata => ({
  client_id: clientId,
  client_secret: clientSecret,
  // oidc-provider accepts the secret in the header and in the form.
  token_endpoint_auth_method: 'client_secret_basic',
  grant_types: ['client_credentials'],
  response_types: [],
  redirect_uris: [],
});

const webMetadata = ({
  clientId,
  clientSecret,
  redirectUris,
  signedOutUris,
  backChannelLogoutUri,
}: WebClient): ClientMetadata => ({
  client_id: clientId,
  client_secret: clientSecret,
  token_endpoint_auth_method: 'client_secret_basic',
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  redirect_uris: [...redirectUris],
  post_logout_redirect_uris: [...signedOutUris],
  ...(backChannelLogoutUri !== undefined && {
    backchannel_logout_uri: backChannelLogoutUri,
    backchannel_logout_session_required: true,
  }),
});

async function findClient(clients: KnownClients, clientId: string): Promise<ClientMetadata | undefined> {
  const client = await clients.find(clientId);
  return client && (client.kind === 'script' ? scriptMetadata(client) : webMetadata(client));
}

function features(options: ProviderOptions): Configuration['features'] {
  return {
    devInteractions: { enabled: true },
    clientCredentials: { enabled: true },
    backchannelLogout: { enabled: true },
    revocation: { enabled: true },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => API_RESOURCE,
      useGrantedResource: () => true,
      getResourceServerInfo: (_ctx, resource) => {
        if (resource !== API_RESOURCE) throw new errors.InvalidTarget();
        return {
          scope: '',
          audience: options.audience,
          accessTokenTTL: options.accessTokenSeconds,
          accessTokenFormat: 'jwt',
          jwt: { sign: { alg: SIGNING_ALGORITHM } },
        };
      },
    },
  };
}

/**
 * Configures oidc-provider as the development identity provider: ES256 JWT access tokens for one audience, no real
 * passwords.
 */
export function createProvider(options: ProviderOptions): Provider {
  const { clients, accessTokenSeconds } = options;
  return new Provider(options.issuer, {
    adapter: createMemoryStorage((clientId) => findClient(clients, clientId)),
    jwks: { keys: [{ ...options.key }] },
    clients: [
      publicClient(DOCS_CLIENT_ID, 'Sales Channel Service documentation', options.docsRedirectUris),
      publicClient(CLI_CLIENT_ID, 'scs, the command line', [LOOPBACK_REDIRECT_URI]),
    ],
    clientDefaults: { id_token_signed_response_alg: SIGNING_ALGORITHM },
    clientBasedCORS: (_ctx, _origin, client) => client.clientId === DOCS_CLIENT_ID,
    clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'none'],
    responseTypes: ['code'],
    scopes: ['openid', 'offline_access'],
    claims: { openid: ['sub'] },
    extraTokenClaims: (ctx, token) =>
      token.kind === 'AccessToken' ? { ...toProfile(token.accountId), ...toAuthTime(ctx.oidc.entities) } : undefined,
    pkce: { required: () => true },
    features: features(options),
    // The default refuses addresses of this machine, where the whole development stack runs.
    fetch: (url, { dispatcher: _refusing, ...sent }: RequestInit & { dispatcher?: unknown } = {}) => fetch(url, sent),
    // As with common providers, a web server gets a refresh token without a separate scope. It ends with the session.
    issueRefreshToken: async (_ctx, client, source) =>
      client.grantTypeAllowed('refresh_token') &&
      (client.applicationType === 'web' || source.scopes.has('offline_access')),
    // A person with the name of a client would get that client's sub, and with it its rights.
    findAccount: async (_ctx, name) =>
      (await clients.find(name)) ? undefined : { accountId: name, claims: () => ({ sub: name }) },
    cookies: { keys: [randomBytes(32).toString('base64url')] },
    ttl: {
      AccessToken: accessTokenSeconds,
      ClientCredentials: accessTokenSeconds,
      IdToken: accessTokenSeconds,
      AuthorizationCode: MINUTE_S,
      Interaction: 10 * MINUTE_S,
      Session: DAY_S,
      Grant: DAY_S,
      RefreshToken: DAY_S,
    },
  });
}

interface Entry {
  readonly payload: AdapterPayload;
  readonly expiresAtMs: number;
}

/**
 * Keeps the sessions, codes and refresh tokens of oidc-provider in memory. A restart loses them, which is acceptable
 * for development. Access tokens are signed and need no storage, so they stay valid.
 */
class MemoryAdapter implements Adapter {
  readonly #entries = new Map<string, Entry>();

  async upsert(id: string, payload: AdapterPayload, expiresIn?: number): Promise<void> {
    const nowMs = Date.now();
    for (const [other, { expiresAtMs }] of this.#entries) if (expiresAtMs <= nowMs) this.#entries.delete(other);
    this.#entries.set(id, {
      payload,
      expiresAtMs: expiresIn === undefined ? Number.POSITIVE_INFINITY : nowMs + expiresIn * 1000,
    });
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    const entry = this.#entries.get(id);
    return entry && entry.expiresAtMs > Date.now() ? entry.payload : undefined;
  }

  async findByUid(uid: string): Promise<AdapterPayload | undefined> {
    return this.#findWhere((payload) => payload.uid === uid);
  }

  async findByUserCode(userCode: string): Promise<AdapterPayload | undefined> {
    return this.#findWhere((payload) => payload.userCode === userCode);
  }

  async consume(id: string): Promise<void> {
    const payload = await this.find(id);
    if (payload) payload.consumed = Math.floor(Date.now() / 1000);
  }

  async destroy(id: string): Promise<void> {
    this.#entries.delete(id);
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    for (const [id, { payload }] of this.#entries) if (payload.grantId === grantId) this.#entries.delete(id);
  }

  #findWhere(matches: (payload: AdapterPayload) => boolean): AdapterPayload | undefined {
    const nowMs = Date.now();
    for (const { payload, expiresAtMs } of this.#entries.values())
      if (expiresAtMs > nowMs && matches(payload)) return payload;
    return undefined;
  }
}

/** Looks up clients on each request, because they may change while the provider runs. */
class ClientAdapter extends MemoryAdapter {
  readonly #findClient: (clientId: string) => Promise<ClientMetadata | undefined>;

  constructor(findClient: (clientId: string) => Promise<ClientMetadata | undefined>) {
    super();
    this.#findClient = findClient;
  }

  override async find(id: string): Promise<AdapterPayload | undefined> {
    return (await this.#findClient(id)) as AdapterPayload | undefined;
  }
}

/** Creates the storage of one provider. */
function createMemoryStorage(findClient: (clientId: string) => Promise<ClientMetadata | undefined>): AdapterFactory {
  return (model) => (model === 'Client' ? new ClientAdapter(findClient) : new MemoryAdapter());
}
