// Generates the gRPC types of libs/contracts from protos/. With --check it writes nothing and fails when the checked-in
// types differ from what the protos say.
import { execFileSync } from 'node:child_process';
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

const root = resolve(import.meta.dirname, '..');
const target = 'libs/contracts/src/gen';
const generator = join(root, 'node_modules/@grpc/proto-loader/build/bin/proto-loader-gen-types.js');

function generateInto(outDir: string): void {
  const protos = globSync('**/*.proto', { cwd: join(root, 'protos') }).toSorted();
  if (protos.length === 0) throw new Error('there is no .proto file below protos/');
  const options = [
    '--longs=String',
    '--enums=String',
    '--defaults',
    '--oneofs',
    '--grpcLib=@grpc/grpc-js',
    '--importFileExtension=.ts',
    `--outDir=${outDir}`,
    '--includeDirs=protos',
  ];
  // --includeDirs takes a list: without the -- it would swallow the files.
  execFileSync(process.execPath, [generator, ...options, '--', ...protos], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  removeUnused(outDir);
}

/**
 * The generator also writes files that nothing imports. Keeps the services, the messages of errors, and what they
 * import.
 */
function removeUnused(outDir: string): void {
  const files = globSync('**/*.ts', { cwd: outDir }).map((file) => join(outDir, file));
  const texts = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]));
  const isRoot = (file: string): boolean =>
    /interface \w+Definition extends grpc\.ServiceDefinition/.test(texts.get(file) ?? '') ||
    /(common\/v1\/Problem|google\/rpc\/Status)\.ts$/.test(file);
  const kept = new Set<string>();
  const open = files.filter(isRoot);
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (kept.has(file)) continue;
    kept.add(file);
    for (const [, path] of (texts.get(file) ?? '').matchAll(/from '(\.[^']+)'/g)) {
      open.push(resolve(dirname(file), path as string));
    }
  }
  for (const file of files) if (!kept.has(file)) rmSync(file);
}

function contentsOf(folder: string): Map<string, string> {
  const files = globSync('**/*.ts', { cwd: folder });
  return new Map(files.map((file) => [file, readFileSync(join(folder, file), 'utf8')]));
}

function differences(wanted: Map<string, string>, present: Map<string, string>): string[] {
  const files = new Set([...wanted.keys(), ...present.keys()]);
  return [...files].filter((file) => wanted.get(file) !== present.get(file)).toSorted();
}

const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
// Elsewhere first, so that a mistake in a proto leaves the present types in place.
const folder = mkdtempSync(join(tmpdir(), 'generate-grpc-'));
try {
  generateInto(folder);
  const changed = differences(contentsOf(folder), contentsOf(join(root, target)));
  if (values.check) {
    for (const file of changed) console.error(`${target}/${file} is not what the protos say`);
    console.log(changed.length === 0 ? 'The gRPC types are up to date' : 'Run: npm run generate:grpc');
    process.exitCode = changed.length === 0 ? 0 : 1;
  } else {
    rmSync(join(root, target), { recursive: true, force: true });
    cpSync(folder, join(root, target), { recursive: true });
    console.log(`${target}: ${changed.length} files changed`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
