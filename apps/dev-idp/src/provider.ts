import { randomBytes } from 'node:crypto';
import type { JWK } from 'jose';
import { Provider, errors, type ClientMetadata, type Configuration, type OIDCContext } from 'oidc-provider';
import type { KnownClients, ScriptClient, WebClient } from './clients.ts';
import { SIGNING_ALGORITHM } from './signing-key.ts';
import { createMemoryStorage } from './storage.ts';

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
