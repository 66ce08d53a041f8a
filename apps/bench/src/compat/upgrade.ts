import { setTimeout as delay } from 'node:timers/promises';
import type { ServiceName } from '@saleschannel/installation';
import { startReceiver, type Receiver } from './receiver.ts';
import { createMarkets, type Market } from '../load/markets.ts';
import { auditAfterwards } from '../measure/audit.ts';
import { Caller } from './caller.ts';
import { drawn, randomOf } from './draw.ts';
import type { Fleet, Replica } from './fleet.ts';
import { Load, type Rates } from './load.ts';
import { Outcomes } from './outcomes.ts';
import { answerable, readsOf } from './reads.ts';
import type { Release } from './release.ts';
import { isReplicated, type System } from './system.ts';
import { Transfers } from './transfers.ts';
import { findLosses } from './verify.ts';

export interface UpgradeOptions {
  readonly from: Release;
  readonly to: Release;
  readonly seed: number;
  /** How long it stays as it is before, between and after. */
  readonly mixedSeconds: number;
  /** How many replicas are exchanged at a time, each of another service. */
  readonly atOnce: number;
  readonly rates: Rates;
  say(line: string): void;
}

export interface Report {
  readonly outcomes: Outcomes;
  readonly accepted: number;
  readonly transactions: number;
  readonly events: number;
  readonly streams: number;
  readonly messages: number;
  readonly imports: number;
  readonly exchanged: number;
  /** What was lost or is wrong. Empty: nothing. */
  readonly faults: readonly string[];
  readonly audit: string;
}

const REPLICAS = 2;
const MARKETS = 2;
const ISSUANCES = 600;
const WEBHOOKS: ServiceName = 'webhooks';

/** Upgrades a system under load, goes back, and upgrades again. */
export async function tryUpgrade(system: System, outcomes: Outcomes, options: UpgradeOptions): Promise<Report> {
  const { from, to, say } = options;
  const rollout = new Rollout(system.fleet, outcomes, options);
  await system.migrate(from);
  await rollout.install(from);
  say(`${from.name} runs, with ${REPLICAS} replicas of each service`);
  const markets = await createMarkets(
    { baseUrl: system.fleet.baseUrl, place: system.fleet.firstPlace },
    MARKETS,
    ISSUANCES,
  );
  const caller = new Caller(system.fleet.baseUrl, outcomes);
  const receiver = await startReceiver();
  try {
    const load = await beginLoad({ caller, outcomes, markets, receiver, options });
    const follow = (release: Release): Promise<void> | void =>
      load.endpoints.length === 0 && servicesOf(release).includes(WEBHOOKS) ? load.followByWebhooks() : undefined;
    await follow(from);
    await rollout.phase(`${from.name} alone`, () => delay(options.mixedSeconds * 1_000));
    await rollout.phase('migrations', () => system.migrate(to));
    await rollout.phase('old code on the new schema', () => delay(options.mixedSeconds * 1_000));
    await rollout.change('forward', to);
    await follow(to);
    await rollout.change('back', from);
    await rollout.change('forward again', to);
    await rollout.phase(`${to.name} alone`, () => delay(options.mixedSeconds * 1_000));
    await rollout.phase('until all has ended', () => load.end());
    const losses = await findLosses(caller, markets, load, receiver);
    const audit = await auditAfterwards(system.place).catch((error: Error) => {
      losses.push(`audit: ${error.message}`);
      return 'the audit found something';
    });
    return reportOf({ outcomes, load, receiver, audit, losses, exchanged: rollout.exchanged });
  } finally {
    await caller.close();
    await receiver.close();
  }
}

interface Parts {
  readonly caller: Caller;
  readonly outcomes: Outcomes;
  readonly markets: readonly Market[];
  readonly receiver: Receiver;
  readonly options: Pick<UpgradeOptions, 'from' | 'rates' | 'say'>;
}

async function beginLoad({ caller, outcomes, markets, receiver, options }: Parts): Promise<Load> {
  const [market] = markets;
  if (!market) throw new Error('there is no market');
  // Of what fails here it is only asked which reads a client of this release has.
  const trial = new Outcomes();
  const first = new Caller(caller.baseUrl, trial);
  const known = await knownOf(market, first, trial);
  const { reads, leftOut } = await answerable(first, readsOf(options.from, market, known));
  await first.close();
  options.say(`${reads.length} kinds of reads${leftOut.length > 0 ? `, without ${leftOut.join(', ')}` : ''}`);
  const load = new Load({ caller, outcomes, markets, reads, receiver, rates: options.rates });
  load.begin();
  return load;
}

