import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Breach } from './breach.ts';
import { findProtoFolder, workspace, type Unit } from './units.ts';

// Runs `buf breaking` against the last release of each service, by the rules of buf.yaml. buf knows neither the
// records of releases nor the deprecations that allow a breach.

/** Packages that several services serve. Each release records its own copy. */
const shared = ['protos/common', 'protos/audit'];

/** The buf of this repository, also for a copy of the workspace. */
const BUF = join(import.meta.dirname, '../../node_modules/.bin/buf');
const BREACHES_FOUND = 100;

function buf(...args: readonly string[]): { status: number | null; stdout: string } {
  const { status, stdout, stderr } = spawnSync(BUF, args, {
    cwd: workspace,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status !== 0 && status !== BREACHES_FOUND) throw new Error(`buf ${args[0]}: ${stderr || stdout}`);
  return { status, stdout };
}

const pathsOf = (own: string): string[] =>
  [own, ...shared].filter((path) => existsSync(join(workspace, path))).flatMap((path) => ['--path', path]);

/** Image of the protos that a unit serves, as text. Undefined if it serves none. */
export function buildProtoImage(unit: Unit): string | undefined {
  const own = findProtoFolder(unit);
  if (own === undefined) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'protos-'));
  try {
    const file = join(folder, 'image.json');
    buf('build', '--exclude-source-info', ...pathsOf(own), '-o', file);
    return readFileSync(file, 'utf8');
  } finally {
    rmSync(folder, { recursive: true });
  }
}

interface Descriptor {
  readonly name: string;
  readonly options?: { readonly deprecated?: boolean };
  readonly field?: readonly Descriptor[];
  readonly nestedType?: readonly Descriptor[];
  readonly enumType?: readonly Descriptor[];
  readonly value?: readonly Descriptor[];
  readonly method?: readonly Descriptor[];
}

interface Image {
  readonly file: readonly {
    readonly package: string;
    readonly messageType?: readonly Descriptor[];
    readonly enumType?: readonly Descriptor[];
    readonly service?: readonly Descriptor[];
  }[];
}

function deprecatedIn(descriptor: Descriptor, scope: string): string[] {
  const name = `${scope}.${descriptor.name}`;
  const { field = [], nestedType = [], enumType = [], value = [], method = [] } = descriptor;
  const members = [...field, ...nestedType, ...enumType, ...value, ...method];
  return [...(descriptor.options?.deprecated ? [name] : []), ...members.flatMap((each) => deprecatedIn(each, name))];
}

/** Full names of the deprecated elements of an image. */
export function deprecatedInImage(image: string): string[] {
  const { file } = JSON.parse(image) as Image;
  return file.flatMap(({ package: scope, messageType = [], enumType = [], service = [] }) =>
    [...messageType, ...enumType, ...service].flatMap((each) => deprecatedIn(each, scope)),
  );
}

interface Annotation {
  readonly path?: string;
  readonly start_line?: number;
  readonly type: string;
  readonly message: string;
}

/** `Trader.name` or `TradersService.GetTrader`, from the quoted words of buf's message. */
function elementOf({ message, path }: Annotation): string {
  const scope =
    path
      ?.replace(/^protos\//, '')
      .replace(/\/[^/]*$/, '')
      .replaceAll('/', '.') ?? 'protos';
  const member =
    /field "\d+" with name "(?<name>[^"]+)" on message "(?<of>[^"]+)"/.exec(message)?.groups ??
    /enum value "\d+" with name "(?<name>[^"]+)" on enum "(?<of>[^"]+)"/.exec(message)?.groups ??
    /RPC "(?<name>[^"]+)" on service "(?<of>[^"]+)"/.exec(message)?.groups;
  if (member) return `${scope}.${member.of}.${member.name}`;
  const words = [...message.matchAll(/"([^"]+)"/g)].flatMap(([, word]) =>
    /^\d+$/.test(word ?? '') ? [] : (word ?? []),
  );
  return [scope, ...words.slice(0, 1)].join('.');
}

/**
 * Breaches of the image that the last release of a service recorded. Imported messages of other services are compared
 * with the images of those services.
 */
export function compareProtos(imageFile: string): Breach[] {
  const { stdout } = buf('breaking', '--against', imageFile, '--exclude-imports', '--error-format', 'json');
  const found = stdout.split('\n').filter((line) => line !== '');
  return found.map((line) => {
    const annotation = JSON.parse(line) as Annotation;
    const location = annotation.path === undefined ? '' : ` (${annotation.path}:${annotation.start_line ?? 1})`;
    return { element: elementOf(annotation), rule: annotation.type, message: `${annotation.message}${location}` };
  });
}
