// npm run generate [-- <part>…] [--check | --untracked | --run-time]
//
// Generates every file that follows from others. A part whose sources have not changed since its last run is skipped,
// by a hash in node_modules/.cache. A part whose packages are missing (npm ci --omit=dev) is skipped too.
//   --check      compares the parts that git holds, writes nothing, and ends with exit code 1 at a difference
//   --untracked  only what git ignores: by npm ci, npm start, the type check, Jest and the build of the documentation
//   --run-time   only what programs read when they run
import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { listDifferences, removeOthers, root, writeFiles, type Files } from './generate/files.ts';

interface Part {
  /** Globs of the sources. All parts also depend on the lock file and on this tool. */
  readonly sources: readonly string[];
  /** Packages that may be missing, as paths. */
  readonly needs: readonly string[];
  /** Folders that hold files of this part alone. */
  readonly folders?: readonly string[];
  /** Git holds the files, because some readers have no npm. */
  readonly isTracked?: true;
  readonly isReadAtRunTime?: true;
  /** Programs are imported, which read what the parts without this mark generate. */
  readonly importsPrograms?: true;
  readonly generate: () => Promise<Files>;
}

const contracts = ['apps/*/openapi/openapi.yaml'];
const modules = ['{apps,libs}/*/src/**/*.ts', 'deploy/{installation/src,compose,helm,observe}/**/*.ts'];
const programs = ['node_modules/pg', 'node_modules/@saleschannel/installation', 'node_modules/@saleschannel/gateway'];

const parts: Readonly<Record<string, Part>> = {
  documents: {
    sources: contracts,
    needs: ['node_modules/yaml'],
    isReadAtRunTime: true,
    generate: async () => (await import('./generate/openapi.ts')).contractDocuments(),
  },
  public: {
    sources: ['apps/portal/src/public/**/*', 'apps/web/src/shared/theme/tokens.css'],
    needs: ['node_modules/vite'],
    folders: ['apps/portal/src/public/gen'],
    isReadAtRunTime: true,
    generate: async () => (await import('./generate/public-files.ts')).publicFiles(),
  },
  'contract-types': {
    sources: contracts,
    needs: ['node_modules/yaml', 'tools/codegen/node_modules/openapi-typescript'],
    generate: async () => (await import('./generate/openapi.ts')).contractTypes(),
  },
  'grpc-types': {
    sources: ['protos/**/*.proto'],
    needs: ['node_modules/@grpc/proto-loader'],
    folders: ['libs/contracts/src/gen'],
    generate: async () => (await import('./generate/grpc-types.ts')).grpcTypes(),
  },
  protos: {
    sources: ['protos/**/*.proto', ...modules],
    needs: ['node_modules/@bufbuild/buf', ...programs],
    importsPrograms: true,
    folders: ['docs/contribute/protos'],
    generate: async () => (await import('./generate/pages.ts')).protoPages(),
  },
  errors: {
    sources: [...contracts, 'libs/errors/src/*.ts'],
    needs: ['node_modules/yaml'],
    generate: async () => (await import('./generate/pages.ts')).errorsPage(),
  },
  settings: {
    sources: [...modules, 'docker-compose*.yml'],
    needs: programs,
    importsPrograms: true,
    generate: async () => (await import('./generate/pages.ts')).settingsPage(),
  },
  asyncapi: {
    sources: ['libs/{contracts,messaging}/{src,test/support}/**/*.ts'],
    needs: ['node_modules/yaml', 'node_modules/zod'],
    isTracked: true,
    generate: async () => (await import('./generate/pages.ts')).asyncApi(),
  },
  deployment: {
    sources: [...modules, 'package.json', 'apps/*/package.json', 'deploy/**/*.{yaml,yml,ts}'],
    needs: ['node_modules/prettier', ...programs],
    importsPrograms: true,
    isTracked: true,
    generate: async () => (await import('../deploy/render.ts')).deploymentFiles(),
  },
};

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    check: { type: 'boolean', default: false },
    untracked: { type: 'boolean', default: false },
    'run-time': { type: 'boolean', default: false },
  },
});

const isChosen = (name: string, { isTracked, isReadAtRunTime }: Part): boolean =>
  (positionals.length === 0 || positionals.includes(name)) &&
  (!options.check || isTracked === true) &&
  (!options.untracked || !isTracked) &&
  (!options['run-time'] || isReadAtRunTime === true);

