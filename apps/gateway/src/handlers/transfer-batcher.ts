import { PRINCIPAL_LEFT_MS } from '@saleschannel/auth';
import { DomainError } from '@saleschannel/errors';
import { errorOf, type ReplyOf, type SentTo, type ServiceClient } from '@saleschannel/grpc';
import { withSpan } from '@saleschannel/runtime';
import { TransferQueue, type QueuedTransfer } from './transfer-queue.ts';

export const batchLimits = {
  /**
   * Calls under way at once. While there are fewer, a transfer is sent at once. Otherwise it waits with others for one
   * to come back.
   */
  callsAtMost: 1,
  /** A call that takes longer than this holds up nobody: it does not count any more. */
  slowAfterMs: 150,
  /**
   * After a call with at least so many transfers the next one begins no sooner than so many milliseconds after it
   * began, for what a call costs all services below is much the same for one transfer as for many. The last that
   * applies.
   */
  paces: [
    { from: 2, gatherMs: 8 },
    { from: 16, gatherMs: 25 },
  ],
  /** Slow calls among them. */
  allCallsAtMost: 16,
  /** Of a transfer before it is sent: half of what is left at least of the token that it carries. */
  waitMs: PRINCIPAL_LEFT_MS / 2,
  /** For a transfer from its request to its answer. */
  timeoutMs: 10_000,
  transfersAtMost: 400,
  selectionsAtMost: 5_000,
  /** Half of the largest gRPC message. A single larger transfer goes alone. */
  bytesAtMost: 4 * 1024 * 1024,
  waitingAtMost: 2_000,
  waitingPerChannelAtMost: 500,
  waitingBytesAtMost: 64 * 1024 * 1024,
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

/** Who waits for the result of a transfer. */
interface Client {
  readonly isGone: boolean;
  /** Has something done when the client goes away, until the returned function is called. */
  whenGone(leave: () => void): () => void;
}

/** Owner of a transfer, for fair queueing and cancellation. */
export interface Sender {
  /** Transfers of one sales channel share its part of the queue. */
  readonly salesChannelId: string;
  readonly client: Client;
  /** Bytes of the request's body. */
  readonly bodyBytes: number;
}

/** More than everything in a message that comes from neither the body nor the principal token. */
const OTHER_BYTES = 2_048;

interface Waiting extends QueuedTransfer {
  readonly transfer: StartTransfer;
  /** Of performance.now(). */
  readonly deadline: number;
  resolve(result: StartedTransfer): void;
  reject(error: unknown): void;
}

const unavailable = (detail: string): DomainError =>
  new DomainError('unavailable', detail, { retryAfterSeconds: RETRY_AFTER_SECONDS });

const tooManyWait = (): DomainError => unavailable('Too many transfers wait to be started at the moment.');

/**
 * Gathers the transfers of concurrent requests into few calls of the task service. A transfer alone is not delayed. The
 * more there are, the more share a call. Each has its own result, and carries the principal token and trace of its own
 * request. What waits is bounded, of each channel and in all. A transfer whose time is over, or whose client went away,
 * is not sent any more.
 */
export class TransferBatcher {
  readonly #startTransfers: StartTransfers;
  readonly #limits: BatchLimits;
  readonly #waiting: TransferQueue<Waiting>;
  /** Calls under way that are not slow. */
  #prompt = 0;
  #inFlight = 0;
  #scheduled = false;
  /** Of performance.now(): when the next call may begin. */
  #notBefore = 0;
  #isGathering = false;

  constructor(startTransfers: StartTransfers, limits: BatchLimits = batchLimits) {
    this.#startTransfers = startTransfers;
    this.#limits = limits;
    this.#waiting = new TransferQueue(limits);
  }

  /**
   * @throws DomainError what the task service says of this transfer, or 'unavailable' for all of a call that failed,
   * when too many wait, and when there was no answer in time
   */
  start(transfer: StartTransfer, { salesChannelId, client, bodyBytes }: Sender): Promise<StartedTransfer> {
    const { waitMs, timeoutMs } = this.#limits;
    return new Promise((resolve, reject) => {
      const leave = (error: DomainError): void => {
        this.#waiting.remove(waiting);
        waiting.reject(error);
      };
      const noAnswer = (): void => leave(unavailable('There was no answer in time.'));
      let timer = setTimeout(() => {
        if (this.#waiting.has(waiting)) leave(tooManyWait());
        else timer = setTimeout(noAnswer, timeoutMs - waitMs);
      }, waitMs);
      const abort = (): void => leave(unavailable('The client went away.'));
      let forgetClient = (): void => undefined;
      const end = (): void => {
        clearTimeout(timer);
        forgetClient();
      };
      const waiting: Waiting = {
        transfer,
        salesChannelId,
        selections: selectionsOf(transfer),
        // More than its message will have: JSON names every member.
        bytes: bodyBytes + (transfer.principalToken?.length ?? 0) + OTHER_BYTES,
        deadline: performance.now() + timeoutMs,
        resolve(result) {
          end();
          resolve(result);
        },
        reject(error) {
          end();
          reject(error as Error);
        },
      };
      if (client.isGone) return abort();
      forgetClient = client.whenGone(abort);
      if (this.#waiting.add(waiting)) this.#schedule();
      else leave(tooManyWait());
    });
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    // Requests that were read from their sockets in the same turn of the event loop share a call.
    setImmediate(() => {
      this.#scheduled = false;
      this.#sendWaiting();
    });
  }

  #sendWaiting(): void {
    const { callsAtMost, allCallsAtMost, slowAfterMs } = this.#limits;
    while (this.#waiting.size > 0 && this.#prompt < callsAtMost && this.#inFlight < allCallsAtMost) {
      if (this.#mustGather()) return;
      this.#inFlight += 1;
      this.#prompt += 1;
      let isPrompt = true;
      const giveUpPlace = (): void => {
        if (isPrompt) this.#prompt -= 1;
        isPrompt = false;
      };
      const slow = setTimeout(() => {
        giveUpPlace();
        this.#sendWaiting();
      }, slowAfterMs);
      void this.#send(this.#takeBatch()).finally(() => {
        clearTimeout(slow);
        giveUpPlace();
        this.#inFlight -= 1;
        this.#sendWaiting();
      });
    }
  }

  /** Whether it is too soon for the next call. Then it begins by itself when it is time. */
  #mustGather(): boolean {
    const waitMs = this.#notBefore - performance.now();
    if (waitMs <= 0 || this.#waiting.size >= this.#limits.transfersAtMost) return false;
    if (this.#isGathering) return true;
    this.#isGathering = true;
    setTimeout(() => {
      this.#isGathering = false;
      this.#sendWaiting();
    }, waitMs).unref();
    return true;
  }

  #takeBatch(): Waiting[] {
    const batch = this.#waiting.takeBatch();
    const pace = this.#limits.paces.findLast(({ from }) => batch.length >= from);
    this.#notBefore = pace ? performance.now() + pace.gatherMs : 0;
    return batch;
  }

  async #send(batch: readonly Waiting[]): Promise<void> {
    const transfers = batch.map((waiting) => waiting.transfer);
    const [first, ...others] = transfers.flatMap(({ traceparent }) => (traceparent ? [traceparent] : []));
    // Whoever joined last may wait the longest. The others have their own end.
    const timeoutMs = Math.ceil(Math.max(...batch.map(({ deadline }) => deadline)) - performance.now());
    try {
      const { results } = await withSpan('start transfers', { parent: first, links: others }, () =>
        this.#startTransfers({ transfers }, { timeoutMs }),
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
