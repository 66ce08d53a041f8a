import { withDeadLetters, type DeadLetter } from '@saleschannel/messaging';
import { eventually, testBrokerUrl } from '@saleschannel/testing';
import { report, REPORTED } from './events.ts';
import { trade, type Scene } from './requests.ts';
import type { Task, Tasks } from './tasks.ts';

/** Starts a trade in the scene's channel. Returns the id of its task. */
export const startTrade = async (tasks: Tasks, scene: Scene): Promise<string> =>
  (await tasks.start(await trade(scene))).task.id;

export const readTrade = (tasks: Tasks, { channel, seller }: Scene, id: string): Promise<Task> =>
  tasks.get(channel, 'TRADE', seller, id);

/** Waits until the task meets the condition. */
export const waitForTrade = (tasks: Tasks, scene: Scene, id: string, is: (task: Task) => boolean): Promise<Task> =>
  eventually(async () => {
    const task = await readTrade(tasks, scene, id);
    return is(task) && task;
  }, `task ${id}`);

/** Waits until all events published so far are handled, by publishing another one. */
export async function waitForEvents(tasks: Tasks, scene: Scene): Promise<void> {
  const id = await startTrade(tasks, scene);
  await tasks.publisher.publish(REPORTED, [report(id, 'REFUSED', { transactionId: null })]);
  await waitForTrade(tasks, scene, id, ({ status }) => status === 'FAILED');
}

export const waitForEmptyOutbox = (tasks: Tasks): Promise<true> =>
  eventually(async () => (await tasks.service.sql('select from outbox')).length === 0 && true, 'an empty outbox');

/** Waits for the dead letter that contains the text. */
export const waitForDeadLetter = (tasks: Tasks, text: string): Promise<DeadLetter> =>
  eventually(
    () =>
      withDeadLetters(testBrokerUrl(), tasks.namespace, async (letters) =>
        (await letters.list('tasks.outcomes', 100)).find(({ body }) => body.includes(text)),
      ),
    'a dead letter',
  );
