import { operationTable } from './gen/operations.ts';
import type { CallOptions, OperationId } from './types.ts';

/** What the table knows of an operation. */
interface Operation {
  readonly method: string;
  readonly path: string;
  readonly takesKey: boolean;
  readonly mediaType?: string;
}

export const operationOf = (id: OperationId): Operation => {
  if (!Object.hasOwn(operationTable, id)) throw new TypeError(`there is no operation ${id}`);
  return operationTable[id];
};

/** Any options, without their types. */
export interface LooseOptions extends CallOptions {
  readonly path?: object | undefined;
  readonly query?: object | undefined;
  readonly body?: unknown;
}

/** A segment of nothing, or of dots, would name another path. */
function segmentOf(name: string, values: Readonly<Record<string, unknown>>): string {
  const value = values[name];
  if (typeof value === 'string' && value !== '' && value !== '.' && value !== '..') return encodeURIComponent(value);
  throw new TypeError(`${name} must be the id of something, not ${JSON.stringify(value)}`);
}

const textOf = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value));

/** Filters and orders are objects. The contract takes them as JSON, and lists with commas. */
function queryOf(query: object): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query) as [string, unknown][]) {
    if (value === undefined || value === null) continue;
    parameters.set(name, Array.isArray(value) ? value.join(',') : textOf(value));
  }
  const text = parameters.toString();
  return text === '' ? '' : `?${text}`;
}

/** @throws TypeError for an id that is none */
export function addressOf(id: OperationId, { path = {}, query = {} }: LooseOptions): string {
  const values = path as Readonly<Record<string, unknown>>;
  const filled = operationOf(id).path.replaceAll(/\{(\w+)\}/g, (_, name: string) => segmentOf(name, values));
  return `${filled}${queryOf(query)}`;
}

const KEY = /^[\w-]{1,64}$/;

/** A plan is a question, although it is asked by POST. */
const questions: ReadonlySet<OperationId> = new Set(['planTransfer']);

/** Whether an operation makes or changes something. */
export const isChange = (id: OperationId): boolean => operationOf(id).method !== 'GET' && !questions.has(id);

/**
 * One key for a call, however often it is sent. A plan has only the key that is given: that of the transfer which it is
 * made for.
 * @throws TypeError for a key that the service would refuse
 */
export function keyOf(id: OperationId, given: string | undefined): string | undefined {
  if (!operationOf(id).takesKey) {
    if (given !== undefined) throw new TypeError(`${id} takes no Idempotency-Key`);
    return undefined;
  }
  if (given !== undefined && !KEY.test(given)) {
    throw new TypeError('an Idempotency-Key has 1 to 64 letters, digits, underscores or hyphens');
  }
  return given ?? (isChange(id) ? crypto.randomUUID() : undefined);
}

const NEXT = /<([^<>]*)>\s*;[^,<]*\brel="?next"?/i;

/**
 * The path of the next page, from a `Link` header with rel="next" (RFC 8288).
 * @throws TypeError for an address of another server, which must not get the credentials
 */
export function nextPath(link: string | null): string | undefined {
  const target = NEXT.exec(link ?? '-')?.[1];
  if (target === undefined) return undefined;
  if (!/^\/(?!\/)/.test(target)) throw new TypeError(`the next page is not of this server: ${target}`);
  return target;
}
