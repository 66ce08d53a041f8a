import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Role } from '@saleschannel/auth';
import type { TransferType } from '@saleschannel/contracts';
import type { ServiceClient } from '@saleschannel/grpc';
import { newId } from '@saleschannel/primitives';
import { asUser, callAs, catchFailure } from '@saleschannel/testing';
import { report, REPORTED } from './support/events.ts';
import { offramp, retirement, trade, type Scene } from './support/requests.ts';
import { messageTypes, startTasks, type Tasks } from './support/tasks.ts';
import { startTrade, waitForTrade } from './support/trades.ts';

let tasks: Tasks;
let scene: Scene;
beforeAll(async () => {
  tasks = await startTasks();
});
beforeEach(() => {
  scene = tasks.newScene();
});
afterAll(() => tasks.stop());

describe('GetTask', () => {
  test('returns a task by type, trader and id, to users with the role for the type', async () => {
    const [one, two, three] = [
      await tasks.start(await trade(scene)),
      await tasks.start(await retirement(scene)),
      await tasks.start(await offramp(scene)),
    ];
    expect(await tasks.get(scene.channel, 'TRADE', scene.seller, one.task.id)).toEqual(one.task);
    expect(await tasks.get(scene.channel, 'RETIREMENT', scene.seller, two.task.id)).toEqual(two.task);
    expect(await tasks.get(scene.channel, 'OFFRAMP', scene.onboarded, three.task.id)).toEqual(three.task);
  });

  test("is not-found for another channel's, trader's or type's task, and for an unknown one", async () => {
    const id = await startTrade(tasks, scene);
    const answers = [
      await catchFailure(tasks.get(tasks.newScene().channel, 'TRADE', scene.seller, id)),
      await catchFailure(tasks.get(scene.channel, 'TRADE', scene.buyer, id)),
      await catchFailure(tasks.get(scene.channel, 'RETIREMENT', scene.seller, id)),
      await catchFailure(tasks.get(scene.channel, 'OFFRAMP', scene.seller, id)),
      await catchFailure(tasks.get(scene.channel, 'TRADE', scene.seller, 'nothing')),
      await catchFailure(tasks.get(scene.channel, 'TRADE', scene.seller, '')),
      await catchFailure(tasks.get(scene.channel, 'TRADE', scene.seller, 'a\0b')),
      await catchFailure(tasks.get(scene.channel, 'TRADE', 'a\0b', id)),
    ];
    expect(new Set(answers.map(({ code, message }) => `${code} ${message}`)).size).toBe(1);
    expect(answers[0]?.code).toBe('not-found');
  });

  test('returns only own tasks to concurrent requests of different channels', async () => {
    const scenes = await Promise.all(
      [scene, tasks.newScene(), tasks.newScene()].map(async (each) => ({
        ...each,
        ids: [await startTrade(tasks, each), await startTrade(tasks, each)],
      })),
    );
    const ids = [...scenes.flatMap((each) => each.ids), 'nothing'];
    const traders = scenes.map(({ seller }) => seller);
    const requests = scenes.flatMap((own) => traders.flatMap((trader) => ids.map((id) => ({ own, trader, id }))));
    const answers = await Promise.all(
      requests.map(({ own, trader, id }) =>
        tasks.get(own.channel, 'TRADE', trader, id).then(
          (task) => task.id,
          ({ code }: { code: string }) => code,
        ),
      ),
    );
    const isOwn = ({ own, trader, id }: (typeof requests)[number]) => own.ids.includes(id) && trader === own.seller;
    expect(answers).toEqual(requests.map((request) => (isOwn(request) ? request.id : 'not-found')));
  });

  test('checks the role for the type before it looks up the task', async () => {
    const get = async (type: TransferType, roles: readonly Role[]) => {
      const request = { type: messageTypes[type], traderId: scene.seller, taskId: 'x' };
      return catchFailure(tasks.gateway.GetTask(request, await asUser(scene.channel, roles)));
    };
    expect(await get('TRADE', ['ASSET_OFFRAMPER', 'TRADER_ADMINISTRATOR', 'ASSET_VIEWER'])).toMatchObject({
      code: 'forbidden',
    });
    expect(await get('RETIREMENT', ['ASSET_OFFRAMPER'])).toMatchObject({ code: 'forbidden' });
    expect(await get('OFFRAMP', ['TRANSACTION_ADMINISTRATOR'])).toMatchObject({ code: 'forbidden' });
    const request = { type: messageTypes.TRADE, traderId: 'x', taskId: 'x' };
    const unbound = await asUser(undefined, ['TRANSACTION_ADMINISTRATOR']);
    expect(await catchFailure(tasks.gateway.GetTask(request, unbound))).toMatchObject({ code: 'forbidden' });
    expect(await catchFailure(tasks.gateway.GetTask(request))).toMatchObject({ code: 'unauthenticated' });
  });

  test.each([undefined, 'TRANSFER_TYPE_UNSPECIFIED' as const])('invalid-request: the type %p', async (type) => {
    const id = await startTrade(tasks, scene);
    const request = { traderId: scene.seller, taskId: id, ...(type === undefined ? {} : { type }) };
    const answer = tasks.gateway.GetTask(request, await asUser(scene.channel, ['TRANSACTION_ADMINISTRATOR']));
    expect(await catchFailure(answer)).toMatchObject({ code: 'invalid-request', violations: [{ code: 'enum' }] });
  });
});

