import { setTimeout as delay } from 'node:timers/promises';
import { status, type MethodDefinition, type ServiceError } from '@grpc/grpc-js';
import { services } from '@saleschannel/contracts';
import { DomainError, unavailable } from '@saleschannel/errors';
import { currentTraceparent, Gatherer, type Gathered } from '@saleschannel/runtime';
import { deadlineOf, originOf, ownMetadata, type Target } from './outgoing.ts';
import { decodeError, errorOf } from './problems.ts';
import type { RenewedChannel } from './renewed-channel.ts';
import { ATTEMPTS_AT_MOST, retryPauseMs } from './retries.ts';
import type { CallOptions, ReplyOf, SentTo } from './types.ts';

type Method = MethodDefinition<unknown, unknown>;
type CallMessage = NonNullable<SentTo<'gatheredCalls.CarryOut'>['calls']>[number];
type Reply = ReplyOf<'gatheredCalls.CarryOut'>;

/** A larger request goes alone: a hundred of these are less than half of the largest message. */
const REQUEST_BYTES_AT_MOST = 32 * 1_024;
const RETRY_AFTER_SECONDS = 1;

interface OpenCall {
  readonly message: CallMessage;
  /** Milliseconds since the epoch. */
  readonly deadline: number;
}

/** Whose calls are that are made for no client. */
const NOBODY = 'nobody';

/** The call may succeed when it is made again: its cause says why it failed. */
class NotNow extends Error {
  declare readonly cause: DomainError;
}
/** The other side is of a release that knows of no gathered calls. */
class NotServed extends Error {}

/** Calls an RPC alone. */
type CallAlone = (request: unknown, options: CallOptions) => Promise<unknown>;

/** Gathers the calls of one connection that are made at the same time. Only what may be called again is gathered. */
export class GatheredCalls {
  readonly #target: Target;
  readonly #gatherer: Gatherer<OpenCall, Buffer>;

  constructor(channel: RenewedChannel, target: Target) {
    this.#target = target;
    this.#gatherer = new Gatherer({
      ask: (batch) => carryOut(channel, target, batch),
      refusal: (why) => (why === 'late' ? unavailable(new Error('there was no result in time')) : tooMany()),
    });
  }

  /** @throws DomainError as the RPC alone would */
  async call(method: Method, request: unknown, options: CallOptions, alone: CallAlone): Promise<unknown> {
    const bytes = method.requestSerialize(request);
    if (bytes.length > REQUEST_BYTES_AT_MOST) return alone(request, options);
    const { principalToken, requestId, clientAddress, operator } = originOf(options);
    const traceparent = currentTraceparent();
    const message: CallMessage = { path: method.path, request: bytes };
    if (principalToken) message.principalToken = principalToken;
    if (requestId) message.requestId = requestId;
    if (clientAddress) message.clientAddress = clientAddress;
    if (traceparent) message.traceparent = traceparent;
    if (operator) message.operator = operator;
    const deadline = deadlineOf(options, this.#target);
    const owner = options.owner ?? clientAddress ?? NOBODY;
    for (let attempt = 1; ; attempt++) {
      try {
        const timeoutMs = deadline - Date.now();
        return method.responseDeserialize(await this.#gatherer.ask({ message, deadline }, { owner, timeoutMs }));
      } catch (error) {
        if (error instanceof NotServed) return alone(request, options);
        // Like one that is made alone.
        const pauseMs = retryPauseMs(attempt);
        const isAgain = error instanceof NotNow && attempt < ATTEMPTS_AT_MOST && Date.now() + pauseMs < deadline;
        if (!isAgain) throw error instanceof NotNow ? error.cause : error;
        await delay(pauseMs);
      }
    }
  }
}

const tooMany = (): DomainError =>
  new DomainError('unavailable', 'Too many requests wait for an answer at the moment.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });

/** One call for all of them. Each result is passed on when it comes. */
async function carryOut(
  channel: RenewedChannel,
  target: Target,
  batch: readonly Gathered<OpenCall, Buffer>[],
): Promise<void> {
  const { path, requestSerialize, responseDeserialize } = services.gatheredCalls.definition['CarryOut'] as Method;
  const metadata = await ownMetadata(target);
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
        else if (result.problem) batch[result.call]?.reject(perhapsNotNow(errorOf(result.problem)));
      }
    });
    call.on('error', (error: ServiceError) => reject(faultOf(error)));
    call.on('end', resolve);
  });
}

const perhapsNotNow = (error: DomainError): Error =>
  error.code === 'unavailable' ? new NotNow('', { cause: error }) : error;

/** What a broken call is to each of those that it carried. */
function faultOf(error: ServiceError): Error {
  if (error.code === status.UNIMPLEMENTED) return new NotServed('', { cause: error });
  const decoded = decodeError(error);
  // What is too late is not asked again.
  return error.code === status.DEADLINE_EXCEEDED ? decoded : perhapsNotNow(decoded);
}
