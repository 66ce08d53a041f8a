import { DomainError } from '@saleschannel/errors';
import { errorOf, type ReplyOf, type SentTo, type ServiceClient } from '@saleschannel/grpc';
import { withSpan } from '@saleschannel/runtime';

/**
 * Calls under way at once. While there are fewer, a transfer is sent at once. Otherwise it waits with others for one to
 * come back.
 */
export const MAX_BATCHES_IN_FLIGHT = 2;
export const MAX_BATCH_TRANSFERS = 100;
/** Keeps a call well below the largest gRPC message. */
export const MAX_BATCH_SELECTIONS = 5_000;
const CALL_TIMEOUT_MS = 10_000;

type StartTransfers = ServiceClient<'tasks'>['StartTransfers'];
type Result = ReplyOf<'tasks.StartTransfers'>['results'][number];

export type StartTransfer = NonNullable<SentTo<'tasks.StartTransfers'>['transfers']>[number];

export interface StartedTransfer {
  readonly task: NonNullable<Result['task']>;
  readonly replayed: boolean;
}

interface Waiting {
  readonly transfer: StartTransfer;
  resolve(result: StartedTransfer): void;
  reject(error: unknown): void;
}

/**
 * Gathers the transfers of concurrent requests into few calls of the task service. A transfer alone is not delayed. The
 * more there are, the more share a call. Each has its own result, and carries the principal token and trace of its own
 * request.
 */
export class TransferBatcher {
  readonly #startTransfers: StartTransfers;
  #waiting: Waiting[] = [];
  #inFlight = 0;
  #scheduled = false;

  constructor(startTransfers: StartTransfers) {
    this.#startTransfers = startTransfers;
  }

  /** @throws DomainError what the task service says of this transfer, or 'unavailable' for all of a call that failed */
  start(transfer: StartTransfer): Promise<StartedTransfer> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ transfer, resolve, reject });
      if (this.#scheduled) return;
      this.#scheduled = true;
      // Requests that were read from their sockets in the same turn of the event loop share a call.
      setImmediate(() => {
        this.#scheduled = false;
        this.#sendWaiting();
      });
    });
  }

  #sendWaiting(): void {
    while (this.#waiting.length > 0 && this.#inFlight < MAX_BATCHES_IN_FLIGHT) {
      this.#inFlight += 1;
      void this.#send(this.#nextBatch()).finally(() => {
        this.#inFlight -= 1;
        this.#sendWaiting();
      });
    }
  }

  #nextBatch(): Waiting[] {
    let selections = 0;
    let size = 0;
    for (const { transfer } of this.#waiting) {
      selections += selectionsOf(transfer);
      if (size === MAX_BATCH_TRANSFERS || (size > 0 && selections > MAX_BATCH_SELECTIONS)) break;
      size += 1;
    }
    return this.#waiting.splice(0, size);
  }

  async #send(batch: Waiting[]): Promise<void> {
    const transfers = batch.map((waiting) => waiting.transfer);
    const [first, ...others] = transfers.flatMap(({ traceparent }) => (traceparent ? [traceparent] : []));
    try {
      const { results } = await withSpan('start transfers', { parent: first, links: others }, () =>
        this.#startTransfers({ transfers }, { timeoutMs: CALL_TIMEOUT_MS }),
      );
      batch.forEach((waiting, index) => answer(waiting, results[index]));
    } catch (error) {
      for (const waiting of batch) waiting.reject(error);
    }
  }
}

const selectionsOf = ({ trade, retirement, offramp }: StartTransfer): number =>
  (trade?.assets ?? retirement?.assets ?? offramp?.assets ?? []).length;

function answer(waiting: Waiting, result: Result | undefined): void {
  if (result?.task) waiting.resolve({ task: result.task, replayed: result.replayed });
  else if (result?.problem) waiting.reject(errorOf(result.problem));
  else waiting.reject(new DomainError('internal', 'The request could not be completed.'));
}
