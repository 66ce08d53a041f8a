import { spawn, type ChildProcess } from 'node:child_process';
import { createWriteStream, writeFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { projectRoot } from './files.ts';
import { forward, printLine, type LogFormat } from './log.ts';

const PRIORITY = constants.priority.PRIORITY_BELOW_NORMAL;

/**
 * Lowers the priority of a process that leads its own session. Linux may divide cores among sessions first, where
 * priorities count only within a session (sched(7), autogroup).
 */
export function yieldCpu(pid: number): void {
  setPriority(pid, PRIORITY);
  try {
    writeFileSync(`/proc/${pid}/autogroup`, String(PRIORITY));
  } catch {
    // No autogroups on this system.
  }
}

export interface ProcessOptions {
  name: string;
  /** Arguments after the command. */
  args?: readonly string[] | undefined;
  variables: Record<string, string>;
  format: LogFormat;
  /** Yields scarce cores to other processes once it is ready. */
  yieldsCpu?: boolean | undefined;
  /** Root of its sources. Default: this checkout. */
  root?: string | undefined;
  /** Appends the output to this file instead of printing it. */
  logFile?: string | undefined;
  /** Time limit of the start. */
  readyLimitMs?: number | undefined;
  /** Time limit of the stop, after which it is killed. */
  stopLimitMs?: number | undefined;
}

const READY_LIMIT_MS = 60_000;
const STOP_LIMIT_MS = 15_000;
const RESTART_INITIAL_MS = 200;
const RESTART_AT_MOST_MS = 5_000;
/** Running for this long resets the backoff of restarts. */
const STEADY_MS = 10_000;

function launch(options: ProcessOptions, command: 'serve' | 'migrate'): ChildProcess {
  const { name, args = [], variables, root = projectRoot } = options;
  const child = spawn(process.execPath, [join(root, 'apps', name, 'src', 'main.ts'), command, ...args], {
    cwd: root,
    env: {
      PATH: process.env['PATH'],
      NODE_OPTIONS: process.env['NODE_OPTIONS'],
      NODE_COMPILE_CACHE: join(root, '.local', 'compile-cache'),
      ...variables,
    },
    // Own process group: Ctrl-C reaches only the supervisor, which stops everything in order. Over IPC the service
    // reports that it is ready, and notices the end of the supervisor.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  passOn(child, options);
  return child;
}

function passOn({ stdout, stderr }: ChildProcess, { name, format, logFile }: ProcessOptions): void {
  const file = logFile === undefined ? undefined : createWriteStream(logFile, { flags: 'a' });
  for (const output of [stdout, stderr]) {
    if (file) output?.pipe(file, { end: false });
    else if (output) forward(name, output, format);
  }
}

const exitOf = (child: ChildProcess): Promise<string> =>
  new Promise((resolve) => child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`)));

/** Runs the migrations of a service. */
export async function migrate(options: ProcessOptions): Promise<void> {
  const child = launch({ ...options, variables: { ...options.variables, LOG_LEVEL: 'warn' } }, 'migrate');
  const exit = await exitOf(child);
  if (exit !== 'exit code 0') throw new Error(`The migrations of ${options.name} failed (${exit}).`);
}

export interface SupervisedProcess {
  readonly name: string;
  /** Process id, which a restart changes. */
  readonly pid: number | undefined;
  /** Milliseconds from launch to readiness. Undefined during the first start. */
  readonly readyAfterMs: number | undefined;
  /** Number of crashes. */
  readonly crashes: number;
  /** Resolves when the process is ready. */
  start(): Promise<void>;
  /** Resolves with its exit code or signal, such as 'exit code 0'. Undefined if it did not run. */
  stop(): Promise<string | undefined>;
  /** Kills it without a restart, as a power failure would. */
  kill(): Promise<void>;
}

/** Runs a service as a process and restarts it after crashes. */
export function supervise(options: ProcessOptions): SupervisedProcess {
  let child: ChildProcess | undefined;
  let stopping = false;
  let readyAfterMs: number | undefined;
  let exited: Promise<string> = Promise.resolve('');
  let backoff = RESTART_INITIAL_MS;
  let crashes = 0;
  let hasBeenReady = false;

  function run(onReady: () => void): void {
    const startedAt = Date.now();
    child = launch(options, 'serve');
    const { pid } = child;
    child.once('message', () => {
      if (options.yieldsCpu && pid !== undefined) yieldCpu(pid);
      hasBeenReady = true;
      onReady();
    });
    exited = exitOf(child);
    void exited.then((exit) => {
      child = undefined;
      if (stopping) return;
      crashes += 1;
      backoff = Date.now() - startedAt > STEADY_MS ? RESTART_INITIAL_MS : Math.min(backoff * 2, RESTART_AT_MOST_MS);
      printLine(options.format, `${options.name} exited (${exit}); restarting it`);
      setTimeout(() => {
        if (!stopping) run(hasBeenReady ? () => printLine(options.format, `${options.name} is ready again`) : onReady);
      }, backoff);
    });
  }

  return {
    name: options.name,
    get pid() {
      return child?.pid;
    },
    get readyAfterMs() {
      return readyAfterMs;
    },
    get crashes() {
      return crashes;
    },
    start: () =>
      new Promise((resolve, reject) => {
        const launched = performance.now();
        const { name, readyLimitMs = READY_LIMIT_MS } = options;
        const limit = setTimeout(
          () => reject(new Error(`${name} was not ready within ${readyLimitMs / 1000} s.`)),
          readyLimitMs,
        );
        run(() => {
          clearTimeout(limit);
          readyAfterMs = performance.now() - launched;
          resolve();
        });
      }),
    async stop() {
      stopping = true;
      const running = child;
      if (!running) return undefined;
      running.kill('SIGTERM');
      const killer = setTimeout(() => running.kill('SIGKILL'), options.stopLimitMs ?? STOP_LIMIT_MS);
      return exited.finally(() => clearTimeout(killer));
    },
    async kill() {
      stopping = true;
      child?.kill('SIGKILL');
      await exited;
    },
  };
}
