// npm run compose:secrets [-- --dev] [-- --rotate service-keys|database|broker|pepper] [-- --folder <path>]
// Makes .secrets/ for docker-compose.yml, and the settings file .env that Compose reads. What exists is kept.
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs, parseEnv } from 'node:util';
import {
  brokerDefinitions,
  completeInstallation,
  rolesFile,
  rotations,
  secretVariablesOf,
  type Installation,
  type Rotation,
} from './installation.ts';

const root = resolve(import.meta.dirname, '../..');
const servers = { database: 'postgres:5432', broker: 'rabbitmq:5672' };

const settingsHead = `# Settings of docker-compose.yml. Made by "npm run compose:secrets"; yours to change. Secrets are in .secrets/, not here.
# Whose access tokens are accepted: "iss" to the letter, and "aud".
`;
const settingsOfProduction =
  'OIDC_ISSUER=\nOIDC_AUDIENCE=saleschannel-api\n# Only where discovery does not tell: OIDC_JWKS_URL=\n';
/** Whoever uses the stack reaches the provider at the published port, identity inside of the network. */
const settingsOfDevelopment =
  'OIDC_ISSUER=http://localhost:8090\nOIDC_AUDIENCE=saleschannel-api\nOIDC_JWKS_URL=http://dev-idp:8090/jwks\nCOMPOSE_PROFILES=dev\n';

const { values: options } = parseArgs({
  options: { dev: { type: 'boolean' }, rotate: { type: 'string' }, folder: { type: 'string', default: root } },
});
const folder = resolve(options.folder);
const secretsFolder = join(folder, '.secrets');
const installationFile = join(secretsFolder, 'installation.json');
const settingsFile = join(folder, '.env');

function withoutRotated(known: Partial<Installation>, rotation: string | undefined): Partial<Installation> {
  if (rotation === undefined) return known;
  if (!Object.hasOwn(rotations, rotation))
    throw new Error(`--rotate: "${rotation}" is none of ${Object.keys(rotations).join(', ')}`);
  const parts: readonly string[] = rotations[rotation as Rotation];
  return Object.fromEntries(Object.entries(known).filter(([part]) => !parts.includes(part)));
}

function settings(installation: Installation): string {
  const before = existsSync(settingsFile)
    ? readFileSync(settingsFile, 'utf8')
    : settingsHead + (options.dev ? settingsOfDevelopment : settingsOfProduction);
  if (options.dev && parseEnv(before)['COMPOSE_PROFILES'] !== 'dev') {
    throw new Error(`${settingsFile} is there and not made for development: move it away first`);
  }
  const kept = before.split('\n').filter((line) => !line.startsWith('SERVICE_PUBLIC_KEYS='));
  return `${kept.join('\n').trimEnd()}\nSERVICE_PUBLIC_KEYS='${JSON.stringify(installation.serviceKeys.publicKeys)}'\n`;
}

/** Written in place, never renamed: a container that runs has the file itself mounted. */
function write(path: string, text: string, mode: number): void {
  writeFileSync(path, text, { mode });
  chmodSync(path, mode);
}

const known = existsSync(installationFile)
  ? (JSON.parse(readFileSync(installationFile, 'utf8')) as Partial<Installation>)
  : {};
const installation = await completeInstallation(withoutRotated(known, options.rotate));
const newSettings = settings(installation);

mkdirSync(secretsFolder, { recursive: true, mode: 0o700 });
chmodSync(secretsFolder, 0o700);
write(installationFile, `${JSON.stringify(installation, null, 2)}\n`, 0o600);

const files: Record<string, string> = {
  'postgres-password': installation.databaseAdminPassword,
  'postgres-roles': rolesFile(installation),
  'rabbitmq-definitions.json': JSON.stringify(brokerDefinitions(installation), null, 2),
  'dev-idp-clients.json': JSON.stringify(
    [{ clientId: 'demo', clientSecret: installation.devClientSecret, kind: 'script' }],
    null,
    2,
  ),
};
const suffixes: Record<string, string> = {
  SERVICE_PRIVATE_KEY: 'service-key',
  DATABASE_URL: 'database-url',
  AMQP_URL: 'amqp-url',
  API_KEY_PEPPER: 'api-key-pepper',
};
for (const name of Object.keys(installation.serviceKeys.privateKeys)) {
  for (const [variable, value] of Object.entries(secretVariablesOf(name, installation, servers)))
    files[`${name}-${suffixes[variable]}`] = value;
}
// Compose mounts them as they are into containers whose users have other ids than yours: so they are readable as such, in a folder that is yours alone.
for (const [name, text] of Object.entries(files)) write(join(secretsFolder, name), text, 0o644);
write(settingsFile, newSettings, 0o600);

process.stdout.write(`${Object.keys(files).length} secrets are in ${secretsFolder}, settings in ${settingsFile}\n`);
if (!parseEnv(newSettings)['OIDC_ISSUER'])
  process.stdout.write(`Set OIDC_ISSUER in ${settingsFile} before the first start.\n`);
