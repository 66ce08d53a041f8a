import { Worker } from 'node:worker_threads';
import type { PdfJob, PdfOutcome } from './job.ts';

const WAITING_AT_MOST = 16;
const TIMEOUT_MS = 20_000;
const MEMORY = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 } as const;

/** Whoever asked has gone. */
class NobodyWaits extends Error {}

/** It would not be drawn sooner in another way. */
class TooSlow extends Error {}

/** Too many wait already. */
export class PrinterBusy extends Error {}

export interface PdfPrinterOptions {
  /** Replaced by tests. */
  readonly timeoutMs?: number;
  /** Told why a document was drawn again, with its names in plain letters. */
  readonly drawnPlain?: (cause: unknown) => void;
}

/** Makes PDFs one by one in a thread with a memory of its own, so that pages do not wait for them. */
export class PdfPrinter {
  readonly #timeoutMs: number;
  readonly #drawnPlain: (cause: unknown) => void;
  #worker: Worker | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  constructor({ timeoutMs = TIMEOUT_MS, drawnPlain = () => undefined }: PdfPrinterOptions = {}) {
    this.#timeoutMs = timeoutMs;
    this.#drawnPlain = drawnPlain;
  }

  /**
   * @param gone aborted when nobody waits for it any more
   * @throws PrinterBusy, or Error for what cannot be drawn in time and memory
   */
  async print(job: PdfJob, gone?: AbortSignal): Promise<Buffer> {
    if (this.#waiting >= WAITING_AT_MOST) throw new PrinterBusy('too many PDFs wait to be made');
    this.#waiting++;
    const made = this.#last.then(() => {
      if (gone?.aborted) throw new NobodyWaits('nobody waits for this PDF any more');
      return this.#makeSomehow(job);
    });
    this.#last = made.catch(() => undefined);
    try {
      return Buffer.from(await made);
    } finally {
      this.#waiting--;
    }
  }

  close(): void {
    void this.#worker?.terminate();
    this.#worker = undefined;
  }

  /** Some name may have what fonts or packages fail at. No name takes the whole document away. */
  async #makeSomehow(job: PdfJob): Promise<Uint8Array> {
    try {
      return await this.#make(job);
    } catch (error) {
      if (error instanceof TooSlow) throw error;
      this.#drawnPlain(error);
      return this.#make({ ...job, isPlain: true });
    }
  }

  /** A worker that fails or takes too long is replaced: nobody knows what state it is in. */
  async #make(job: PdfJob): Promise<Uint8Array> {
    this.#worker ??= this.#start();
    const worker = this.#worker;
    try {
      return await this.#outcomeOf(worker, job);
    } catch (error) {
      this.close();
      throw error;
    }
  }

  #start(): Worker {
    const worker = new Worker(new URL('./worker.ts', import.meta.url), { resourceLimits: MEMORY });
    worker.unref();
    return worker;
  }

  #outcomeOf(worker: Worker, job: PdfJob): Promise<Uint8Array> {
    const ended = new AbortController();
    return new Promise<Uint8Array>((resolve, reject) => {
      const limit = setTimeout(() => reject(new TooSlow('the PDF took too long')), this.#timeoutMs);
      const on = <Value>(event: string, listener: (value: Value) => void): void => {
        worker.on(event, listener);
        ended.signal.addEventListener('abort', () => worker.off(event, listener));
      };
      ended.signal.addEventListener('abort', () => clearTimeout(limit));
      on<PdfOutcome>('message', (outcome) =>
        'pdf' in outcome ? resolve(outcome.pdf) : reject(new Error(outcome.failed)),
      );
      on<Error>('error', reject);
      on<number>('exit', () => reject(new Error('the worker for PDFs ended')));
      worker.postMessage(job);
    }).finally(() => ended.abort());
  }
}
