import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { WebClient } from '@saleschannel/dev-idp/app';
import {
  AUDIENCE,
  grpcServices,
  programsWithKey,
  NAMESPACE,
  programNames,
  services,
  tlsFiles,
  toTlsFiles,
  listVariables,
  type LocalInstallation,
  type ProgramName,
  type Secrets,
  type ServiceName,
  type TlsFile,
} from '@saleschannel/installation';
import { findFreePort } from '@saleschannel/local-backends';
import type { DatabaseUrls } from './servers.ts';
import { writePrivateFile, writePrivateJson } from './files.ts';

export const HOST = '127.0.0.1';

export interface LocalInstallationOptions {
  readonly folder: string;
  readonly gatewayPort: number;
  readonly idpPort: number;
  /** Undefined without a portal. */
  readonly portalPort?: number | undefined;
  /** Undefined without a console. */
  readonly consolePort?: number | undefined;
  readonly secrets: Secrets;
  readonly databases: DatabaseUrls;
  /** Take precedence over the environment. */
  readonly variables?: Readonly<Record<string, string>>;
}

/** Prepares an installation on this machine, without its broker. */
export async function prepareLocalInstallation(
  options: LocalInstallationOptions,
): Promise<Omit<LocalInstallation, 'brokerUrlOf'>> {
  const { gatewayPort, idpPort, portalPort, consolePort, secrets, databases } = options;
  const ports: Partial<Record<ServiceName, number>> = { gateway: gatewayPort, 'dev-idp': idpPort };
  if (portalPort !== undefined) ports.portal = portalPort;
  if (consolePort !== undefined) ports.console = consolePort;
  for (const service of grpcServices) ports[service] = await findFreePort();
  return {
    host: HOST,
    ports,
    namespace: NAMESPACE,
    secrets,
    databaseUrlOf: (program: ProgramName) => urlIn(databases.urls, program),
    migrationUrlOf: (program: ProgramName) => urlIn(databases.owners, program),
    auditUrl: databases.auditUrl,
    ...metricsPortsOf(options),
    ...(wantsTls(options) && { tlsFileOf: writeTlsFiles(options) }),
    settings: {
      ...defaultsOfIdentityProvider(options),
      // Webhooks of a local stack arrive on this machine.
      WEBHOOK_PRIVATE_TARGETS: 'allowed',
      // Without a load balancer there is nothing to wait for at Ctrl-C.
      DRAIN_SECONDS: '0',
      ...(portalPort === undefined ? {} : portalSettings(portalPort)),
      ...(consolePort === undefined ? {} : consoleSettings(consolePort)),
      ...docsSettings(issuerOf(idpPort)),
      ...settingsOfEnvironment(),
      ...identityProvider(options),
      ...options.variables,
    },
  };
}

function urlIn(urls: Readonly<Record<string, string>>, program: ProgramName): string {
  const url = urls[program];
  if (url === undefined) throw new Error(`${program} has no database.`);
  return url;
}

/** TLS is off by default, because everything listens on the loopback address. */
const wantsTls = ({ variables }: LocalInstallationOptions): boolean =>
  (variables?.['SERVICES_TLS'] ?? process.env['SERVICES_TLS']) === 'on';

/** Writes the TLS files of all programs and returns their paths. */
export function writeTlsFiles({
  folder,
  secrets,
}: Pick<LocalInstallationOptions, 'folder' | 'secrets'>): NonNullable<LocalInstallation['tlsFileOf']> {
  const pathOf = (program: ProgramName, file: TlsFile): string => join(folder, 'tls', `${program}-${file}`);
  mkdirSync(join(folder, 'tls'), { recursive: true, mode: 0o700 });
  for (const program of programsWithKey) {
    const texts = toTlsFiles(program, secrets.tls);
    for (const file of tlsFiles) writePrivateFile(pathOf(program, file), texts[file]);
  }
  return pathOf;
}

/** File with the development identity provider's clients, which it reads again after a change. */
export const toClientsFile = (folder: string): string => join(folder, 'idp-clients.json');

export const issuerOf = (idpPort: number): string => `http://${HOST}:${idpPort}`;

const portalUrlOf = (portalPort: number): string => `http://${HOST}:${portalPort}`;

