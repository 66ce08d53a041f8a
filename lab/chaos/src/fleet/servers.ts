import { brokerUsers, VHOST, type Secrets } from '@saleschannel/installation';
import {
  listDescendants,
  startPostgres,
  startRabbitMq,
  type RunningPostgres,
  type RunningRabbitMq,
} from '@saleschannel/local-backends';

/** A server that keeps its data and its port when it is killed. */
export interface Server {
  readonly name: 'PostgreSQL' | 'RabbitMQ';
  /** Has no effect if it is running. */
  start(): Promise<void>;
  kill(): Promise<void>;
  stop(): Promise<void>;
  /** Stops all its processes with SIGSTOP. */
  pause(): void;
  resume(): void;
}

interface Started {
  readonly pid: number;
  readonly port: number;
  kill(): Promise<void>;
  stop(): Promise<void>;
}

class KeptServer<S extends Started> implements Server {
  readonly name: Server['name'];
  readonly #start: (port?: number) => Promise<S>;
  #running: S | undefined;
  #port: number | undefined;

  constructor(name: Server['name'], start: (port?: number) => Promise<S>) {
    this.name = name;
    this.#start = start;
  }

  get running(): S {
    if (!this.#running) throw new Error(`${this.name} is not running.`);
    return this.#running;
  }

  async start(): Promise<void> {
    if (this.#running) return;
    this.#running = await this.#start(this.#port);
    this.#port = this.#running.port;
  }

  async kill(): Promise<void> {
    await this.#take()?.kill();
  }

  async stop(): Promise<void> {
    this.resume();
    await this.#take()?.stop();
  }

  pause(): void {
    this.#signal('SIGSTOP');
  }

  resume(): void {
    this.#signal('SIGCONT');
  }

  #take(): S | undefined {
    const running = this.#running;
    this.#running = undefined;
    return running;
  }

  #signal(signal: NodeJS.Signals): void {
    const pid = this.#running?.pid;
    if (pid === undefined) return;
    for (const each of [pid, ...listDescendants(pid)]) {
      try {
        process.kill(each, signal);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
      }
    }
  }
}

export type Postgres = KeptServer<RunningPostgres>;
export type RabbitMq = KeptServer<RunningRabbitMq>;

type Log = (line: string) => void;

export const createPostgres = (dataDirectory: string, log: Log): Postgres =>
  new KeptServer('PostgreSQL', (port) =>
    startPostgres({ dataDirectory, log, ...(port === undefined ? {} : { port }) }),
  );

export const createRabbitMq = (dataDirectory: string, secrets: Secrets, log: Log): RabbitMq =>
  new KeptServer('RabbitMQ', (port) =>
    startRabbitMq({
      dataDirectory,
      users: brokerUsers(secrets),
      vhost: VHOST,
      log,
      ...(port === undefined ? {} : { port }),
    }),
  );
