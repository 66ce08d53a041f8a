import type { Socket } from 'node:net';

/** Bytes are counted over this time. */
const PERIOD_MS = 60_000;

export interface SlowReadersOptions {
  /** A client that has not taken all of its answer must have taken this much of it in a minute. */
  readonly bytesPerMinute: number;
  /** Milliseconds that never go backwards. */
  readonly now: () => number;
}

/** When a client was looked at, and what it had taken by then. */
interface Mark {
  readonly atMs: number;
  readonly taken: number;
}

/**
 * Ends connections whose clients take an answer so slowly that it would never end. A client that takes nothing is found
 * by its silence. One that takes a byte now and then is not.
 */
export class SlowReaders {
  readonly #options: SlowReadersOptions;
  readonly #marks = new Map<Socket, Mark | undefined>();

  constructor(options: SlowReadersOptions) {
    this.#options = options;
  }

  watch(socket: Socket): void {
    this.#marks.set(socket, undefined);
    socket.once('close', () => this.#marks.delete(socket));
  }

  /** To be called every few seconds. */
  look(): void {
    const atMs = this.#options.now();
    for (const [socket, mark] of this.#marks) {
      // Nothing waits for the client: it may be the service that takes its time.
      const isUpToDate = socket.writableLength === 0;
      const taken = socket.bytesWritten - socket.writableLength;
      if (!isUpToDate && mark !== undefined && atMs - mark.atMs < PERIOD_MS) continue;
      if (!isUpToDate && mark !== undefined && taken - mark.taken < this.#options.bytesPerMinute) socket.destroy();
      else this.#marks.set(socket, isUpToDate ? undefined : { atMs, taken });
    }
  }
}
