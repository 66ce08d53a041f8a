import { loadavg } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { ServiceName } from '@saleschannel/installation';
import { shuffle, createRandom } from '@saleschannel/testing/draw';
import { computeShares } from '../load/replicas.ts';
import type { Fleet, Replica } from './fleet.ts';
import type { Outcomes } from './outcomes.ts';
import type { Release } from './release.ts';
import { install, listServices, type System, REPLICAS } from './system.ts';
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
    const seconds = (performance.now() - startedAt) / 1_000;
    const isShared = shares.slice(-MORE).every((share) => share >= PART / shares.length);
    if (isShared || seconds > GIVE_UP_SECONDS) return { seconds, shares };
  }
}

interface RolloutOptions {
  readonly seed: number;
  /** Duration of each mixture of releases. */
  readonly mixedSeconds: number;
  /** Number of replicas replaced at the same time, each of another service. */
  readonly atOnce: number;
  say(line: string): void;
}

/** One replica to replace, start or stop. */
interface Change {
  readonly service: ServiceName;
  readonly what: string;
  carryOut(): Promise<unknown>;
}

/** Moves the replicas of all services from one release to another. */
class Rollout {
  /** Number of replicas replaced, started or stopped. */
  changed = 0;
  readonly #fleet: Fleet;
  readonly #outcomes: Outcomes;
  readonly #options: RolloutOptions;
  readonly #random: () => number;

  constructor(fleet: Fleet, outcomes: Outcomes, options: RolloutOptions) {
    this.#fleet = fleet;
    this.#outcomes = outcomes;
    this.#options = options;
    this.#random = createRandom(options.seed);
  }

  async phase(name: string, work: () => Promise<unknown>): Promise<void> {
    const { failures } = this.#outcomes;
    this.#outcomes.beginPhase(name);
    const [startedAt, before] = [performance.now(), failures.length];
    await work();
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0);
    // On a busy machine deadlines expire for that reason alone.
    const load = loadavg()[0]?.toFixed(0);
    this.#options.say(`${name}: ${seconds} s, ${failures.length - before} requests failed, load ${load}`);
  }

  rest(name: string): Promise<void> {
    return this.phase(name, () => delay(this.#options.mixedSeconds * 1_000));
  }

  /** Replaces one replica after the other in a random order, with a pause half way. */
  async change(name: string, release: Release): Promise<void> {
    const changes = shuffle(this.#changesTo(release), this.#random);
    this.#options.say(`${name}, in this order: ${changes.map(({ what }) => what).join(' ')}`);
    const half = Math.ceil(changes.length / 2);
    await this.phase(`${name}: half`, () => this.#carryOut(changes.slice(0, half)));
    await this.rest(`${name}: mixed`);
    await this.phase(`${name}: the rest`, () => this.#carryOut(changes.slice(half)));
  }

  #changesTo(release: Release): Change[] {
    const fleet = this.#fleet;
    const targets = listServices(release);
    const present = fleet.services.filter((service) => !targets.includes(service));
    return [...targets, ...present].flatMap((service) => {
      const replicas = fleet.listReplicas(service);
      const isWanted = targets.includes(service);
      const starting = isWanted ? Math.max(0, REPLICAS - replicas.length) : 0;
      return [
        ...replicas.map((replica) => this.#exchange(replica, isWanted ? release : undefined)),
        ...Array.from({ length: starting }, () => ({
          service,
          what: `+${service}`,
          carryOut: () => fleet.add(service, release),
        })),
      ];
    });
  }

  #exchange(replica: Replica, release: Release | undefined): Change {
    const { service } = replica;
    return release
      ? { service, what: service, carryOut: () => this.#fleet.replace(replica, release) }
      : { service, what: `-${service}`, carryOut: () => this.#fleet.remove(replica) };
  }

  /** Runs several changes at a time, as services roll out side by side, but only one per service. */
  async #carryOut(changes: readonly Change[]): Promise<void> {
    const waiting = [...changes];
    const busy = new Set<ServiceName>();
    const work = async (): Promise<void> => {
      for (;;) {
        const index = waiting.findIndex(({ service }) => !busy.has(service));
        const [change] = index === -1 ? [] : waiting.splice(index, 1);
        if (!change) return;
        busy.add(change.service);
        await change.carryOut();
        busy.delete(change.service);
        this.changed += 1;
      }
    };
    await Promise.all(Array.from({ length: this.#options.atOnce }, work));
    // A worker whose remaining services were all busy has stopped early.
    if (waiting.length > 0) await this.#carryOut(waiting);
  }
}

interface UpgradeOptions extends RolloutOptions, TrialOptions {
  readonly to: Release;
}

/** Upgrades a system under load, downgrades it, and upgrades it again. */
export async function runUpgrade(system: System, outcomes: Outcomes, options: UpgradeOptions): Promise<TrialReport> {
  const { from, to, say } = options;
  await install(system, from);
  say(`running ${from.name}`);
  const rollout = new Rollout(system.fleet, outcomes, options);
  const report = await runUnderLoad(system, outcomes, options, async (load) => {
    /** An earlier release may not have webhooks. */
    const follow = async (release: Release): Promise<void> => {
      if (load.endpoints.length === 0 && listServices(release).includes('webhooks')) await load.followByWebhooks();
    };
    await follow(from);
    await rollout.rest('before');
    await rollout.phase('migrations', () => system.migrate(to));
    await rollout.rest('old code, new schema');
    await rollout.change('forward', to);
    await follow(to);
    await rollout.change('back', from);
    await rollout.change('forward again', to);
    await rollout.rest('after');
  });
  say(`${rollout.changed} replicas were replaced, started or stopped`);
  return report;
}
