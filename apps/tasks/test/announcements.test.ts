import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { MAX_MESSAGE_BYTES } from '@saleschannel/messaging';
import { MAX_UNIT_PRICE, newId } from '@saleschannel/primitives';
import { eventually } from '@saleschannel/testing';
import { parseTransfer, toRetirementDetails } from '../src/domain/transfer.ts';
import { createAnnouncer } from '../src/store/announcements.ts';
import { retryUnanswered, withdrawRefused } from '../src/jobs/retry-pending.ts';
import { report, REPORTED, STATUS_CHANGED, statusChange } from './support/events.ts';
import { RETIREMENT, type Scene } from './support/requests.ts';
import { startTasks, type Tasks } from './support/tasks.ts';
import { waitForEvents, waitForEmptyOutbox, readTrade, startTrade, waitForTrade } from './support/trades.ts';

/** First retry interval in these tests, so long that no task becomes due by itself. */
const INTERVAL_SECONDS = 1_000;

let tasks: Tasks;
let scene: Scene;

/** Makes all announcements older. */
const advance = async (seconds: number): Promise<void> => {
  await tasks.service.sql('update waiting_task set announced_at = announced_at - make_interval(secs => $1)', [seconds]);
  await tasks.service.sql('update outbox set created_at = created_at - make_interval(secs => $1)', [seconds]);
};
const retry = (seconds = INTERVAL_SECONDS): Promise<number> =>
  retryUnanswered(tasks.database, createAnnouncer(1), seconds);
/** Announces all unanswered tasks again, once the outbox is empty. */
const retryAll = async (): Promise<number> => {
  await waitForEmptyOutbox(tasks);
  return retry(0);
};

describe('an unanswered task', () => {
  beforeAll(async () => {
    tasks = await startTasks();
  });
  beforeEach(() => {
    scene = tasks.newScene();
  });
  afterEach(() => tasks.service.sql('delete from waiting_task'));
  afterAll(() => tasks.stop());

  test('is announced again after one interval, then two, four and so on: five times in twenty intervals', async () => {
    const id = await startTrade(tasks, scene);
    const announcedAfter: number[] = [];
    for (let interval = 1; interval <= 20; interval++) {
      await waitForEmptyOutbox(tasks);
      await advance(INTERVAL_SECONDS + 1);
      if ((await retry()) > 0) announcedAfter.push(interval);
    }
    await waitForEmptyOutbox(tasks);
    expect(announcedAfter).toEqual([1, 3, 7, 15]);
    await eventually(() => Promise.resolve(tasks.countAnnouncements(id) === 5), 'five announcements');
  });

  test('is withdrawn after its last announcement, and fails once the ledger confirms', async () => {
    const id = await startTrade(tasks, scene);
    await tasks.waitForAnnouncement(id);
    await waitForEmptyOutbox(tasks);
    for (let count = 1; count <= 8; count++) {
      await advance(200 * INTERVAL_SECONDS);
      expect(await retry()).toBe(1);
      await waitForEmptyOutbox(tasks);
    }
    const withdrawal = await eventually(
      () => Promise.resolve(tasks.withdrawn.find(({ taskId }) => taskId === id)),
      'a withdrawal',
    );
    expect(tasks.countAnnouncements(id)).toBe(8);
    expect(withdrawal.reason).toBe('The ledger did not answer in time, so the transfer was withdrawn.');
    expect(await readTrade(tasks, scene, id)).toMatchObject({ status: 'PENDING' });
    await tasks.publisher.publish(REPORTED, [
      report(id, 'REFUSED', { reason: withdrawal.reason, transactionId: null }),
    ]);
    expect(await waitForTrade(tasks, scene, id, ({ status }) => status === 'FAILED')).toMatchObject({
      message: withdrawal.reason,
    });
  });

  test('succeeds after its withdrawal if the ledger had executed it', async () => {
    const id = await startTrade(tasks, scene);
    await waitForEmptyOutbox(tasks);
    await tasks.service.sql('update waiting_task set announcements = 8 where task_id = $1', [id]);
    await advance(200 * INTERVAL_SECONDS);
    await retry();
    await eventually(() => Promise.resolve(tasks.withdrawn.some(({ taskId }) => taskId === id)), 'a withdrawal');
    await tasks.publisher.publish(REPORTED, [report(id, 'SUCCESS')]);
    await waitForTrade(tasks, scene, id, ({ status }) => status === 'SUCCESS');
  });

  test('is withdrawn at once if the broker refuses its announcement', async () => {
    const [one, other] = [await startTrade(tasks, scene), await startTrade(tasks, scene)];
    const request = await tasks.waitForAnnouncement(one);
    await tasks.service.sql(
      `insert into outbox_refused (id, type, body, reason, created_at)
       values (1000000, 'tasks.transfer.requested.v1', $1, '406', now())`,
      [JSON.stringify({ entries: [request] })],
    );
    expect(await withdrawRefused(tasks.database, createAnnouncer(1))).toBe(1);
    expect(await withdrawRefused(tasks.database, createAnnouncer(1))).toBe(0);
    await eventually(() => Promise.resolve(tasks.withdrawn.some(({ taskId }) => taskId === one)), 'a withdrawal');
    expect(tasks.withdrawn.some(({ taskId }) => taskId === other)).toBe(false);
  });

  test('is announced again in rounds of about one message', async () => {
    const request = await tasks.waitForAnnouncement(await startTrade(tasks, scene));
    const large = { ...request, traceparent: 'x'.repeat(MAX_MESSAGE_BYTES / 2 - 2_000) };
    for (const id of [newId(), newId(), newId()]) {
      await tasks.service.sql('insert into waiting_task (task_id, sales_channel_id, request) values ($1, $2, $3)', [
        id,
        scene.channel,
        JSON.stringify({ ...large, taskId: id }),
      ]);
    }
    await waitForEmptyOutbox(tasks);
    await advance(2 * INTERVAL_SECONDS);
    const rounds: number[] = [];
    for (let count = await retry(); count > 0; count = await retry()) {
      rounds.push(count);
      await waitForEmptyOutbox(tasks);
    }
    expect(rounds.reduce((sum, count) => sum + count)).toBe(4);
    expect(Math.max(...rounds)).toBeLessThanOrEqual(3);
    expect(rounds.length).toBeGreaterThan(1);
  });

  test('is announced again unchanged, until the ledger answers', async () => {
    const [lost, answered] = [await startTrade(tasks, scene), await startTrade(tasks, scene)];
    const first = await tasks.waitForAnnouncement(lost);
    await tasks.waitForAnnouncement(answered);
    await tasks.publisher.publish(REPORTED, [report(answered, 'RESERVED')]);
    await waitForTrade(tasks, scene, answered, ({ transactionId }) => transactionId !== undefined);
    expect(await retryAll()).toBeGreaterThan(0);
    await eventually(() => Promise.resolve(tasks.countAnnouncements(lost) === 2), 'a second announcement');
    expect(tasks.announced.filter(({ taskId }) => taskId === lost)[1]).toEqual(first);
    expect(tasks.countAnnouncements(answered)).toBe(1);
    await tasks.publisher.publish(STATUS_CHANGED, [statusChange(scene, lost, 'SUCCESS')]);
    await waitForTrade(tasks, scene, lost, ({ status }) => status === 'SUCCESS');
    await retryAll();
    await waitForEvents(tasks, scene);
    expect(tasks.countAnnouncements(lost)).toBe(2);
  });

  test('is not announced again before the interval has passed', async () => {
    await tasks.waitForAnnouncement(await startTrade(tasks, scene));
    expect(await retry(3_600)).toBe(0);
  });

  test.each([
    ['this release', {}],
    ['the first release, with null members', { sellerAccountHolderId: null, retirement: null }],
  ])('is announced if its announcement never left the outbox: a task of %s', async (_name, more) => {
    const id = newId();
    const request = { ...(await tasks.waitForAnnouncement(await startTrade(tasks, scene))), taskId: id };
    await tasks.service.sql('insert into waiting_task (task_id, sales_channel_id, request) values ($1, $2, $3)', [
      id,
      scene.channel,
      JSON.stringify({ ...request, ...more }),
    ]);
    await retryAll();
    expect(await tasks.waitForAnnouncement(id)).toEqual(request);
  });

  test('is announced by only one of several concurrent replicas', async () => {
    const id = await startTrade(tasks, scene);
    await tasks.waitForAnnouncement(id);
    await waitForEmptyOutbox(tasks);
    await tasks.service.sql("update waiting_task set announced_at = now() - interval '1 hour' where task_id = $1", [
      id,
    ]);
    const taken = await Promise.all([1, 2, 3, 4].map(() => retry(1_800)));
    expect(taken.toSorted()).toEqual([0, 0, 0, 1]);
    // The ledger receives announcements in order, so with this announcement all earlier ones have arrived.
    await tasks.waitForAnnouncement(await startTrade(tasks, scene));
    expect(tasks.countAnnouncements(id)).toBe(2);
  });
});

