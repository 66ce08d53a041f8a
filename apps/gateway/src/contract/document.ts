import { readFileSync } from 'node:fs';
import { adapted, type Adaptation } from './adapt.ts';

/** A schema is only ever handed to Ajv, except for what the query parser needs to know. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly pattern?: string;
  readonly default?: unknown;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly schema: Schema;
  /** Where the schema is in the document. */
  readonly pointer: string;
}

/** One operation of the contract, with everything that references point to put in place. */
export interface ContractOperation<Id extends string = string> {
  readonly id: Id;
  readonly method: string;
  /** As in the contract, e.g. `/traders/{traderId}`. */
  readonly path: string;
  readonly principal: 'public' | 'user' | 'registry';
  /** A public operation that is limited by network address. */
  readonly limited: boolean;
  readonly parameters: readonly Parameter[];
  /** Media type → pointer of its schema. Undefined for an operation that takes no body. */
  readonly bodies: ReadonlyMap<string, string> | undefined;
  /** The answer may be had as CSV. */
  readonly hasCsv: boolean;
  /** The body is passed on piece by piece, never held. */
  readonly streamed: boolean;
  readonly bodyBytesAtMost: number;
  /** Reads something and answers when it has it, unlike a stream of events. */
  readonly isRead: boolean;
}

/** Largest body of an operation that does not state `x-max-body-bytes`. */
const BODY_BYTES = 16_384;

interface RawOperation {
  operationId: string;
  'x-access': { principal: ContractOperation['principal']; limited?: boolean };
  'x-streamed-body'?: boolean;
  'x-max-body-bytes'?: number;
  parameters?: ({ $ref: string } | Record<string, unknown>)[];
  requestBody?: { content: Record<string, unknown> };
  responses: Record<string, { content?: Record<string, unknown> }>;
}

export interface Contract {
  /** The document as people write it. */
  readonly text: string;
  readonly document: Record<string, unknown>;
  readonly operations: readonly ContractOperation[];
}

/** As people write it. */
const yamlFile = new URL('../../openapi/openapi.yaml', import.meta.url);
/** The same, as `npm run generate` makes it. */
const jsonFile = new URL('./gen/openapi.json', import.meta.url);

const escapeSegment = (segment: string): string => segment.replaceAll('~', '~0').replaceAll('/', '~1');

function valueAt(document: unknown, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((node, segment) => {
      const key = segment.replaceAll('~1', '/').replaceAll('~0', '~');
      return (node as Record<string, unknown> | undefined)?.[key];
    }, document);
}

const loaded = new Map<string, Contract>();

/**
 * The public contract: the gateway routes, authorizes and validates by it. The same adaptation gives the same object,
 * so that what compiles from it compiles once per process.
 */
export function loadContract({ selectionsAtMost = 1_000, today = new Date() }: Partial<Adaptation> = {}): Contract {
  const read = (file: URL): string => adapted(readFileSync(file, 'utf8'), { selectionsAtMost, today });
  const [text, json] = [read(yamlFile), read(jsonFile)];
  const known = loaded.get(json);
  if (known) return known;
  const document = JSON.parse(json) as Record<string, unknown>;
  const contract = { text, document, operations: readOperations(document) };
  loaded.set(json, contract);
  return contract;
}

/** The operations that a document describes. */
export function readOperations(document: Contract['document']): ContractOperation[] {
  const { paths } = document as { paths: Record<string, Record<string, RawOperation>> };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, raw]) => readOperation(document, path, method, raw)),
  );
}

function readOperation(document: unknown, path: string, method: string, raw: RawOperation): ContractOperation {
  const base = `/paths/${escapeSegment(path)}/${method}`;
  const bodies =
    raw.requestBody &&
    new Map(
      Object.keys(raw.requestBody.content).map((mediaType) => [
        mediaType,
        `${base}/requestBody/content/${escapeSegment(mediaType)}/schema`,
      ]),
    );
  return {
    id: raw.operationId,
    method,
    path,
    principal: raw['x-access'].principal,
    limited: raw['x-access'].limited === true,
    parameters: (raw.parameters ?? []).map((parameter, index) =>
      readParameter(document, parameter, `${base}/parameters/${index}`),
    ),
    bodies,
    hasCsv: raw.responses['200']?.content?.['text/csv'] !== undefined,
    streamed: raw['x-streamed-body'] === true,
    bodyBytesAtMost: raw['x-max-body-bytes'] ?? BODY_BYTES,
    isRead: method === 'get' && raw.responses['200']?.content?.['text/event-stream'] === undefined,
  };
}

function readParameter(document: unknown, raw: object, at: string): Parameter {
  const pointer = '$ref' in raw ? String(raw.$ref).slice(1) : at;
  const { name, in: place, required = false, schema } = valueAt(document, pointer) as Omit<Parameter, 'pointer'>;
  const resolved = schema.$ref === undefined ? schema : (valueAt(document, schema.$ref.slice(1)) as Schema);
  return { name, in: place, required, schema: resolved, pointer: `${pointer}/schema` };
}
