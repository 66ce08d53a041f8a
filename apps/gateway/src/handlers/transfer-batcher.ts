import { PRINCIPAL_MIN_REMAINING_MS } from '@saleschannel/auth';
import { DomainError } from '@saleschannel/errors';
import { toError, type ReplyOf, type SentTo, type ServiceClient } from '@saleschannel/grpc';
import { Batcher, withSpan, type BatchItem, type Refusal } from '@saleschannel/runtime';

export const batchLimits = {
  /** Transfers beyond this queue up and share the next call. */
  maxConcurrentCalls: 1,
  /** A call slower than this no longer counts against `maxConcurrentCalls`. */
  slowAfterMs: 150,
  /**
   * Minimum interval between calls, by size of the previous batch. A call costs the services below nearly the same for
   * one transfer as for many.
   */
  pacing: [
    { minItems: 2, intervalMs: 8 },
    { minItems: 16, intervalMs: 25 },
  ],
  /** Slow calls included. */
  maxOpenCalls: 16,
  /** Half the minimum remaining lifetime of the principal token, so that it is still valid downstream. */
  maxQueueMs: PRINCIPAL_MIN_REMAINING_MS / 2,
  /** From the request to its answer. */
  timeoutMs: 10_000,
  maxTransfers: 400,
  maxSelections: 5_000,
  /** Half of the largest gRPC message. A single larger transfer goes alone. */
  maxBytes: 4 * 1024 * 1024,
  maxQueued: 2_000,
  maxQueuedPerChannel: 500,
  maxQueuedBytes: 64 * 1024 * 1024,
};

const RETRY_AFTER_SECONDS = 2;

export type BatchLimits = typeof batchLimits;

type StartTransfers = ServiceClient<'tasks'>['StartTransfers'];
type Result = ReplyOf<'tasks.StartTransfers'>['results'][number];

export type StartTransfer = NonNullable<SentTo<'tasks.StartTransfers'>['transfers']>[number];

export interface StartedTransfer {
  readonly task: NonNullable<Result['task']>;
  readonly replayed: boolean;
}

interface Client {
  readonly isDisconnected: boolean;
  /** Registers a listener for the client's disconnection. Returns a function that removes it. */
  onDisconnect(disconnected: () => void): () => void;
}

/** Owner of a transfer, for fair queueing and cancellation. */
export interface Sender {
  readonly salesChannelId: string;
  readonly client: Client;
  readonly bodyBytes: number;
}

interface Item {
  readonly transfer: StartTransfer;
  readonly selections: number;
  /** Upper bound of the size of its message: JSON, unlike the message, names every member. */
  readonly bytes: number;
  /** On the `performance.now()` clock. */
  readonly deadline: number;
}

/** Upper bound for the part of a message that comes from neither the body nor the principal token. */
const OTHER_BYTES = 2_048;

const refusals: Readonly<Record<Refusal, string>> = {
  full: 'Too many transfers are waiting. Retry with the same Idempotency-Key.',
  late: 'The task service did not answer in time. Retry with the same Idempotency-Key.',
  disconnected: 'The client disconnected.',
};

const refusal = (why: Refusal): DomainError =>
  new DomainError('unavailable', refusals[why], { retryAfterSeconds: RETRY_AFTER_SECONDS });

/**
 * Batches concurrent transfers into few `StartTransfers` calls. A lone transfer is sent immediately. Each keeps its own
 * result, principal token and trace. Queues are bounded per channel and in total; expired and abandoned transfers are
 * dropped.
 */
export class TransferBatcher {
  readonly #startTransfers: StartTransfers;
  readonly #batcher: Batcher<Item, StartedTransfer>;
  readonly #timeoutMs: number;

  constructor(startTransfers: StartTransfers, limits: BatchLimits = batchLimits) {
    this.#startTransfers = startTransfers;
    this.#timeoutMs = limits.timeoutMs;
    this.#batcher = new Batcher<Item, StartedTransfer>({
      refusal,
      send: (batch) => this.#send(batch),
      limits: {
        maxConcurrentCalls: limits.maxConcurrentCalls,
        slowAfterMs: limits.slowAfterMs,
        maxOpenCalls: limits.maxOpenCalls,
        maxItems: limits.maxTransfers,
        maxOpen: Infinity,
        maxOpenPerOwner: Infinity,
        maxQueued: limits.maxQueued,
        maxQueuedPerOwner: limits.maxQueuedPerChannel,
        maxQueueMs: limits.maxQueueMs,
        pacing: limits.pacing,
      },
      sizes: [
        { sizeOf: ({ selections }) => selections, maxPerCall: limits.maxSelections },
        { sizeOf: ({ bytes }) => bytes, maxPerCall: limits.maxBytes, maxQueued: limits.maxQueuedBytes },
      ],
    });
  }

  /**
   * @throws DomainError the task service's refusal of this transfer. 'unavailable' if the call fails, the queue is
   * full, there is no answer in time, or the client disconnects
   */
  start(transfer: StartTransfer, { salesChannelId, client, bodyBytes }: Sender): Promise<StartedTransfer> {
    if (client.isDisconnected) return Promise.reject(refusal('disconnected'));
    const timeoutMs = this.#timeoutMs;
    const item: Item = {
      transfer,
      selections: countSelections(transfer),
      bytes: bodyBytes + (transfer.principalToken?.length ?? 0) + OTHER_BYTES,
      deadline: performance.now() + timeoutMs,
    };
    const onDisconnect = (disconnected: () => void): (() => void) => client.onDisconnect(disconnected);
    return this.#batcher.request(item, { owner: salesChannelId, timeoutMs, onDisconnect });
  }

  async #send(batch: readonly BatchItem<Item, StartedTransfer>[]): Promise<void> {
    const transfers = batch.map(({ item }) => item.transfer);
    const [first, ...others] = transfers.flatMap(({ traceparent }) => (traceparent ? [traceparent] : []));
    // The latest deadline of the batch. The batcher refuses each other transfer at its own deadline.
    const timeoutMs = Math.ceil(Math.max(...batch.map(({ item }) => item.deadline)) - performance.now());
    const { results } = await withSpan('start transfers', { parent: first, links: others }, () =>
      this.#startTransfers({ transfers }, { timeoutMs }),
    );
    batch.forEach((item, index) => answer(item, results[index]));
  }
}

const countSelections = ({ trade, retirement, offramp }: StartTransfer): number =>
  (trade?.assets ?? retirement?.assets ?? offramp?.assets ?? []).length;

function answer(item: BatchItem<Item, StartedTransfer>, result: Result | undefined): void {
  if (result?.task) item.resolve({ task: result.task, replayed: result.replayed });
  else if (result?.problem) item.reject(toError(result.problem));
  else item.reject(new DomainError('internal', 'The request could not be completed.'));
}
