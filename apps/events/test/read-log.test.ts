import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { keyHolders } from '@saleschannel/auth';
import type { ServiceClient } from '@saleschannel/grpc';
import { newId } from '@saleschannel/primitives';
import { callAs, catchFailure } from '@saleschannel/testing';
import { idsOf, startEvents, statusChange, type Event, type Events } from './support/events.ts';

let log: Events;
let webhooks: ServiceClient<'eventLog'>;
let events: Event[];
const channel = newId();
const other = newId();

beforeAll(async () => {
  log = await startEvents();
  webhooks = await callAs('webhooks', 'eventLog', log.service.address);
  await log.publish([...Array.from({ length: 5 }, () => statusChange(channel)), statusChange(other)]);
  events = await log.filled(channel, 5);
  await log.filled(other, 1);
});
afterAll(async () => {
  webhooks.close();
  await log.stop();
});

const at = (index: number): string => String(events[index]?.createdAt);

test('ReadLog returns the events between its bounds, without the bounds', async () => {
  const read = async (request: object) =>
    idsOf((await webhooks.ReadLog({ salesChannelId: channel, limit: 100, ...request })).events);
  expect(await read({})).toEqual(idsOf(events));
  expect(await read({ after: at(1) })).toEqual(idsOf(events.slice(2)));
  expect(await read({ before: at(3) })).toEqual(idsOf(events.slice(0, 3)));
  expect(await read({ after: at(0), before: at(4), limit: 2 })).toEqual(idsOf(events.slice(1, 3)));
  expect(await read({ after: at(4) })).toEqual([]);
});

test('ReadLog returns the id of the previous event on request', async () => {
  const request = { salesChannelId: channel, limit: 1, withPrevious: true };
  expect((await webhooks.ReadLog({ ...request, after: at(1) })).previousEventId).toBe(events[1]?.id);
  expect((await webhooks.ReadLog(request)).previousEventId).toBeUndefined();
  expect((await webhooks.ReadLog({ ...request, withPrevious: false, after: at(1) })).previousEventId).toBeUndefined();
});

test('GetHeads returns the heads of logs that have events', async () => {
  const empty = newId();
  // A head without events, as during the first append.
  await log.service.sql('insert into log_head (sales_channel_id) values ($1)', [empty]);
  const { heads } = await webhooks.GetHeads({ salesChannelIds: [channel, other, newId(), empty] });
  expect(heads.map(({ salesChannelId }) => salesChannelId).toSorted()).toEqual([channel, other].toSorted());
  expect(heads.find(({ salesChannelId }) => salesChannelId === channel)?.createdAt).toBe(at(4));
});

test.each([{ limit: 0 }, { limit: 1_001 }, { limit: 1, after: 'yesterday' }])('%j is refused', async (request) => {
  const failure = await catchFailure(webhooks.ReadLog({ salesChannelId: channel, ...request }));
  expect(failure).toMatchObject({ code: 'invalid-request' });
});

test.each(keyHolders.filter((name) => name !== 'webhooks'))('%s may not read logs', async (name) => {
  const client = await callAs(name, 'eventLog', log.service.address);
  expect(await catchFailure(client.GetHeads({ salesChannelIds: [] }))).toMatchObject({ code: 'forbidden' });
  expect(await catchFailure(client.ReadLog({ salesChannelId: channel, limit: 1 }))).toMatchObject({
    code: 'forbidden',
  });
  client.close();
});
