import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { withDeadLetters, type DeadLetter } from '@saleschannel/messaging';
import { newId } from '@saleschannel/primitives';
import { callAs, collect, eventually, catchFailure, testBrokerUrl } from '@saleschannel/testing';
import { idsOf, startEvents, statusChange, timesOf, type Events } from './support/events.ts';

let log: Events;
let channel: string;
beforeAll(async () => {
  log = await startEvents();
});
beforeEach(() => {
  channel = newId();
});
afterAll(() => log.stop());

const change = (sequence: number, fields: Parameters<typeof statusChange>[1] = {}) =>
  statusChange(channel, { sequence: String(sequence), ...fields });

const deadLetterOf = (eventId: string): Promise<DeadLetter> =>
  eventually(
    () =>
      withDeadLetters(testBrokerUrl(), log.namespace, async (letters) =>
        (await letters.list('events.log', 100)).find(({ body }) => body.includes(eventId)),
      ),
    'a dead letter',
  );

test('GetLedgerProgress returns the applied sequences, with gaps', async () => {
  expect(await log.progress(channel)).toBeUndefined();
  await log.publish([change(1), change(2), change(3)]);
  await log.filled(channel, 3);
  expect(await log.progress(channel)).toEqual({ salesChannelId: channel, upto: '3', highest: '3', gaps: [] });
  await log.publish([change(9), change(6), change(5)]);
  await log.filled(channel, 6);
  expect(await log.progress(channel)).toEqual({
    salesChannelId: channel,
    upto: '3',
    highest: '9',
    gaps: [
      { first: '4', last: '4' },
      { first: '7', last: '8' },
    ],
  });
  await log.publish([change(8), change(4), change(7)]);
  await log.filled(channel, 9);
  expect(await log.progress(channel)).toMatchObject({ upto: '9', highest: '9', gaps: [] });
});

test('GetLedgerProgress reports a gap at the beginning', async () => {
  await log.publish([change(3)]);
  await log.filled(channel, 1);
  expect(await log.progress(channel)).toMatchObject({ upto: '0', highest: '3', gaps: [{ first: '1', last: '2' }] });
});

test('a repeated change is recorded once, even with another event id', async () => {
  const [first, second] = [change(1), change(2)];
  await log.publish([first, second]);
  const before = await log.filled(channel, 2);
  await log.publish([{ ...first, eventId: newId() }, second, { ...second, eventId: newId() }, change(3)]);
  const after = await log.filled(channel, 3);
  expect(after.slice(0, 2)).toEqual(before);
  expect(after).toHaveLength(3);
});

test('a change recorded by the first release gets its sequence, and no second event', async () => {
  const old = statusChange(channel);
  await log.publish([old]);
  const before = await log.filled(channel, 1);
  await log.publish([{ ...old, eventId: newId(), sequence: '1' }]);
  await eventually(async () => (await log.progress(channel))?.upto === '1', 'its sequence');
  expect(await log.list(channel)).toEqual(before);
});

test('a late change is appended at the end of the log, where readers find it', async () => {
  const late = change(1);
  await log.publish([change(2), change(3)]);
  const [last] = (await log.filled(channel, 2)).slice(-1);
  await log.publish([late]);
  const events = await log.filled(channel, 3);
  expect(events[2]?.id).toBe(late.eventId);
  const found = await log.list(channel, { filter: { createdAtGte: last?.createdAt as string } });
  expect(idsOf(found)).toEqual([last?.id, late.eventId]);
  expect(timesOf(events)).toEqual(timesOf(events).toSorted((one, other) => one - other));
});

test.each([
  ['another transaction has its sequence', { sequence: '1' }],
  ['it has another sequence in the log', { sequence: '7', isSame: true }],
  ['its transaction ended differently', { sequence: '7', isSame: true, status: 'REJECTED' }],
])('a change that contradicts the log becomes a dead letter and changes nothing: %s', async (_reason, fields) => {
  const known = change(1);
  await log.publish([known]);
  const before = await log.filled(channel, 1);
  const { sequence, isSame, status = 'SUCCESS' } = fields as { sequence: string; isSame?: true; status?: 'REJECTED' };
  const contradicting = { ...(isSame ? known : change(1)), eventId: newId(), sequence, status } as const;
  const valid = change(2);
  await log.publish([contradicting, valid]);
  const letter = await deadLetterOf(contradicting.eventId);
  expect(letter.reason).toContain(`sequence ${sequence} of channel ${channel}`);
  expect(letter.reason).toContain(known.transactionId);
  const after = await log.filled(channel, 2);
  expect(after[0]).toEqual(before[0]);
  expect(idsOf(after)).toEqual([known.eventId, valid.eventId]);
  expect(await log.progress(channel)).toMatchObject({ upto: '2', highest: '2' });
});

test('the progress of many channels takes several messages, and the database refuses invalid progress', async () => {
  await log.service.sql(
    `insert into ledger_progress select 'paged-' || number, '{[1,2)}' from generate_series(1, 1100) as number`,
  );
  const inventory = await callAs('inventory', 'ledgerProgress', log.service.address, 'events');
  const messages = await collect(inventory.GetLedgerProgress({}));
  const ids = messages.flatMap(({ channels }) => channels.map(({ salesChannelId }) => salesChannelId));
  inventory.close();
  expect(messages.length).toBeGreaterThan(2);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.filter((id) => id.startsWith('paged-'))).toHaveLength(1_100);
  for (const applied of ['{}', '{[0,2)}'])
    expect((await catchFailure(log.service.sql(`insert into ledger_progress values ('x', '${applied}')`))).code).toBe(
      '23514',
    );
});

test('only inventory may call GetLedgerProgress', async () => {
  const gateway = await callAs('gateway', 'ledgerProgress', log.service.address, 'events');
  expect((await catchFailure(collect(gateway.GetLedgerProgress({})))).code).toBe('forbidden');
  gateway.close();
});
