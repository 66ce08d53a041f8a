import { setTimeout as delay } from 'node:timers/promises';
import { createRandom } from '@saleschannel/testing/draw';
import type { FaultInterval, InjectedFaults } from './contract.ts';
import type { Fault, Heal } from './faults/fault.ts';
import type { Installation } from './fleet/installation.ts';
import { mayOverlap, type PlannedFault } from './schedule.ts';
import type { Unit } from './fleet/replicas.ts';
import { brokerFaults, messageFaults } from './faults/broker.ts';
import { clockFaults, processFaults, rolloutFaults } from './faults/processes.ts';
import { databaseFaults } from './faults/database.ts';
import { linkFaults } from './faults/links.ts';

export const listFaults = (units: readonly Unit[]): Fault[] => [
  ...processFaults(units),
  ...rolloutFaults(units),
  ...linkFaults(units),
  ...clockFaults(units),
  ...databaseFaults,
  ...brokerFaults,
  ...messageFaults,
];

export interface Injection extends InjectedFaults {
  /** Faults that could not be injected or healed, because of this program or of the product. */
  readonly failures: readonly string[];
}

interface InjectionOptions {
  readonly installation: Installation;
  readonly faults: readonly Fault[];
  readonly planned: readonly PlannedFault[];
  /** Length of the run, even if its last fault ends earlier. */
  readonly forMs: number;
  /** Injects faults one after the other, and skips those that are late at the end. */
  readonly isLoop: boolean;
  readonly signal: AbortSignal;
  log(line: string): void;
}

/**
 * Executes a schedule. A fault is delayed rather than overlap with an incompatible one, because healing is slow on a
 * loaded machine. Resolves when all are healed and the run is over.
 */
export async function injectAll(options: InjectionOptions): Promise<Injection> {
  const { planned, forMs, isLoop, signal, log } = options;
  const intervals: FaultInterval[] = [];
  const failures: string[] = [];
  const underWay = new Map<PlannedFault, Promise<void>>();
  let startedMs = Date.now();
  const endOfLoopMs = isLoop ? startedMs + forMs : Infinity;
  const until = (atMs: number): Promise<void> =>
    delay(Math.max(0, atMs - Date.now()), undefined, { signal }).catch(() => undefined);
  for (const next of planned) {
    await until(startedMs + next.fromMs);
    const late = [...underWay].filter(([other]) => isLoop || !mayOverlap(other, next));
    if (late.length > 0) {
      await Promise.all(late.map(([, ending]) => ending));
      // Delay all later faults equally, so that a stop ends before the next fault.
      startedMs = Date.now() - Math.max(...late.map(([other]) => other.fromMs + other.forMs));
      await until(startedMs + next.fromMs);
    }
    if (signal.aborted || Date.now() >= endOfLoopMs) break;
    const begunMs = Date.now();
    const ending = injectOne(options, next)
      .catch((error: Error) => {
        failures.push(`${next.kind} on ${next.target.name}: ${error.message}`);
        log(`  ${next.kind} on ${next.target.name} failed: ${error.stack}`);
      })
      .finally(() => {
        const { kind, hits, target } = next;
        intervals.push({ kind, hits, target: target.name, fromMs: begunMs, toMs: Date.now() });
        underWay.delete(next);
      });
    underWay.set(next, ending);
  }
  await Promise.all(underWay.values());
  await until(Math.min(startedMs + forMs, endOfLoopMs));
  return { intervals, kills: options.installation.fleet.kills, failures };
}

async function injectOne(
  { installation, faults, signal, log }: InjectionOptions,
  planned: PlannedFault,
): Promise<void> {
  const { kind, target, forMs, seed } = planned;
  const fault = faults.find((each) => each.kind === kind);
  if (!fault) throw new Error(`There is no fault ${kind}.`);
  const startedMs = performance.now();
  const sinceStart = (): number => performance.now() - startedMs;
  log(`${kind} on ${target.name} for ${(forMs / 1_000).toFixed(1)} s`);
  const heal: Heal = await fault.inject(installation, { target: target.name, forMs, random: createRandom(seed) });
  await delay(Math.max(0, forMs - sinceStart()), undefined, { signal }).catch(() => undefined);
  await heal();
  log(`  ${kind} on ${target.name} healed after ${(sinceStart() / 1_000).toFixed(1)} s`);
}

/** Restores what any fault may have left: starts all processes and opens all links. */
export async function healEverything({ fleet, postgres, broker }: Installation): Promise<void> {
  fleet.network.restore();
  postgres.resume();
  broker.resume();
  await Promise.all([postgres.start(), broker.start()]);
  for (const replica of fleet.replicas) replica.resume();
  await fleet.startAll();
}
