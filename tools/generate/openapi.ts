import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { root, type Files } from './files.ts';

/** The part of the public contract that the SDK covers: operations of sales channel users and account holders. */

export interface Operation {
  readonly operationId: string;
  readonly description?: string;
  readonly 'x-access': { readonly principal: 'user' | 'registry' | 'public'; readonly limited?: boolean };
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, unknown>> };
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, unknown>> }>>;
}

interface Parameter {
  readonly $ref?: string;
  readonly name?: string;
}

type Section = Record<string, unknown>;

export interface Contract {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: Readonly<Record<string, Section>>;
  readonly webhooks?: unknown;
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** Excludes the registry API and the stream of server-sent events, which has its own client. */
function isCovered({ 'x-access': access, responses }: Operation): boolean {
  const isForUsers = access.principal === 'user' || access.limited === true;
  return isForUsers && !Object.hasOwn(responses['200']?.content ?? {}, 'text/event-stream');
}

/** Removes examples and tags. Allows prices as decimal texts, which the SDK writes as JSON numbers digit for digit. */
function reduced(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(reduced);
  if (!isObject(node)) return node;
  const kept = Object.entries(node).filter(([key]) => !['example', 'examples', 'links', 'tags'].includes(key));
  const object = Object.fromEntries(kept.map(([key, value]) => [key, reduced(value)]));
  return 'x-max-fraction-digits' in object ? { ...object, type: ['string'].concat(object['type'] as string) } : object;
}

/** Adds the components that a part of the contract refers to, directly or through others. */
function collect(node: unknown, components: Contract['components'], found: Set<string>): void {
  if (Array.isArray(node)) return node.forEach((each) => collect(each, components, found));
  if (!isObject(node)) return;
  const { $ref } = node;
  if (typeof $ref === 'string' && !found.has($ref)) {
    found.add($ref);
    const [, , section = '', name = ''] = $ref.split('/');
    collect(components[section]?.[name], components, found);
  }
  for (const value of Object.values(node)) collect(value, components, found);
}

/** The contract reduced to what the SDK covers. */
function sdkContract(contract: Contract): Contract {
  // The service calls webhooks; verifyWebhook checks them.
  const { paths, components, webhooks: _, ...rest } = reduced(contract) as Contract;
  const covered = Object.entries(paths)
    .map(([path, operations]) => [path, Object.entries(operations).filter(([, each]) => isCovered(each))] as const)
    .filter(([, operations]) => operations.length > 0)
    .map(([path, operations]) => [path, Object.fromEntries(operations)]);
  const ownPaths = Object.fromEntries(covered) as Contract['paths'];
  const found = new Set<string>();
  collect(ownPaths, components, found);
  const kept = (section: string, name: string): boolean =>
    section === 'securitySchemes' || found.has(`#/components/${section}/${name}`);
  const ownComponents = Object.entries(components).map(([section, named]) => [
    section,
    Object.fromEntries(Object.entries(named).filter(([name]) => kept(section, name))),
  ]);
  return { ...rest, paths: ownPaths, components: Object.fromEntries(ownComponents) as Contract['components'] };
}

const KEY = 'Idempotency-Key';

/** Method, path, media type and use of an Idempotency-Key of each operation, as TypeScript. */
function operationTable({ paths, components }: Contract): string {
  const nameOf = ({ $ref, name }: Parameter): string | undefined =>
    $ref === undefined
      ? name
      : (components['parameters']?.[$ref.split('/').at(-1) ?? $ref] as Parameter | undefined)?.name;
  const lines = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { operationId, parameters = [], requestBody }]) => {
      const [mediaType] = Object.keys(requestBody?.content ?? {});
      const takesKey = parameters.some((each) => nameOf(each) === KEY);
      const operation = { method: method.toUpperCase(), path, takesKey, mediaType };
      return `  ${operationId}: ${JSON.stringify(operation)},`;
    }),
  );
  return [
    '/** Generated from openapi.yaml by tools/generate.ts. */',
    'export const operationTable = {',
    ...lines,
    '} as const;',
    '',
  ].join('\n');
}

/** Kinds of events that a sandbox can trigger, as TypeScript. */
function sandboxKinds({ components }: Contract): string {
  const schema = components['schemas']?.['SandboxKind'] as { readonly enum: readonly string[] } | undefined;
  if (!schema) throw new Error('the contract has no SandboxKind');
  return [
    '/** Generated from openapi.yaml by tools/generate.ts. */',
    'export const sandboxKinds = [',
    ...schema.enum.map((kind) => `  '${kind}',`),
    '] as const;',
    '',
  ].join('\n');
}

const apps = ['gateway', 'console'] as const;
/** A workspace of its own, because it needs a TypeScript with a compiler API. */
export const TYPES_GENERATOR = 'tools/codegen/node_modules/openapi-typescript/bin/cli.js';

const contractFile = (app: (typeof apps)[number]): string => join(root, 'apps', app, 'openapi/openapi.yaml');
export const readContract = (app: (typeof apps)[number]): Contract =>
  parse(readFileSync(contractFile(app), 'utf8')) as Contract;

/** Contracts as JSON, which loads fifty times as fast as YAML, and the tables that the SDK reads at run time. */
export function contractDocuments(): Files {
  const documents = apps.map((app) => [
    `apps/${app}/src/contract/gen/openapi.json`,
    `${JSON.stringify(readContract(app))}\n`,
  ]);
  const covered = sdkContract(readContract('gateway'));
  return {
    ...(Object.fromEntries(documents) as Files),
    'clients/sdk/src/gen/operations.ts': operationTable(covered),
    'clients/sdk/src/gen/sandbox-kinds.ts': sandboxKinds(covered),
  };
}

/**
 * Types of the operations of each contract. The SDK has a smaller contract of its own, in which prices may be texts,
 * and is published without the gateway.
 */
export async function contractTypes(): Promise<Files> {
  const work = mkdtempSync(join(tmpdir(), 'generate-contract-'));
  try {
    const sdk = join(work, 'sdk.json');
    writeFileSync(sdk, JSON.stringify(sdkContract(readContract('gateway'))));
    const sources = [...apps.map((app) => [`apps/${app}/src/contract`, contractFile(app)]), ['clients/sdk/src', sdk]];
    const generated = sources.map(async ([folder, contract = ''], index) => {
      const types = join(work, `${index}.ts`);
      const options = [contract, '--default-non-nullable', 'false', '-o', types];
      await promisify(execFile)(process.execPath, [join(root, TYPES_GENERATOR), ...options]);
      return [`${folder}/gen/openapi.ts`, readFileSync(types, 'utf8')] as const;
    });
    return Object.fromEntries(await Promise.all(generated));
  } finally {
    rmSync(work, { recursive: true });
  }
}
