import { operationTable } from './gen/operations.ts';
import type { CallOptions, OperationId } from './types.ts';

/** Table entry of an operation. */
interface Operation {
  readonly method: string;
  readonly path: string;
  readonly takesKey: boolean;
  readonly mediaType?: string;
}

export const getOperation = (id: OperationId): Operation => {
  if (!Object.hasOwn(operationTable, id)) throw new TypeError(`unknown operation: ${id}`);
  return operationTable[id];
};

/** Untyped options. */
export interface LooseOptions extends CallOptions {
  readonly path?: object | undefined;
  readonly query?: object | undefined;
  readonly body?: unknown;
}

/** Empty or dot segments would change the path. */
function encodeSegment(name: string, values: Readonly<Record<string, unknown>>): string {
  const value = values[name];
  if (typeof value === 'string' && value !== '' && value !== '.' && value !== '..') return encodeURIComponent(value);
  throw new TypeError(`${name} must be an id, not ${JSON.stringify(value)}`);
}

const serializeValue = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value));

/** Serializes filters and orders as JSON, and lists with commas. */
function serializeQuery(query: object): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query) as [string, unknown][]) {
    if (value === undefined || value === null) continue;
    parameters.set(name, Array.isArray(value) ? value.join(',') : serializeValue(value));
  }
  const text = parameters.toString();
  return text === '' ? '' : `?${text}`;
}

/** @throws TypeError for an invalid id */
export function buildPath(id: OperationId, { path = {}, query = {} }: LooseOptions): string {
  const values = path as Readonly<Record<string, unknown>>;
  const filled = getOperation(id).path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeSegment(name, values));
  return `${filled}${serializeQuery(query)}`;
}

const KEY = /^[\w-]{1,64}$/;

/** Operations that only read, although they use POST. */
const readOnlyPosts: ReadonlySet<OperationId> = new Set(['planTransfer']);

/** Whether an operation has side effects. */
export const isChange = (id: OperationId): boolean => getOperation(id).method !== 'GET' && !readOnlyPosts.has(id);

/**
 * Key of a call, the same for all attempts. A plan carries only a given key, that of its transfer.
 * @throws TypeError for an invalid key
 */
export function resolveKey(id: OperationId, key: string | undefined): string | undefined {
  if (!getOperation(id).takesKey) {
    if (key !== undefined) throw new TypeError(`${id} takes no Idempotency-Key`);
    return undefined;
  }
  if (key !== undefined && !KEY.test(key)) {
    throw new TypeError('an Idempotency-Key has 1 to 64 letters, digits, underscores or hyphens');
  }
  return key ?? (isChange(id) ? crypto.randomUUID() : undefined);
}

const NEXT = /<([^<>]*)>\s*;[^,<]*\brel="?next"?/i;

/**
 * Path of the next page, from a `Link` header with rel="next" (RFC 8288).
 * @throws TypeError for another server, which must not receive the credentials
 */
export function nextPath(link: string | null): string | undefined {
  const target = NEXT.exec(link ?? '-')?.[1];
  if (target === undefined) return undefined;
  if (!/^\/(?!\/)/.test(target)) throw new TypeError(`the next page is on another server: ${target}`);
  return target;
}
