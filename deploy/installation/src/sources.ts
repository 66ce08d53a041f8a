import { migrationEnvironment } from '@saleschannel/database';
import type { Environment } from '@saleschannel/runtime';
import {
  addressVariable,
  environmentOf,
  grpcServices,
  identityOf,
  type ProgramName,
  type ServiceName,
} from './services.ts';
import type { TlsFile } from './tls.ts';

/** Ports in containers. */
export const ports = {
  grpc: 50_051,
  health: 50_052,
  metrics: 9_464,
  gateway: 8_080,
  portal: 8_070,
  console: 8_071,
  idp: 8_090,
} as const;

/** Services with an HTTP port, and that port in containers. */
export const httpPorts: ReadonlyMap<ServiceName, number> = new Map([
  ['gateway', ports.gateway],
  ['portal', ports.portal],
  ['console', ports.console],
]);

/** True for services that are reachable from outside. Operators reach the console through a tunnel. */
export const isPublished = (program: ProgramName): boolean => program === 'gateway' || program === 'portal';

/**
 * Network of Compose for proxy, portal and gateway. It is outside of the ranges that Docker assigns by default
 * (172.17.0.0 to 172.31.255.255 and 192.168.0.0/16).
 */
export const EDGE_SUBNET = '172.16.86.0/24';

/** Default "aud" of access tokens. */
export const AUDIENCE = 'saleschannel-api';

/** Kind of a secret, and suffix of its file. */
export type SecretKind =
  | 'service-key'
  | 'database-url'
  | 'migration-database-url'
  | 'audit-database-url'
  | 'amqp-url'
  | 'api-key-pepper'
  | 'statement-keys'
  | 'cookie-keys'
  | 'webhook-secret-keys'
  | 'answer-keys'
  | 'oidc-client-secret';

/** Source of a variable's value. */
export type Source =
  /** A secret of this program. */
  | { readonly kind: 'secret'; readonly secret: SecretKind }
  /** Public keys of all services. */
  | { readonly kind: 'public-keys' }
  /** Path of a TLS file. Undefined without TLS between services. */
  | { readonly kind: 'tls-file'; readonly file: TlsFile }
  /** Path of the CA certificates of an external server. Undefined for publicly trusted ones. */
  | { readonly kind: 'authority-file'; readonly of: 'database' | 'broker' }
  | { readonly kind: 'address'; readonly service: ServiceName }
  /** Address of the public API inside the installation. */
  | { readonly kind: 'api-url' }
  /** Host names and URLs of the installation, separated by commas. */
  | { readonly kind: 'own-hosts' }
  /** Address or port on which the program listens. `value` is for containers. */
  | {
      readonly kind: 'listening';
      readonly of: 'service' | 'health' | 'metrics';
      readonly part: 'host' | 'port';
      readonly value: string;
    }
  /** Prefix of exchanges and queues. Permissions of broker users depend on it. */
  | { readonly kind: 'namespace' }
  /** Set by the operator. Without a default it stays unset, unless it is required. */
  | { readonly kind: 'setting'; readonly default: string | undefined }
  /** The service's default. Only values of a chart may set it. */
  | { readonly kind: 'own-default' }
  /** Set where the development identity provider runs. */
  | { readonly kind: 'development' };

const setting = (value?: string): Source => ({ kind: 'setting', default: value });
const listening = (of: 'service' | 'health' | 'metrics', part: 'host' | 'port', value: string | number): Source => ({
  kind: 'listening',
  of,
  part,
  value: String(value),
});
const ALL_INTERFACES = '0.0.0.0';

