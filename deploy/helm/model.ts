// What a chart knows of its program: facts that follow from deploy/installation, and are nobody's to set.
import { LIVENESS } from '@saleschannel/grpc';
import {
  ADMIN,
  apiCallers,
  AUDITOR,
  calleesOf,
  callersOf,
  httpPorts,
  isPublished,
  knownAs,
  migrationVariablesOf,
  NAMESPACE,
  ports,
  reads,
  variablesReadBy,
  type DeclaredVariable,
  type ProgramName,
  type ServiceName,
} from '@saleschannel/installation';

/** One variable, and from where a pod has it. */
type ChartVariable = { readonly name: string } & (
  | { readonly from: 'value'; readonly value: string }
  | { readonly from: 'secret' | 'public-keys' | 'own-hosts' }
  | { readonly from: 'tls'; readonly file: string }
  | { readonly from: 'authority'; readonly of: string }
  | { readonly from: 'setting'; readonly default?: string }
);

function chartVariable({ name, source }: DeclaredVariable): ChartVariable | undefined {
  switch (source.kind) {
    case 'secret':
      return { name, from: 'secret' };
    case 'public-keys':
      return { name, from: 'public-keys' };
    case 'tls-file':
      return { name, from: 'tls', file: source.file };
    case 'authority-file':
      return { name, from: 'authority', of: source.of };
    case 'address':
      return { name, from: 'value', value: `${source.service}:${ports.grpc}` };
    case 'api-url':
      return { name, from: 'value', value: 'http://gateway' };
    case 'own-hosts':
      return { name, from: 'own-hosts' };
    case 'listening':
      return { name, from: 'value', value: source.value };
    case 'namespace':
      return { name, from: 'setting', default: NAMESPACE };
    case 'setting':
      return { name, from: 'setting', ...(source.default === undefined ? {} : { default: source.default }) };
    case 'own-default':
      return { name, from: 'setting' };
    case 'development':
      return undefined;
  }
}

const chartVariables = (variables: readonly DeclaredVariable[]): ChartVariable[] =>
  variables.flatMap((variable) => chartVariable(variable) ?? []);

/** Settings that a program reads, those of its migrations among them. */
export const settingsOf = (program: ProgramName): string[] => [
  ...new Set(
    [...variablesReadBy(program), ...migrationsOf(program)].flatMap((variable) => {
      const from = chartVariable(variable)?.from;
      return from === 'setting' || from === 'own-hosts' ? [variable.name] : [];
    }),
  ),
];

/** Settings without which it does not start, and for which there is no default. */
export const requiredSettingsOf = (program: ProgramName): string[] =>
  variablesReadBy(program).flatMap(({ name, source, isRequired }) =>
    source.kind === 'setting' && isRequired && source.default === undefined ? [name] : [],
  );

const migrationsOf = (program: ProgramName): DeclaredVariable[] =>
  isMigrated(program) ? migrationVariablesOf(program as ServiceName) : [];

export const isMigrated = (program: ProgramName): boolean => reads(program, 'DATABASE_URL');

/** Variables of secrets, each with those of the program's migrations. */
export const secretsIn = (program: ProgramName): string[] =>
  [...variablesReadBy(program), ...migrationsOf(program)].flatMap(({ name, source }) =>
    source.kind === 'secret' ? [name] : [],
  );

/** What is outside of the namespace, and by which variable a program is known to go there. */
const ways: Readonly<Record<string, readonly string[]>> = {
  database: ['DATABASE_URL', 'AUDIT_DATABASE_URL'],
  broker: ['AMQP_URL'],
  issuer: ['OIDC_ISSUER'],
  receivers: ['WEBHOOK_SECRET_KEYS'],
  collector: ['OTEL_EXPORTER_OTLP_ENDPOINT'],
};

const waysOf = (program: ProgramName): string[] =>
  Object.entries(ways).flatMap(([way, variables]) => (variables.some((name) => reads(program, name)) ? [way] : []));

export const isService = (program: ProgramName): program is ServiceName => program !== ADMIN && program !== AUDITOR;

const asService = (program: ServiceName): object => {
  const http = httpPorts.get(program);
  return {
    liveness: LIVENESS,
    ports:
      http === undefined
        ? { grpc: ports.grpc, health: ports.health, metrics: ports.metrics }
        : { http, metrics: ports.metrics },
    isPublished: isPublished(program),
    callers: callersOf(program),
    // The API is asked by the portal too.
    apiCallers: program === 'gateway' ? apiCallers : [],
  };
};

export const chartModel = (program: ProgramName): object => ({
  name: program,
  component: isService(program) ? 'service' : program,
  image: program,
  ...(isService(program) ? asService(program) : {}),
  callees: calleesOf(program),
  calleePort: ports.grpc,
  ...(isService(program) && apiCallers.includes(program) ? { asksApi: ports.gateway } : {}),
  ways: ['services', ...waysOf(program)],
  tlsSecret: `${knownAs(program)}-tls`,
  variables: chartVariables(variablesReadBy(program)),
  ...(isMigrated(program) ? { migration: { variables: chartVariables(migrationsOf(program)) } } : {}),
});