const unknown = positionals.filter((name) => !Object.hasOwn(parts, name));
if (unknown.length > 0) throw new Error(`${unknown.join(', ')}: the parts are ${Object.keys(parts).join(', ')}`);

interface Stamp {
  readonly hash: string;
  readonly files: readonly string[];
}

const texts = new Map<string, Buffer>();

function readCached(path: string): Buffer {
  const known = texts.get(path) ?? readFileSync(join(root, path));
  texts.set(path, known);
  return known;
}

const listed = new Map<string, readonly string[]>();

function listSources(glob: string): readonly string[] {
  const known =
    listed.get(glob) ??
    globSync(glob, { cwd: root, withFileTypes: true, exclude: ({ name }) => name === 'node_modules' || name === 'gen' })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));
  listed.set(glob, known);
  return known;
}

function hashSources({ sources }: Part): string {
  const globs = ['package-lock.json', 'tools/generate.ts', 'tools/{generate,contracts}/*.ts', ...sources];
  const hash = createHash('sha1');
  for (const path of [...new Set(globs.flatMap(listSources))].toSorted())
    hash.update(path).update('\0').update(readCached(path)).update('\0');
  return hash.digest('hex');
}

const cache = join(root, 'node_modules/.cache');
/** Copies of a checkout may link to its packages, and to this folder with them. They keep no stamps. */
const isOwnCache = !existsSync(cache) || realpathSync(cache) === join(realpathSync(root), 'node_modules/.cache');
const stampFile = join(cache, 'saleschannel/generated.json');
const stamps: Readonly<Record<string, Stamp>> =
  isOwnCache && existsSync(stampFile) ? (JSON.parse(readFileSync(stampFile, 'utf8')) as Record<string, Stamp>) : {};

function isFresh(name: string, hash: string): boolean {
  const stamp = stamps[name];
  return stamp?.hash === hash && stamp.files.every((path) => existsSync(join(root, path)));
}

/** `npm ci --omit=dev` ends quietly. */
const isPrepare = process.env.npm_lifecycle_event === 'prepare';
const startedAt = performance.now();
const hashes: Record<string, string> = {};
const stale = Object.entries(parts).filter(([name, part]) => {
  if (!isChosen(name, part)) return false;
  const missing = part.needs.filter((path) => !existsSync(join(root, path)));
  if (missing.length > 0) {
    if (positionals.includes(name)) throw new Error(`${name} needs ${missing.join(', ')}`);
    if (!isPrepare) console.error(`not generated: ${name}, which needs ${missing.join(', ')} ("npm ci")`);
    return false;
  }
  if (options.check) return true;
  hashes[name] = hashSources(part);
  return !isFresh(name, hashes[name]);
});

interface Result {
  readonly name: string;
  readonly part: Part;
  readonly files: Files;
}

const generate = (chosen: readonly (readonly [string, Part])[]): Promise<Result[]> =>
  Promise.all(chosen.map(async ([name, part]) => ({ name, part, files: await part.generate() })));

function compare(results: readonly Result[]): void {
  const differences = results.flatMap(({ files }) => listDifferences(files));
  for (const path of differences) console.error(`${path} does not follow from its sources. Run "npm run generate".`);
  if (differences.length > 0) process.exitCode = 1;
}

function write(results: readonly Result[]): number {
  let written = 0;
  for (const { part, files } of results) {
    written += writeFiles(files);
    for (const folder of part.folders ?? []) removeOthers(folder, files);
  }
  return written;
}

function saveStamps(results: readonly Result[]): void {
  const fresh = results.map(({ name, files }) => [name, { hash: hashes[name] ?? '', files: Object.keys(files) }]);
  mkdirSync(dirname(stampFile), { recursive: true });
  writeFileSync(stampFile, JSON.stringify({ ...stamps, ...Object.fromEntries(fresh) }));
}

const [first, second] = [false, true].map((imports) =>
  stale.filter(([, { importsPrograms = false }]) => importsPrograms === imports),
) as [typeof stale, typeof stale];
if (options.check) compare([...(await generate(first)), ...(await generate(second))]);
else if (stale.length > 0) {
  const results = await generate(first);
  let written = write(results);
  results.push(...(await generate(second)));
  written += write(results.slice(first.length));
  if (isOwnCache) saveStamps(results);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  if (written > 0) console.log(`generated ${written} files in ${seconds} s`);
}
