import { createWriteStream, mkdirSync, readFileSync, type WriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { join } from 'node:path';

/** Certificates that a request issues. */
export interface IssuedCertificates {
  readonly issuanceId: string;
  readonly volume: string;
}

/** A request, recorded before its first attempt. */
export interface RequestEntry {
  readonly type: 'request';
  readonly at: number;
  readonly id: number;
  /** Kind of operation, as the report groups them. */
  readonly kind: string;
  /** Sales channel that sends it, `registry`, `operator` or `public`. */
  readonly actor: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly key?: string | undefined;
  readonly body?: unknown;
  /** Statuses that the contract allows here. Any other answer below 500 is wrong. */
  readonly expected: readonly number[];
  readonly issued?: readonly IssuedCertificates[] | undefined;
}

/** One attempt of a request, recorded when it is answered or given up. */
export interface AttemptEntry {
  readonly type: 'attempt';
  readonly at: number;
  readonly request: number;
  readonly gateway: string;
  readonly sentAt: number;
  /** Undefined if there was no answer. */
  readonly status?: number | undefined;
  /** Code of the connection error, or problem type of the answer. */
  readonly reason?: string | undefined;
  /** Body, for requests that change data. */
  readonly body?: unknown;
}

/** End of a task or an import, as read by the client that started it. */
export interface EndEntry {
  readonly type: 'end';
  readonly at: number;
  /** Request that started it. */
  readonly request: number;
  readonly status: string;
  readonly id?: string | undefined;
  readonly linesApplied?: number;
}

export type FollowerKind = 'poll' | 'stream' | 'webhook';

/** An event that a follower received. */
export interface SeenEntry {
  readonly type: 'seen';
  readonly at: number;
  readonly follower: FollowerKind;
  readonly channel: string;
  readonly event: string;
  readonly transactionId: string;
  readonly status: string;
  /** The preceding event, if the message names one. */
  readonly previous?: string | null;
}

/** A webhook message with an invalid signature. */
interface UnsignedEntry {
  readonly type: 'unsigned';
  readonly at: number;
  readonly channel: string;
}

/** Data of a sales channel before the workload began. */
export interface BaselineEntry {
  readonly type: 'baseline';
  readonly at: number;
  readonly channel: string;
  readonly events: readonly string[];
  readonly tasks: readonly string[];
  readonly transactions: readonly string[];
}

/** A deleted API key. */
interface RevokedEntry {
  readonly type: 'revoked';
  readonly at: number;
  readonly key: string;
  readonly secret: string;
}

/** Interval in which transactions of an account holder's trader needed approval, or were not accepted. */
export interface AccountHolderEntry {
  readonly type: 'approval' | 'suspension';
  readonly at: number;
  readonly fromMs: number;
  readonly traderId: string;
}

export type Entry =
  | RequestEntry
  | AttemptEntry
  | EndEntry
  | SeenEntry
  | UnsignedEntry
  | BaselineEntry
  | RevokedEntry
  | AccountHolderEntry;
/** Distributes over the union, which plain `Omit` does not. */
type WithoutTime<T> = T extends Entry ? Omit<T, 'at'> : never;

/** Milliseconds since the epoch, monotonic even if the machine's clock is set. */
export const nowMs = (): number => performance.timeOrigin + performance.now();

const FILE = 'journal.ndjson';

/** Append-only record of the clients' requests, answers and events. */
export class RunJournal {
  readonly file: string;
  readonly entries: Entry[] = [];
  readonly #stream: WriteStream;
  #lastId = 0;

  constructor(folder: string) {
    mkdirSync(folder, { recursive: true });
    this.file = join(folder, FILE);
    this.#stream = createWriteStream(this.file, { mode: 0o600 });
  }

  add(entry: WithoutTime<Entry>): void {
    const complete = { ...entry, at: nowMs() } as Entry;
    this.entries.push(complete);
    // A client that was given up may get its answer after the file is closed.
    if (!this.#stream.writableEnded) this.#stream.write(`${JSON.stringify(complete)}\n`);
  }

  nextId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }

  /** Resolves when everything is written. */
  async close(): Promise<void> {
    this.#stream.end();
    await finished(this.#stream);
  }
}

export const readJournal = (file: string): Entry[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Entry);
