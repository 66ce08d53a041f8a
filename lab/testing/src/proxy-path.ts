import type { Socket } from 'node:net';

/** A long and narrow path. */
export interface Slowness {
  readonly latencyMs: number;
  readonly bytesPerSecond: number;
}

interface PathState {
  /** Nothing arrives. */
  readonly isHeld: boolean;
  readonly slowness: Slowness | undefined;
}

interface Waiting {
  readonly bytes: Buffer;
  /** On the `performance.now()` clock. */
  readonly dueMs: number;
}

/** A full pipe. The sender waits then, as it would on a slow link. */
const WAITING_BYTES_AT_MOST = 65_536;

/** One direction of a connection through a proxy. */
export class ProxyPath {
  readonly #source: Socket;
  readonly #sink: Socket;
  readonly #onData: (bytes: Buffer) => void;
  readonly #waiting: Waiting[] = [];
  #state: PathState = { isHeld: false, slowness: undefined };
  #waitingBytes = 0;
  #freeAtMs = 0;
  #timer: NodeJS.Timeout | undefined;
  #hasEnded = false;
  #isForgotten = false;

  constructor(source: Socket, sink: Socket, onData: (bytes: Buffer) => void = () => undefined) {
    this.#source = source;
    this.#sink = sink;
    this.#onData = onData;
    source.on('data', (bytes: Buffer) => this.#take(bytes));
    source.on('end', () => {
      this.#hasEnded = true;
      this.#passOn();
    });
    source.on('close', () => (this.#hasEnded ? this.#passOn() : clearTimeout(this.#timer)));
    sink.on('drain', () => this.#passOn());
  }

  change(state: PathState): void {
    this.#state = state;
    this.#passOn();
  }

  /** Reads on and passes on nothing any more. */
  forget(): void {
    this.#isForgotten = true;
    clearTimeout(this.#timer);
    this.#waiting.length = 0;
    this.#source.resume();
  }

  #take(bytes: Buffer): void {
    if (this.#isForgotten) return;
    this.#onData(bytes);
    const { slowness } = this.#state;
    const nowMs = performance.now();
    const takesMs = slowness === undefined ? 0 : (bytes.length / slowness.bytesPerSecond) * 1_000;
    this.#freeAtMs = Math.max(nowMs, this.#freeAtMs) + takesMs;
    this.#waiting.push({ bytes, dueMs: this.#freeAtMs + (slowness?.latencyMs ?? 0) });
    this.#waitingBytes += bytes.length;
    this.#passOn();
  }

  #passOn(): void {
    clearTimeout(this.#timer);
    if (this.#isForgotten) return;
    const isFull = this.#writeDue();
    if (this.#state.isHeld || isFull || this.#waitingBytes > WAITING_BYTES_AT_MOST) this.#source.pause();
    else this.#source.resume();
    const [next] = this.#waiting;
    if (this.#state.isHeld || isFull) return;
    if (next) this.#timer = setTimeout(() => this.#passOn(), Math.ceil(next.dueMs - performance.now()));
    else if (this.#hasEnded && !this.#sink.destroyed) this.#sink.end();
  }

  /** Returns whether the sink takes no more for now. */
  #writeDue(): boolean {
    if (this.#state.isHeld) return false;
    const nowMs = this.#state.slowness === undefined ? Infinity : performance.now();
    for (let next = this.#waiting[0]; next !== undefined && next.dueMs <= nowMs; next = this.#waiting[0]) {
      this.#waiting.shift();
      this.#waitingBytes -= next.bytes.length;
      if (this.#sink.writable && !this.#sink.write(next.bytes)) return true;
    }
    return false;
  }
}
