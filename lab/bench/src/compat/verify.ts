import type { Market } from '../load/markets.ts';
import type { Caller } from './caller.ts';
import { listExpected, Poller, type Endpoint } from './follow.ts';

/** Everything that clients received during a run. */
export interface Received {
  /** Pollers by market, in the same order as the streams. */
  readonly pollers: readonly Pick<Poller, 'seen'>[];
  readonly streamers: readonly { readonly seen: ReadonlySet<string> }[];
  readonly endpoints: readonly Endpoint[];
  /** Transactions of the tasks that succeeded. */
  readonly transactions: readonly string[];
  /** Messages to an endpoint, in the order of arrival. */
  arrived(path: string): readonly string[];
  readonly unsigned: number;
}

const SHOWN = 3;

const missing = (what: string, ids: readonly string[]): string[] =>
  ids.length === 0 ? [] : [`${what}: ${ids.length} missing, such as ${ids.slice(0, SHOWN).join(', ')}`];

/** Compares accepted requests and received events with the current data. Empty if nothing is lost. */
export async function findLosses(caller: Caller, markets: readonly Market[], received: Received): Promise<string[]> {
  const losses: string[] = [];
  const ends = new Map<string, number>();
  for (const [index, market] of markets.entries()) {
    // Read the current log with a client that did not follow it.
    const log = new Poller(caller, market);
    await log.catchUp();
    for (const { payload } of log.seen.values()) {
      if (payload.status === 'SUCCESS' && payload.transactionId !== undefined)
        ends.set(payload.transactionId, (ends.get(payload.transactionId) ?? 0) + 1);
    }
    const unknownTo = (seen: Pick<ReadonlySet<string>, 'has'> | undefined): string[] =>
      [...log.seen.keys()].filter((id) => !seen?.has(id));
    losses.push(
      ...missing(`events polled in market ${index}`, unknownTo(received.pollers[index]?.seen)),
      ...missing(`events of the stream of market ${index}`, unknownTo(received.streamers[index]?.seen)),
    );
  }
  for (const id of received.transactions) {
    const count = ends.get(id) ?? 0;
    if (count !== 1) losses.push(`${id} has ${count} final events`);
  }
  for (const endpoint of received.endpoints)
    losses.push(...findMissingMessages(endpoint, received.arrived(endpoint.path)));
  if (received.unsigned > 0) losses.push(`${received.unsigned} messages had no valid signature`);
  return losses;
}

function findMissingMessages(endpoint: Endpoint, arrived: readonly string[]): string[] {
  const expected = listExpected(endpoint);
  const received = new Set(arrived);
  const lost = expected.filter((id) => !received.has(id));
  if (lost.length > 0 || !endpoint.ordered) return missing(`messages to ${endpoint.path}`, lost);
  const expectedIds = new Set(expected);
  const order = arrived.filter((id) => expectedIds.has(id));
  const at = order.findIndex((id, index) => id !== expected[index]);
  return at === -1 ? [] : [`messages to ${endpoint.path} arrived in another order from number ${at} on`];
}
