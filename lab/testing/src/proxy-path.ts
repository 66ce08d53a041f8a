import type { Socket } from 'node:net';

/** Latency and bandwidth of a slow link. */
export interface Slowness {
  readonly latencyMs: number;
  readonly bytesPerSecond: number;
}

interface PathState {
  /** Whether data is held back. */
  readonly isHeld: boolean;
  readonly slowness: Slowness | undefined;
}

interface Waiting {
  readonly bytes: Buffer;
  /** Due time, on the `performance.now()` clock. */
  readonly dueMs: number;
}

/** Capacity of the path. Beyond it the sender waits, as on a slow link. */
const WAITING_BYTES_AT_MOST = 65_536;

/** One direction of a proxied connection. */
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

  /** Reads and discards from now on. */
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

  /** Returns whether the sink is full. */
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
