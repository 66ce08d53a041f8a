// Renders model.yaml of charts: facts of deploy/installation that values cannot change.
import { LIVENESS } from '@saleschannel/grpc';
import {
  ADMIN,
  ALL_IN_ONE,
  apiCallers,
  AUDITOR,
  calleesOf,
  callersOf,
  databaseServices,
  grpcServices,
  hostedGrpcPort,
  hostedServices,
  httpPorts,
  isPublished,
  joinVariables,
  identityOf,
  listMigrationVariables,
  NAMESPACE,
  ports,
  programNames,
  readsVariable,
  listVariables,
  type DeclaredVariable,
  type ImageName,
  type ProgramName,
  type ServiceName,
} from '@saleschannel/installation';

/** A variable and its source in a pod. */
type ChartVariable = { readonly name: string } & ChartSource;

type ChartSource =
  | { readonly from: 'value'; readonly value: string }
  /** `allInOne` is the address of the service in the process that hosts it. */
  | { readonly from: 'address'; readonly value: string; readonly allInOne?: string }
  /** Key `key` of the Secret `of`, by default the key of that name in the program's own Secret. */
  | { readonly from: 'secret'; readonly of?: string; readonly key?: string }
  | { readonly from: 'public-keys' | 'own-hosts' }
  | { readonly from: 'tls'; readonly file: string }
  | { readonly from: 'authority'; readonly of: string }
  | { readonly from: 'setting'; readonly default?: string };

const isHosted = (program: ProgramName): boolean => hostedServices.some((name) => name === program);

function sourceIn({ source }: DeclaredVariable): ChartSource | undefined {
  switch (source.kind) {
    case 'secret':
      return { from: 'secret' };
    case 'public-keys':
      return { from: 'public-keys' };
    case 'tls-file':
      return { from: 'tls', file: source.file };
    case 'authority-file':
      return { from: 'authority', of: source.of };
    case 'address':
      return {
        from: 'address',
        value: `${source.service}:${ports.grpc}`,
        ...(isHosted(source.service) ? { allInOne: `${ALL_IN_ONE}:${hostedGrpcPort(source.service)}` } : {}),
      };
    case 'api-url':
      return { from: 'value', value: 'http://gateway' };
    case 'own-hosts':
      return { from: 'own-hosts' };
    case 'listening':
      return { from: 'value', value: source.value };
    case 'namespace':
      return { from: 'setting', default: NAMESPACE };
    case 'setting':
      return { from: 'setting', ...(source.default === undefined ? {} : { default: source.default }) };
    case 'own-default':
      return { from: 'setting' };
    case 'development':
      return undefined;
  }
}

function chartVariable(variable: DeclaredVariable): ChartVariable | undefined {
  const source = sourceIn(variable);
  return source && { name: variable.name, ...source };
}

const chartVariables = (variables: readonly DeclaredVariable[]): ChartVariable[] =>
  variables.flatMap((variable) => chartVariable(variable) ?? []);

/** Programs of an image: one, or all hosted services. */
const programsIn = (image: ImageName): readonly ProgramName[] => (image === ALL_IN_ONE ? hostedServices : [image]);

/** Settings that a program and its migrations read. */
export const listSettings = (image: ImageName): string[] => [
  ...new Set(
    programsIn(image)
      .flatMap((program) => [...listVariables(program), ...migrationsOf(program)])
      .flatMap((variable) => {
        const from = sourceIn(variable)?.from;
        return from === 'setting' || from === 'own-hosts' ? [variable.name] : [];
      }),
  ),
];

/** Required settings without a default. */
export const listRequiredSettings = (image: ImageName): string[] =>
  programsIn(image)
    .flatMap(listVariables)
    .flatMap(({ name, source, isRequired }) =>
      source.kind === 'setting' && isRequired && source.default === undefined ? [name] : [],
    );

const migrationsOf = (program: ProgramName): DeclaredVariable[] =>
  isMigrated(program) ? listMigrationVariables(program as ServiceName) : [];

export const isMigrated = (image: ImageName): boolean =>
  programsIn(image).some((program) => readsVariable(program, 'DATABASE_URL'));

/** Secret variables of a program and its migrations. */
export const listSecretVariables = (image: ImageName): string[] =>
  image === ALL_IN_ONE
    ? [...hostedVariables(), ...hostedMigrations()].flatMap(({ name, from }) => (from === 'secret' ? [name] : []))
    : [...listVariables(image), ...migrationsOf(image)].flatMap(({ name, source }) =>
        source.kind === 'secret' ? [name] : [],
      );

