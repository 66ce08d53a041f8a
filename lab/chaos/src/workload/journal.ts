import { createWriteStream, mkdirSync, readFileSync, type WriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { join } from 'node:path';

/** Certificates that a request issues. */
export interface Issued {
  readonly issuanceId: string;
  readonly volume: string;
}

/** A request, before its first attempt. */
export interface RequestEntry {
  readonly type: 'request';
  readonly at: number;
  readonly id: number;
  /** Kind of operation, as the report groups them. */
  readonly kind: string;
  /** Sales channel that asks, `registry`, `operator` or `public`. */
  readonly actor: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly key?: string | undefined;
  readonly body?: unknown;
  /** Statuses that the contract allows here. Any other answer below 500 is wrong. */
  readonly expected: readonly number[];
  readonly issued?: readonly Issued[] | undefined;
}

/** One attempt of a request, when it was answered or given up. */
export interface AttemptEntry {
  readonly type: 'attempt';
  readonly at: number;
  readonly request: number;
  readonly gateway: string;
  readonly sentAt: number;
  /** Undefined where no answer came. */
  readonly status?: number | undefined;
  /** Code of the connection's error, or the problem of an answer. */
  readonly reason?: string | undefined;
  /** Of requests that change something. */
  readonly body?: unknown;
}

/** The end of a task or an import, as the client that started it read it. */
export interface EndEntry {
  readonly type: 'end';
  readonly at: number;
  /** The request that started it. */
  readonly request: number;
  readonly status: string;
  readonly id?: string | undefined;
  readonly linesApplied?: number;
}

export type FollowerKind = 'poll' | 'stream' | 'webhook';

/** An event that a follower took. */
export interface SeenEntry {
  readonly type: 'seen';
  readonly at: number;
  readonly follower: FollowerKind;
  readonly channel: string;
  readonly event: string;
  readonly transactionId: string;
  readonly status: string;
  /** The event before it, where the message names one. */
  readonly previous?: string | null;
}

/** A webhook message whose signature is not right. */
interface UnsignedEntry {
  readonly type: 'unsigned';
  readonly at: number;
  readonly channel: string;
}

/** Everything that a sales channel had before the workload began. */
export interface BaselineEntry {
  readonly type: 'baseline';
  readonly at: number;
  readonly channel: string;
  readonly events: readonly string[];
  readonly tasks: readonly string[];
  readonly transactions: readonly string[];
}

/** An API key that was deleted. */
export interface RevokedEntry {
  readonly type: 'revoked';
  readonly at: number;
  readonly key: string;
  readonly secret: string;
}

/** A time in which transactions of an account holder's trader had to wait for approval, or were not accepted. */
export interface StandingEntry {
  readonly type: 'approval' | 'suspension';
  readonly at: number;
  readonly fromMs: number;
  readonly traderId: string;
}

export type Entry =
  RequestEntry | AttemptEntry | EndEntry | SeenEntry | UnsignedEntry | BaselineEntry | RevokedEntry | StandingEntry;
/** Distributes over the union, which plain `Omit` does not. */
type WithoutTime<T> = T extends Entry ? Omit<T, 'at'> : never;

/** Milliseconds since the epoch that never go back, whatever the machine's clock does. */
export const nowMs = (): number => performance.timeOrigin + performance.now();

const FILE = 'journal.ndjson';

/** Append-only record of what clients asked, were answered and saw. */
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
    const whole = { ...entry, at: nowMs() } as Entry;
    this.entries.push(whole);
    // A client that was given up may still be answered when the file is closed.
    if (!this.#stream.writableEnded) this.#stream.write(`${JSON.stringify(whole)}\n`);
  }

  nextId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }

  /** Resolves when everything is in the file. */
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
