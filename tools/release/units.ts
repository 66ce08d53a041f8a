import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { imageNames } from '../../deploy/installation/src/index.ts';

/** What has a version of its own: a program of an installation, or a package that others install. */
export interface Unit {
  readonly name: string;
  readonly folder: string;
  /** A program becomes an image and a chart, a package goes to npm, and `charts` are those that no program has. */
  readonly kind: 'program' | 'package' | 'charts';
}

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

export const workspace = resolve(process.env.SALESCHANNEL_WORKSPACE ?? join(import.meta.dirname, '../..'));

export const units: readonly Unit[] = [
  ...imageNames.map((name): Unit => ({ name, folder: `apps/${name}`, kind: 'program' })),
  { name: 'sdk', folder: 'clients/sdk', kind: 'package' },
  { name: 'cli', folder: 'clients/cli', kind: 'package' },
];

/**
 * The umbrella chart and `installation`, with the version of the whole. No plan names it: it is released with whatever
 * it holds.
 */
export const umbrella: Unit = { name: 'saleschannel', folder: '.', kind: 'charts' };

/** Pages and documentation that are built into the image of a program. */
const bundled: Readonly<Record<string, readonly string[]>> = { portal: ['apps/web'], console: ['apps/web'] };

const manifestOf = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(workspace, folder, 'package.json'), 'utf8')) as Manifest;

export const versionOf = ({ folder }: Unit): string => manifestOf(folder).version;

export const tagOf = (unit: Unit): string => `${unit.name}@${versionOf(unit)}`;

/** The folder of the unit's own package in protos/, for a service that serves RPCs. */
export function protosOf({ name }: Unit): string | undefined {
  const folder = `protos/${name.replaceAll('-', '_')}`;
  return existsSync(join(workspace, folder)) ? folder : undefined;
}

const SCOPE = '@saleschannel/';

interface Closure {
  /** Folders of libraries, and of the services that a process hosts. */
  readonly libraries: readonly string[];
  /** Names of packages of npm. */
  readonly packages: readonly string[];
}

/** Everything that a unit runs with, by what the package.json files declare. What only its tests need is no part. */
export function closureOf({ folder }: Unit): Closure {
  const libraries = new Set<string>();
  const packages = new Set<string>();
  const open = [folder, ...(bundled[folder.replace('apps/', '')] ?? [])];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const name of Object.keys(manifestOf(next).dependencies ?? {})) {
      if (!name.startsWith(SCOPE)) packages.add(name);
      else {
        const own = name.slice(SCOPE.length);
        const library = [`libs/${own}`, `apps/${own}`].find((path) => existsSync(join(workspace, path)));
        if (library === undefined || libraries.has(library)) continue;
        const folders = [library, ...(bundled[own] ?? [])];
        for (const each of folders) libraries.add(each);
        open.push(...folders);
      }
    }
  }
  return { libraries: [...libraries].toSorted(), packages: [...packages].toSorted() };
}

/** What tests and readers need, what a release writes itself, and types that are erased: not a part of what runs. */
const isLeftOut = (file: string): boolean =>
  /^[^/]+\/[^/]+\/test\/|\.test\.tsx?$|(^|\/)(README|CHANGELOG)\.md$|\/released\.(json|yaml)$/.test(file) ||
  /(^|\/)tsconfig[^/]*\.json$|^libs\/contracts\/(released|src\/gen)\//.test(file);

const isBelow = (file: string, folder: string): boolean => file.startsWith(`${folder}/`);

/** Whether a file is one of the unit's own sources, which its team answers for. */
export function isOwnSource(unit: Unit, file: string): boolean {
  if (isLeftOut(file)) return false;
  const folders = [unit.folder, ...(bundled[unit.name] ?? []), protosOf(unit)];
  return folders.some((folder) => folder !== undefined && isBelow(file, folder));
}

/** The libraries of the unit that these files belong to. Protos that several services share count as one. */
export function touchedLibraries(unit: Unit, files: readonly string[]): string[] {
  const { libraries } = closureOf(unit);
  const shared = libraries.includes('libs/contracts') ? ['protos/common', 'protos/audit', 'protos/google'] : [];
  return [...libraries, ...shared].filter((folder) => files.some((file) => isBelow(file, folder) && !isLeftOut(file)));
}
