// npm run compose:secrets -- --help
//
// Creates .secrets/ for docker-compose.yml and the settings in .env, and keeps existing ones.
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import {
  AUDIENCE,
  EDGE_SUBNET,
  brokerDefinitions,
  toBrokerUrl,
  changeSecrets,
  databaseServices,
  programsWithKey,
  exitOnError,
  parseSecrets,
  ports,
  rolesFile,
  secretCommand,
  programsWithSecrets,
  toSecretParts,
  listSecrets,
  listMigrationSecrets,
  toTlsFiles,
  type SecretChange,
  type Secrets,
} from '@saleschannel/installation';

const DATABASE_SERVER = 'postgres://postgres:5432';
const BROKER_SERVER = 'amqp://rabbitmq:5672';

const root = resolve(import.meta.dirname, '../..');

const settingsHead = `# Settings of docker-compose.yml. Created by "npm run compose:secrets". Edit them as you need.
# Secrets are in .secrets/, not here.
# Issuer and audience of accepted access tokens: must equal their "iss" and "aud" exactly.
`;
const settingsOfProduction = `OIDC_ISSUER=
OIDC_AUDIENCE=${AUDIENCE}
# URL by which browsers reach the portal: HTTPS, through your proxy that terminates TLS.
PORTAL_URL=
# Only if your issuer does not support OpenID Connect discovery: OIDC_JWKS_URL=
`;
/** Users reach the provider at the published port, and identity inside the network. */
const settingsOfDevelopment = (idpPort: number | string): string => `IDP_PORT=${idpPort}
OIDC_ISSUER=http://localhost:${idpPort}
OIDC_AUDIENCE=${AUDIENCE}
OIDC_JWKS_URL=http://dev-idp:${ports.idp}/jwks
PORTAL_URL=http://localhost:${ports.portal}
PORTAL_OIDC_INTERNAL_URL=http://dev-idp:${ports.idp}
# The portal passes the address of the client to the gateway, from the network "edge" (EDGE_SUBNET).
TRUSTED_PROXIES=${EDGE_SUBNET}
CONSOLE_OIDC_INTERNAL_URL=http://dev-idp:${ports.idp}
CONSOLE_OPERATORS=operator
COMPOSE_PROFILES=dev
`;

interface Options extends SecretChange {
  readonly dev?: boolean;
  readonly idpPort: string;
  readonly folder: string;
}

const command = secretCommand('npm run compose:secrets --')
  .description('Creates .secrets/ for docker-compose.yml and the settings file .env. Keeps what exists.')
  .option('--dev', 'use the development identity provider instead of yours')
  .option('--idp-port <port>', 'port of the development identity provider on this machine', String(ports.idp))
  .option('--folder <path>', 'folder of docker-compose.yml', root)
  .parse();
const options = command.opts<Options>();
const folder = resolve(options.folder);
const secretsFolder = join(folder, '.secrets');
const installationFile = join(secretsFolder, 'installation.json');
const settingsFile = join(folder, '.env');

function settingsWith({ serviceKeys }: Secrets): string {
  const before = existsSync(settingsFile)
    ? readFileSync(settingsFile, 'utf8')
    : settingsHead + (options.dev ? settingsOfDevelopment(options.idpPort) : settingsOfProduction);
  if (options.dev && !(parseEnv(before)['COMPOSE_PROFILES'] ?? '').split(',').includes('dev'))
    throw new Error(`${settingsFile} exists and is not for development. Move it away first.`);
  const kept = before.split('\n').filter((line) => !line.startsWith('SERVICE_PUBLIC_KEYS='));
  return `${kept.join('\n').trimEnd()}\nSERVICE_PUBLIC_KEYS='${JSON.stringify(serviceKeys.publicKeys)}'\n`;
}

/** Files of .secrets/ that Compose mounts into containers. */
function secretFiles(secrets: Secrets): Record<string, string> {
  const parts = toSecretParts(secrets, { database: DATABASE_SERVER, broker: BROKER_SERVER });
  const settings = parseEnv(settingsWith(secrets));
  const portal = settings['PORTAL_URL'] || `http://localhost:${ports.portal}`;
  const operators = settings['CONSOLE_URL'] || `http://127.0.0.1:${ports.console}`;
  const webClient = (clientId: string, clientSecret: string, url: string): object => ({
    clientId,
    clientSecret,
    kind: 'web',
    redirectUris: [new URL('/callback', url).href],
    signedOutUris: [new URL('/', url).href],
  });
  const clients = [
    { clientId: 'demo', clientSecret: secrets.devClientSecret, kind: 'script' },
    webClient('portal', secrets.portalClientSecret, portal),
    webClient('console', secrets.consoleClientSecret, operators),
  ];
  return {
    'postgres-password': secrets.databaseAdminPassword,
    'postgres-roles': rolesFile(secrets),
    'postgres-monitor-password': secrets.databaseMonitorPassword,
    'grafana-admin-password': secrets.grafanaAdminPassword,
    'rabbitmq-definitions.json': JSON.stringify(brokerDefinitions(secrets), null, 2),
    'dev-idp-clients.json': JSON.stringify(clients, null, 2),
    // For operators of external listeners.
    ...Object.fromEntries(
      Object.keys(secrets.brokerListeners).map((name) => [
        `listener-${name}-amqp-url`,
        toBrokerUrl(name, secrets, BROKER_SERVER),
      ]),
    ),
    ...Object.fromEntries(
      [
        ...programsWithSecrets.flatMap((program) => listSecrets(program, parts)),
        ...databaseServices.flatMap((service) => listMigrationSecrets(service, parts)),
      ].map(({ file, value }) => [file, value]),
    ),
    ...Object.fromEntries(
      programsWithKey.flatMap((program) =>
        Object.entries(toTlsFiles(program, secrets.tls)).map(([file, value]) => [`${program}-${file}`, value]),
      ),
    ),
  };
}

/** Writes in place, without renaming, because running containers mount the file itself. */
function write(path: string, text: string, mode: number): void {
  writeFileSync(path, text, { mode });
  chmodSync(path, mode);
}

// First, because it refuses --dev with settings of production.
const { secrets, settings } = await exitOnError(command, async () => {
  const known = existsSync(installationFile) ? parseSecrets(readFileSync(installationFile, 'utf8')) : {};
  const changed = await changeSecrets(known, options);
  return { secrets: changed, settings: settingsWith(changed) };
});

mkdirSync(secretsFolder, { recursive: true, mode: 0o700 });
chmodSync(secretsFolder, 0o700);
write(installationFile, `${JSON.stringify(secrets, null, 2)}\n`, 0o600);
const files = Object.entries(secretFiles(secrets));
// Users of containers have other ids, so everyone may read the files, in a folder that only the owner may enter.
for (const [name, text] of files) write(join(secretsFolder, name), text, 0o644);
write(settingsFile, settings, 0o600);

process.stdout.write(`Wrote ${files.length} secrets to ${secretsFolder} and settings to ${settingsFile}.\n`);
const missing = ['OIDC_ISSUER', 'PORTAL_URL'].filter((name) => !parseEnv(settings)[name]);
if (missing.length > 0)
  process.stdout.write(`Set ${missing.join(' and ')} in ${settingsFile} before the first start.\n`);
