import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

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
class ProxyPath {
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

export interface Proxy {
  /** The target's URL with the proxy's address. */
  readonly url: string;
  /** Connections opened so far. */
  readonly opened: number;
  /** Breaks every connection, and every new one at once. */
  cut(): void;
  /** Ends a cut, a black hole or a slow link: new connections work, and connections in a black hole resume. */
  restore(): void;
  /**
   * Discards all data on existing connections in both directions without telling either side. New connections work.
   * This simulates a host that dies silently and is replaced at the same address.
   */
  freeze(): void;
  /**
   * Turns the path into a black hole: no data arrives on existing and new connections, and neither side notices. This
   * simulates a switch or firewall that separates a process from a host.
   * @param direction the blocked direction, both by default
   */
  blackhole(direction?: Direction): void;
  /** Makes existing and new connections slow in both directions. */
  slow(slowness: Slowness): void;
  stop(): Promise<void>;
}

/** Direction, from the view of the client that opened the connection. */
export type Direction = 'requests' | 'answers';

export interface ProxyOptions {
  /** Whether to break a connection before the server receives these bytes. */
  readonly breaksAt?: (sent: Buffer) => boolean;
  /** Receives what the server sends. */
  readonly onAnswer?: (received: Buffer) => void;
  /** Listening address, by default 127.0.0.1 with a free port. */
  readonly host?: string;
  readonly port?: number;
}

interface Connection {
  readonly client: Socket;
  readonly upstream: Socket;
  readonly requests: ProxyPath;
  readonly answers: ProxyPath;
  /** True if all data is discarded. */
  isFrozen: boolean;
}

/** Starts a proxy between a client and a server, to interrupt and restore the network. */
export async function startProxy(target: string, options: ProxyOptions = {}): Promise<Proxy> {
  const { breaksAt = () => false, onAnswer, host = '127.0.0.1' } = options;
  const url = new URL(target);
  const { hostname, port } = url;
  const sockets = new Set<Socket>();
  const connections = new Set<Connection>();
  const holes = new Set<Direction>();
  let slowness: Slowness | undefined;
  let isCut = false;
  let opened = 0;
  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    return socket;
  };
  const apply = ({ requests, answers }: Connection): void => {
    for (const [direction, path] of [
      ['requests', requests],
      ['answers', answers],
    ] as const)
      path.change({ isHeld: holes.has(direction), slowness });
  };
  /** In a black hole, the end of a connection is held back until the hole ends. */
  const passOnEnd = (connection: Connection, ended: Socket, other: Socket): void => {
    if (connection.isFrozen) return;
    if (holes.size > 0 && !other.destroyed) return;
    connections.delete(connection);
    // An orderly close ends the other side only after all data has arrived.
    if (!ended.readableEnded) other.destroy();
  };
  const destroyAll = (): void => {
    for (const socket of sockets) socket.resetAndDestroy();
  };
  const server = createServer({ noDelay: true }, (client) => {
    keep(client);
    if (isCut) return void client.resetAndDestroy();
    opened++;
    const upstream = keep(connect({ host: hostname, port: Number(port), noDelay: true }));
    const requests = new ProxyPath(client, upstream, (sent) => {
      if (breaksAt(sent)) for (const socket of [client, upstream]) socket.resetAndDestroy();
    });
    const answers = new ProxyPath(upstream, client, onAnswer);
    const connection: Connection = { client, upstream, requests, answers, isFrozen: false };
    connections.add(connection);
    apply(connection);
    client.on('close', () => passOnEnd(connection, client, upstream));
    upstream.on('close', () => passOnEnd(connection, upstream, client));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, host, resolve);
  });
  url.hostname = host;
  url.port = String((server.address() as AddressInfo).port);
  const applyAll = (): void => {
    for (const connection of connections) apply(connection);
  };
  return {
    url: url.toString(),
    get opened() {
      return opened;
    },
    cut() {
      isCut = true;
      destroyAll();
    },
    restore() {
      isCut = false;
      slowness = undefined;
      holes.clear();
      for (const { client, upstream } of connections)
        if (client.destroyed || upstream.destroyed) for (const socket of [client, upstream]) socket.resetAndDestroy();
      applyAll();
    },
    blackhole(direction) {
      for (const each of direction === undefined ? (['requests', 'answers'] as const) : [direction]) holes.add(each);
      applyAll();
    },
    slow(wanted) {
      slowness = wanted;
      applyAll();
    },
    freeze() {
      for (const connection of connections) {
        connection.isFrozen = true;
        connection.requests.forget();
        connection.answers.forget();
        connections.delete(connection);
      }
    },
    async stop() {
      isCut = true;
      destroyAll();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
