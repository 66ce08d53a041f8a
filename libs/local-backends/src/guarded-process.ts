import { spawn, spawnSync } from 'node:child_process';
import { closeSync, openSync, readFileSync, renameSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { BackendError } from './errors.ts';
import { changeOwner, runAs } from './system-user.ts';
import type { ServerUser } from './system-user.ts';

/**
 * Runs as the server's first program and becomes it by exec, so the known process is the server itself. Before that it
 * takes the folder's lock, which every process of the server inherits, and starts a watchdog: a shell in the server's
 * process group that reads a pipe without writers (descriptor 3). The pipe closes when the supervisor ends, even by
 * SIGKILL. Then the watchdog stops the server as the supervisor would have done.
 */
const GUARD = `
lock=$1; signal=$2; tenths=$3; orphan=$4; shift 4
if command -v flock >/dev/null 2>&1; then
  exec 9>>"$lock"
  flock -n 9 || { echo "another server uses this folder ($lock is locked)" >&2; exit 75; }
fi
( (
  exec 9>&- >/dev/null 2>&1
  trap '' HUP INT QUIT TERM
  cd /
  read -r line <&3
  kill -s "$signal" $$ || exit 0
  while [ "$tenths" -gt 0 ] && kill -s 0 $$; do sleep 0.1; tenths=$((tenths - 1)); done
  if [ -n "$orphan" ]; then rm -rf "$orphan"; rmdir "$(dirname "$orphan")"; fi
  kill -s KILL -- -$$
) & )
exec "$@" 3<&-
`;

/** Time that a start waits for servers of an earlier, killed run, which their watchdogs are stopping. */
const LOCK_WAIT_MS = 30_000;
const POLL_MS = 50;
const SHOWN_LOG_LINES = 15;

/** A signal that stops a server, and the wait for its effect. After the last step the process group gets SIGKILL. */
export interface StopStep {
  readonly signal: 'SIGINT' | 'SIGTERM' | 'SIGQUIT';
  readonly timeoutMs: number;
}

export interface GuardedOptions {
  readonly command: string;
  readonly args: readonly string[];
  /** The complete environment: nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
  readonly user: ServerUser;
  /** Working directory. */
  readonly directory: string;
  readonly lockFile: string;
  readonly logFile: string;
  readonly stopSteps: readonly [StopStep, ...StopStep[]];
  /** A temporary folder that the watchdog deletes after the supervisor has ended. */
  readonly removeWhenOrphaned?: string;
}

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface GuardedProcess {
  readonly pid: number;
  /** Resolves when the server has ended for any reason. Never rejects. */
  readonly exited: Promise<Exit>;
  hasExited(): boolean;
  /** Ends the server and its watchdog, and resolves when both are gone. May be called twice. */
  stop(): Promise<void>;
  /** Sends SIGKILL to the server and all its descendants. Resolves when its watchdog is gone too. */
  kill(): Promise<void>;
  /** Last lines of the server's output, for an error message. */
  lastLines(): string;
  /** Processor time of the server and its descendants, in clock ticks. 0 if the system does not report it. */
  usedTicks(): number;
}

const signalTo = (target: number, signal: NodeJS.Signals): void => {
  try {
    process.kill(target, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
};

/** Lists the descendants of a process, which may have their own process groups. The process must still run. */
export function listDescendants(pid: number): number[] {
  let children: number[] = [];
  try {
    children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
  } catch {
    // The process has ended, or this system has no such files.
  }
  return children.flatMap((child) => [child, ...listDescendants(child)]);
}

export const readLastLines = (file: string): string => {
  try {
    return readFileSync(file, 'utf8').trimEnd().split('\n').slice(-SHOWN_LOG_LINES).join('\n');
  } catch {
    return '';
  }
};

/** Opens the log of this run and keeps the previous one as '….previous'. */
function openLog(file: string, user: ServerUser): number {
  try {
    renameSync(file, `${file}.previous`);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const descriptor = openSync(file, 'w', 0o600);
  changeOwner(file, user);
  return descriptor;
}

/**
 * Waits until no process of an earlier run holds the folder's lock.
 * @returns the lock file, for startGuarded
 */
export async function awaitUnlockedFile(
  directory: string,
  user: ServerUser,
  log: (line: string) => void,
): Promise<string> {
  const lockFile = join(directory, 'lock');
  closeSync(openSync(lockFile, 'a', 0o600));
  changeOwner(lockFile, user);
  const isLocked = (): boolean => spawnSync('flock', ['-n', lockFile, 'true'], { stdio: 'ignore' }).status === 1;
  if (isLocked()) log(`waiting for the server of an earlier run to release ${lockFile}`);
  for (const deadline = Date.now() + LOCK_WAIT_MS; isLocked(); await delay(POLL_MS)) {
    if (Date.now() > deadline) {
      throw new BackendError(`${lockFile} is still locked, because another run uses this folder. Stop that run first.`);
    }
  }
  return lockFile;
}

/** The watchdog's argument that names no folder to remove. */
const REMOVE_NOTHING = '';

/** Starts a server in its own process group, unaffected by Ctrl-C. It ends with this process at the latest. */
export function startGuarded(options: GuardedOptions): GuardedProcess {
  const first = options.stopSteps[0];
  const log = openLog(options.logFile, options.user);
  const guardArguments = [
    options.lockFile,
    first.signal.replace('SIG', ''),
    String(Math.ceil(first.timeoutMs / 100)),
    options.removeWhenOrphaned ?? REMOVE_NOTHING,
  ];
  const child = spawn(
    '/bin/sh',
    ['-c', GUARD, 'saleschannel-guard', ...guardArguments, options.command, ...options.args],
    {
      ...runAs(options.user),
      cwd: options.directory,
      env: { ...options.env },
      stdio: ['ignore', log, log, 'pipe'],
      detached: true,
    },
  );
  closeSync(log);
  const { pid } = child;
  const lifeline = child.stdio[3] as Socket;
  const watchdogGone = new Promise<void>((resolve) => lifeline.once('close', () => resolve()));
  lifeline.on('error', () => undefined).resume();

  let exit: Exit | undefined;
  const exited = new Promise<Exit>((resolve) => {
    const end = (result: Exit): void => {
      exit = result;
      lifeline.end(); // ends the watchdog, which closes the other direction
      resolve(result);
    };
    child.once('error', () => end({ code: null, signal: null }));
    child.once('exit', (code, signal) => end({ code, signal }));
  });
  if (pid === undefined) throw new BackendError(`${options.command} could not be started.`);

  const stopServer = async (): Promise<void> => {
    for (const step of options.stopSteps) {
      if (exit) break;
      signalTo(pid, step.signal);
      const abort = new AbortController();
      await Promise.race([exited, delay(step.timeoutMs, undefined, { signal: abort.signal }).catch(() => undefined)]);
      abort.abort();
    }
    if (!exit) signalTo(-pid, 'SIGKILL');
    await Promise.all([exited, watchdogGone]);
  };
  const killServer = async (): Promise<void> => {
    // Kills the server first, because it would notice that its children have ended.
    for (const each of [pid, ...listDescendants(pid)]) signalTo(each, 'SIGKILL');
    signalTo(-pid, 'SIGKILL');
    await Promise.all([exited, watchdogGone]);
  };
  let stopping: Promise<void> | undefined;
  return {
    pid,
    exited,
    hasExited: () => exit !== undefined,
    stop: () => (stopping ??= stopServer()),
    kill: () => (stopping ??= killServer()),
    lastLines: () => readLastLines(options.logFile),
    usedTicks: () => [pid, ...listDescendants(pid)].reduce((sum, each) => sum + readTicks(each), 0),
  };
}

/** Adds fields 14 and 15 of /proc/<pid>/stat. The second field, the name in brackets, may contain spaces. */
function readTicks(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return Number(fields[11]) + Number(fields[12]);
  } catch {
    return 0;
  }
}

/** A server that gets only a hundredth of a processor still makes progress. */
const TICKS_PER_SECOND_OF_PROGRESS = 1;
/** Maximum multiple of the timeout, regardless of progress. */
const MAX_TIMEOUTS = 10;

/**
 * Resolves when the probe succeeds. Under load a server may need minutes, so the timeout counts from its last progress,
 * measured in processor time.
 * @throws BackendError with the server's last lines, if it ends early or is not ready in time. Then it is stopped
 */
export async function waitUntilReady(
  name: string,
  server: GuardedProcess,
  probe: () => Promise<boolean>,
  timeoutMs: number,
): Promise<void> {
  const latest = performance.now() + timeoutMs * MAX_TIMEOUTS;
  let [deadline, ticks] = [performance.now() + timeoutMs, server.usedTicks()];
  while (!(await probe())) {
    const [now, used] = [performance.now(), server.usedTicks()];
    if (used - ticks >= Math.max(1, (timeoutMs / 1_000) * TICKS_PER_SECOND_OF_PROGRESS))
      [deadline, ticks] = [Math.min(latest, now + timeoutMs), used];
    const late = now > deadline;
    if (!late && !server.hasExited()) {
      await Promise.race([delay(POLL_MS), server.exited]);
      continue;
    }
    await server.stop();
    const failure = late ? `was not ready, and made no progress for ${timeoutMs / 1000} s` : 'ended while starting';
    throw new BackendError(`${name} ${failure}. Its last lines:\n${server.lastLines()}`);
  }
}
