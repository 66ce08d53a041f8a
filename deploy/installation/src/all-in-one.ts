import { hostedVariable } from '@saleschannel/runtime';
import type { ServiceName } from './services.ts';
import { migrationVariablesOf, variablesReadBy, type DeclaredVariable } from './sources.ts';
import { variablesOf, variablesOfMigration, type Place } from './variables.ts';

/** The program that hosts several services in one process. */
export const ALL_IN_ONE = 'all-in-one';

/** The process has one endpoint for the metrics of all: that of the first service. */
const METRICS_PORT = 'METRICS_PORT';

interface Hosted {
  readonly name: ServiceName;
  readonly read: readonly DeclaredVariable[];
  readonly values: Readonly<Record<string, string>>;
}

/** A variable that has one value for all who read it is shared. Else each has its own, under its name. */
function joinVariables(hosted: readonly Hosted[]): Record<string, string> {
  const joined: Record<string, string> = {};
  const names = new Set(hosted.flatMap(({ read }) => read.map(({ name }) => name)));
  names.delete(METRICS_PORT);
  for (const name of names) {
    const readers = hosted.filter(({ read }) => read.some((each) => each.name === name));
    const [first, ...others] = readers.map(({ values }) => values[name]);
    if (first !== undefined && others.every((value) => value === first)) joined[name] = first;
    else for (const { name: service, values } of readers) setOwn(joined, hostedVariable(service, name), values[name]);
  }
  return joined;
}

function setOwn(variables: Record<string, string>, name: string, value: string | undefined): void {
  if (value !== undefined) variables[name] = value;
}

/** The variables of a process that hosts these services in a place. */
export function variablesOfAllInOne(services: readonly ServiceName[], place: Place): Record<string, string> {
  const hosted = services.map((name) => ({ name, read: variablesReadBy(name), values: variablesOf(name, place) }));
  const variables = joinVariables(hosted);
  setOwn(variables, METRICS_PORT, hosted[0]?.values[METRICS_PORT]);
  return variables;
}

/** The variables of the migrations of these services in one process. */
export const variablesOfMigrations = (services: readonly ServiceName[], place: Place): Record<string, string> =>
  joinVariables(
    services.map((name) => ({
      name,
      read: migrationVariablesOf(name),
      values: variablesOfMigration(name, place),
    })),
  );