const sources = new Map<string, Source>(
  Object.entries({
    SERVICE_PRIVATE_KEY: { kind: 'secret', secret: 'service-key' },
    DATABASE_URL: { kind: 'secret', secret: 'database-url' },
    MIGRATION_DATABASE_URL: { kind: 'secret', secret: 'migration-database-url' },
    AUDIT_DATABASE_URL: { kind: 'secret', secret: 'audit-database-url' },
    AMQP_URL: { kind: 'secret', secret: 'amqp-url' },
    API_KEY_PEPPER: { kind: 'secret', secret: 'api-key-pepper' },
    STATEMENT_KEYS: { kind: 'secret', secret: 'statement-keys' },
    PORTAL_COOKIE_KEYS: { kind: 'secret', secret: 'cookie-keys' },
    PORTAL_OIDC_CLIENT_SECRET: { kind: 'secret', secret: 'oidc-client-secret' },
    PORTAL_API_URL: { kind: 'api-url' },
    SANDBOX_API_URL: { kind: 'api-url' },
    SERVICE_PUBLIC_KEYS: { kind: 'public-keys' },
    GRPC_TLS_CERT_FILE: { kind: 'tls-file', file: 'tls.crt' },
    GRPC_TLS_KEY_FILE: { kind: 'tls-file', file: 'tls.key' },
    GRPC_TLS_CA_FILE: { kind: 'tls-file', file: 'ca.crt' },
    DATABASE_CA_FILE: { kind: 'authority-file', of: 'database' },
    AMQP_CA_FILE: { kind: 'authority-file', of: 'broker' },
    ...Object.fromEntries(
      grpcServices.map((service): [string, Source] => [addressVariable(service), { kind: 'address', service }]),
    ),
    METRICS_HOST: listening('metrics', 'host', ALL_INTERFACES),
    METRICS_PORT: listening('metrics', 'port', ports.metrics),
    GRPC_HOST: listening('service', 'host', ALL_INTERFACES),
    GRPC_PORT: listening('service', 'port', ports.grpc),
    GRPC_HEALTH_PORT: listening('health', 'port', ports.health),
    GATEWAY_HOST: listening('service', 'host', ALL_INTERFACES),
    GATEWAY_PORT: listening('service', 'port', ports.gateway),
    PORTAL_HOST: listening('service', 'host', ALL_INTERFACES),
    PORTAL_PORT: listening('service', 'port', ports.portal),
    IDP_HOST: listening('service', 'host', ALL_INTERFACES),
    IDP_PORT: listening('service', 'port', ports.idp),
    AMQP_NAMESPACE: { kind: 'namespace' },
    LOG_LEVEL: setting('info'),
    // Set in the image.
    SALESCHANNEL_VERSION: { kind: 'own-default' },
    SALESCHANNEL_COMMIT: { kind: 'own-default' },
    SANDBOX: setting('false'),
    OTEL_EXPORTER_OTLP_ENDPOINT: setting(),
    // Longer than a load balancer needs to stop sending.
    DRAIN_SECONDS: setting('5'),
    DATABASE_POOL_MAX: setting('10'),
    DATABASE_READ_ADDRESS: setting(),
    OIDC_ISSUER: setting(),
    OIDC_AUDIENCE: setting(AUDIENCE),
    OIDC_JWKS_URL: setting(),
    OIDC_ALGORITHMS: setting(),
    OIDC_REQUIRED_SCOPE: setting(),
    OIDC_REQUIRED_ACR: setting(),
    RECENT_SIGN_IN: setting(),
    RECENT_SIGN_IN_ACR: setting(),
    OIDC_KEYS_STALE_SECONDS: setting(),
    PORTAL_URL: setting(),
    SECURITY_CONTACT: setting(),
    PORTAL_OIDC_CLIENT_ID: setting(),
    PORTAL_OIDC_SCOPE: setting(),
    PORTAL_OIDC_RESOURCE: setting(),
    PORTAL_OIDC_INTERNAL_URL: setting(),
    PORTAL_TRUSTED_PROXIES: setting(),
    PORTAL_WEB_FOLDER: { kind: 'own-default' },
    ANSWER_KEYS: { kind: 'secret', secret: 'answer-keys' },
    WEBHOOK_SECRET_KEYS: { kind: 'secret', secret: 'webhook-secret-keys' },
    // For development only.
    WEBHOOK_PRIVATE_TARGETS: { kind: 'own-default' },
    WEBHOOK_PORTS: setting(),
    WEBHOOK_REFUSED_ADDRESSES: setting(),
    WEBHOOK_OWN_HOSTS: { kind: 'own-hosts' },
    WEBHOOK_ENDPOINTS_PER_CHANNEL: setting(),
    WEBHOOK_DELIVERY_KEPT_DAYS: setting(),
    CONSOLE_COOKIE_KEYS: { kind: 'secret', secret: 'cookie-keys' },
    CONSOLE_OIDC_CLIENT_SECRET: { kind: 'secret', secret: 'oidc-client-secret' },
    CONSOLE_HOST: listening('service', 'host', ALL_INTERFACES),
    CONSOLE_PORT: listening('service', 'port', ports.console),
    // The operator's end of the tunnel.
    CONSOLE_URL: setting(`http://127.0.0.1:${ports.console}`),
    CONSOLE_OPERATORS: setting(),
    CONSOLE_OIDC_CLIENT_ID: setting(),
    CONSOLE_OIDC_SCOPE: setting(),
    CONSOLE_OIDC_INTERNAL_URL: setting(),
    CONSOLE_WEB_FOLDER: { kind: 'own-default' },
    RECENT_SIGN_IN_SECONDS: { kind: 'own-default' },
    DOCS_FOLDER: { kind: 'own-default' },
    DOCS_CLIENT_ID: setting(),
    DOCS_AUTHORIZATION_URL: setting(),
    DOCS_EXCHANGE_URL: setting(),
    DOCS_SCOPES: setting(),
    REGISTRY_PORT: setting(),
    BEHIND_PROXY: setting(),
    TRUSTED_PROXIES: setting(),
    CORS_ORIGINS: setting(),
    HSTS_MAX_AGE_SECONDS: setting(),
    PREVIOUS_GENERATION: setting(),
    PREVIOUS_GENERATION_SUNSET: setting(),
    RATE_LIMIT_PER_SECOND: setting(),
    RATE_LIMIT_BURST: setting(),
    PUBLIC_RATE_LIMIT_PER_SECOND: setting(),
    PUBLIC_RATE_LIMIT_BURST: setting(),
    RATE_LIMIT_ANSWER_DELAY_MS: { kind: 'own-default' },
    FAILED_LOGINS_PER_MINUTE: setting(),
    DATABASE_WAIT_SECONDS: { kind: 'own-default' },
    FAILED_LOGINS_PER_KEY_ID_PER_MINUTE: setting(),
    CHANNEL_RATE_LIMIT_PER_SECOND: { kind: 'own-default' },
    CHANNEL_RATE_LIMIT_BURST: { kind: 'own-default' },
    CHANNEL_READS_AT_ONCE: { kind: 'own-default' },
    BODY_BYTES_AT_MOST: { kind: 'own-default' },
    BODY_TIMEOUT_MS: { kind: 'own-default' },
    HEADER_BYTES_AT_MOST: { kind: 'own-default' },
    HEADERS_TIMEOUT_MS: { kind: 'own-default' },
    QUERY_CHARACTERS_AT_MOST: { kind: 'own-default' },
    JSON_DEPTH_AT_MOST: { kind: 'own-default' },
    JSON_MEMBERS_AT_MOST: { kind: 'own-default' },
    JSON_VALUES_AT_MOST: { kind: 'own-default' },
    JSON_NUMBER_CHARACTERS_AT_MOST: { kind: 'own-default' },
    SELECTIONS_AT_MOST: { kind: 'own-default' },
    MAX_CONNECTIONS: { kind: 'own-default' },
    CONNECTIONS_PER_ADDRESS: { kind: 'own-default' },
    CONNECTIONS_WITHOUT_CREDENTIALS_PER_ADDRESS: { kind: 'own-default' },
    EVENT_STREAMS_AT_MOST: { kind: 'own-default' },
    EVENT_STREAMS_PER_CHANNEL: { kind: 'own-default' },
    EVENT_STREAMS_PER_USER: { kind: 'own-default' },
    TASK_WAITS_AT_MOST: { kind: 'own-default' },
    TASK_WAITS_PER_CHANNEL: { kind: 'own-default' },
    STALLED_CONNECTION_MS: { kind: 'own-default' },
    CONNECTION_AGE_SECONDS: { kind: 'own-default' },
    ANSWER_BYTES_PER_MINUTE_AT_LEAST: { kind: 'own-default' },
    TASK_PICK_UP_SECONDS: { kind: 'own-default' },
    RECONCILE_SECONDS: { kind: 'own-default' },
    RECONCILE_GRACE_SECONDS: { kind: 'own-default' },
    IMPORT_LEASE_MS: { kind: 'own-default' },
    IMPORT_POLL_MS: { kind: 'own-default' },
    IMPORT_BYTES_AT_MOST: { kind: 'own-default' },
    IMPORT_LINES_AT_MOST: { kind: 'own-default' },
    IMPORT_ERRORS_STORED_AT_MOST: { kind: 'own-default' },
    IMPORTS_WAITING_PER_KEY: { kind: 'own-default' },
    LEDGER_PARTITIONS: { kind: 'own-default' },
    TASK_ARCHIVE_SECONDS: { kind: 'own-default' },
    TASK_ARCHIVE_AFTER_DAYS: { kind: 'own-default' },
    TASK_ARCHIVE_KEPT_MONTHS: { kind: 'own-default' },
    TASKS_WAITING_MAX: { kind: 'own-default' },
    TASKS_WAITING_PER_CHANNEL_MAX: { kind: 'own-default' },
    AUDIT_QUIET_SECONDS: { kind: 'own-default' },
    IDP_ISSUER: { kind: 'development' },
    IDP_AUDIENCE: { kind: 'development' },
    IDP_ACCESS_TOKEN_SECONDS: { kind: 'development' },
    IDP_CLIENTS_FILE: { kind: 'development' },
    IDP_KEYS_FILE: { kind: 'development' },
    IDP_DOCS_REDIRECT_URIS: { kind: 'development' },
  } satisfies Record<string, Source>),
);

