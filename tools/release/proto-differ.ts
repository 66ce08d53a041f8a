import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Breach } from './records.ts';
import { findProtoFolder, workspace, type Unit } from './units.ts';

// Runs `buf breaking` against the last release of each service, by the rules of buf.yaml. buf knows neither the records
// of releases nor the deprecations that allow a breach.

/** Packages that several services serve. Each release records its own copy. */
const shared = ['protos/common', 'protos/audit'];

/** The buf of this repository, also for a copy of the workspace. */
const BUF = join(import.meta.dirname, '../../node_modules/.bin/buf');
/** Standard input or output of buf. */
const STREAM = '-#format=json';
const BREACHES_FOUND = 100;

function buf(args: readonly string[], input = ''): string {
  const options = { cwd: workspace, input, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 } as const;
  const { status, stdout, stderr } = spawnSync(BUF, args, options);
  if (status !== 0 && status !== BREACHES_FOUND) throw new Error(`buf ${args[0]}: ${stderr || stdout}`);
  return stdout;
}

/** Used members of descriptors, in the JSON form of google/protobuf/descriptor.proto. */
interface Descriptor {
  readonly name: string;
  readonly options?: { readonly deprecated?: boolean };
  readonly messageType?: readonly Descriptor[];
  readonly service?: readonly Descriptor[];
  readonly field?: readonly Descriptor[];
  readonly nestedType?: readonly Descriptor[];
  readonly enumType?: readonly Descriptor[];
  readonly value?: readonly Descriptor[];
  readonly method?: readonly Descriptor[];
}

export interface ProtoImage {
  readonly file: readonly (Descriptor & { readonly package: string })[];
}

/** Image of the protos that a unit serves. Undefined if it serves none. */
export function buildProtoImage(unit: Unit): ProtoImage | undefined {
  const own = findProtoFolder(unit);
  if (own === undefined) return undefined;
  const paths = [own, ...shared].filter((path) => existsSync(join(workspace, path)));
  const words = ['build', '--exclude-source-info', ...paths.flatMap((path) => ['--path', path]), '-o', STREAM];
  return JSON.parse(buf(words)) as ProtoImage;
}

function deprecatedIn(parent: Descriptor, scope: string): string[] {
  const {
    messageType = [],
    service = [],
    field = [],
    nestedType = [],
    enumType = [],
    value = [],
    method = [],
  } = parent;
  return [...messageType, ...service, ...field, ...nestedType, ...enumType, ...value, ...method].flatMap((each) => {
    const name = `${scope}.${each.name}`;
    return [...(each.options?.deprecated ? [name] : []), ...deprecatedIn(each, name)];
  });
}

/** Full names of the deprecated elements of an image. */
export const deprecatedInImage = ({ file }: ProtoImage): string[] =>
  file.flatMap((each) => deprecatedIn(each, each.package));

interface Annotation {
  readonly path?: string;
  readonly start_line?: number;
  readonly type: string;
  readonly message: string;
}

/** `traders.v1.Trader.name` or `traders.v1.TradersService.GetTrader`, from the quoted words of buf's message. */
function elementOf({ message, path }: Annotation): string {
  const scope = path === undefined ? 'protos' : dirname(path).replace('protos/', '').replaceAll('/', '.');
  const [, member, of] =
    /(?:(?:field|enum value) "\d+" with name|RPC) "([^"]+)" on (?:message|enum|service) "([^"]+)"/.exec(message) ?? [];
  if (member !== undefined) return `${scope}.${of}.${member}`;
  const words = Array.from(message.matchAll(/"([^"]+)"/g), ([, word = '']) => word);
  return [scope, ...words.filter((word) => !/^\d+$/.test(word)).slice(0, 1)].join('.');
}

/**
 * Breaches of the image that the last release of a service recorded. Imported messages of other services are compared
 * with the images of those services.
 */
export function compareProtos(released: ProtoImage): Breach[] {
  const words = ['breaking', '--against', STREAM, '--exclude-imports', '--error-format', 'json'];
  const found = buf(words, JSON.stringify(released)).split('\n');
  return found.flatMap((line) => {
    if (line === '') return [];
    const annotation = JSON.parse(line) as Annotation;
    const location = annotation.path === undefined ? '' : ` (${annotation.path}:${annotation.start_line ?? 1})`;
    return { element: elementOf(annotation), rule: annotation.type, message: `${annotation.message}${location}` };
  });
}
