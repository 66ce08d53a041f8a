import { createMarkets, type Market } from '../load/markets.ts';
import { auditSystem } from '../measure/audit.ts';
import { Caller } from './caller.ts';
import { startReceiver, findLosses } from './followers.ts';
import { Load, type Rates } from './load.ts';
import { Outcomes } from './outcomes.ts';
import { filterAnswerable, listReads, type Read } from './reads.ts';
import type { Release } from './release.ts';
import type { System } from './system.ts';
import { Transfers } from './transfers.ts';

export interface TrialOptions {
  /** Release of the clients. */
  readonly from: Release;
  readonly rates: Rates;
  say(line: string): void;
}

/** Result of a trial. */
export interface TrialReport {
  readonly outcomes: Outcomes;
  readonly accepted: number;
  readonly transactions: number;
  readonly events: number;
  readonly streams: number;
  readonly messages: number;
  readonly imports: number;
  /** Losses and other faults. Empty if there are none. */
  readonly faults: readonly string[];
  readonly audit: string;
}

const MARKETS = 2;
const ISSUANCES = 600;
const FACILITY_CODE = 'BENCH1';

/** Runs clients of all kinds during an operation on a system, and checks afterwards that nothing is lost. */
export async function runUnderLoad(
  system: System,
  outcomes: Outcomes,
  options: TrialOptions,
  work: (load: Load) => Promise<void>,
): Promise<TrialReport> {
  const { baseUrl, firstPlace: place } = system.fleet;
  const markets = await createMarkets({ baseUrl, place }, MARKETS, ISSUANCES);
  const caller = new Caller(baseUrl, outcomes);
  const receiver = await startReceiver();
  try {
    const reads = await findReads(baseUrl, markets, options);
    const load = new Load({ caller, outcomes, markets, reads, receiver, rates: options.rates });
    load.start();
    await work(load).catch((error: unknown) => {
      load.abort();
      throw error;
    });
    outcomes.beginPhase('until all work has ended');
    await load.end();
    const losses = await findLosses(caller, markets, {
      pollers: load.pollers,
      streamers: load.streamers,
      endpoints: load.endpoints,
      transactions: [...load.transfers.transactions.keys()],
      arrived: (path) => receiver.arrived(path),
      unsigned: receiver.unsigned,
    });
    const audit = await auditSystem(system.place).catch((error: Error) => {
      losses.push(`audit: ${error.message}`);
      return 'the audit has findings';
    });
    const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);
    return {
      outcomes,
      accepted: load.transfers.accepted.length,
      transactions: load.transfers.transactions.size,
      events: sum(load.pollers.map(({ seen }) => seen.size)),
      streams: sum(load.streamers.map(({ streams }) => streams)),
      messages: sum(load.endpoints.map(({ path }) => receiver.arrived(path).length)),
      imports: load.imports,
      faults: [...outcomes.faults, ...losses],
      audit,
    };
  } finally {
    await caller.close();
    await receiver.close();
  }
}

/** Reads that the release of the clients answers. */
async function findReads(
  baseUrl: string,
  [market]: readonly Market[],
  { from, say }: TrialOptions,
): Promise<readonly Read[]> {
  if (!market) throw new Error('The stack has no market.');
  // Failures here only tell which reads this release does not have.
  const unused = new Outcomes();
  const first = new Caller(baseUrl, unused);
  const known = await collectIds(market, first, unused);
  const { reads, leftOut } = await filterAnswerable(first, listReads(from, market, known));
  await first.close();
  say(`${reads.length} kinds of reads${leftOut.length > 0 ? `, without ${leftOut.join(', ')}` : ''}`);
  return reads;
}

/** Ids for the paths of reads, of objects that do not change. */
async function collectIds(market: Market, caller: Caller, outcomes: Outcomes): Promise<Record<string, string>> {
  const transfers = new Transfers(caller, outcomes);
  await transfers.start(market, 'trade');
  await transfers.settle();
  const [accepted] = transfers.accepted;
  const [transactionId] = transfers.transactions.keys();
  const [issuance] = market.issuances;
  if (!accepted || transactionId === undefined || !issuance)
    throw new Error(`No trade succeeded: ${outcomes.faults[0]}`);
  const { accountHolderId, salesChannelId } = market.registry;
  return {
    traderId: market.sellerId,
    transactionId,
    taskId: accepted.taskId,
    issuanceId: issuance.issuanceId,
    code: FACILITY_CODE,
    accountHolderId,
    salesChannelId,
  };
}
