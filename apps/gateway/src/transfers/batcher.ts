import { DomainError, isErrorCode, type Violation } from '@saleschannel/errors';
import type { StartTransfer } from '@saleschannel/contracts/gen/tasks/v1/StartTransfer';
import type { StartTransferResult__Output } from '@saleschannel/contracts/gen/tasks/v1/StartTransferResult';
import type { StartTransfersRequest } from '@saleschannel/contracts/gen/tasks/v1/StartTransfersRequest';
import type { Task__Output } from '@saleschannel/contracts/gen/tasks/v1/Task';
import type { CallOptions } from '@saleschannel/grpc';
import { withSpan } from '@saleschannel/runtime';

/** Calls under way at once. While there are fewer, a transfer is sent at once; otherwise it waits with others for one to come back. */
export const MAX_BATCHES_IN_FLIGHT = 2;
export const MAX_BATCH_TRANSFERS = 100;
/** Keeps a call well below the largest gRPC message. */
export const MAX_BATCH_SELECTIONS = 5_000;
const CALL_TIMEOUT_MS = 10_000;

export interface StartedTransfer {
  readonly task: Task__Output;
  readonly replayed: boolean;
}

type StartTransfers = (
  request: StartTransfersRequest,
  options?: CallOptions,
) => Promise<{ results: StartTransferResult__Output[] }>;

interface Waiting {
  readonly transfer: StartTransfer;
  resolve(result: StartedTransfer): void;
  reject(error: unknown): void;
}

/**
 * Gathers the transfers of concurrent requests into few calls of the task service. A transfer alone is not delayed; the more there are, the more share a call.
 * Each has its own result, and carries the principal token and trace of its own request.
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
      selections += transfer.assets?.length ?? 0;
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
      batch.forEach((waiting, index) => settle(waiting, results[index]));
    } catch (error) {
      for (const waiting of batch) waiting.reject(error);
    }
  }
}

function settle(waiting: Waiting, result: StartTransferResult__Output | undefined): void {
  if (result?.task) waiting.resolve({ task: result.task, replayed: result.replayed });
  else waiting.reject(errorOf(result?.problem ?? undefined));
}

function errorOf(problem: StartTransferResult__Output['problem'] | undefined): DomainError {
  if (!problem || !isErrorCode(problem.code))
    return new DomainError('internal', 'The request could not be completed.', { cause: problem });
  const violations = problem.violationsJson === '' ? [] : (JSON.parse(problem.violationsJson) as Violation[]);
  return new DomainError(problem.code, problem.detail, { violations });
}
