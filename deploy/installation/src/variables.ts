import type { Secrets } from './secrets.ts';
import { ADMIN, AUDITOR, identityOf, type ProgramName, type ServiceName } from './services.ts';
import {
  listMigrationSecretVariables,
  listMigrationVariables,
  listSecretVariables,
  listVariables,
  type DeclaredVariable,
  type SecretKind,
  type SecretVariable,
  type Source,
} from './sources.ts';
import type { TlsFile } from './tls.ts';

/** Parts of the secrets of programs. */
export interface SecretParts {
  readonly secrets: Pick<
    Secrets,
    | 'serviceKeys'
    | 'apiKeyPepper'
    | 'statementKeys'
    | 'portalCookieKeys'
    | 'portalClientSecret'
    | 'webhookSecretKeys'
    | 'answerKeys'
    | 'consoleCookieKeys'
    | 'consoleClientSecret'
  >;
  /** URL of a program's own database, with its role and password. */
  readonly databaseUrlOf: (program: ProgramName) => string;
  /** URL of a service's database, with the role that owns the tables. */
  readonly migrationUrlOf: (program: ProgramName) => string;
  /** URL of all databases, with the auditor's role and `{service}` in place of the database. */
  readonly auditUrl: string;
  /** URL of the broker, with a program's user and password. */
  readonly brokerUrlOf: (program: ProgramName) => string;
}

/** An installation on one machine: the local stack, or a test of the whole system. */
export interface LocalInstallation extends SecretParts {
  /** Address on which all services listen. */
  readonly host: string;
  /** Ports by service: HTTP for the gateway, portal, console and development identity provider, gRPC for the others. */
  readonly ports: Readonly<Partial<Record<ServiceName, number>>>;
  /** Prefix of the names of exchanges and queues. */
  readonly namespace: string;
  /** Ports of metrics, by service. Undefined turns metrics off. */
  readonly metricsPorts?: Readonly<Partial<Record<ServiceName, number>>>;
  /** Path of a program's TLS file. Undefined for plaintext between services. */
  readonly tlsFileOf?: ((program: ProgramName, file: TlsFile) => string) | undefined;
  /** Values by variable. Others have the default of the installation, or of the service. */
  readonly settings: Readonly<Record<string, string | undefined>>;
}

/** Secrets of a program, with variables and file names. */
export const listSecrets = (
  program: ProgramName,
  parts: SecretParts,
): (SecretVariable & { readonly value: string })[] =>
  listSecretVariables(program).map((variable) => ({ ...variable, value: secretOf(program, variable.secret, parts) }));

/** Secrets of a service's migrations. */
export const listMigrationSecrets = (
  service: ServiceName,
  parts: SecretParts,
): (SecretVariable & { readonly value: string })[] =>
  listMigrationSecretVariables(service).map((variable) => ({
    ...variable,
    value: secretOf(service, variable.secret, parts),
  }));

/** Variables of a service's migrations in a place. */
export const variablesOfMigration = (service: ServiceName, place: LocalInstallation): Record<string, string> =>
  variablesFor(service, listMigrationVariables(service), place);

/**
 * Variables that a program reads in a place.
 * @throws Error for a variable without a source, and for a required one without a value
 */
export const variablesOf = (program: ProgramName, place: LocalInstallation): Record<string, string> =>
  variablesFor(program, listVariables(program), place);

function variablesFor(
  program: ProgramName,
  read: readonly DeclaredVariable[],
  place: LocalInstallation,
): Record<string, string> {
  const variables: Record<string, string> = {};
  for (const variable of read) {
    const value = valueOf(program, variable, place);
    if (value !== undefined) variables[variable.name] = value;
    else if (variable.isRequired) throw new Error(`${program} requires ${variable.name}, which has no value here.`);
  }
  return variables;
}

