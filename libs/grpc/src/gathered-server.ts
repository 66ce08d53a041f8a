import type { MethodDefinition, ServerWritableStream } from '@grpc/grpc-js';
import { DomainError, internal, invalidRequest } from '@saleschannel/errors';
import { arrivalOf, type Checking } from './incoming.ts';
import { encodeError, problemOf } from './problems.ts';
import type { Arrival, RegisteredRpc, Serving } from './serving.ts';
import type { Call, RequestOf, ResponseOf } from './types.ts';

type CallMessage = RequestOf<'gatheredCalls.CarryOut'>['calls'][number];
type ResultMessage = NonNullable<ResponseOf<'gatheredCalls.CarryOut'>['results']>[number];
type Stream = ServerWritableStream<RequestOf<'gatheredCalls.CarryOut'>, { readonly results: readonly ResultMessage[] }>;

/** An RPC that may be called together with others: it takes one message, returns one, and may be called again. */
export interface GatheredRpc {
  readonly method: MethodDefinition<unknown, unknown>;
  readonly rpc: RegisteredRpc;
  readonly serving: Serving;
}

const CALLS_AT_MOST = 1_000;
/** What is sent at once, unless a single result is larger. */
const MESSAGE_BYTES = 1_024 * 1_024;
/** The largest result: the caller takes messages of 8 MiB. A larger one must not break the results of others. */
const RESULT_BYTES_AT_MOST = 8 * 1_024 * 1_024 - 1_024;

/** Serves gathered calls, each by itself. @param rpcs by their paths */
export const gatheredCalls =
  (rpcs: ReadonlyMap<string, GatheredRpc>, checking: Checking) =>
  (stream: Stream): void => {
    carryOutAll(stream, rpcs, checking).catch((error: unknown) => stream.emit('error', encodeError(error)));
  };

async function carryOutAll(stream: Stream, rpcs: ReadonlyMap<string, GatheredRpc>, checking: Checking): Promise<void> {
  const envelope = await arrivalOf(stream, checking);
  const { calls } = stream.request;
  if (calls.length > CALLS_AT_MOST) throw invalidRequest(`At most ${CALLS_AT_MOST} calls may come together.`);
  const results = new Results(stream);
  await Promise.all(calls.map(async (call, index) => results.add(index, await resultOf(call, envelope, rpcs))));
  results.end();
}

type Result = { readonly response: Buffer } | { readonly problem: ReturnType<typeof problemOf> };

async function resultOf(
  message: CallMessage,
  envelope: Arrival,
  rpcs: ReadonlyMap<string, GatheredRpc>,
): Promise<Result> {
  try {
    const known = rpcs.get(message.path);
    if (!known) throw new DomainError('method-not-allowed', 'There is no such RPC that may be called with others.');
    const { method, rpc, serving } = known;
    const handler = rpc.handler as (request: unknown, call: Call) => Promise<unknown>;
    const response = await serving.serve(
      () => arrivalIn(message, envelope),
      async (call) => method.responseSerialize(await handler(method.requestDeserialize(message.request), call)),
    );
    if (response.length > RESULT_BYTES_AT_MOST) throw internal(`${message.path} returns too much`);
    return { response };
  } catch (error) {
    return { problem: problemOf(error) };
  }
}

const arrivalIn = (message: CallMessage, { caller, ending }: Arrival): Arrival => ({
  caller,
  ending,
  principalToken: message.principalToken,
  requestId: message.requestId,
  clientAddress: message.clientAddress,
  operator: message.operator,
  traceparent: message.traceparent,
  deadline: Date.now() + message.timeoutMs,
  // What may be called with others makes nothing.
  idempotencyKey: undefined,
  markReplayed: () => undefined,
});

/** Sends results as they come, those of one turn of the event loop together. */
class Results {
  readonly #stream: Stream;
  #waiting: ResultMessage[] = [];
  #bytes = 0;
  #scheduled = false;

  constructor(stream: Stream) {
    this.#stream = stream;
  }

  add(call: number, result: Result): void {
    const bytes = 'response' in result ? result.response.length : 0;
    if (this.#bytes + bytes > MESSAGE_BYTES) this.#send();
    this.#waiting.push({ call, ...result });
    this.#bytes += bytes;
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.#send();
    });
  }

  end(): void {
    this.#send();
    this.#stream.end();
  }

  #send(): void {
    if (this.#waiting.length === 0) return;
    if (!this.#stream.cancelled) this.#stream.write({ results: this.#waiting });
    [this.#waiting, this.#bytes] = [[], 0];
  }
}
