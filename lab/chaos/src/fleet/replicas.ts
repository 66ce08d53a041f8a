import { join } from 'node:path';
import { type ServiceName, services } from '@saleschannel/installation';
import { supervise, type SupervisedProcess } from '@saleschannel/local';

export const modes = ['separate', 'all-in-one'] as const;
export type Mode = (typeof modes)[number];

/** A kind of process: a program, and the services that it hosts. */
export interface Unit {
  readonly program: string;
  readonly services: readonly ServiceName[];
}

/** Services without replicas here. The portal and the console are clients of the gateway and have to be built. */
const excluded: readonly ServiceName[] = ['dev-idp', 'sandbox', 'portal', 'console'];
const hosted: readonly ServiceName[] = services.map(({ name }) => name).filter((name) => !excluded.includes(name));

/** Program that hosts all services in one process. */
export const ALL_IN_ONE = 'all-in-one';

export const listUnits = (mode: Mode): Unit[] =>
  mode === 'separate'
    ? hosted.map((service) => ({ program: service, services: [service] }))
    : [{ program: ALL_IN_ONE, services: hosted }];

export const hosts = (unit: Unit, service: ServiceName): boolean => unit.services.includes(service);

/** Numbers of the permanent replicas. All first replicas form one zone, all second ones another. */
export const zones = [1, 2] as const;
export type Zone = (typeof zones)[number];

export const replicaName = ({ program }: Unit, number: number): string => `${program}-${number}`;

interface ReplicaOptions {
  readonly unit: Unit;
  readonly number: number;
  readonly variables: Readonly<Record<string, string>>;
  /** Folder of the sources that it runs. */
  readonly root: string;
  /** Folder of its log. */
  readonly folder: string;
}

/** Limits of the start and of the stop, as in Kubernetes. */
const READY_LIMIT_MS = 120_000;
const STOP_LIMIT_MS = 40_000;

/** One process of a unit. It keeps its addresses and log over restarts. */
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

  /** Number of exits that were not requested. */
  get crashes(): number {
    return this.#crashes + (this.#process?.crashes ?? 0);
  }

  /** Resolves when it is ready, or when it is stopped before. Has no effect if it is running. */
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

  /** Requests an orderly stop, as a rollout does. Returns the exit code or signal. */
  async stop(): Promise<string | undefined> {
    const process = this.#take();
    return process?.stop();
  }

  /** Returns whether it was running. */
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

  /** Makes it read its clock shift again. The signal would end a process that is not ready. */
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
