import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Role } from '@saleschannel/auth';
import type { TransferType } from '@saleschannel/contracts';
import { asUser, failureOf } from '@saleschannel/testing';
import { offramp, retirement, trade, type Scene } from './support/requests.ts';
import { messageTypes, startTasks, type Tasks } from './support/tasks.ts';
import { startTrade } from './support/trades.ts';

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
  test('answers a task by its type, trader and id, to those who may ask for that type', async () => {
    const [one, two, three] = [
      await tasks.start(await trade(scene)),
      await tasks.start(await retirement(scene)),
      await tasks.start(await offramp(scene)),
    ];
    expect(await tasks.get(scene.channel, 'TRADE', scene.seller, one.task.id)).toEqual(one.task);
    expect(await tasks.get(scene.channel, 'RETIREMENT', scene.seller, two.task.id)).toEqual(two.task);
    expect(await tasks.get(scene.channel, 'OFFRAMP', scene.onboarded, three.task.id)).toEqual(three.task);
  });

  test("is not-found for another channel's, another trader's, another type's and no task, alike", async () => {
    const id = await startTrade(tasks, scene);
    const answers = [
      await failureOf(tasks.get(tasks.newScene().channel, 'TRADE', scene.seller, id)),
      await failureOf(tasks.get(scene.channel, 'TRADE', scene.buyer, id)),
      await failureOf(tasks.get(scene.channel, 'RETIREMENT', scene.seller, id)),
      await failureOf(tasks.get(scene.channel, 'OFFRAMP', scene.seller, id)),
      await failureOf(tasks.get(scene.channel, 'TRADE', scene.seller, 'nothing')),
      await failureOf(tasks.get(scene.channel, 'TRADE', scene.seller, '')),
      await failureOf(tasks.get(scene.channel, 'TRADE', scene.seller, 'a\0b')),
      await failureOf(tasks.get(scene.channel, 'TRADE', 'a\0b', id)),
    ];
    expect(new Set(answers.map(({ code, message }) => `${code} ${message}`)).size).toBe(1);
    expect(answers[0]?.code).toBe('not-found');
  });

  test('tells everybody their own tasks and nobody those of others, whoever asks at the same time', async () => {
    const scenes = [scene, tasks.newScene(), tasks.newScene()];
    const places = await Promise.all(
      scenes.map(async (each) => ({ ...each, ids: [await startTrade(tasks, each), await startTrade(tasks, each)] })),
    );
    const ids = [...places.flatMap((place) => place.ids), 'nothing'];
    const traders = places.map(({ seller }) => seller);
    const questions = places.flatMap((place) => traders.flatMap((trader) => ids.map((id) => ({ place, trader, id }))));
    const answers = await Promise.all(
      questions.map(({ place, trader, id }) =>
        tasks.get(place.channel, 'TRADE', trader, id).then(
          (task) => task.id,
          ({ code }: { code: string }) => code,
        ),
      ),
    );
    const isOwn = ({ place, trader, id }: (typeof questions)[number]) =>
      place.ids.includes(id) && trader === place.seller;
    expect(answers).toEqual(questions.map((question) => (isOwn(question) ? question.id : 'not-found')));
  });

  test('demands the role for the type, before it looks', async () => {
    const get = async (type: TransferType, roles: readonly Role[]) => {
      const request = { type: messageTypes[type], traderId: scene.seller, taskId: 'x' };
      return failureOf(tasks.gateway.GetTask(request, await asUser(scene.channel, roles)));
    };
    expect(await get('TRADE', ['ASSET_OFFRAMPER', 'TRADER_ADMINISTRATOR', 'ASSET_VIEWER'])).toMatchObject({
      code: 'forbidden',
    });
    expect(await get('RETIREMENT', ['ASSET_OFFRAMPER'])).toMatchObject({ code: 'forbidden' });
    expect(await get('OFFRAMP', ['TRANSACTION_ADMINISTRATOR'])).toMatchObject({ code: 'forbidden' });
    const request = { type: messageTypes.TRADE, traderId: 'x', taskId: 'x' };
    const unbound = await asUser(undefined, ['TRANSACTION_ADMINISTRATOR']);
    expect(await failureOf(tasks.gateway.GetTask(request, unbound))).toMatchObject({ code: 'forbidden' });
    expect(await failureOf(tasks.gateway.GetTask(request))).toMatchObject({ code: 'unauthenticated' });
  });

  test.each([undefined, 'TRANSFER_TYPE_UNSPECIFIED' as const])('invalid-request: the type %p', async (type) => {
    const id = await startTrade(tasks, scene);
    const request = { traderId: scene.seller, taskId: id, ...(type === undefined ? {} : { type }) };
    const asked = tasks.gateway.GetTask(request, await asUser(scene.channel, ['TRANSACTION_ADMINISTRATOR']));
    expect(await failureOf(asked)).toMatchObject({ code: 'invalid-request', violations: [{ code: 'enum' }] });
  });
});
