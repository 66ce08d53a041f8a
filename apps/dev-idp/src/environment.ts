import { env, processEnvironment } from '@saleschannel/runtime';

/** Every variable that the development identity provider reads. */
export const environment = {
  ...processEnvironment,
  IDP_HOST: env.text('address to listen on', { default: '127.0.0.1' }),
  IDP_PORT: env.port('port to listen on', { default: '8090' }),
  IDP_ISSUER: env.optional(
    env.url('issuer in tokens, as clients and services reach it; default http://<IDP_HOST>:<IDP_PORT>'),
  ),
  IDP_AUDIENCE: env.text('audience of access tokens', { default: 'saleschannel-api' }),
  IDP_ACCESS_TOKEN_SECONDS: env.integer('lifetime of access tokens in seconds', {
    default: '3600',
    min: 1,
    max: 86_400,
  }),
  IDP_CLIENTS_FILE: env.optional(
    env.text('JSON file with the clients of scripts and web servers; reloaded when it changes'),
  ),
  IDP_KEYS_FILE: env.optional(
    env.text('file that stores the signing key; created if missing; when unset, each start creates a new key'),
  ),
  IDP_DOCS_REDIRECT_URIS: env.list('redirect URIs of the client "docs"; on a loopback address any port is accepted', {
    default: 'http://127.0.0.1/callback,http://127.0.0.1/docs/signed-in',
  }),
};
