import { afterAll, beforeAll } from '@jest/globals';
import { contractTests } from '@saleschannel/testing/contract-tests';
import { createStates } from './support/contract-states.ts';
import { startTasks, type Tasks } from './support/tasks.ts';

let tasks: Tasks;
beforeAll(async () => {
  tasks = await startTasks();
});
afterAll(() => tasks.stop());

await contractTests('tasks', () => ({ service: tasks.service, states: createStates(tasks) }));
