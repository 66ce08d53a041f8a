// Checks the licences of third-party packages in an image, and writes their texts:
//   node deploy/docker/licences.ts collect <file> [--of name,name…] [--alone]
//   node deploy/docker/licences.ts write <folder> <image> <file>…
// "collect" writes a list of the installed packages, or of the named ones with their dependencies unless --alone. It
// fails if licences.json does not allow the licence of one. "write" merges such lists into THIRD-PARTY.txt. BuildKit
// writes the SBOM of an image, but knows neither which licences are allowed nor what was bundled into pages.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

interface LockEntry {
  readonly version?: string;
  readonly link?: boolean;
  /** Folder of the workspace that a link leads to. */
  readonly resolved?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}
/** Entries of a lock file, by path. */
type Lock = Readonly<Record<string, LockEntry>>;

interface Package {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
  readonly text: string;
}

const read = <T>(file: string): T => JSON.parse(readFileSync(file, 'utf8')) as T;

/** `asWritten` has the licences of packages whose manifest does not name one. */
const { allowed, asWritten } = read<{ allowed: string[]; asWritten: Record<string, string> }>(
  join(import.meta.dirname, 'licences.json'),
);

/** True if allowed licences satisfy an SPDX expression. */
function isAllowed(expression: string): boolean {
  const plain = expression.replace(/^\((.*)\)$/, '$1');
  if (plain.includes('(')) return false;
  return plain.split(' OR ').some((choice) => choice.split(' AND ').every((each) => allowed.includes(each.trim())));
}

/** Path of a dependency, as Node resolves it: in the folder of the dependent, or in one above it. */
function resolvePath(name: string, from: string, lock: Lock): string | undefined {
  const own = `${from === '' ? '' : `${from}/`}node_modules/${name}`;
  if (own in lock) return own;
  if (from === '') return undefined;
  const above = from.includes('node_modules/') ? from.replace(/\/?node_modules\/(@[^/]+\/)?[^/]+$/, '') : '';
  return resolvePath(name, above, lock);
}

/** Paths of packages and, unless they stand alone, of all their dependencies. */
function listPaths(names: readonly string[], lock: Lock, isAlone: boolean): Set<string> {
  const paths = new Set<string>();
  const waiting = names.map((name): [string, string] => [name, '']);
  for (const [name, from] of waiting) {
    const path = resolvePath(name, from, lock);
    if (path === undefined || paths.has(path)) continue;
    paths.add(path);
    const { link, resolved = '' } = lock[path] ?? {};
    const folder = link ? resolved : path;
    const { dependencies, optionalDependencies, peerDependencies } = lock[folder] ?? {};
    if (isAlone) continue;
    for (const next of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies }))
      waiting.push([next, folder]);
  }
  return paths;
}

const LICENCE_FILE = /^(licen[cs]e|copying|notice)/i;

function readPackage(path: string, { version = '' }: LockEntry): Package {
  const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
  const manifest = read<{ license?: string | { type: string }; licenses?: { type: string }[] }>(
    join(path, 'package.json'),
  );
  const { license = manifest.licenses?.map(({ type }) => type).join(' OR ') ?? '' } = manifest;
  const declared = typeof license === 'string' ? license : license.type;
  const texts = readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isFile() && LICENCE_FILE.test(entry.name))
    .map((entry) => entry.name)
    .toSorted()
    .map((file) => readFileSync(join(path, file), 'utf8').replaceAll('\r\n', '\n').trim());
  return { name, version, licence: asWritten[`${name}@${version}`] ?? declared, text: texts.join('\n\n') };
}

function collect(file: string, names: readonly string[] | undefined, isAlone: boolean): void {
  const { packages: lock } = read<{ packages: Record<string, LockEntry> }>('node_modules/.package-lock.json');
  const paths = names ? listPaths(names, lock, isAlone) : new Set(Object.keys(lock));
  const packages = [...paths]
    .filter((path) => /(^|\/)node_modules\//.test(path) && !lock[path]?.link && !path.includes('node_modules/@types/'))
    .filter((path) => existsSync(join(path, 'package.json')))
    .map((path) => readPackage(path, lock[path] ?? {}));
  const refused = packages.filter(({ licence }) => !isAllowed(licence));
  if (refused.length > 0) {
    const lines = refused.map(({ name, version, licence }) => `${name}@${version}: ${licence || 'names none'}`);
    throw new Error(`licences.json does not allow the licences of\n${lines.join('\n')}`);
  }
  writeFileSync(file, JSON.stringify(packages));
}

function write(folder: string, image: string, files: readonly string[]): void {
  const unique = new Map(
    files.flatMap((file) => read<Package[]>(file).map((each) => [`${each.name} ${each.version}`, each] as const)),
  );
  const texts = [...unique]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([id, { licence, text }]) =>
      [`${id} (${licence})`, '='.repeat(72), text || 'The package has no licence text.', ''].join('\n'),
    );
  const head = `Third-party packages in the image ${image}: in node_modules, in its pages and in its documentation.\n`;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'THIRD-PARTY.txt'), [head, ...texts].join('\n'));
}

const { positionals, values: options } = parseArgs({
  allowPositionals: true,
  options: { of: { type: 'string' }, alone: { type: 'boolean', default: false } },
});
const [command, target = '', ...rest] = positionals;
const [image = '', ...files] = rest;
if (command === 'collect') collect(target, options.of?.split(','), options.alone);
else write(target, image, files);
