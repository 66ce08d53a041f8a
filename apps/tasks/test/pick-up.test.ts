import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { newId } from '@saleschannel/primitives';
import { eventually } from '@saleschannel/testing';
import { createAnnouncer } from '../src/operations/announce.ts';
import { pickUpForgotten } from '../src/operations/pick-up-forgotten.ts';
import { report, REPORTED, STATUS_CHANGED, statusChange } from './support/events.ts';
import type { Scene } from './support/requests.ts';
import { startTasks, type Task, type Tasks } from './support/tasks.ts';
import { eventsHandled, outboxEmpty, startTrade, tradeBecomes } from './support/trades.ts';

let tasks: Tasks;
let scene: Scene;
beforeAll(async () => {
  tasks = await startTasks();
});
beforeEach(() => {
  scene = tasks.newScene();
});
afterAll(() => tasks.stop());

const started = (): Promise<string> => startTrade(tasks, scene);
const becomes = (id: string, is: (task: Task) => boolean): Promise<Task> => tradeBecomes(tasks, scene, id, is);

describe('a task that heard nothing', () => {
  /** Looks for forgotten tasks when no announcement waits any more. */
  const pickUp = (): Promise<number> =>
    eventually(async () => {
      const waiting = await tasks.service.sql('select 1 as one from outbox');
      return waiting.length === 0 && pickUpForgotten(tasks.database, createAnnouncer(1), 0);
    }, 'an empty outbox');

  test('is announced again, as it was announced first, until the ledger answers', async () => {
    const [lost, answered] = [await started(), await started()];
    const first = await tasks.announcementOf(lost);
    await tasks.announcementOf(answered);
    await tasks.publisher.publish(REPORTED, [report(answered, 'RESERVED')]);
    await becomes(answered, ({ transactionId }) => transactionId !== undefined);
    expect(await pickUp()).toBeGreaterThan(0);
    await eventually(() => Promise.resolve(tasks.announcements(lost) === 2), 'a second announcement');
    expect(tasks.announced.filter(({ taskId }) => taskId === lost)[1]).toEqual(first);
    expect(tasks.announcements(answered)).toBe(1);
    await tasks.publisher.publish(STATUS_CHANGED, [statusChange(scene, lost, 'SUCCESS')]);
    await becomes(lost, ({ status }) => status === 'SUCCESS');
    await pickUp();
    await eventsHandled(tasks, scene);
    expect(tasks.announcements(lost)).toBe(2);
  });

  test('is left alone before its time', async () => {
    await tasks.announcementOf(await started());
    expect(await pickUpForgotten(tasks.database, createAnnouncer(1), 3_600)).toBe(0);
  });

  test.each([
    ['of this release', {}],
    ['of the first one, which also announced what there was not', { sellerAccountHolderId: null, retirement: null }],
  ])('whose announcement never left the outbox is announced: a task %s', async (_name, more) => {
    const id = newId();
    const request = { ...(await tasks.announcementOf(await started())), taskId: id };
    await tasks.service.sql('insert into waiting_task (task_id, sales_channel_id, request) values ($1, $2, $3)', [
      id,
      scene.channel,
      JSON.stringify({ ...request, ...more }),
    ]);
    await pickUp();
    expect(await tasks.announcementOf(id)).toEqual(request);
  });

  test('is taken by one of several replicas that look at once', async () => {
    const id = await started();
    await tasks.announcementOf(id);
    await outboxEmpty(tasks);
    await tasks.service.sql("update waiting_task set announced_at = now() - interval '1 hour' where task_id = $1", [
      id,
    ]);
    const taken = await Promise.all([1, 2, 3, 4].map(() => pickUpForgotten(tasks.database, createAnnouncer(1), 1_800)));
    expect(taken.toSorted()).toEqual([0, 0, 0, 1]);
    // The ledger hears in order: whatever was announced of the task comes before this one.
    await tasks.announcementOf(await started());
    expect(tasks.announcements(id)).toBe(2);
  });
});