/** `host:port` of a service. @throws Error if it has no port */
export function addressOf(service: ServiceName, { host, ports }: Pick<LocalInstallation, 'host' | 'ports'>): string {
  const port = ports[service];
  if (port === undefined) throw new Error(`${service} has no port in this installation.`);
  return `${host}:${port}`;
}

const ownUrlsOf = (place: LocalInstallation): string[] => [
  ...(place.ports.gateway === undefined ? [] : [`http://${addressOf('gateway', place)}`]),
  ...[place.settings['PORTAL_URL'], place.settings['CONSOLE_URL']].flatMap((url) => url ?? []),
];

function valueOf(
  program: ProgramName,
  { name, source }: DeclaredVariable,
  place: LocalInstallation,
): string | undefined {
  switch (source.kind) {
    case 'secret':
      return secretOf(program, source.secret, place);
    case 'public-keys':
      return JSON.stringify(place.secrets.serviceKeys.publicKeys);
    case 'tls-file':
      return place.tlsFileOf?.(identityOf(program), source.file);
    case 'address':
      return addressOf(source.service, place);
    case 'api-url':
      return `http://${addressOf('gateway', place)}`;
    case 'own-hosts':
      return place.settings[name] ?? ownUrlsOf(place).join(',');
    case 'listening':
      return listeningOf(program, name, source, place);
    case 'namespace':
      return place.namespace;
    case 'setting':
      return place.settings[name] ?? source.default;
    case 'authority-file':
    case 'own-default':
    case 'development':
      return place.settings[name];
  }
}

/** Variables with the paths of a program's TLS files. */
export const toTlsVariables = (
  program: ProgramName,
  { tlsFileOf }: Pick<LocalInstallation, 'tlsFileOf'>,
): Record<string, string> =>
  Object.fromEntries(
    listVariables(program).flatMap(({ name, source }) =>
      source.kind === 'tls-file' && tlsFileOf ? [[name, tlsFileOf(identityOf(program), source.file)]] : [],
    ),
  );

function secretOf(program: ProgramName, secret: SecretKind, parts: SecretParts): string {
  switch (secret) {
    case 'service-key':
      return JSON.stringify(privateKeyOf(program, parts.secrets));
    case 'database-url':
      return parts.databaseUrlOf(program);
    case 'migration-database-url':
      return parts.migrationUrlOf(program);
    case 'audit-database-url':
      return parts.auditUrl;
    case 'amqp-url':
      return parts.brokerUrlOf(program);
    case 'api-key-pepper':
      return parts.secrets.apiKeyPepper;
    case 'statement-keys':
      return JSON.stringify(parts.secrets.statementKeys);
    case 'cookie-keys':
      return parts.secrets[program === 'console' ? 'consoleCookieKeys' : 'portalCookieKeys'];
    case 'webhook-secret-keys':
      return parts.secrets.webhookSecretKeys;
    case 'answer-keys':
      return parts.secrets.answerKeys;
    case 'oidc-client-secret':
      return parts.secrets[program === 'console' ? 'consoleClientSecret' : 'portalClientSecret'];
  }
}

/** Private service key of a program. */
export function privateKeyOf(
  program: ProgramName,
  { serviceKeys }: Pick<Secrets, 'serviceKeys'>,
): Secrets['serviceKeys']['privateKeys'][string] {
  const key = serviceKeys.privateKeys[identityOf(program)];
  if (!key) throw new Error(`The secrets have no service key of ${program}. Complete them first.`);
  return key;
}

function listeningOf(
  program: ProgramName,
  name: string,
  { of, part }: Extract<Source, { kind: 'listening' }>,
  { host, ports, metricsPorts, settings }: LocalInstallation,
): string | undefined {
  if (part === 'host') return settings[name] ?? (of === 'metrics' ? undefined : host);
  if (of === 'health') return undefined;
  const port =
    program === ADMIN || program === AUDITOR ? undefined : (of === 'metrics' ? metricsPorts : ports)?.[program];
  return port === undefined ? undefined : String(port);
}
