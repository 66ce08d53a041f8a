import { afterAll, beforeAll } from '@jest/globals';
import { contractTests } from '@saleschannel/testing/contract-tests';
import { statesOf } from './support/contract-states.ts';
import { startEvents, type Events } from './support/events.ts';

let log: Events;
beforeAll(async () => {
  log = await startEvents();
});
afterAll(() => log.stop());

await contractTests('events', () => ({ service: log.service, states: statesOf(log) }));
