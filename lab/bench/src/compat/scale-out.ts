import { setTimeout as delay } from 'node:timers/promises';
import type { ServiceName } from '@saleschannel/installation';
import { computeShares } from '../load/replicas.ts';
import type { Fleet } from './fleet.ts';
import type { Outcomes } from './outcomes.ts';
import { install, type System } from './system.ts';
import { runUnderLoad, type TrialReport, type TrialOptions } from './trial.ts';

interface ScaleOptions extends TrialOptions {
  /** Services that get two more replicas. */
  readonly services: readonly ServiceName[];
}

const MORE = 2;
const LOOK_MS = 1_000;
/** Number of measurements for the shares. */
const LOOKS = 3;
/** A replica has joined once it executes half of its fair share. */
const PART = 0.5;
const WITHIN_SECONDS = 15;
const GIVE_UP_SECONDS = 60;
const MS = 1_000;

/** Doubles the replicas of services under load. */
export async function runScaleOut(system: System, outcomes: Outcomes, options: ScaleOptions): Promise<TrialReport> {
  const { from, services, say } = options;
  await install(system, from);
  say(`running ${from.name}`);
  return runUnderLoad(system, outcomes, options, async (load) => {
    await load.followByWebhooks();
    for (const service of services) {
      outcomes.beginPhase(`scale ${service}`);
      await Promise.all(Array.from({ length: MORE }, () => system.fleet.add(service, from)));
      const { seconds, shares } = await untilShared(system.fleet, service);
      const parts = shares.map((share) => `${(100 * share).toFixed(0)} %`).join(', ');
      say(`${service}: the new replicas took their share after ${seconds.toFixed(1)} s. Shares of calls: ${parts}`);
      if (seconds > WITHIN_SECONDS)
        outcomes.faults.push(`new replicas of ${service} needed ${seconds.toFixed(1)} s to take their share`);
    }
  });
}

/** Seconds until the newest replicas have joined after they were ready, and each replica's share of the calls. */
async function untilShared(
  fleet: Fleet,
  service: ServiceName,
): Promise<{ readonly seconds: number; readonly shares: readonly number[] }> {
  const startedAt = performance.now();
  const calls = (): Promise<number[]> =>
    Promise.all(fleet.listReplicas(service).map((replica) => fleet.countCalls(replica)));
  const samples = [await calls()];
  for (;;) {
    await delay(LOOK_MS);
    samples.push(await calls());
    const shares = computeShares(samples.at(-1 - LOOKS) ?? samples[0] ?? [], samples.at(-1) ?? []);
    const seconds = (performance.now() - startedAt) / MS;
    const isShared = shares.slice(-MORE).every((share) => share >= PART / shares.length);
    if (isShared || seconds > GIVE_UP_SECONDS) return { seconds, shares };
  }
}
