import { execFile } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { root, type Files } from './files.ts';

const generator = join(root, 'node_modules/@grpc/proto-loader/build/bin/proto-loader-gen-types.js');
const IMPORT = /^import type \{ ([^}]+) \} from '(\.[^']+)';\n/gm;
/** Constructors of clients: libs/grpc has its own. */
const CLIENT = /^export interface \w+Client extends grpc\.Client \{$[^}]*^\}\n\n?/gm;

/** Types of all messages and services of protos/, one file per package in libs/contracts/src/gen. */
export async function grpcTypes(): Promise<Files> {
  const folder = mkdtempSync(join(tmpdir(), 'generate-grpc-'));
  try {
    await generateInto(folder);
    return mergePackages(readTypes(folder), folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function generateInto(outDir: string): Promise<void> {
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
  await promisify(execFile)(process.execPath, [generator, ...options, '--', ...protos], { cwd: root });
}

/** The generator also writes files that nothing imports. Reads the services, error messages and what they import. */
function readTypes(folder: string): Map<string, string> {
  const files = globSync('**/*.ts', { cwd: folder }).map((file) => join(folder, file));
  const texts = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]));
  const isRoot = (file: string): boolean =>
    /interface \w+Definition extends grpc\.ServiceDefinition/.test(texts.get(file) ?? '') ||
    /(common\/v1\/Problem|google\/rpc\/Status)\.ts$/.test(file);
  const kept = new Map<string, string>();
  const open = files.filter(isRoot);
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    const text = texts.get(file);
    if (text === undefined || kept.has(file)) continue;
    kept.set(file, text);
    for (const [, , path = ''] of text.matchAll(IMPORT)) open.push(resolve(dirname(file), path));
  }
  return kept;
}

/** `/tmp/x/common/v1/Page.ts` → `common.v1`. */
const packageOf = (file: string, folder: string): string =>
  dirname(file)
    .slice(folder.length + 1)
    .replaceAll('/', '.');
const namespaceOf = (name: string): string => name.replaceAll('.', '_');

function mergePackages(types: ReadonlyMap<string, string>, folder: string): Files {
  const merged = new Map<string, { readonly bodies: string[]; readonly others: Set<string> }>();
  for (const [file, text] of [...types].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const own = packageOf(file, folder);
    const { bodies, others } = merged.get(own) ?? { bodies: [], others: new Set<string>() };
    merged.set(own, { bodies, others });
    const names = importedNames(file, text, folder);
    const body = text
      .replaceAll(/^\/\/ Original file: .*\n|^import .*\n/gm, '')
      .replaceAll(CLIENT, '')
      .replaceAll(/\b_\w+\b/g, (name) => {
        const imported = names.get(name);
        if (!imported) return name;
        if (imported.from === own) return imported.name;
        others.add(imported.from);
        return `${namespaceOf(imported.from)}.${imported.name}`;
      });
    bodies.push(body.trim());
  }
  return Object.fromEntries(
    [...merged].map(([name, { bodies, others }]) => [
      `libs/contracts/src/gen/${name}.ts`,
      `${[...importsOf(bodies, others), '', ...bodies].join('\n')}\n`,
    ]),
  );
}

/** Alias in a file → package and name of the type. */
function importedNames(file: string, text: string, folder: string): Map<string, { from: string; name: string }> {
  const pairs = [...text.matchAll(IMPORT)].flatMap(([, names = '', path = '']) =>
    names.split(', ').map((each): [string, { from: string; name: string }] => {
      const [name = '', alias = name] = each.split(' as ');
      return [alias, { from: packageOf(resolve(dirname(file), path), folder), name }];
    }),
  );
  return new Map(pairs);
}

function importsOf(bodies: readonly string[], others: ReadonlySet<string>): string[] {
  const uses = (text: string): boolean => bodies.some((body) => body.includes(text));
  return [
    '// Generated from protos/ by tools/generate.ts.',
    ...(uses('grpc.') ? ["import type * as grpc from '@grpc/grpc-js';"] : []),
    ...(uses('MethodDefinition<') ? ["import type { MethodDefinition } from '@grpc/proto-loader';"] : []),
    ...(uses('AnyExtension') ? ["import type { AnyExtension } from '@grpc/proto-loader';"] : []),
    ...[...others].toSorted().map((other) => `import type * as ${namespaceOf(other)} from './${other}.ts';`),
  ];
}
