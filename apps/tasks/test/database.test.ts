import { afterAll, beforeAll, test } from '@jest/globals';
import { eventually, smallestPools, proveOwnConnections } from '@saleschannel/testing';
import { schemaTests } from '@saleschannel/testing/schema-tests';
import { schema } from '../src/store/schema.ts';
import { report, REPORTED } from './support/events.ts';
import { startTasks, type Tasks } from './support/tasks.ts';
import { readTrade, startTrade } from './support/trades.ts';

schemaTests(new URL('../src/store/', import.meta.url), schema);

let tasks: Tasks;
beforeAll(async () => {
  tasks = await startTasks({ variables: smallestPools });
});
afterAll(() => tasks.stop());

test('outcomes are written while calls hold all of their connections', async () => {
  const scene = tasks.newScene();
  const id = await startTrade(tasks, scene);
  await proveOwnConnections({
    service: tasks.service,
    table: 'task',
    call: () => readTrade(tasks, scene, id),
    async work() {
      await tasks.publisher.publish(REPORTED, [report(id, 'SUCCESS', { transactionId: 'tx' })]);
      const ended = `select from task where id = $1 and status = 'SUCCESS'`;
      await eventually(async () => (await tasks.service.sql(ended, [id])).length > 0, 'the end of the task');
    },
  });
});