/** One variable of a program. */
export interface DeclaredVariable {
  readonly name: string;
  readonly source: Source;
  /** True if the program does not start without it. */
  readonly isRequired: boolean;
}

/** @throws Error for a variable that is missing from the table above */
export function sourceOf(program: ProgramName, variable: string): Source {
  const source = sources.get(variable);
  if (!source) throw new Error(`${program} reads ${variable}. Add the source of its value to deploy/installation.`);
  return source;
}

const declaredBy = (program: ProgramName, environment: Environment): DeclaredVariable[] =>
  Object.entries(environment).map(([name, { secret, optional, fallback }]) => {
    const source = sourceOf(program, name);
    if (secret !== (source.kind === 'secret'))
      throw new Error(`${name} must be a secret both in deploy/installation and in ${program}.`);
    return { name, source, isRequired: !optional && fallback === undefined };
  });

/** Variables that a program reads, with their sources. */
export const listVariables = (program: ProgramName): DeclaredVariable[] => declaredBy(program, environmentOf(program));

/** Variables that the migrations of a service read. */
export const listMigrationVariables = (service: ServiceName): DeclaredVariable[] =>
  declaredBy(service, migrationEnvironment);

/** File name of a secret. */
export const secretFile = (program: ProgramName, secret: SecretKind): string =>
  `${secret === 'service-key' ? identityOf(program) : program}-${secret}`;

/** A secret variable. */
export interface SecretVariable {
  readonly variable: string;
  readonly file: string;
  readonly secret: SecretKind;
}

const secretsAmong = (program: ProgramName, variables: readonly DeclaredVariable[]): SecretVariable[] =>
  variables.flatMap(({ name, source }) =>
    source.kind === 'secret'
      ? [{ variable: name, file: secretFile(program, source.secret), secret: source.secret }]
      : [],
  );

export const listSecretVariables = (program: ProgramName): SecretVariable[] =>
  secretsAmong(program, listVariables(program));

/** Secrets of a service's migrations: only the role that owns the tables. */
export const listMigrationSecretVariables = (service: ServiceName): SecretVariable[] =>
  secretsAmong(service, listMigrationVariables(service));
