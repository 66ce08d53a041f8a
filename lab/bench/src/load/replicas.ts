import { execFileSync } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { variablesOf, type ServiceName } from '@saleschannel/installation';
import { findFreePort } from '@saleschannel/local-backends';
import { supervise, type Stack, type SupervisedProcess } from '@saleschannel/local';
import { readCpu } from '../measure/processes.ts';

/** Processes of one service. The first is the stack's own. */
export interface Replicas {
  readonly ports: readonly number[];
  /** Starts another one. Returns its port. */
  add(): Promise<number>;
  /** CPU microseconds of each so far. */
  cpu(): number[];
  /** Pins each to a core, in rotation. */
  pin(cores: number): void;
  /** Stops all except the stack's own. */
  stop(): Promise<void>;
}

export function createReplicas(stack: Stack, name: ServiceName): Replicas {
  const own = stack.processes.find((process) => process.name === name);
  const port = stack.place.ports[name];
  if (!own || port === undefined) throw new Error(`The stack has no ${name}.`);
  const processes: SupervisedProcess[] = [own];
  const ports = [port];
  const pids = (): number[] => processes.flatMap(({ pid }) => pid ?? []);
  return {
    ports,
    async add() {
      const added = await findFreePort();
      const place = { ...stack.place, ports: { ...stack.place.ports, [name]: added } };
      const replica = supervise({ name, variables: variablesOf(name, place), format: 'json' });
      await replica.start();
      processes.push(replica);
      ports.push(added);
      return added;
    },
    cpu: () => pids().map(readCpu),
    pin(cores) {
      for (const [index, pid] of pids().entries())
        execFileSync('taskset', ['--all-tasks', '--cpu-list', '--pid', String(index % cores), String(pid)]);
    },
    async stop() {
      for (const replica of processes.slice(1)) await replica.stop();
    },
  };
}

const LOOK_MS = 500;
/** A replica has joined once it does half of its fair share. */
const PART = 0.5;
/** Time that a new process needs to settle after its start. */
const STEADY_SECONDS = 2;
const JOINS_WITHIN_SECONDS = 60;

/** Seconds until the newest replica keeps doing its share of the current work. */
export async function secondsUntilJoined({ cpu }: Pick<Replicas, 'cpu'>): Promise<number> {
  const started = performance.now();
  let since: number | undefined;
  for (let before = cpu(); ;) {
    await delay(LOOK_MS);
    const after = cpu();
    const part = computeShares(before, after).at(-1) ?? 0;
    before = after;
    const seconds = (performance.now() - started) / 1_000;
    if (!(part >= PART / after.length)) since = undefined;
    else if (since === undefined) since = seconds;
    else if (seconds - since > STEADY_SECONDS) return since;
    if (seconds > JOINS_WITHIN_SECONDS) throw new Error('The new replica received no work.');
  }
}

/** Share of the work per replica, from their CPU times before and after. */
export function computeShares(before: readonly number[], after: readonly number[]): number[] {
  const used = after.map((each, index) => each - (before[index] ?? 0));
  const all = used.reduce((sum, each) => sum + each, 0);
  return used.map((each) => each / all);
}
