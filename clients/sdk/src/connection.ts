import { createApiError, NotModifiedError, parseSignInChallenge } from './errors.ts';
import { operationTable } from './gen/operations.ts';
import { writeJson } from './json.ts';
import { retryAfterMs } from './timing.ts';
import type { RawResponse, Transport } from './transport.ts';
import type { Answer, Call, CallOptions, ItemOf, ListId, OperationId, OptionsArgument, ResultOf } from './types.ts';

const NOT_MODIFIED = 304;
const UNAUTHENTICATED = 401;
const JSON_TYPE = 'application/json';

/** A response with the key of its call. */
type KeyedAnswer = RawResponse & Pick<Answer<unknown>, 'idempotencyKey'>;

/** @throws ApiError, NotModifiedError unless successful */
function checkSuccess({ status, headers, json, requestId, idempotencyKey, isOutcomeUnknown }: KeyedAnswer): void {
  if (status >= 200 && status < 300) return;
  if (status === NOT_MODIFIED) throw new NotModifiedError('Nothing has changed', { requestId });
  throw createApiError(status, json, {
    requestId,
    idempotencyKey,
    isOutcomeUnknown,
    retryAfterMs: retryAfterMs(headers.get('Retry-After'), Date.now()),
    requiredSignIn: status === UNAUTHENTICATED ? parseSignInChallenge(headers) : undefined,
  });
}

const toAnswer = <T>({ status, headers, requestId, idempotencyKey }: KeyedAnswer, data: T): Answer<T> => ({
  data,
  status,
  headers,
  requestId,
  idempotencyKey,
});

function toCall<T>(answering: Promise<Answer<T>>): Call<T> {
  const data = answering.then((answer) => answer.data);
  return Object.assign(data, {
    withResponse: () => {
      // The caller of `withResponse` handles failures through its own promise.
      data.catch(() => undefined);
      return answering;
    },
  });
}

/** Calls operations by name, typed by the contract. */
export class Connection {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Calls one operation of the contract.
   * @throws ApiError and its subclasses, ConnectionError, TimeoutError, or the signal's reason
   */
  request<Id extends OperationId>(id: Id, ...[options]: OptionsArgument<Id>): Call<ResultOf<Id>> {
    return toCall(this.#answer<ResultOf<Id>>(id, options ?? {}));
  }

  /** Like `request`, but returns text: `text/csv` or `application/x-ndjson`. */
  requestText<Id extends OperationId>(id: Id, accept: string, ...[options]: OptionsArgument<Id>): Call<string> {
    const answering = this.#send(id, options ?? {}, accept);
    return toCall(answering.then((answer) => toAnswer(answer, answer.text)));
  }

  /** All records of a list, page by page. `query.$limit` is the page size. */
  async *items<Id extends ListId>(id: Id, ...[options]: OptionsArgument<Id>): AsyncGenerator<ItemOf<Id>, void> {
    let path: string | undefined;
    do {
      const { data, headers }: Answer<readonly ItemOf<Id>[]> = await this.#answer(id, options ?? {}, path);
      for (const item of data) {
        options?.signal?.throwIfAborted();
        yield item;
      }
      path = nextPath(headers.get('Link'));
    } while (path !== undefined);
  }

  async #answer<T>(id: OperationId, options: LooseOptions, path?: string): Promise<Answer<T>> {
    const answer = await this.#send(id, options, JSON_TYPE, path);
    return toAnswer(answer, answer.json as T);
  }

  async #send(id: OperationId, options: LooseOptions, accept: string, path?: string): Promise<KeyedAnswer> {
    const { method, mediaType = JSON_TYPE } = getOperation(id);
    const key = resolveKey(id, options.idempotencyKey);
    const body = options.body === undefined ? undefined : writeJson(options.body);
    const headers: Record<string, string> = {
      Accept: accept,
      ...(body !== undefined && { 'Content-Type': mediaType }),
      ...(key !== undefined && isChange(id) && { 'Idempotency-Key': key }),
      ...options.headers,
    };
    const idempotencyKey = headers['Idempotency-Key'] ?? key;
    const raw = await this.#transport.send({
      method,
      path: path ?? buildPath(id, options),
      headers,
      body,
      isChange: isChange(id),
      expectsJson: headers['Accept'] === JSON_TYPE,
      idempotencyKey,
      signal: options.signal,
      timeoutMs: options.timeoutMs,
    });
    const answer = { ...raw, idempotencyKey };
    checkSuccess(answer);
    return answer;
  }
}

/** Table entry of an operation. */
interface Operation {
  readonly method: string;
  readonly path: string;
  readonly takesKey: boolean;
  readonly mediaType?: string;
}

const getOperation = (id: OperationId): Operation => {
  if (!Object.hasOwn(operationTable, id)) throw new TypeError(`unknown operation: ${id}`);
  return operationTable[id];
};

/** Untyped options. */
interface LooseOptions extends CallOptions {
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
function buildPath(id: OperationId, { path = {}, query = {} }: LooseOptions): string {
  const values = path as Readonly<Record<string, unknown>>;
  const filled = getOperation(id).path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeSegment(name, values));
  return `${filled}${serializeQuery(query)}`;
}

const KEY = /^[\w-]{1,64}$/;

/** Operations that only read, although they use POST. */
const readOnlyPosts: ReadonlySet<OperationId> = new Set(['planTransfer']);

/** Whether an operation has side effects. */
const isChange = (id: OperationId): boolean => getOperation(id).method !== 'GET' && !readOnlyPosts.has(id);

/**
 * Key of a call, the same for all attempts. A plan carries only a given key, that of its transfer.
 * @throws TypeError for an invalid key
 */
function resolveKey(id: OperationId, key: string | undefined): string | undefined {
  if (!getOperation(id).takesKey) {
    if (key !== undefined) throw new TypeError(`${id} takes no Idempotency-Key`);
    return undefined;
  }
  if (key !== undefined && !KEY.test(key))
    throw new TypeError('an Idempotency-Key has 1 to 64 letters, digits, underscores or hyphens');
  return key ?? (isChange(id) ? crypto.randomUUID() : undefined);
}

const NEXT = /<([^<>]*)>\s*;[^,<]*\brel="?next"?/i;

/**
 * Path of the next page, from a `Link` header with rel="next" (RFC 8288).
 * @throws TypeError for another server, which must not receive the credentials
 */
function nextPath(link: string | null): string | undefined {
  const target = NEXT.exec(link ?? '-')?.[1];
  if (target === undefined) return undefined;
  if (!/^\/(?!\/)/.test(target)) throw new TypeError(`the next page is on another server: ${target}`);
  return target;
}
