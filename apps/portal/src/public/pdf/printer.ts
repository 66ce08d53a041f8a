import { createHash } from 'node:crypto';
import { FairShare } from '@saleschannel/runtime';
import { LRUCache } from 'lru-cache';
import { JobThread, JobTooSlow } from '../../threads/job-thread.ts';
import type { Verdict } from '../statement-page.ts';

/** A PDF of 1,000 ranges has about 150 KB. */
const KEPT_BYTES_AT_MOST = 67_108_864;
/** PDFs in progress or queued. */
const JOBS_AT_MOST = 64;
/** Queued PDFs per address, in addition to the PDF in progress. */
const JOBS_WAITING_EACH = 4;
const TIMEOUT_MS = 20_000;
/** Deadline of a request. The PDF is still completed, for later requests. */
const REQUEST_TIMEOUT_MS = 25_000;
const MEMORY_MB = 256;

export interface PdfJob {
  /** Statement as JSON of the API. */
  readonly text: string;
  readonly verdict: Verdict;
  readonly url: string;
  /** Omits text that people entered unless it is ASCII. Set after drawing failed. */
  readonly isPlain?: boolean;
}

export type PdfOutcome = { readonly pdf: Uint8Array } | { readonly failed: string };

export class PdfNotReady extends Error {}

export interface PdfPrinterOptions {
  /** Replaced by tests. */
  readonly timeoutMs?: number;
  /** Replaced by tests. */
  readonly requestTimeoutMs?: number;
  /** Gets the error after which a document is drawn again with ASCII names only. */
  readonly onPlainDrawing?: (cause: unknown) => void;
}

/**
 * Creates each PDF once and caches it by the text of its statement. A thread draws PDFs one by one, in turns among
 * client addresses.
 */
export class PdfPrinter {
  readonly #options: Required<PdfPrinterOptions>;
  readonly #thread: JobThread<PdfJob, PdfOutcome>;
  readonly #kept = new LRUCache<string, Buffer>({
    maxSize: KEPT_BYTES_AT_MOST,
    sizeCalculation: ({ length }) => length,
  });
  readonly #pending = new Map<string, Promise<Buffer>>();
  readonly #share = new FairShare({
    maxConcurrent: 1,
    maxConcurrentPerOwner: 1,
    maxQueuedPerOwner: JOBS_WAITING_EACH,
    refusal: () => new PdfNotReady('too many PDFs are queued for this address'),
  });

  constructor(options: PdfPrinterOptions = {}) {
    this.#options = {
      timeoutMs: TIMEOUT_MS,
      requestTimeoutMs: REQUEST_TIMEOUT_MS,
      onPlainDrawing: () => undefined,
      ...options,
    };
    const script = new URL('./worker.ts', import.meta.url);
    this.#thread = new JobThread({ script, timeoutMs: this.#options.timeoutMs, memoryMb: MEMORY_MB });
  }

  /**
   * Returns the PDF of a statement, created or cached. Concurrent requests share a PDF.
   * @param address client address, for fair queueing
   * @throws PdfNotReady if it is not ready in time, Error if it cannot be drawn within the limits of time and memory
   */
  async print(job: PdfJob, address: string): Promise<Buffer> {
    const key = createHash('sha256').update(`${job.verdict.state} ${job.url} `).update(job.text).digest('base64');
    return this.#kept.get(key) ?? this.#await(this.#pending.get(key) ?? this.#begin(key, job, address));
  }

  close(): void {
    this.#thread.close();
  }

  #begin(key: string, job: PdfJob, address: string): Promise<Buffer> {
    if (this.#pending.size >= JOBS_AT_MOST) return Promise.reject(new PdfNotReady('too many PDFs are queued'));
    const pending = this.#share
      .run(address, () => this.#drawWithFallback(job))
      .then((pdf) => {
        const buffer = Buffer.from(pdf);
        this.#kept.set(key, buffer);
        return buffer;
      })
      .finally(() => this.#pending.delete(key));
    this.#pending.set(key, pending);
    pending.catch(() => undefined);
    return pending;
  }

  async #await(pending: Promise<Buffer>): Promise<Buffer> {
    const { promise: timedOut, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(
      () => reject(new PdfNotReady('the PDF is still being created')),
      this.#options.requestTimeoutMs,
    );
    try {
      return await Promise.race([pending, timedOut]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Draws again with ASCII names if a font or package fails on a name. */
  async #drawWithFallback(job: PdfJob): Promise<Uint8Array> {
    try {
      return await this.#draw(job);
    } catch (error) {
      if (error instanceof JobTooSlow) throw error;
      this.#options.onPlainDrawing(error);
      return this.#draw({ ...job, isPlain: true });
    }
  }

  async #draw(job: PdfJob): Promise<Uint8Array> {
    const outcome = await this.#thread.run(job);
    if ('pdf' in outcome) return outcome.pdf;
    this.#thread.close();
    throw new Error(outcome.failed);
  }
}