/** Destinations outside of the namespace, and the variables of programs that need them. */
const ways: Readonly<Record<string, readonly string[]>> = {
  database: ['DATABASE_URL', 'AUDIT_DATABASE_URL'],
  broker: ['AMQP_URL'],
  issuer: ['OIDC_ISSUER'],
  receivers: ['WEBHOOK_SECRET_KEYS'],
  collector: ['OTEL_EXPORTER_OTLP_ENDPOINT'],
};

const listDestinations = (...programs: readonly ProgramName[]): string[] =>
  Object.entries(ways).flatMap(([way, variables]) =>
    programs.some((program) => variables.some((name) => readsVariable(program, name))) ? [way] : [],
  );

export const isService = (image: ImageName): image is ServiceName =>
  image !== ADMIN && image !== AUDITOR && image !== ALL_IN_ONE;

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
    ...(callersOf(program).some(isHosted) && !isHosted(program)
      ? { callersOfAllInOne: [ALL_IN_ONE, ...callersOf(program).filter((name) => !isHosted(name))] }
      : {}),
    // The portal also calls the API.
    apiCallers: program === 'gateway' ? apiCallers : [],
  };
};

const tlsSecretOf = (program: ProgramName): string => `${identityOf(program)}-tls`;

export const chartModel = (program: ProgramName): object => ({
  name: program,
  component: isService(program) ? 'service' : program,
  image: program,
  ...(isHosted(program) ? { layout: 'separate' } : {}),
  ...(isService(program) ? asService(program) : {}),
  callees: calleesOf(program),
  calleePort: ports.grpc,
  ...(isHosted(program) ? {} : { hostedPorts: calleesOf(program).filter(isHosted).map(hostedGrpcPort) }),
  ...(isService(program) && apiCallers.includes(program) ? { asksApi: ports.gateway } : {}),
  ways: ['services', ...listDestinations(program)],
  tlsSecret: tlsSecretOf(program),
  variables: chartVariables(listVariables(program)),
  ...(isMigrated(program) ? { migration: { variables: chartVariables(migrationsOf(program)) } } : {}),
});

/** Source of a hosted service's variable. It calls others inside the process. */
function hostedSourceIn(service: ServiceName, variable: DeclaredVariable): ChartSource | undefined {
  const source = sourceIn(variable);
  if (source?.from === 'address' && source.allInOne !== undefined) return undefined;
  if (source?.from === 'secret') return { ...source, of: service, key: variable.name };
  if (source?.from === 'tls') return { ...source, file: `${tlsSecretOf(service)}/${source.file}` };
  return variable.name === 'GRPC_PORT' ? { from: 'value', value: String(hostedGrpcPort(service)) } : source;
}

const hostedVariables = (): ChartVariable[] =>
  joinVariables(hostedServices, listVariables, hostedSourceIn).map(({ name, value }) => ({ name, ...value }));

const hostedMigrations = (): ChartVariable[] =>
  joinVariables(databaseServices, listMigrationVariables, (service, variable): ChartSource | undefined => {
    const source = hostedSourceIn(service, variable);
    return source?.from === 'secret' ? { ...source, of: `migrate-${service}` } : source;
  }).map(({ name, value }) => ({ name, ...value }));

/** Model of the process that hosts all permanent services. Other programs reach each service at its own port. */
export function allInOneModel(): object {
  const elsewhere = programNames.filter((name) => name !== 'dev-idp' && !isHosted(name));
  const published = hostedServices.filter(isPublished);
  return {
    name: ALL_IN_ONE,
    component: 'service',
    image: ALL_IN_ONE,
    layout: ALL_IN_ONE,
    args: ['serve', '--services', hostedServices.join()],
    liveness: LIVENESS,
    ports: { health: ports.health, metrics: ports.metrics },
    hosts: {
      http: published.map((name) => ({ name, port: httpPorts.get(name) })),
      grpc: hostedServices
        .filter((name) => grpcServices.includes(name))
        .map((name) => ({ name, port: hostedGrpcPort(name) })),
    },
    callers: elsewhere.filter((name) => calleesOf(name).some(isHosted)),
    apiCallers: [ALL_IN_ONE, ...apiCallers.filter((name) => !isHosted(name))],
    callees: [...new Set(hostedServices.flatMap(calleesOf))].filter((name) => !isHosted(name)),
    calleePort: ports.grpc,
    asksApi: ports.gateway,
    ways: ['services', ...listDestinations(...hostedServices)],
    tlsSecrets: hostedServices.map(tlsSecretOf),
    variables: hostedVariables(),
    migration: { variables: hostedMigrations() },
  };
}
