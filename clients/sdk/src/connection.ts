import { createApiError, NotModifiedError, parseSignInChallenge } from './errors.ts';
import { writeJson } from './json.ts';
import { buildPath, isChange, resolveKey, nextPath, getOperation, type LooseOptions } from './requests.ts';
import { retryAfterMs } from './timing.ts';
import type { RawResponse, Transport } from './transport.ts';
import type { Answer, Call, ItemOf, ListId, OperationId, OptionsArgument, ResultOf } from './types.ts';

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
