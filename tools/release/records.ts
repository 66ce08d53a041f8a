import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { refuseBreach, type Breach, type Deprecations } from './breach.ts';
import { deprecatedInEvents, compareEvents, listEvents, type ReleasedEvents } from './event-differ.ts';
import { deprecatedInOpenApi, compareOpenApi, type OpenApi } from './openapi-differ.ts';
import { plannedBump, readPlans } from './plans.ts';
import { deprecatedInImage, compareProtos, buildProtoImage } from './proto-differ.ts';
import { units, readVersion, workspace, type Unit } from './units.ts';

/** released/<unit>/ holds the promises of the unit's last release. */
const RELEASED = 'released';
const files = {
  release: 'release.json',
  protos: 'protos.json',
  events: 'events.json',
  openapi: 'openapi.json',
} as const;

interface Release {
  readonly version: string;
  readonly deprecated: Deprecations;
}

const folderOf = ({ name }: Unit): string => join(workspace, RELEASED, name);
const readJson = <T>(file: string): T | undefined =>
  existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as T) : undefined;

/** Removes texts for people. Programs rely on the rest. */
function reduced(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(reduced);
  if (typeof node !== 'object' || node === null) return node;
  const entries = Object.entries(node).filter(
    ([key, value]) =>
      !['example', 'examples', 'links', 'tags', 'summary'].includes(key) &&
      !(key === 'description' && typeof value === 'string'),
  );
  return Object.fromEntries(entries.map(([key, value]) => [key, reduced(value)]));
}

function contractOf({ folder }: Unit): OpenApi | undefined {
  const file = join(workspace, folder, 'openapi/openapi.yaml');
  return existsSync(file) ? (reduced(parse(readFileSync(file, 'utf8'))) as OpenApi) : undefined;
}

/** Records the promises of this version of a unit. */
export function recordPromises(unit: Unit, today: Date): string[] {
  const folder = folderOf(unit);
  const [protos, events, openapi] = [buildProtoImage(unit), listEvents(unit), contractOf(unit)];
  if (protos === undefined && events === undefined && openapi === undefined) return [];
  const known = readJson<Release>(join(folder, files.release))?.deprecated ?? {};
  const day = today.toISOString().slice(0, 10);
  const names = [
    ...(protos === undefined ? [] : deprecatedInImage(protos)),
    ...(events === undefined ? [] : deprecatedInEvents(events)),
    ...(openapi === undefined ? [] : deprecatedInOpenApi(openapi)),
  ];
  const deprecated = Object.fromEntries(names.toSorted().map((name) => [name, known[name] ?? day]));
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const written: string[] = [];
  const write = (name: string, text: string): void => {
    writeFileSync(join(folder, name), text.endsWith('\n') ? text : `${text}\n`);
    written.push(join(RELEASED, unit.name, name));
  };
  write(files.release, JSON.stringify({ version: readVersion(unit), deprecated } satisfies Release));
  if (protos !== undefined) write(files.protos, protos);
  if (events !== undefined) write(files.events, JSON.stringify(events));
  if (openapi !== undefined) write(files.openapi, JSON.stringify(openapi));
  return written;
}

/** Refused breaches of a unit's last release. */
function refusalsOf(unit: Unit, isMajorPlanned: boolean, today: Date): string[] {
  const folder = folderOf(unit);
  const release = readJson<Release>(join(folder, files.release));
  if (!release) return [];
  const judged = { unit: unit.name, version: release.version, deprecated: release.deprecated, isMajorPlanned, today };
  const refused = (kind: 'protos' | 'events' | 'openapi', breaches: readonly Breach[]): string[] =>
    breaches.flatMap((breach) => refuseBreach(breach, { ...judged, kind }) ?? []);
  const image = join(folder, files.protos);
  const events = readJson<ReleasedEvents>(join(folder, files.events));
  const openapi = readJson<OpenApi>(join(folder, files.openapi));
  return [
    ...(existsSync(image) ? refused('protos', compareProtos(image)) : []),
    ...(events ? refused('events', compareEvents(events, listEvents(unit) ?? {})) : []),
    ...(openapi ? refused('openapi', compareOpenApi(openapi, contractOf(unit) ?? { paths: {} })) : []),
  ];
}

/** Breaches without a planned major step and a long enough deprecation, of all units. */
export function checkPromises(today: Date): string[] {
  const plans = readPlans();
  return units.flatMap((unit) => refusalsOf(unit, plannedBump(plans, unit.name) === 'major', today));
}