/** Ids for the paths of reads, of things that stay as they are. */
async function knownOf(market: Market, caller: Caller, trial: Outcomes): Promise<Record<string, string>> {
  const transfers = new Transfers(caller, trial);
  await transfers.start(market, 'trade');
  await transfers.settle();
  const [issuance] = market.issuances;
  const { accountHolderId, salesChannelId } = market.registry;
  const [transactionId = ''] = transfers.transactions.keys();
  return {
    traderId: market.sellerId,
    transactionId,
    taskId: transfers.accepted[0]?.taskId ?? '',
    issuanceId: issuance?.issuanceId ?? '',
    code: 'BENCH1',
    accountHolderId,
    salesChannelId,
  };
}

const servicesOf = ({ installation }: Release): ServiceName[] =>
  installation.services.map(({ name }) => name).filter(isReplicated);

/** One replica to be exchanged, started or ended. */
interface Change {
  readonly service: ServiceName;
  readonly what: string;
  carryOut(): Promise<unknown>;
}

class Rollout {
  exchanged = 0;
  readonly #fleet: Fleet;
  readonly #outcomes: Outcomes;
  readonly #options: UpgradeOptions;
  readonly #random: () => number;

  constructor(fleet: Fleet, outcomes: Outcomes, options: UpgradeOptions) {
    this.#fleet = fleet;
    this.#outcomes = outcomes;
    this.#options = options;
    this.#random = randomOf(options.seed);
  }

  async install(release: Release): Promise<void> {
    const services = servicesOf(release);
    const behind = services.filter((name) => name !== 'gateway');
    for (let replica = 0; replica < REPLICAS; replica++)
      await Promise.all(behind.map((service) => this.#fleet.add(service, release)));
    for (let replica = 0; replica < REPLICAS; replica++) await this.#fleet.add('gateway', release);
  }

  async phase(name: string, work: () => Promise<unknown>): Promise<void> {
    this.#outcomes.begin(name);
    const startedAt = performance.now();
    await work();
    this.#options.say(
      `${name}: ${((performance.now() - startedAt) / 1_000).toFixed(0)} s, ${this.#outcomes.failures.length} failed so far`,
    );
  }

  /** Exchanges replica by replica, in an order that is drawn, and rests half way. */
  async change(name: string, release: Release): Promise<void> {
    const changes = drawn(this.#changesTo(release), this.#random);
    this.#options.say(`${name}, in this order: ${changes.map(({ what }) => what).join(' ')}`);
    const half = Math.ceil(changes.length / 2);
    await this.phase(`${name}: half`, () => this.#carryOut(changes.slice(0, half)));
    await this.phase(`${name}: mixed`, () => delay(this.#options.mixedSeconds * 1_000));
    await this.phase(`${name}: the rest`, () => this.#carryOut(changes.slice(half)));
  }

  #changesTo(release: Release): Change[] {
    const fleet = this.#fleet;
    const wanted = servicesOf(release);
    const known = [...new Set([...servicesOf(this.#options.from), ...servicesOf(this.#options.to)])];
    return known.flatMap((service) => {
      const replicas = fleet.of(service);
      const starting = wanted.includes(service) ? Math.max(0, REPLICAS - replicas.length) : 0;
      return [
        ...replicas.map((replica) => this.#exchange(replica, wanted.includes(service) ? release : undefined)),
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

  /** Several at a time, as services roll side by side, but one of each service. */
  async #carryOut(changes: readonly Change[]): Promise<void> {
    const waiting = [...changes];
    const busy = new Set<ServiceName>();
    const work = async (): Promise<void> => {
      while (waiting.length > 0) {
        const index = waiting.findIndex(({ service }) => !busy.has(service));
        if (index === -1) return;
        const [change] = waiting.splice(index, 1);
        if (!change) return;
        busy.add(change.service);
        await change.carryOut();
        busy.delete(change.service);
        this.exchanged += 1;
      }
    };
    // A worker that found only what others are at leaves its part to them.
    await Promise.all(Array.from({ length: this.#options.atOnce }, work));
    if (waiting.length > 0) await this.#carryOut(waiting);
  }
}

interface Ended {
  readonly outcomes: Outcomes;
  readonly load: Load;
  readonly receiver: Receiver;
  readonly audit: string;
  readonly losses: readonly string[];
  readonly exchanged: number;
}

function reportOf({ outcomes, load, receiver, audit, losses, exchanged }: Ended): Report {
  const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);
  return {
    outcomes,
    accepted: load.transfers.accepted.length,
    transactions: load.transfers.transactions.size,
    events: sum(load.pollers.map(({ seen }) => seen.size)),
    streams: sum(load.streamers.map(({ streams }) => streams)),
    messages: sum(load.endpoints.map(({ path }) => receiver.arrived(path).length)),
    imports: load.imports,
    exchanged,
    faults: [...outcomes.faults, ...losses],
    audit,
  };
}
