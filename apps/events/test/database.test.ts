import { afterAll, beforeAll, test } from '@jest/globals';
import { newId } from '@saleschannel/primitives';
import { eventually, smallestPools, proveOwnConnections } from '@saleschannel/testing';
import { startEvents, statusChange, type Events } from './support/events.ts';
import { schemaTests } from '@saleschannel/testing/schema-tests';
import { schema } from '../src/store/schema.ts';

schemaTests(new URL('../src/store', import.meta.url), schema);

let events: Events;
beforeAll(async () => {
  events = await startEvents(smallestPools);
});
afterAll(() => events.stop());

test('events are appended while calls hold all of their connections', async () => {
  const channel = newId();
  await events.publish([statusChange(channel)]);
  await events.filled(channel, 1);
  const change = statusChange(newId());
  await proveOwnConnections({
    service: events.service,
    table: 'event',
    call: () => events.list(channel),
    async work() {
      await events.publish([change]);
      const appended = 'select from event where id = $1';
      await eventually(async () => (await events.service.sql(appended, [change.eventId])).length > 0, 'the event');
    },
  });
});
