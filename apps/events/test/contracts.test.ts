import { afterAll, beforeAll } from '@jest/globals';
import { newId } from '@saleschannel/primitives';
import { contractTests, type States } from '@saleschannel/testing/contract-tests';
import { startEvents, statusChange, type Events } from './support/events.ts';

/** States named in the contracts of the consumers of events. */
function statesOf(log: Events): States {
  /** Creates a channel with events of these sequences, in this order. */
  const channelWith = async (...sequences: number[]) => {
    const channel = newId();
    await log.publish(sequences.map((sequence) => statusChange(channel, { sequence: String(sequence) })));
    return { channel, events: await log.filled(channel, sequences.length) };
  };
  return {
    async 'a channel whose first and third change were applied'() {
      return { channel: (await channelWith(1, 3)).channel };
    },
    async 'a channel with three events, and one without any'() {
      const { channel, events } = await channelWith(1, 2, 3);
      const [first, second, third] = events;
      if (!first || !second || !third) throw new Error('The log has fewer than three events.');
      return {
        channel,
        empty: newId(),
        first: first.id,
        firstAt: first.createdAt,
        second: second.id,
        third: third.id,
        thirdAt: third.createdAt,
      };
    },
  };
}

let log: Events;
beforeAll(async () => {
  log = await startEvents();
});
afterAll(() => log.stop());

await contractTests('events', () => ({ service: log.service, states: statesOf(log) }));