/** The gateway accepts client addresses from the portal on this machine. */
const portalSettings = (portalPort: number): Record<string, string> => ({
  PORTAL_URL: portalUrlOf(portalPort),
  TRUSTED_PROXIES: HOST,
});

/** Sign-in on the page of the contract, with the development provider's public client. */
export const docsSettings = (issuer: string): Record<string, string> => ({
  DOCS_CLIENT_ID: 'docs',
  DOCS_AUTHORIZATION_URL: `${issuer}/auth`,
  DOCS_EXCHANGE_URL: `${issuer}/token`,
});

const consoleUrlOf = (consolePort: number): string => `http://${HOST}:${consolePort}`;

/** Operator of the console, by name at the development identity provider. */
export const OPERATOR = 'operator';

const consoleSettings = (consolePort: number): Record<string, string> => ({
  CONSOLE_URL: consoleUrlOf(consolePort),
  CONSOLE_OPERATORS: OPERATOR,
});

/** Clients of the servers with pages, for the identity provider. */
export function listWebClients({
  portalPort,
  consolePort,
  secrets,
}: Pick<LocalInstallationOptions, 'portalPort' | 'consolePort' | 'secrets'>): WebClient[] {
  const clients: WebClient[] = [];
  if (portalPort !== undefined) {
    const url = process.env['PORTAL_URL'] ?? portalUrlOf(portalPort);
    clients.push(webClient('portal', secrets.portalClientSecret, url));
  }
  if (consolePort !== undefined) {
    const url = process.env['CONSOLE_URL'] ?? consoleUrlOf(consolePort);
    clients.push(webClient('console', secrets.consoleClientSecret, url));
  }
  return clients;
}

const webClient = (clientId: string, clientSecret: string, url: string): WebClient => ({
  clientId,
  clientSecret,
  kind: 'web',
  redirectUris: [new URL('/callback', url).href],
  signedOutUris: [new URL('/', url).href],
  backChannelLogoutUri: new URL('/backchannel-logout', url).href,
});

const defaultsOfIdentityProvider = ({ folder }: LocalInstallationOptions): Record<string, string> => ({
  IDP_KEYS_FILE: join(folder, 'idp-keys.json'),
});

/** Settings of the stack's own identity provider, which override the environment. */
function identityProvider(options: LocalInstallationOptions): Record<string, string | undefined> {
  const { folder, idpPort } = options;
  const clientsFile = toClientsFile(folder);
  // Keeps script clients. The portal's address may have changed.
  const scripts = existsSync(clientsFile) ? scriptsOf(readFileSync(clientsFile, 'utf8')) : [];
  writePrivateJson(clientsFile, [...listWebClients(options), ...scripts]);
  return {
    OIDC_ISSUER: issuerOf(idpPort),
    OIDC_AUDIENCE: AUDIENCE,
    IDP_ISSUER: issuerOf(idpPort),
    IDP_AUDIENCE: AUDIENCE,
    OIDC_JWKS_URL: undefined,
    IDP_CLIENTS_FILE: clientsFile,
  };
}

const scriptsOf = (text: string): object[] =>
  (JSON.parse(text) as { kind: string }[]).filter(({ kind }) => kind === 'script');

/** Variable with the address of gRPC servers, which the environment cannot set. */
const GRPC_HOST = 'GRPC_HOST';

/** Settings of all services from the environment of the stack. */
function settingsOfEnvironment(): Record<string, string> {
  const names = programNames.flatMap(listVariables).flatMap(({ name, source }) => {
    const isHost = source.kind === 'listening' && source.part === 'host' && name !== GRPC_HOST;
    return isHost || settingKinds.includes(source.kind) ? [name] : [];
  });
  return Object.fromEntries(
    names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
}

const settingKinds: readonly string[] = ['setting', 'authority-file', 'own-default', 'own-hosts', 'development'];

/** Metrics ports: `METRICS_PORT` for the first service, and the following ones. */
function metricsPortsOf({ variables }: LocalInstallationOptions): Pick<LocalInstallation, 'metricsPorts'> {
  const first = variables?.['METRICS_PORT'] ?? process.env['METRICS_PORT'];
  if (first === undefined) return {};
  const numbered = services.map(({ name }, index) => [name, Number(first) === 0 ? 0 : Number(first) + index]);
  return { metricsPorts: Object.fromEntries(numbered) as LocalInstallation['metricsPorts'] & object };
}
