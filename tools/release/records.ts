import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { deprecatedInEvents, compareEvents, listEvents, type ReleasedEvents } from './event-differ.ts';
import { deprecatedInOpenApi, compareOpenApi, type OpenApi } from './openapi-differ.ts';
import { plannedBump, readPlans } from './plans.ts';
import { deprecatedInImage, compareProtos, buildProtoImage, type ProtoImage } from './proto-differ.ts';
import { units, readVersion, workspace, type Unit } from './units.ts';

/** A promise of the last release that the current state breaks. */
export interface Breach {
  /** Broken element: `traders.v1.Trader.name`, `Trader.name`, `GET /traders`. */
  readonly element: string;
  /** Rule such as FIELD_NO_DELETE. Rules of protos are buf's. */
  readonly rule: string;
  readonly message: string;
}

type Kind = 'protos' | 'events' | 'openapi';

/**
 * Days that an element must have been released as deprecated before its removal. Services are upgraded together with
 * their callers. Clients of the public API belong to other companies.
 */
const deprecationDays: Readonly<Record<Kind, number>> = { protos: 30, events: 30, openapi: 180 };

/** Deprecated element → day of the release that first deprecated it. */
type Deprecations = Readonly<Record<string, string>>;

interface Judged {
  readonly unit: string;
  readonly kind: Kind;
  readonly version: string;
  readonly deprecated: Deprecations;
  readonly isMajorPlanned: boolean;
  readonly today: Date;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Reason to refuse a breach. Undefined if a major step is planned and the deprecation was long enough. */
export function refuseBreach({ element, rule, message }: Breach, judged: Judged): string | undefined {
  const { unit, kind, version, deprecated, isMajorPlanned, today } = judged;
  const days = deprecationDays[kind];
  const since = deprecated[element];
  const ends = since === undefined ? undefined : new Date(Date.parse(since) + days * DAY_MS);
  const missing: string[] = [];
  if (!isMajorPlanned) missing.push(`a version plan with "${unit}: major"`);
  if (ends === undefined)
    missing.push(`${days} days as deprecated (${unit}@${version} does not mark it as deprecated)`);
  else if (ends > today) missing.push(`to wait until ${ends.toISOString().slice(0, 10)} (deprecated since ${since})`);
  return missing.length === 0
    ? undefined
    : `${unit}: ${kind}: ${element}: ${rule}: ${message} It needs ${missing.join(', and ')}.`;
}

/** released/<unit>.json: the promises of a unit's last release. */
interface Release {
  readonly version: string;
  readonly deprecated: Deprecations;
  readonly protos?: ProtoImage | undefined;
  readonly events?: ReleasedEvents | undefined;
  readonly openapi?: OpenApi | undefined;
}

const RELEASED = join(workspace, 'released');
const fileOf = ({ name }: Unit): string => join(RELEASED, `${name}.json`);
const readRelease = (unit: Unit): Release | undefined =>
  existsSync(fileOf(unit)) ? (JSON.parse(readFileSync(fileOf(unit), 'utf8')) as Release) : undefined;

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
export function recordPromises(unit: Unit, today: Date): void {
  const [protos, events, openapi] = [buildProtoImage(unit), listEvents(unit), contractOf(unit)];
  if (protos === undefined && events === undefined && openapi === undefined) return;
  const known = readRelease(unit)?.deprecated ?? {};
  const day = today.toISOString().slice(0, 10);
  const names = [
    ...(protos === undefined ? [] : deprecatedInImage(protos)),
    ...(events === undefined ? [] : deprecatedInEvents(events)),
    ...(openapi === undefined ? [] : deprecatedInOpenApi(openapi)),
  ];
  const deprecated = Object.fromEntries(names.toSorted().map((name) => [name, known[name] ?? day]));
  const release: Release = { version: readVersion(unit), deprecated, protos, events, openapi };
  mkdirSync(RELEASED, { recursive: true });
  writeFileSync(fileOf(unit), `${JSON.stringify(release)}\n`);
}

/** Refused breaches of a unit's last release. */
function refusalsOf(unit: Unit, isMajorPlanned: boolean, today: Date): string[] {
  const release = readRelease(unit);
  if (!release) return [];
  const { version, deprecated, protos, events, openapi } = release;
  const refused = (kind: Kind, breaches: readonly Breach[]): string[] =>
    breaches.flatMap(
      (breach) => refuseBreach(breach, { unit: unit.name, kind, version, deprecated, isMajorPlanned, today }) ?? [],
    );
  return [
    ...(protos ? refused('protos', compareProtos(protos)) : []),
    ...(events ? refused('events', compareEvents(events, listEvents(unit) ?? {})) : []),
    ...(openapi ? refused('openapi', compareOpenApi(openapi, contractOf(unit) ?? { paths: {} })) : []),
  ];
}

/** Breaches without a planned major step and a long enough deprecation, of all units. */
export function checkPromises(today: Date): string[] {
  const plans = readPlans();
  return units.flatMap((unit) => refusalsOf(unit, plannedBump(plans, unit.name) === 'major', today));
}
