import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { silentLogger, type App, type Logger, type ServiceDefinition, type Values } from '@saleschannel/runtime';
import { KnownClients, type KnownClient } from './clients.ts';
import { environment } from './environment.ts';
import { createProvider } from './provider.ts';
import { loadSigningKey } from './signing-key.ts';

export { DOCS_CLIENT_ID } from './provider.ts';
export type { ScriptClient, WebClient } from './clients.ts';

export interface DevIdpConfig {
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** 0 chooses a free port. */
  readonly port: number;
  /** Default `http://<host>:<port>`. */
  readonly issuer?: string | undefined;
  readonly audience?: string;
  readonly accessTokenSeconds?: number;
  readonly clientsFile?: string | undefined;
  readonly keysFile?: string | undefined;
  readonly docsRedirectUris?: readonly string[];
}

export interface DevIdp extends App {
  /** The `iss` of the tokens. With `port` 0 it is known once started. */
  readonly issuer: string;
  /** Adds a client until the provider stops. Replaces one with the same id from the file. */
  addClient(client: KnownClient): void;
}

const DEFAULT_ACCESS_TOKEN_SECONDS = 3600;
const DEFAULT_DOCS_REDIRECT_URIS = ['http://127.0.0.1/callback', 'http://127.0.0.1/docs/signed-in'];

/** The sign-in pages of oidc-provider use a web font. A development machine should load nothing from elsewhere. */
const PAGE_POLICY = "style-src 'unsafe-inline'; font-src 'none'; img-src 'none'";

/** Starts listening and returns the port. */
async function listen(server: Server, host: string, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    const onError = (error: NodeJS.ErrnoException): void => {
      const isInUse = error.code === 'EADDRINUSE';
      reject(
        isInUse
          ? new Error(`Port ${port} of ${host} is in use. Set IDP_PORT to a free port.`, { cause: error })
          : error,
      );
    };
    server.once('error', onError);
    server.listen(port, host, () => {
      server.off('error', onError);
      resolve();
    });
  });
  return (server.address() as AddressInfo).port;
}

/**
 * Creates the development identity provider without starting it.
 * @throws Error with NODE_ENV=production, because anyone may sign in under any name
 */
export function createDevIdp(config: DevIdpConfig, logger: Logger = silentLogger): DevIdp {
  if (process.env.NODE_ENV === 'production')
    throw new Error(
      'The development identity provider lets anyone sign in under any name and never runs with NODE_ENV=production.',
    );
  const {
    host = '127.0.0.1',
    audience = 'saleschannel-api',
    accessTokenSeconds = DEFAULT_ACCESS_TOKEN_SECONDS,
    docsRedirectUris = DEFAULT_DOCS_REDIRECT_URIS,
  } = config;
  const clients = new KnownClients(config.clientsFile, (error) => {
    logger.warn({ err: error }, 'cannot use the clients file; keeping the previous clients');
  });
  const server = createServer();
  let issuer = config.issuer ?? (config.port === 0 ? undefined : `http://${host}:${config.port}`);
  let port = config.port;

  return {
    get issuer() {
      if (issuer === undefined) throw new Error('The issuer is known once the provider has started.');
      return issuer;
    },
    get address() {
      return `${host}:${port}`;
    },
    addClient: (client) => clients.add(client),
    async start() {
      await clients.load();
      const key = await loadSigningKey(config.keysFile);
      port = await listen(server, host, config.port);
      issuer ??= `http://${host}:${port}`;
      const provider = createProvider({ issuer, audience, accessTokenSeconds, docsRedirectUris, key, clients });
      provider.on('server_error', (_ctx, error) => logger.error({ err: error }, 'request failed'));
      const answer = provider.callback();
      server.on('request', (request, response) => {
        response.setHeader('Content-Security-Policy', PAGE_POLICY);
        void answer(request, response);
      });
    },
    async stop() {
      if (!server.listening) return;
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Converts the variables to the configuration. */
export function toConfig(values: Values<typeof environment>): DevIdpConfig {
  return {
    host: values.IDP_HOST,
    port: values.IDP_PORT,
    issuer: values.IDP_ISSUER,
    audience: values.IDP_AUDIENCE,
    accessTokenSeconds: values.IDP_ACCESS_TOKEN_SECONDS,
    clientsFile: values.IDP_CLIENTS_FILE,
    keysFile: values.IDP_KEYS_FILE,
    docsRedirectUris: values.IDP_DOCS_REDIRECT_URIS,
  };
}

export const service: ServiceDefinition<typeof environment> = {
  name: 'dev-idp',
  environment,
  createApp: (values, logger) => createDevIdp(toConfig(values), logger),
};
