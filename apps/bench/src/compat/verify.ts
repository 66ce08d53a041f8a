import type { Caller } from './caller.ts';
import { Poller } from './follow.ts';
import type { Load } from './load.ts';
import type { Market } from '../load/markets.ts';
import type { Receiver } from './receiver.ts';

const SHOWN = 3;

const missing = (what: string, ids: readonly string[]): string[] =>
  ids.length === 0 ? [] : [`${what}: ${ids.length} missing, such as ${ids.slice(0, SHOWN).join(', ')}`];

/** What was lost between what was accepted, what was told, and what is. Empty: nothing. */
export async function findLosses(
  caller: Caller,
  markets: readonly Market[],
  load: Load,
  receiver: Receiver,
): Promise<string[]> {
  const losses: string[] = [];
  const ends = new Map<string, number>();
  for (const [index, market] of markets.entries()) {
    // The log as it is now, read by somebody who did not follow it.
    const log = new Poller(caller, market);
    await log.catchUp();
    const ids = [...log.seen.keys()];
    for (const { payload } of log.seen.values()) {
      if (payload.status === 'SUCCESS' && payload.transactionId !== undefined)
        ends.set(payload.transactionId, (ends.get(payload.transactionId) ?? 0) + 1);
    }
    const { pollers, streamers } = load;
    losses.push(
      ...missing(
        `events that the poller of market ${index} saw`,
        ids.filter((id) => !pollers[index]?.seen.has(id)),
      ),
    );
    losses.push(
      ...missing(
        `events that the stream of market ${index} told`,
        ids.filter((id) => !streamers[index]?.seen.has(id)),
      ),
    );
  }
  for (const id of load.transfers.transactions.keys()) {
    const count = ends.get(id) ?? 0;
    if (count !== 1) losses.push(`transaction ${id} has ${count} events of its end`);
  }
  for (const endpoint of load.endpoints) {
    const expected = load.expectedOf(endpoint);
    const arrived = receiver.arrived(endpoint.path);
    const came = new Set(arrived);
    losses.push(
      ...missing(
        `messages to ${endpoint.path}`,
        expected.filter((id) => !came.has(id)),
      ),
    );
    if (endpoint.ordered) {
      const wanted = new Set(expected);
      const order = arrived.filter((id) => wanted.has(id));
      const at = order.findIndex((id, index) => id !== expected[index]);
      if (at !== -1 && at < expected.length)
        losses.push(`messages to ${endpoint.path} came in another order from ${at}`);
    }
  }
  if (receiver.unsigned > 0) losses.push(`${receiver.unsigned} messages had no right signature`);
  return losses;
}
