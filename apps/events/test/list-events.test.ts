import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { keyHolders, type KeyHolder } from '@saleschannel/auth';
import type { ServiceClient } from '@saleschannel/grpc';
import { newId } from '@saleschannel/primitives';
import { asRegistry, asUser, callAs, catchFailure } from '@saleschannel/testing';
import { idsOf, startEvents, statusChange, timesOf, type Event, type Events } from './support/events.ts';

let log: Events;
let events: Event[];
const channel = newId();
const changes = [
  statusChange(channel, { status: 'SUCCESS', effectiveAt: '2025-03-04T10:02:12.047Z' }),
  statusChange(channel, { status: 'REJECTED', effectiveAt: '2025-03-04T12:02:12+02:00' }),
  statusChange(channel, { status: 'FAILED' }),
  statusChange(channel),
  statusChange(channel),
];

beforeAll(async () => {
  log = await startEvents();
  await log.publish(changes);
  events = await log.filled(channel, changes.length);
});
afterAll(() => log.stop());

/** Recording time of the event at this index. */
function timeOf(index: number): string {
  const event = events[index];
  if (!event) throw new Error(`The log has no event ${index}.`);
  return event.createdAt;
}
/** Adds a nanosecond. */
const nanosecondAfter = (time: string): string => time.replace('Z', '000001Z');

describe('ListEvents', () => {
  test('returns the events of the channel as recorded', () => {
    expect(events).toEqual(
      changes.map((change, index) => ({
        id: change.eventId,
        eventType: 'TRANSACTION_STATUS_CHANGE',
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        eventAt: index === 1 ? '2025-03-04T10:02:12.000Z' : '2025-03-04T10:02:12.047Z',
        transactionId: change.transactionId,
        status: change.status,
      })),
    );
  });

  test('returns the times of recording, which strictly increase', () => {
    const [first = Number.NaN, ...others] = timesOf(events);
    let before = first;
    for (const time of others) {
      expect(time).toBeGreaterThan(before);
      before = time;
    }
    expect(Math.abs(Date.now() - first)).toBeLessThan(60_000);
  });

  test.each([
    ['createdAtGt', 2, [3, 4]],
    ['createdAtGte', 2, [2, 3, 4]],
    ['createdAtLt', 2, [0, 1]],
    ['createdAtLte', 2, [0, 1, 2]],
  ] as const)('%s', async (bound, index, expected) => {
    expect(idsOf(await log.list(channel, { filter: { [bound]: timeOf(index) } }))).toEqual(
      expected.map((at) => changes[at]?.eventId),
    );
  });

  test('compares bounds at full precision', async () => {
    const justAfter = nanosecondAfter(timeOf(2));
    expect(idsOf(await log.list(channel, { filter: { createdAtGte: justAfter } }))).toEqual(idsOf(events.slice(3)));
    expect(idsOf(await log.list(channel, { filter: { createdAtLt: justAfter } }))).toEqual(idsOf(events.slice(0, 3)));
  });

  test('combines bounds, with any time zone', async () => {
    const local = new Date(Date.parse(timeOf(1)) + 2 * 3_600_000).toISOString().replace('Z', '+02:00');
    expect(idsOf(await log.list(channel, { filter: { createdAtGte: local, createdAtLt: timeOf(3) } }))).toEqual(
      idsOf(events.slice(1, 3)),
    );
    expect(await log.list(channel, { filter: { createdAtGt: timeOf(3), createdAtLt: timeOf(1) } })).toEqual([]);
  });

  test('filters by event type', async () => {
    expect(await log.list(channel, { filter: { eventType: 'TRANSACTION_STATUS_CHANGE' } })).toEqual(events);
  });

  test('reverses the order', async () => {
    expect(await log.list(channel, { descending: true })).toEqual(events.toReversed());
    expect(idsOf(await log.list(channel, { descending: true, limit: 2, filter: { createdAtLte: timeOf(3) } }))).toEqual(
      idsOf(events.slice(2, 4).toReversed()),
    );
  });

  test('limits the page', async () => {
    expect(idsOf(await log.list(channel, { limit: 1 }))).toEqual(idsOf(events.slice(0, 1)));
    expect(await log.list(channel, { limit: 1000 })).toEqual(events);
  });

  test("hides other channels' events", async () => {
    expect(await log.list(newId())).toEqual([]);
  });
});

describe('ListEvents refuses with invalid-request', () => {
  test.each([
    [{ limit: 0 }, '$limit', 'minimum'],
    [{ limit: -1 }, '$limit', 'minimum'],
    [{ limit: 1001 }, '$limit', 'maximum'],
    [{ filter: { createdAtGte: 'yesterday' } }, '$filter', 'format'],
    [{ filter: { createdAtGt: '2025-03-04T10:02:12' } }, '$filter', 'format'],
    [{ filter: { createdAtLt: '' } }, '$filter', 'format'],
    [{ filter: { createdAtLte: '2025-02-30T00:00:00Z' } }, '$filter', 'format'],
    [{ filter: { eventType: 'TRANSACTION' } }, '$filter', 'enum'],
    [{ filter: { eventType: '' } }, '$filter', 'enum'],
  ])('%j', async (request, parameter, code) => {
    const error = await catchFailure(log.list(channel, request));
    expect(error).toMatchObject({ code: 'invalid-request', violations: [{ parameter, code }] });
  });

  test('all faults', async () => {
    const error = await catchFailure(
      log.list(channel, { limit: 0, filter: { createdAtGt: 'x', createdAtLt: 'y', eventType: 'z' } }),
    );
    expect(error.violations?.map(({ code }) => code)).toEqual(['format', 'format', 'enum', 'minimum']);
  });
});

describe('ListEvents refuses with forbidden', () => {
  const listAs = async (caller: KeyHolder, options: { principalToken?: string }): Promise<unknown> => {
    const client = await callAs(caller, 'events', log.service.address);
    return client.ListEvents({ limit: 10 }, options).finally(() => client.close());
  };

  test('a user without EVENT_VIEWER', async () => {
    expect(
      await catchFailure(listAs('gateway', await asUser(channel, ['ROLE_ADMINISTRATOR', 'TRANSACTION_ADMINISTRATOR']))),
    ).toMatchObject({ code: 'forbidden' });
  });

  test('a user without a channel', async () => {
    expect(await catchFailure(listAs('gateway', await asUser(undefined, ['EVENT_VIEWER'])))).toMatchObject({
      code: 'forbidden',
    });
  });

  test('a registry key', async () => {
    expect(await catchFailure(listAs('gateway', await asRegistry()))).toMatchObject({ code: 'forbidden' });
  });

  test.each(keyHolders.filter((name) => name !== 'gateway'))('the service %s', async (caller) => {
    expect(await catchFailure(listAs(caller, await asUser(channel, ['EVENT_VIEWER'])))).toMatchObject({
      code: 'forbidden',
    });
  });
});

test('ListEvents refuses a call without a principal', async () => {
  const client = await callAs('gateway', 'events', log.service.address);
  expect(await catchFailure(client.ListEvents({ limit: 10 }))).toMatchObject({ code: 'unauthenticated' });
  client.close();
});

describe('the log for webhooks', () => {
  let webhooks: ServiceClient<'eventLog'>;
  let events: Event[];
  const channel = newId();
  const other = newId();

  beforeAll(async () => {
    webhooks = await callAs('webhooks', 'eventLog', log.service.address);
    await log.publish([...Array.from({ length: 5 }, () => statusChange(channel)), statusChange(other)]);
    events = await log.filled(channel, 5);
    await log.filled(other, 1);
  });
  afterAll(() => webhooks.close());

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
});
