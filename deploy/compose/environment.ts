// Variables of the containers in docker-compose.yml.
import {
  ALL_IN_ONE,
  AUDIENCE,
  databaseServices,
  hostedGrpcPort,
  hostedServices,
  isPublished,
  joinVariables,
  identityOf,
  listMigrationVariables,
  NAMESPACE,
  ports,
  readsVariable,
  secretFile,
  listVariables,
  type DeclaredVariable,
  type JoinedVariable,
  type ProgramName,
  type ServiceName,
} from '@saleschannel/installation';
import { comment } from '../manifest-text.ts';

/** Containers of a file: one per service, or one for all permanent services. */
export type Layout = 'separate' | typeof ALL_IN_ONE;

/** Name of the gateways on the network "edge". */
export const EDGE_GATEWAY = 'edge-gateway';

/** Groups of variables with the same value for all programs. Each becomes an anchor. */
const groups = [
  { anchor: 'process', variables: ['LOG_LEVEL', 'OTEL_EXPORTER_OTLP_ENDPOINT', 'METRICS_HOST', 'METRICS_PORT'] },
  {
    anchor: 'public-keys',
    variables: ['SERVICE_PUBLIC_KEYS'],
    about: 'Public keys with which services authenticate each other. "npm run compose:secrets" writes them to .env.',
  },
  { anchor: 'grpc', variables: ['GRPC_HOST', 'GRPC_PORT', 'GRPC_HEALTH_PORT'] },
  { anchor: 'database', variables: ['DATABASE_POOL_MAX'] },
  { anchor: 'broker', variables: ['AMQP_NAMESPACE'] },
];

/** Anchors of all groups. */
export const groupBlocks = (): string[] => groups.map(groupBlock);

/** Anchor of a group. */
function groupBlock({ anchor, variables, about }: (typeof groups)[number]): string {
  // Identity reads them all.
  const declared = listVariables('identity').filter(({ name }) => variables.includes(name));
  return [
    ...(about === undefined ? [] : [comment(about)]),
    `x-${anchor}: &${anchor}`,
    ...declared.flatMap((variable) => assignment(variable, valueOf('identity', variable), '  ')),
  ].join('\n');
}

/** Environment of a program. */
export function environmentLines(program: ProgramName, layout: Layout): string[] {
  const merged = groups.filter(({ variables }) => variables.every((name) => readsVariable(program, name)));
  const own = listVariables(program).filter(({ name }) => !merged.some(({ variables }) => variables.includes(name)));
  const anchors = merged.map(({ anchor }) => `*${anchor}`);
  return [
    ...(anchors.length > 0 ? [`      <<: ${anchors.length === 1 ? anchors.join('') : `[${anchors.join(', ')}]`}`] : []),
    ...own.flatMap((variable) => assignment(variable, valueOf(program, variable, layout), '      ')),
  ];
}

/** Environment of the process that hosts services. */
export const hostedLines = (): string[] =>
  joinVariables(hostedServices, listVariables, hostedValueOf).flatMap(joinedAssignment);

/** Environment of the migrations of all services in one process. */
export const hostedMigrationLines = (): string[] =>
  joinVariables(databaseServices, listMigrationVariables, valueOf).flatMap(joinedAssignment);

const joinedAssignment = ({ name, variable, value }: JoinedVariable<string>): string[] =>
  assignment({ ...variable, name }, value, '      ');

/** Hosted services call each other inside the process. Each has a port for other programs. */
function hostedValueOf(service: ServiceName, variable: DeclaredVariable): string | undefined {
  const { name, source } = variable;
  if (source.kind === 'address' && hostedServices.includes(source.service)) return undefined;
  return name === 'GRPC_PORT' ? String(hostedGrpcPort(service)) : valueOf(service, variable);
}

const variableComments: Readonly<Record<string, string>> = {
  BEHIND_PROXY: 'Set it to yes behind a proxy. The gateway then does not start without TRUSTED_PROXIES.',
  TRUSTED_PROXIES:
    "The proxy that terminates TLS, and the portal: EDGE_SUBNET. Without it, every client has the proxy's address.",
  IDP_ISSUER:
    'URL for browsers and scripts on this machine. Identity reads the keys inside the network (OIDC_JWKS_URL).',
};

/** Environment of a service's migrations. */
export const migrationLines = (service: ServiceName): string[] =>
  listMigrationVariables(service).flatMap((variable) => assignment(variable, valueOf(service, variable), '      '));

/** Lines that set a variable. None if the program's default applies. */
function assignment({ name, source }: DeclaredVariable, value: string | undefined, indent: string): string[] {
  const suffix = source.kind === 'secret' ? '_FILE' : '';
  const about = variableComments[name];
  if (value === undefined) return [];
  return [
    ...(about === undefined ? [] : [comment(about, indent)]),
    // YAML reads digits as a number.
    `${indent}${name}${suffix}: ${/^\d+$/.test(value) ? `'${value}'` : value}`,
  ];
}

const addressIn = (layout: Layout, service: ServiceName): string =>
  layout === ALL_IN_ONE && hostedServices.includes(service)
    ? `${ALL_IN_ONE}:${hostedGrpcPort(service)}`
    : `${service}:${ports.grpc}`;

function valueOf(
  program: ProgramName,
  { name, source }: DeclaredVariable,
  layout: Layout = 'separate',
): string | undefined {
  switch (source.kind) {
    case 'secret':
      return `/run/secrets/${secretFile(program, source.secret)}`;
    case 'public-keys':
      return interpolation(name);
    case 'tls-file':
      return `/run/secrets/${identityOf(program)}-${source.file}`;
    case 'address':
      return addressIn(layout, source.service);
    case 'api-url':
      return `http://${isPublished(program) ? EDGE_GATEWAY : 'gateway'}:${ports.gateway}`;
    case 'own-hosts':
      return ['API_HOST', 'PORTAL_URL', 'CONSOLE_URL'].map((each) => interpolation(each)).join(',');
    case 'listening':
      return source.value;
    case 'namespace':
      return NAMESPACE;
    case 'setting':
      return interpolation(name, source.default);
    case 'authority-file':
    case 'own-default':
      return undefined;
    case 'development':
      return developmentValues[name];
  }
}

/** Reference to a variable of .env. */
export function interpolation(name: string, fallback: string | number = ''): string {
  return `\${${name}:-${fallback}}`;
}

/** Variables of the development identity provider. */
const developmentValues: Readonly<Record<string, string>> = {
  IDP_ISSUER: interpolation('OIDC_ISSUER', `http://localhost:${ports.idp}`),
  IDP_AUDIENCE: interpolation('OIDC_AUDIENCE', AUDIENCE),
  IDP_CLIENTS_FILE: '/run/secrets/dev-idp-clients',
};