test('a task is announced again only if its announcement has left the outbox', async () => {
  tasks = await startTasks({ hasLedger: false });
  scene = tasks.newScene();
  const lost = await startTrade(tasks, scene);
  await tasks.service.sql('delete from outbox');
  await advance(INTERVAL_SECONDS);
  const queued = await startTrade(tasks, scene);
  await advance(2 * INTERVAL_SECONDS);
  // Under load the outbox always has a fresh row.
  await startTrade(tasks, scene);
  expect(await retry()).toBe(1);
  const announced = await tasks.service.sql<{ id: string }>(
    'select task_id as id from waiting_task where announcements > 1',
  );
  expect(announced.map(({ id }) => id)).toEqual([lost]);
  await advance(100 * INTERVAL_SECONDS);
  expect(await retry()).toBe(0);
  expect(await readTrade(tasks, scene, queued)).toMatchObject({ status: 'PENDING' });
  await tasks.stop();
});

test('the largest valid transfer fits into one message', () => {
  const certificate = `${'😀'.repeat(64)}_${'9'.repeat(38)}`;
  const longest = '😀'.repeat(200);
  const unitPrice = `${MAX_UNIT_PRICE - 1n}.999999`;
  const terms = {
    ...RETIREMENT,
    currency: 'EUR',
    beneficiaryName: longest,
    beneficiaryLocation: longest,
    beneficiaryType: longest,
    usageType: longest,
    retirementPurpose: '😀'.repeat(1_000),
    assets: Array.from({ length: 1_000 }, () => ({ range: { start: certificate, end: certificate }, unitPrice })),
  };
  const transfer = parseTransfer('RETIREMENT', { traderId: longest, idempotencyKey: 'k', retirement: terms });
  if (transfer.type !== 'RETIREMENT') throw new Error('not a retirement');
  const request = { assets: transfer.assets, retirement: toRetirementDetails(transfer), rest: 'x'.repeat(2_000) };
  expect(Buffer.byteLength(JSON.stringify(request))).toBeLessThan(MAX_MESSAGE_BYTES);
});
