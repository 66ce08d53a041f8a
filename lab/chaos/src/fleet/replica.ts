import { join } from 'node:path';
import type { ServiceName } from '@saleschannel/installation';
import { supervise, type SupervisedProcess } from '@saleschannel/local';
import { hosts, replicaName, type Unit } from './layout.ts';

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
  #isReady = false;
  #giveUp: () => void = () => undefined;
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

  /** How often it has ended by itself. */
  get crashes(): number {
    return this.#crashes + (this.#process?.crashes ?? 0);
  }

  /** Resolves when it is ready, or when somebody else ends it before. Does nothing for one that runs. */
  start(): Promise<void> {
    if (this.#process) return this.#ready;
    const { unit, variables, root, folder } = this.#options;
    this.#process = supervise({
      name: unit.program,
      args: unit.services.length === 1 ? [] : ['--services', unit.services.join(',')],
      variables: { ...variables },
      format: 'json',
      root,
      logFile: join(folder, `${this.name}.log`),
      readyLimitMs: READY_LIMIT_MS,
      stopLimitMs: STOP_LIMIT_MS,
    });
    const givenUp = new Promise<void>((resolve) => (this.#giveUp = resolve));
    const started = this.#process.start().then(() => void (this.#isReady = true));
    this.#ready = Promise.race([started, givenUp]);
    return this.#ready;
  }

  /** Tells it to stop, as a rollout does. Returns how it ended. */
  async stop(): Promise<string | undefined> {
    const process = this.#take();
    return process?.stop();
  }

  /** Returns whether it ran. */
  async kill(): Promise<boolean> {
    const process = this.#take();
    await process?.kill();
    return process !== undefined;
  }

  pause(): void {
    this.#signal('SIGSTOP');
  }

  resume(): void {
    this.#signal('SIGCONT');
  }

  /** Has it read the shift of its clock again. One that is not ready would end. */
  readClock(): void {
    if (this.#isReady) this.#signal('SIGUSR2');
  }

  #signal(signal: NodeJS.Signals): void {
    const pid = this.#process?.pid;
    if (pid !== undefined) process.kill(pid, signal);
  }

  #take(): SupervisedProcess | undefined {
    const process = this.#process;
    this.#crashes += process?.crashes ?? 0;
    this.#process = undefined;
    this.#isReady = false;
    this.#giveUp();
    return process;
  }
}
