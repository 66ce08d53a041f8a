import { setTimeout as delay } from 'node:timers/promises';
import { status, type MethodDefinition, type ServiceError } from '@grpc/grpc-js';
import { services } from '@saleschannel/contracts';
import { DomainError, unavailable } from '@saleschannel/errors';
import { currentTraceparent, Batcher, type BatchItem } from '@saleschannel/runtime';
import {
  computeDeadline,
  toCallOrigin,
  createOwnMetadata,
  type Target,
  MAX_ATTEMPTS,
  retryPauseMs,
} from './outgoing.ts';
import { decodeError, toError } from './problems.ts';
import type { RenewedChannel } from './channels.ts';
import type { CallOptions, ReplyOf, SentTo } from './calls.ts';

type Method = MethodDefinition<unknown, unknown>;
type CallMessage = NonNullable<SentTo<'gatheredCalls.CarryOut'>['calls']>[number];
type Reply = ReplyOf<'gatheredCalls.CarryOut'>;

/** Larger requests are sent singly. A hundred requests of this size take less than half of the maximum message size. */
const MAX_REQUEST_BYTES = 32 * 1_024;
const RETRY_AFTER_SECONDS = 1;

interface OpenCall {
  readonly message: CallMessage;
  /** Milliseconds since the epoch. */
  readonly deadline: number;
}

/** Owner of calls without a client. */
const NO_OWNER = 'nobody';

/** Failure of a call that may succeed when repeated. The cause is its error. */
class RetryableError extends Error {
  declare readonly cause: DomainError;
}
/** The called service belongs to a release without gathered calls. */
class UnsupportedError extends Error {}

/** Calls an RPC singly. */
type CallSingly = (request: unknown, options: CallOptions) => Promise<unknown>;

/** Gathers concurrent calls of one connection. Only repeatable RPCs are gathered. */
export class GatheredCalls {
  readonly #target: Target;
  readonly #batcher: Batcher<OpenCall, Buffer>;

  constructor(channel: RenewedChannel, target: Target) {
    this.#target = target;
    this.#batcher = new Batcher({
      send: (batch) => callTogether(channel, target, batch),
      refusal: (why) => (why === 'late' ? unavailable(new Error('no result arrived in time')) : tooMany()),
    });
  }

  /** @throws DomainError as a single call of the RPC would */
  async call(method: Method, request: unknown, options: CallOptions, callSingly: CallSingly): Promise<unknown> {
    const bytes = method.requestSerialize(request);
    if (bytes.length > MAX_REQUEST_BYTES) return callSingly(request, options);
    const { principalToken, requestId, clientAddress, operator } = toCallOrigin(options);
    const traceparent = currentTraceparent();
    const message: CallMessage = { path: method.path, request: bytes };
    if (principalToken) message.principalToken = principalToken;
    if (requestId) message.requestId = requestId;
    if (clientAddress) message.clientAddress = clientAddress;
    if (traceparent) message.traceparent = traceparent;
    if (operator) message.operator = operator;
    const deadline = computeDeadline(options, this.#target);
    const owner = options.owner ?? clientAddress ?? NO_OWNER;
    for (let attempt = 1; ; attempt++) {
      try {
        const timeoutMs = deadline - Date.now();
        return method.responseDeserialize(await this.#batcher.request({ message, deadline }, { owner, timeoutMs }));
      } catch (error) {
        if (error instanceof UnsupportedError) return callSingly(request, options);
        // The same retries as those of a single call.
        const pauseMs = retryPauseMs(attempt);
        const mustRetry = error instanceof RetryableError && attempt < MAX_ATTEMPTS && Date.now() + pauseMs < deadline;
        if (!mustRetry) throw error instanceof RetryableError ? error.cause : error;
        await delay(pauseMs);
      }
    }
  }
}

const tooMany = (): DomainError =>
  new DomainError('unavailable', 'Too many requests are waiting for an answer.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });

/** Makes one call for the whole batch, and passes each result on as it arrives. */
async function callTogether(
  channel: RenewedChannel,
  target: Target,
  batch: readonly BatchItem<OpenCall, Buffer>[],
): Promise<void> {
  const { path, requestSerialize, responseDeserialize } = services.gatheredCalls.definition['CarryOut'] as Method;
  const metadata = await createOwnMetadata(target);
  const now = Date.now();
  let deadline = now;
  const calls = batch.map(({ item }) => {
    deadline = Math.max(deadline, item.deadline);
    return { ...item.message, timeoutMs: Math.max(1, Math.ceil(item.deadline - now)) };
  });
  await new Promise<void>((resolve, reject) => {
    const call = channel.call((client) =>
      client.makeServerStreamRequest(path, requestSerialize, responseDeserialize, { calls }, metadata, { deadline }),
    );
    call.on('data', ({ results }: Reply) => {
      for (const result of results) {
        if (result.response) batch[result.call]?.resolve(result.response);
        else if (result.problem) batch[result.call]?.reject(toRetryable(toError(result.problem)));
      }
    });
    call.on('error', (error: ServiceError) => reject(toCallError(error)));
    call.on('end', resolve);
  });
}

const toRetryable = (error: DomainError): Error =>
  error.code === 'unavailable' ? new RetryableError('', { cause: error }) : error;

/** Converts the error of the shared call to the error of each call in it. */
function toCallError(error: ServiceError): Error {
  if (error.code === status.UNIMPLEMENTED) return new UnsupportedError('', { cause: error });
  const decoded = decodeError(error);
  // Calls past their deadline are not repeated.
  return error.code === status.DEADLINE_EXCEEDED ? decoded : toRetryable(decoded);
}
