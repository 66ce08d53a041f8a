import { isDeepStrictEqual } from 'node:util';
import { hostedVariable } from '@saleschannel/runtime';
import { grpcServices, productionServices, programNames, type ProgramName, type ServiceName } from './services.ts';
import { migrationVariablesOf, ports, variablesReadBy, type DeclaredVariable } from './sources.ts';
import { variablesOf, variablesOfMigration, type Place } from './variables.ts';

/** The program that hosts several services in one process. */
export const ALL_IN_ONE = 'all-in-one';

/** The services that Compose and the charts host in one process. The console, an administrator, stays apart. */
export const hostedServices: readonly ServiceName[] = productionServices
  .map(({ name }) => name)
  .filter((name) => name !== 'console');

export type ImageName = ProgramName | typeof ALL_IN_ONE;

/** Everything that is built as an image. */
export const imageNames: readonly ImageName[] = [...programNames, ALL_IN_ONE];

/** Port of a hosted service in the container of the process, for programs that run elsewhere. */
export const hostedGrpcPort = (service: ServiceName): number => ports.grpc + 10 + grpcServices.indexOf(service);

/** The process has one endpoint for the metrics of all: that of the first service. */
const METRICS_PORT = 'METRICS_PORT';

/** A variable of a process that hosts several services. */
export interface JoinedVariable<T> {
  /** As the process reads it. */
  readonly name: string;
  /** One of the services that read it. */
  readonly service: ServiceName;
  readonly variable: DeclaredVariable;
  readonly value: T;
}

/**
 * The variables of a process that hosts services. A variable that has one value for all who read it is shared. Else
 * each service has its own, under its name.
 * @param valueOf undefined for a variable that is not set
 */
export function joinVariables<T>(
  services: readonly ServiceName[],
  variablesReadIn: (service: ServiceName) => readonly DeclaredVariable[],
  valueOf: (service: ServiceName, variable: DeclaredVariable) => T | undefined,
): JoinedVariable<T>[] {
  const read = services.flatMap((service) =>
    variablesReadIn(service).map((variable) => ({ service, variable, value: valueOf(service, variable) })),
  );
  return [...Map.groupBy(read, ({ variable }) => variable.name)].flatMap(([name, readers]) => {
    const set = readers.flatMap(({ value, ...rest }) => (value === undefined ? [] : [{ ...rest, name, value }]));
    const isShared = set.length === readers.length && set.every(({ value }) => isDeepStrictEqual(value, set[0]?.value));
    return isShared ? set.slice(0, 1) : set.map((each) => ({ ...each, name: hostedVariable(each.service, name) }));
  });
}

const byName = (joined: readonly JoinedVariable<string>[]): Record<string, string> =>
  Object.fromEntries(joined.map(({ name, value }) => [name, value]));

/** The variables of a process that hosts these services in a place. */
export function variablesOfAllInOne(services: readonly ServiceName[], place: Place): Record<string, string> {
  const values = new Map(services.map((service) => [service, variablesOf(service, place)]));
  const [first] = values.values();
  return byName(
    joinVariables(
      services,
      variablesReadBy,
      (service, { name }) => (name === METRICS_PORT ? first : values.get(service))?.[name],
    ),
  );
}

/** The variables of the migrations of these services in one process. */
export function variablesOfMigrations(services: readonly ServiceName[], place: Place): Record<string, string> {
  const values = new Map(services.map((service) => [service, variablesOfMigration(service, place)]));
  return byName(joinVariables(services, migrationVariablesOf, (service, { name }) => values.get(service)?.[name]));
}
