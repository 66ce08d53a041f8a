import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { imageNames } from '../../deploy/installation/src/index.ts';

/** Part of the repository with its own version: a program of an installation, an npm package, or the charts. */
export interface Unit {
  readonly name: string;
  readonly folder: string;
  /** A program becomes an image and a chart, a package goes to npm, and `charts` belong to no program. */
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
 * The umbrella chart and `installation`. No plan names it: it is released with its units.
 */
export const umbrella: Unit = { name: 'saleschannel', folder: '.', kind: 'charts' };

/** Projects that are built into the image of a program. */
const bundled: Readonly<Record<string, readonly string[]>> = { portal: ['apps/web'], console: ['apps/web'] };

const manifestOf = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(workspace, folder, 'package.json'), 'utf8')) as Manifest;

export const readVersion = ({ folder }: Unit): string => manifestOf(folder).version;

export const toTag = (unit: Unit): string => `${unit.name}@${readVersion(unit)}`;

/** Folder of the unit's package in protos/. Undefined if it serves no RPCs. */
export function findProtoFolder({ name }: Unit): string | undefined {
  const folder = `protos/${name.replaceAll('-', '_')}`;
  return existsSync(join(workspace, folder)) ? folder : undefined;
}

const SCOPE = '@saleschannel/';

interface Closure {
  /** Folders of libraries and hosted services. */
  readonly libraries: readonly string[];
  /** Names of npm packages. */
  readonly packages: readonly string[];
}

/** Production dependencies of a unit, direct and indirect, from package.json files. */
export function findDependencies({ folder }: Unit): Closure {
  const libraries = new Set<string>();
  const packages = new Set<string>();
  const open = [folder, ...(bundled[folder.replace('apps/', '')] ?? [])];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const name of Object.keys(manifestOf(next).dependencies ?? {})) {
      if (!name.startsWith(SCOPE)) packages.add(name);
      else {
        const own = name.slice(SCOPE.length);
        const library = ['libs', 'apps', 'clients']
          .map((group) => `${group}/${own}`)
          .find((path) => existsSync(join(workspace, path)));
        if (library === undefined || libraries.has(library)) continue;
        const folders = [library, ...(bundled[own] ?? [])];
        for (const each of folders) libraries.add(each);
        open.push(...folders);
      }
    }
  }
  return { libraries: [...libraries].toSorted(), packages: [...packages].toSorted() };
}

/** Files that do not run: tests, documents, records of releases, and settings of the compiler. */
const isLeftOut = (file: string): boolean =>
  /^[^/]+\/[^/]+\/test\/|\.test\.tsx?$|(^|\/)(README|CHANGELOG)\.md$|\/released\.(json|yaml)$/.test(file) ||
  /(^|\/)tsconfig[^/]*\.json$/.test(file);

const isBelow = (file: string, folder: string): boolean => file.startsWith(`${folder}/`);

/** True for the unit's own sources. */
export function isOwnSource(unit: Unit, file: string): boolean {
  if (isLeftOut(file)) return false;
  const folders = [unit.folder, ...(bundled[unit.name] ?? []), findProtoFolder(unit)];
  return folders.some((folder) => folder !== undefined && isBelow(file, folder));
}

/** Libraries of the unit that contain one of the files. Shared protos count as libraries. */
export function findTouchedLibraries(unit: Unit, files: readonly string[]): string[] {
  const { libraries } = findDependencies(unit);
  const shared = libraries.includes('libs/contracts') ? ['protos/common', 'protos/audit', 'protos/google'] : [];
  return [...libraries, ...shared].filter((folder) => files.some((file) => isBelow(file, folder) && !isLeftOut(file)));
}
