// npm run generate [-- <part>…] [--check | --untracked | --run-time]
//
// Generates every file that follows from others. Skips a part if neither its sources nor its files have changed since
// the last run, by the hashes in node_modules/.cache, or if its packages are missing (npm ci --omit=dev).
//   --check      compares the parts that git holds, writes nothing, and exits with 1 at a difference
//   --untracked  generates only the files that git ignores. npm ci, npm start, the type check, Jest and the build of
//                the documentation run this.
//   --run-time   generates only the files that programs read at run time
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, realpathSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { listDifferences, removeOthers, replaceFile, root, writeFiles, type Files } from './generate/files.ts';

interface Part {
  /** Globs of the sources. All parts also depend on the lock file and on this tool. */
  readonly sources: readonly string[];
  /** Paths of the packages that it imports. */
  readonly needs: readonly string[];
  /** Folders that contain only files of this part. */
  readonly folders?: readonly string[];
  /** True if git holds the files, for readers without npm. */
  readonly isTracked?: true;
  readonly isReadAtRunTime?: true;
  /** `programs` imports programs, which read files of the parts before. `manifests` reads the generated manifests. */
  readonly stage?: 'programs' | 'manifests';
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
    sources: ['buf.yaml', 'protos/**/*.proto', ...modules],
    needs: ['node_modules/@bufbuild/buf', ...programs],
    stage: 'programs',
    folders: ['docs/contribute/protos'],
    generate: async () => (await import('./contracts/proto-pages.ts')).protoPages(),
  },
  errors: {
    sources: [...contracts, 'libs/errors/src/*.ts'],
    needs: ['node_modules/yaml'],
    generate: async () => (await import('./contracts/errors-page.ts')).errorsPage(),
  },
  settings: {
    sources: [...modules, 'docker-compose*.yml'],
    needs: programs,
    stage: 'manifests',
    generate: async () => (await import('./contracts/settings-page.ts')).settingsPage(),
  },
  asyncapi: {
    sources: ['libs/{contracts,messaging}/{src,test/support}/**/*.ts'],
    needs: ['node_modules/yaml', 'node_modules/zod'],
    isTracked: true,
    generate: async () => (await import('./contracts/asyncapi.ts')).asyncApi(),
  },
  deployment: {
    sources: [...modules, '.prettier*', 'package.json', 'apps/*/package.json', 'deploy/**/*.{yaml,yml,ts}'],
    needs: ['node_modules/prettier', ...programs],
    stage: 'programs',
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
if (unknown.length > 0)
  throw new Error(`Unknown: ${unknown.join(', ')}. The parts are ${Object.keys(parts).join(', ')}.`);

/** Proof that the files of a part follow from its sources. */
interface Stamp {
  /** Hash of the sources. */
  readonly sources: string;
  readonly files: readonly string[];
  /** Hash of the files, which an editor, a merge or an interrupted run may have changed. */
  readonly contents: string;
}

function hashFiles(files: readonly (readonly [path: string, content: Buffer | string])[]): string {
  const hash = createHash('sha1');
  for (const [path, content] of files) hash.update(path).update('\0').update(content).update('\0');
  return hash.digest('hex');
}

const contents = new Map<string, Buffer>();

function readCached(path: string): Buffer {
  const content = contents.get(path) ?? readFileSync(join(root, path));
  contents.set(path, content);
  return content;
}

const listings = new Map<string, readonly string[]>();

function listSources(glob: string): readonly string[] {
  const paths =
    listings.get(glob) ??
    globSync(glob, { cwd: root, withFileTypes: true, exclude: ({ name }) => name === 'node_modules' || name === 'gen' })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));
  listings.set(glob, paths);
  return paths;
}

/** Hashes the sources as they were at the first call. `own` are files of the part itself that match its globs. */
function hashSources({ sources }: Part, own: readonly string[]): string {
  const globs = ['package-lock.json', 'tools/generate.ts', 'tools/{generate,contracts}/*.ts', ...sources];
  const paths = [...new Set(globs.flatMap(listSources).filter((path) => !own.includes(path)))].toSorted();
  return hashFiles(paths.map((path) => [path, readCached(path)]));
}

const cache = join(root, 'node_modules/.cache');
const stampFile = join(cache, 'saleschannel/generated.json');

/** False in a copy of a checkout that links to its packages, or to this cache. A copy keeps no stamps. */
function isOwnCache(): boolean {
  const folder = [cache, join(root, 'node_modules')].find((path) => existsSync(path));
  return folder !== undefined && realpathSync(folder) === join(realpathSync(root), relative(root, folder));
}

function readStamps(): Readonly<Record<string, Stamp>> {
  if (!isOwnCache() || !existsSync(stampFile)) return {};
  try {
    return JSON.parse(readFileSync(stampFile, 'utf8')) as Record<string, Stamp>;
  } catch {
    // A damaged cache costs one run.
    return {};
  }
}

function saveStamps(results: readonly Result[]): void {
  const stamps = results.map(({ name, part, files }): [string, Stamp] => {
    const paths = Object.keys(files);
    return [name, { sources: hashSources(part, paths), files: paths, contents: hashFiles(Object.entries(files)) }];
  });
  replaceFile(stampFile, JSON.stringify({ ...readStamps(), ...Object.fromEntries(stamps) }));
}

const stamps = readStamps();

function isFresh(name: string, part: Part): boolean {
  const { sources, files = [], contents: hash } = stamps[name] ?? {};
  // Also without a stamp, because saveStamps needs the sources as they were before the run.
  const isUnchanged = hashSources(part, files) === sources;
  if (!isUnchanged || !files.every((path) => existsSync(join(root, path)))) return false;
  return hashFiles(files.map((path) => [path, readFileSync(join(root, path))])) === hash;
}

/** npm ci runs this too. With --omit=dev it lacks packages of some parts, without a warning. */
const isPrepare = process.env.npm_lifecycle_event === 'prepare';

function canGenerate(name: string, { needs }: Part): boolean {
  const missing = needs.filter((path) => !existsSync(join(root, path)));
  if (missing.length === 0) return true;
  const problem = `${name} needs ${missing.join(', ')}. Run "npm ci".`;
  if (positionals.includes(name) || options.check) throw new Error(problem);
  if (!isPrepare) console.error(`Not generated: ${problem}`);
  return false;
}

interface Result {
  readonly name: string;
  readonly part: Part;
  readonly files: Files;
}

function generate(stage: Part['stage']): Promise<Result[]> {
  const due = Object.entries(parts).filter(
    ([name, part]) =>
      part.stage === stage &&
      isChosen(name, part) &&
      canGenerate(name, part) &&
      (options.check || !isFresh(name, part)),
  );
  return Promise.all(due.map(async ([name, part]) => ({ name, part, files: await part.generate() })));
}

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
  if (results.length > 0 && isOwnCache()) saveStamps(results);
  return written;
}

const startedAt = performance.now();
let written = 0;
for (const stage of [undefined, 'programs', 'manifests'] as const) {
  const results = await generate(stage);
  if (options.check) compare(results);
  else written += write(results);
}
const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
if (written > 0) console.log(`generated ${written} files in ${seconds} s`);
