import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { SentTo } from '@saleschannel/grpc';
import { Broker } from '@saleschannel/messaging';
import { newId } from '@saleschannel/primitives';
import { meter, silentLogger } from '@saleschannel/runtime';
import { asUser, collect, smallestPools, startPublisher, testBrokerUrl } from '@saleschannel/testing';
import { consumeOutcomes, recordOutcomes } from '../src/consumers/outcomes.ts';
import type { Task } from '../src/domain/task.ts';
import { createAnnouncer } from '../src/store/announcements.ts';
import { acceptTransfers, type StartedTask } from '../src/operations/accept-transfers.ts';
import type { CheckedTransfer } from '../src/operations/check-transfers.ts';
import { TaskEnds, defaultPollIntervals, waitForEnds } from '../src/operations/task-ends.ts';
import { toTaskMessage } from '../src/rpc/tasks.ts';
import { findTasks } from '../src/store/tasks.ts';
import { report, REPORTED } from './support/events.ts';
import { offramp, range, type Scene } from './support/requests.ts';
import { messageTypes, startTasks, type Tasks } from './support/tasks.ts';
import { readTrade, startTrade } from './support/trades.ts';

type Wait = NonNullable<SentTo<'tasks.WaitForTasks'>['tasks']>[number];

let tasks: Tasks;
let scene: Scene;
beforeAll(async () => {
  tasks = await startTasks({ variables: smallestPools });
});
beforeEach(() => {
  scene = tasks.newScene();
});
afterAll(() => tasks.stop());

const timeoutMs = 10_000;
const noReports = {
  isFollowed: () => false,
  onWritten: () => undefined,
  onConflicts: () => undefined,
  onUnknown: () => undefined,
};

async function createWait(taskId: string, { channel, seller }: Scene = scene): Promise<Wait> {
  const { principalToken } = await asUser(channel, ['TRANSACTION_ADMINISTRATOR']);
  return { principalToken, task: { type: messageTypes.TRADE, traderId: seller, taskId } };
}

/** Collects the ends that one stream reports. */
async function collectEnds(waits: Wait[]): Promise<string[]> {
  const answers = await collect(tasks.gateway.WaitForTasks({ tasks: waits }, { timeoutMs }));
  return answers.flatMap(({ tasks: ended }) => ended).map(({ id, status }) => `${id} ${status}`);
}

const succeed = (...ids: string[]) =>
  tasks.publisher.publish(
    REPORTED,
    ids.map((id) => report(id, 'SUCCESS')),
  );

