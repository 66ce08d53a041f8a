import type { MethodDefinition, ServerWritableStream } from '@grpc/grpc-js';
import { DomainError, internal, invalidRequest } from '@saleschannel/errors';
import { readIncomingCall, type Verification, type IncomingCall, type RegisteredRpc, type Serving } from './serving.ts';
import { encodeError, toProblem } from './problems.ts';
import type { Call, RequestOf, ResponseOf } from './calls.ts';

type CallMessage = RequestOf<'gatheredCalls.CarryOut'>['calls'][number];
type ResultMessage = NonNullable<ResponseOf<'gatheredCalls.CarryOut'>['results']>[number];
type Stream = ServerWritableStream<RequestOf<'gatheredCalls.CarryOut'>, { readonly results: readonly ResultMessage[] }>;

/** An RPC that may be called together with others: repeatable, with one message each way. */
export interface GatheredRpc {
  readonly method: MethodDefinition<unknown, unknown>;
  readonly rpc: RegisteredRpc;
  readonly serving: Serving;
}

const MAX_CALLS = 1_000;
/** Maximum bytes per message, unless a single result is larger. */
const MESSAGE_BYTES = 1_024 * 1_024;
/** Maximum size of a result. The caller accepts messages of up to 8 MiB, and a larger one would fail all results. */
const MAX_RESULT_BYTES = 8 * 1_024 * 1_024 - 1_024;

/**
 * Serves gathered calls, each with its own checks, outcome and metrics.
 * @param rpcs the RPCs by path
 */
export const serveGatheredCalls =
  (rpcs: ReadonlyMap<string, GatheredRpc>, verification: Verification) =>
  (stream: Stream): void => {
    serveAll(stream, rpcs, verification).catch((error: unknown) => stream.emit('error', encodeError(error)));
  };

async function serveAll(
  stream: Stream,
  rpcs: ReadonlyMap<string, GatheredRpc>,
  verification: Verification,
): Promise<void> {
  const envelope = await readIncomingCall(stream, verification);
  const { calls } = stream.request;
  if (calls.length > MAX_CALLS) throw invalidRequest(`At most ${MAX_CALLS} calls may be sent together.`);
  const results = new Results(stream);
  await Promise.all(calls.map(async (call, index) => results.add(index, await serveOne(call, envelope, rpcs))));
  results.end();
}

type Result = { readonly response: Buffer } | { readonly problem: ReturnType<typeof toProblem> };

async function serveOne(
  message: CallMessage,
  envelope: IncomingCall,
  rpcs: ReadonlyMap<string, GatheredRpc>,
): Promise<Result> {
  try {
    const known = rpcs.get(message.path);
    if (!known)
      throw new DomainError('method-not-allowed', 'This RPC does not exist or cannot be called together with others.');
    const { method, rpc, serving } = known;
    const handler = rpc.handler as (request: unknown, call: Call) => Promise<unknown>;
    const response = await serving.serve(
      () => toArrival(message, envelope),
      async (call) => method.responseSerialize(await handler(method.requestDeserialize(message.request), call)),
    );
    if (response.length > MAX_RESULT_BYTES) throw internal(`${message.path} returns too much`);
    return { response };
  } catch (error) {
    return { problem: toProblem(error) };
  }
}

const toArrival = (message: CallMessage, { caller, ending }: IncomingCall): IncomingCall => ({
  caller,
  ending,
  principalToken: message.principalToken,
  requestId: message.requestId,
  clientAddress: message.clientAddress,
  operator: message.operator,
  traceparent: message.traceparent,
  deadline: Date.now() + message.timeoutMs,
  // Gathered RPCs create nothing, so they need no idempotency key.
  idempotencyKey: undefined,
  markReplayed: () => undefined,
});

/** Sends results as they become ready. Results of one turn of the event loop share a message. */
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