describe('CountOpenTasks', () => {
  let rbac: ServiceClient<'channelTasks'>;
  beforeAll(async () => {
    rbac = await callAs('rbac', 'channelTasks', tasks.service.address, 'tasks');
  });
  afterAll(() => rbac.close());

  const countOpen = async (salesChannelId: string) => (await rbac.CountOpenTasks({ salesChannelId })).tasks;

  test('tasks are open while they wait for the ledger or for an approval', async () => {
    const [scene, other] = [tasks.newScene(), tasks.newScene()];
    const [waiting, approved, refused] = [
      await startTrade(tasks, scene),
      await startTrade(tasks, scene),
      await startTrade(tasks, scene),
    ];
    await startTrade(tasks, other);
    expect(await countOpen(scene.channel)).toEqual({ count: 3, isMore: false });
    await tasks.publisher.publish(REPORTED, [report(approved, 'RESERVED', { transactionId: newId() })]);
    await waitForTrade(tasks, scene, approved, ({ transactionId }) => transactionId !== undefined);
    expect(await countOpen(scene.channel)).toEqual({ count: 3, isMore: false });
    await tasks.publisher.publish(REPORTED, [report(refused, 'REFUSED', { transactionId: null })]);
    await waitForTrade(tasks, scene, refused, ({ status }) => status === 'FAILED');
    await tasks.publisher.publish(REPORTED, [report(waiting, 'SUCCESS', { transactionId: newId() })]);
    await waitForTrade(tasks, scene, waiting, ({ status }) => status === 'SUCCESS');
    expect(await countOpen(scene.channel)).toEqual({ count: 1, isMore: false });
    expect(await countOpen(newId())).toEqual({ count: 0, isMore: false });
  });

  test('the count stops at 1,000', async () => {
    const channel = newId();
    await tasks.service.sql(
      `insert into waiting_task (sales_channel_id, task_id, request, announced_at)
       select $1, $1 || n, '{}', 'infinity' from generate_series(1, 1001) as n`,
      [channel],
    );
    expect(await countOpen(channel)).toEqual({ count: 1_000, isMore: true });
    await tasks.service.sql('delete from waiting_task where sales_channel_id = $1', [channel]);
  });

  test('the gateway may not count open tasks', async () => {
    const gateway = await callAs('gateway', 'channelTasks', tasks.service.address, 'tasks');
    expect(await catchFailure(gateway.CountOpenTasks({ salesChannelId: 'c1' }))).toMatchObject({ code: 'forbidden' });
    gateway.close();
  });
});
