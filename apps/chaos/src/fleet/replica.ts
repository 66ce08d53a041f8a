import { join } from 'node:path';
import { supervise, type SupervisedProcess } from '@saleschannel/local';
import { hosts, replicaName, type Unit } from './layout.ts';
import type { ServiceName } from '@saleschannel/installation';

export interface ReplicaOptions {
  readonly unit: Unit;
  readonly number: number;
  readonly variables: Readonly<Record<string, string>>;
  /** Where the sources are that it runs from. */
  readonly root: string;
  /** For its log. */
  readonly folder: string;
}

/** Both as in Kubernetes. */
const READY_LIMIT_MS = 120_000;
const STOP_LIMIT_MS = 40_000;

/** One process of a unit. Started again, it has the same addresses and log. */
export class Replica {
  readonly unit: Unit;
  readonly number: number;
  readonly name: string;
  readonly #options: ReplicaOptions;
  #process: SupervisedProcess | undefined;
  #ready: Promise<void> = Promise.resolve();
  #crashes = 0;

  constructor(options: ReplicaOptions) {
    this.#options = options;
    this.unit = options.unit;
    this.number = options.number;
    this.name = replicaName(options.unit, options.number);
  }

  hosts(service: ServiceName): boolean {
    return hosts(this.unit, service);
  }

  get isUp(): boolean {
    return this.#process?.pid !== undefined;
  }

  /** How often it has ended by itself. */
  get crashes(): number {
    return this.#crashes + (this.#process?.crashes ?? 0);
  }

  /** Resolves when it is ready. Does nothing for one that runs. */
  start(): Promise<void> {
    if (this.#process) return this.#ready;
    const { unit, variables, root, folder } = this.#options;
    this.#process = supervise({
      name: unit.program,
      variables: { ...variables },
      format: 'json',
      root,
      logFile: join(folder, `${this.name}.log`),
      readyLimitMs: READY_LIMIT_MS,
      stopLimitMs: STOP_LIMIT_MS,
    });
    this.#ready = this.#process.start();
    return this.#ready;
  }

  /** Tells it to stop, as a rollout does. Returns how it ended. */
  async stop(): Promise<string | undefined> {
    const process = this.#take();
    return process?.stop();
  }

  async kill(): Promise<void> {
    await this.#take()?.kill();
  }

  /** Sends a signal that it survives. One that has ended does not get it. */
  signal(signal: 'SIGSTOP' | 'SIGCONT' | 'SIGUSR2'): void {
    const pid = this.#process?.pid;
    if (pid !== undefined) process.kill(pid, signal);
  }

  #take(): SupervisedProcess | undefined {
    const process = this.#process;
    this.#crashes += process?.crashes ?? 0;
    this.#process = undefined;
    // A start that is given up is nobody's failure.
    this.#ready.catch(() => undefined);
    return process;
  }
}
