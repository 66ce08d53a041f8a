import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { WebClient } from '@saleschannel/dev-idp/app';
import {
  AUDIENCE,
  grpcServices,
  keyHolders,
  NAMESPACE,
  programNames,
  services,
  tlsFiles,
  tlsFilesOf,
  variablesReadBy,
  type Place,
  type ProgramName,
  type Secrets,
  type ServiceName,
  type TlsFile,
} from '@saleschannel/installation';
import { freePort } from '@saleschannel/local-backends';
import type { DatabaseUrls } from './databases.ts';
import { writePrivateFile, writePrivateJson } from './private-file.ts';

export const HOST = '127.0.0.1';

export interface PlaceOptions {
  readonly folder: string;
  readonly gatewayPort: number;
  readonly idpPort: number;
  /** Undefined: there is no portal. */
  readonly portalPort?: number | undefined;
  /** Undefined: there is no console. */
  readonly consolePort?: number | undefined;
  readonly secrets: Secrets;
  readonly databases: DatabaseUrls;
  /** They come before those of the environment. */
  readonly variables?: Readonly<Record<string, string>>;
}

/** Everything that the variables of the stack's programs are made of, except the broker. */
export async function prepareLocalPlace(options: PlaceOptions): Promise<Omit<Place, 'brokerUrlOf'>> {
  const { gatewayPort, idpPort, portalPort, consolePort, secrets, databases } = options;
  const ports: Partial<Record<ServiceName, number>> = { gateway: gatewayPort, 'dev-idp': idpPort };
  if (portalPort !== undefined) ports.portal = portalPort;
  if (consolePort !== undefined) ports.console = consolePort;
  for (const service of grpcServices) ports[service] = await freePort();
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
      // Whoever tries webhooks here receives them on this machine.
      WEBHOOK_PRIVATE_TARGETS: 'allowed',
      // Nothing balances between replicas here, and whoever presses Ctrl-C waits.
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

/** Plaintext on one machine, unless it is asked for: everything listens at this machine's own address. */
const wantsTls = ({ variables }: PlaceOptions): boolean =>
  (variables?.['SERVICES_TLS'] ?? process.env['SERVICES_TLS']) === 'on';

/** Writes every program's files of TLS, and tells where they are. */
export function writeTlsFiles({
  folder,
  secrets,
}: Pick<PlaceOptions, 'folder' | 'secrets'>): NonNullable<Place['tlsFileOf']> {
  const pathOf = (program: ProgramName, file: TlsFile): string => join(folder, 'tls', `${program}-${file}`);
  mkdirSync(join(folder, 'tls'), { recursive: true, mode: 0o700 });
  for (const program of keyHolders) {
    const texts = tlsFilesOf(program, secrets.tls);
    for (const file of tlsFiles) writePrivateFile(pathOf(program, file), texts[file]);
  }
  return pathOf;
}

/** The file with the development identity provider's clients, which reads it again when it changes. */
export const clientsFileOf = (folder: string): string => join(folder, 'idp-clients.json');

export const issuerOf = (idpPort: number): string => `http://${HOST}:${idpPort}`;

const portalUrlOf = (portalPort: number): string => `http://${HOST}:${portalPort}`;

/** The gateway believes the portal, which is on this machine like everything, from where its users come. */
const portalSettings = (portalPort: number): Record<string, string> => ({
  PORTAL_URL: portalUrlOf(portalPort),
  TRUSTED_PROXIES: HOST,
});

/** People sign in at the page of the contract as the public client that the development provider has for it. */
export const docsSettings = (issuer: string): Record<string, string> => ({
  DOCS_CLIENT_ID: 'docs',
  DOCS_AUTHORIZATION_URL: `${issuer}/auth`,
  DOCS_EXCHANGE_URL: `${issuer}/token`,
});

const consoleUrlOf = (consolePort: number): string => `http://${HOST}:${consolePort}`;

/** Who may use the console of a local stack, under this name at the development identity provider. */
export const OPERATOR = 'operator';

const consoleSettings = (consolePort: number): Record<string, string> => ({
  CONSOLE_URL: consoleUrlOf(consolePort),
  CONSOLE_OPERATORS: OPERATOR,
});

/** What the identity provider has to know of the servers with pages. */
export function webClientsOf({
  portalPort,
  consolePort,
  secrets,
}: Pick<PlaceOptions, 'portalPort' | 'consolePort' | 'secrets'>): WebClient[] {
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

const defaultsOfIdentityProvider = ({ folder }: PlaceOptions): Record<string, string> => ({
  IDP_KEYS_FILE: join(folder, 'idp-keys.json'),
});

/** Access tokens are those of the stack's own provider, whatever the environment says. */
function identityProvider(options: PlaceOptions): Record<string, string | undefined> {
  const { folder, idpPort } = options;
  const clientsFile = clientsFileOf(folder);
  // Scripts of before stay. Where the portal is may have changed.
  const scripts = existsSync(clientsFile) ? scriptsOf(readFileSync(clientsFile, 'utf8')) : [];
  writePrivateJson(clientsFile, [...webClientsOf(options), ...scripts]);
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

/** Every process listens at an address of its own inside, which is not the environment's to say. */
const INSIDE = 'GRPC_HOST';

/** Settings that are set where the stack is started, of every service. */
function settingsOfEnvironment(): Record<string, string> {
  const names = programNames.flatMap(variablesReadBy).flatMap(({ name, source }) => {
    const isHost = source.kind === 'listening' && source.part === 'host' && name !== INSIDE;
    return isHost || settingKinds.includes(source.kind) ? [name] : [];
  });
  return Object.fromEntries(
    names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
}

const settingKinds: readonly string[] = ['setting', 'authority-file', 'own-default', 'own-hosts', 'development'];

/** Metrics of each service at a port of its own: `METRICS_PORT` is that of the first one. */
function metricsPortsOf({ variables }: PlaceOptions): Pick<Place, 'metricsPorts'> {
  const first = variables?.['METRICS_PORT'] ?? process.env['METRICS_PORT'];
  if (first === undefined) return {};
  const numbered = services.map(({ name }, index) => [name, Number(first) === 0 ? 0 : Number(first) + index]);
  return { metricsPorts: Object.fromEntries(numbered) as Place['metricsPorts'] & object };
}