describe('WaitForTasks', () => {
  test('reports each task when it ends, or at once if it has ended', async () => {
    const [one, two] = [await startTrade(tasks, scene), await startTrade(tasks, scene)];
    await recordOutcomes(tasks.database, [report(one, 'SUCCESS')], noReports);
    const answers = tasks.gateway.WaitForTasks(
      { tasks: [await createWait(one), await createWait(two)] },
      { timeoutMs },
    );
    const reported: string[] = [];
    for await (const { tasks: ended } of answers) {
      if (ended.some(({ id }) => id === one)) await tasks.publisher.publish(REPORTED, [report(two, 'REFUSED')]);
      reported.push(...ended.map(({ id, status }) => `${id} ${status}`));
    }
    expect(reported).toEqual([`${one} SUCCESS`, `${two} FAILED`]);
  });

  test('finds an end that another replica wrote without a broadcast', async () => {
    const id = await startTrade(tasks, scene);
    const waiting = collectEnds([await createWait(id)]);
    // No broadcast reaches the service.
    await recordOutcomes(tasks.database, [report(id, 'SUCCESS')], noReports);
    expect(await waiting).toEqual([`${id} SUCCESS`]);
  });

  test('leaves out unknown tasks, and tasks that the user may not see', async () => {
    const id = await startTrade(tasks, scene);
    const other = tasks.newScene();
    const { principalToken } = await asUser(scene.channel, ['ASSET_OFFRAMPER']);
    const own = await createWait(id);
    await recordOutcomes(tasks.database, [report(id, 'SUCCESS')], noReports);
    const refused = [
      await createWait(id, other),
      await createWait(id, { ...scene, seller: scene.buyer }),
      await createWait('nothing'),
      { ...own, principalToken },
      { ...own, principalToken: 'forged' },
      { ...own, task: { ...own.task, type: messageTypes.OFFRAMP } },
      { principalToken: own.principalToken ?? '' },
    ];
    expect(await collectEnds(refused)).toEqual([]);
    expect(await collectEnds([...refused, own])).toEqual([`${id} SUCCESS`]);
  });

  test('waits for an offramp with the role for offramps', async () => {
    const { task } = await tasks.start(await offramp(scene));
    const { principalToken } = await asUser(scene.channel, ['ASSET_OFFRAMPER']);
    await recordOutcomes(tasks.database, [report(task.id, 'SUCCESS')], noReports);
    const path = { type: messageTypes.OFFRAMP, traderId: scene.onboarded, taskId: task.id };
    expect(await collectEnds([{ principalToken, task: path }])).toEqual([`${task.id} SUCCESS`]);
  });

  test('holds no connection: 200 waits do not block calls with a minimal pool', async () => {
    const ids = await Promise.all(Array.from({ length: 200 }, () => startTrade(tasks, scene)));
    const waiting = collectEnds(await Promise.all(ids.map((id) => createWait(id))));
    for (const id of ids.slice(0, 20)) expect(await readTrade(tasks, scene, id)).toMatchObject({ status: 'PENDING' });
    await succeed(...ids);
    expect((await waiting).toSorted()).toEqual(ids.map((id) => `${id} SUCCESS`).toSorted());
  });

  test('sends an empty message, so that the caller does not time out', async () => {
    const id = await startTrade(tasks, scene);
    const leaving = new AbortController();
    const answers = tasks.gateway.WaitForTasks(
      { tasks: [await createWait(id)] },
      { timeoutMs, signal: leaving.signal },
    );
    const { value } = (await answers[Symbol.asyncIterator]().next()) as { value: { tasks: unknown[] } };
    expect(value.tasks).toEqual([]);
    leaving.abort();
  });

  test('ends when the service stops', async () => {
    const own = await startTasks();
    const mine = own.newScene();
    const id = await startTrade(own, mine);
    const waits = [await createWait(id, mine)];
    const answers = own.gateway.WaitForTasks({ tasks: waits }, { timeoutMs })[Symbol.asyncIterator]();
    expect(await answers.next()).toMatchObject({ value: { tasks: [] } });
    await own.service.stop();
    expect(await answers.next()).toEqual({ done: true, value: undefined });
    await own.stop();
  });
});

test('a wait for a task of this process skips the first read', async () => {
  const ends = new TaskEnds();
  const { channel, seller } = scene;
  const about = { type: 'TRADE', traderId: seller, idempotencyKey: randomUUID(), currency: 'EUR' } as const;
  const transfer = { ...about, buyerId: scene.buyer, assets: [{ ...range(1, 1), unitPrice: '1' }] };
  const checked = {
    salesChannelId: channel,
    transfer,
    resolved: transfer,
    isOfPreviousGeneration: false,
    actor: { kind: 'user', id: 'u' },
    traceparent: '',
    destination: { type: 'TRADE', buyerId: scene.buyer, currency: 'EUR' },
    accountHolderId: undefined,
    autoApproval: true,
    leaseEnd: Infinity,
  };
  const dependencies = {
    database: tasks.database,
    created: meter().createCounter('made'),
    announcer: createAnnouncer(1),
    ends,
  };
  const [started] = await acceptTransfers(dependencies, [checked as unknown as CheckedTransfer]);
  const { task } = started as StartedTask;
  const path = { salesChannelId: channel, type: 'TRADE', traderId: seller, id: task.id } as const;
  const elsewhere = [
    { ...path, salesChannelId: 'other' },
    { ...path, type: 'OFFRAMP' } as const,
    { ...path, traderId: scene.buyer },
  ];
  expect([path, ...elsewhere].map((each) => ends.isPendingAt(each))).toEqual([true, false, false, false]);
  // A first read would find no task and end the wait.
  const findTask = () => Promise.resolve(undefined);
  const limits = { signal: new AbortController().signal, deadline: Date.now() + 3_600_000 };
  const waiting = collect(
    waitForEnds({ findTask, ends, pollIntervalsMs: defaultPollIntervals }, [path, ...elsewhere], limits),
  );
  const ended = { ...task, status: 'SUCCESS' } as const;
  ends.notifyEnded(task.id, ended);
  expect((await waiting).flat()).toEqual([ended]);
  expect(ends.isPendingAt(path)).toBe(false);
});

