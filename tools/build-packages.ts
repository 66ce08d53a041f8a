// node tools/build-packages.ts [folder]
//
// Builds the SDK and the command-line tool for npm into dist/packages or the folder: JavaScript with types, and a
// package.json with the versions of dependencies. Publishes nothing.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly bin?: Readonly<Record<string, string>>;
  readonly engines: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
}

const manifestOf = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;

/** Versions of third-party packages are in the root package.json. */
const versions: Readonly<Record<string, string>> = manifestOf(root).dependencies;

const projects = ['clients/sdk', 'clients/cli']
  .map((project) => join(root, project))
  .filter((folder) => existsSync(folder));
const own = new Map(projects.map((folder) => [manifestOf(folder).name, manifestOf(folder).version]));

function versionOf(dependency: string): string {
  const version = own.get(dependency) ?? versions[dependency];
  if (version === undefined) throw new Error(`package.json has no version of ${dependency}`);
  return version;
}

/** package.json of a published package: built files instead of sources. */
function publishedManifest({ name, version, description, license, bin, engines, dependencies }: Manifest): object {
  const versioned = Object.keys(dependencies).map((each) => [each, versionOf(each)]);
  const built = (path: string): string => path.replace('src/', 'dist/').replace(/\.ts$/, '.js');
  return {
    name,
    version,
    description,
    license,
    type: 'module',
    sideEffects: bin !== undefined,
    engines,
    files: ['dist'],
    ...(bin
      ? { bin: Object.fromEntries(Object.entries(bin).map(([command, path]) => [command, built(path)])) }
      : { types: './dist/index.d.ts', exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' } } }),
    dependencies: Object.fromEntries(versioned),
  };
}

function build(folder: string, out: string): void {
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  execFileSync(process.execPath, [compiler, '-p', join(folder, 'tsconfig.build.json'), '--outDir', join(out, 'dist')], {
    stdio: 'inherit',
  });
  // Types refer to the built files.
  for (const file of globSync('dist/**/*.d.ts', { cwd: out }).map((each) => join(out, each))) {
    writeFileSync(
      file,
      readFileSync(file, 'utf8').replaceAll(/(from '\.[^']*|import\("\.[^"]*)\.ts(?=['"])/g, '$1.js'),
    );
  }
  writeFileSync(join(out, 'package.json'), `${JSON.stringify(publishedManifest(manifestOf(folder)), undefined, 2)}\n`);
  cpSync(join(folder, 'README.md'), join(out, 'README.md'));
  cpSync(join(root, 'LICENSE'), join(out, 'LICENSE'));
}

execFileSync(process.execPath, [join(root, 'tools/generate.ts'), '--untracked'], { stdio: 'inherit' });
const target = resolve(process.argv[2] ?? join(root, 'dist/packages'));
for (const folder of projects) build(folder, join(target, manifestOf(folder).name.replace('@saleschannel/', '')));
console.log(`built in ${target}`);
