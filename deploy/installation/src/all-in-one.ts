import { isDeepStrictEqual } from 'node:util';
import { toHostedVariable } from '@saleschannel/runtime';
import { grpcServices, productionServices, programNames, type ProgramName, type ServiceName } from './services.ts';
import { listMigrationVariables, ports, listVariables, type DeclaredVariable } from './sources.ts';
import { variablesOf, variablesOfMigration, type LocalInstallation } from './variables.ts';

/** The program that hosts several services in one process. */
export const ALL_IN_ONE = 'all-in-one';

/** The services that Compose and the charts host in one process. The console, an administrator, stays apart. */
export const hostedServices: readonly ServiceName[] = productionServices
  .map(({ name }) => name)
  .filter((name) => name !== 'console');

export type ImageName = ProgramName | typeof ALL_IN_ONE;

/** Programs with an image. */
export const imageNames: readonly ImageName[] = [...programNames, ALL_IN_ONE];

/** Port of a hosted service in the container, for programs outside of the process. */
export const hostedGrpcPort = (service: ServiceName): number => ports.grpc + 10 + grpcServices.indexOf(service);

/** One endpoint, that of the first service, has the metrics of all. */
const METRICS_PORT = 'METRICS_PORT';

/** A variable of a process that hosts several services. */
export interface JoinedVariable<T> {
  /** Name under which the process reads it. */
  readonly name: string;
  /** One of the services that read it. */
  readonly service: ServiceName;
  readonly variable: DeclaredVariable;
  readonly value: T;
}

/**
 * Variables of a process that hosts services. A variable with the same value for all its readers is shared. Otherwise
 * each service has its own, with its name as a prefix.
 * @param valueOf returns undefined for an unset variable
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
    return isShared ? set.slice(0, 1) : set.map((each) => ({ ...each, name: toHostedVariable(each.service, name) }));
  });
}

const byName = (joined: readonly JoinedVariable<string>[]): Record<string, string> =>
  Object.fromEntries(joined.map(({ name, value }) => [name, value]));

/** Variables of a process that hosts services in a place. */
export function joinServiceVariables(
  services: readonly ServiceName[],
  place: LocalInstallation,
): Record<string, string> {
  const values = new Map(services.map((service) => [service, variablesOf(service, place)]));
  const [first] = values.values();
  return byName(
    joinVariables(
      services,
      listVariables,
      (service, { name }) => (name === METRICS_PORT ? first : values.get(service))?.[name],
    ),
  );
}

/** Variables of the migrations of several services in one process. */
export function joinMigrationVariables(
  services: readonly ServiceName[],
  place: LocalInstallation,
): Record<string, string> {
  const values = new Map(services.map((service) => [service, variablesOfMigration(service, place)]));
  return byName(joinVariables(services, listMigrationVariables, (service, { name }) => values.get(service)?.[name]));
}