test('an end that another replica broadcasts is read until it is visible', async () => {
  const ends = new TaskEnds();
  const path = { salesChannelId: 'c', type: 'TRADE', traderId: 'seller', id: newId() } as const;
  ends.addPending(path);
  const pending = { ...path, status: 'PENDING' } as unknown as Task;
  const ended = { ...path, status: 'SUCCESS' } as unknown as Task;
  const answers = [pending, ended];
  let read = Promise.withResolvers<void>();
  const findTask = () => {
    read.resolve();
    return Promise.resolve(answers.shift());
  };
  const limits = { signal: new AbortController().signal, deadline: Date.now() + 3_600_000 };
  const pollIntervalsMs = { first: 3_600_000, longest: 3_600_000 };
  const waiting = collect(waitForEnds({ findTask, ends, pollIntervalsMs }, [path], limits));
  ends.notifyEnded(path.id);
  await read.promise;
  read = Promise.withResolvers();
  expect(answers).toEqual([ended]);
  ends.notifyEnded(path.id);
  expect((await waiting).flat()).toEqual([ended]);
});

test('waits in the process that writes an end receive the task without a read', async () => {
  const id = await startTrade(tasks, scene);
  // A separate namespace, without other replicas.
  const namespace = `${tasks.namespace}.alone`;
  const broker = new Broker({ url: testBrokerUrl(), namespace, service: 'tasks', logger: silentLogger });
  const ends = new TaskEnds();
  const broadcasts: unknown[] = [];
  const replicas = { broadcastEnds: (ended: readonly unknown[]) => void broadcasts.push(...ended) };
  const consumer = consumeOutcomes({ database: tasks.database, broker, ends, replicas, logger: silentLogger });
  await broker.start();
  const publisher = await startPublisher(namespace);
  const paths = [{ salesChannelId: scene.channel, type: 'TRADE', traderId: scene.seller, id } as const];
  const [pending] = await findTasks(
    tasks.database.em(),
    paths.map((path) => ({ ...path, index: 0 })),
  );
  const read = Promise.withResolvers<void>();
  // Reads never show the end.
  const findTask = () => {
    read.resolve();
    return Promise.resolve(pending);
  };
  const limits = { signal: new AbortController().signal, deadline: Date.now() + 3_600_000 };
  const waiting = collect(waitForEnds({ findTask, ends, pollIntervalsMs: defaultPollIntervals }, paths, limits));
  await read.promise;
  await publisher.publish(REPORTED, [report(id, 'SUCCESS', { transactionId: randomUUID() })]);
  const [ended] = (await waiting).flat();
  expect(ended && toTaskMessage(ended)).toEqual(await readTrade(tasks, scene, id));
  expect(ended).toMatchObject({ status: 'SUCCESS' });
  // All waits are in this process.
  expect(broadcasts).toEqual([]);
  await publisher.stop();
  await consumer.stop();
  await broker.stop();
});
