import { newId } from '@saleschannel/primitives';
import { eventually } from '@saleschannel/testing';
import type { States } from '@saleschannel/testing/contract-tests';
import { report, REPORTED, STATUS_CHANGED, statusChange } from './events.ts';
import type { Tasks } from './tasks.ts';
import { startTrade, waitForTrade } from './trades.ts';

/** States named in the contracts of the consumers of tasks. */
export function createStates(tasks: Tasks): States {
  const traders = async () => {
    const { channel, seller, buyer } = tasks.newScene();
    return { channel, seller, buyer, key: newId() };
  };
  return {
    async 'a channel whose first and third change were applied'() {
      const { channel } = tasks.newScene();
      const changes = ['1', '3'].map((sequence) => statusChange({ channel }, newId(), 'SUCCESS', { sequence }));
      await tasks.publisher.publish(STATUS_CHANGED, changes);
      await eventually(async () => (await tasks.progress(channel))?.highest === '3', 'the third change');
      return { channel };
    },
    'two traders': traders,
    async 'a trade that was asked for'() {
      const scene = tasks.newScene();
      const task = await startTrade(tasks, scene);
      return { channel: scene.channel, trader: scene.seller, task };
    },
    async 'a trade that was carried out'() {
      const scene = tasks.newScene();
      const task = await startTrade(tasks, scene);
      const transaction = newId();
      await tasks.publisher.publish(REPORTED, [report(task, 'SUCCESS', { transactionId: transaction })]);
      await waitForTrade(tasks, scene, task, ({ status }) => status === 'SUCCESS');
      return { channel: scene.channel, trader: scene.seller, task, transaction };
    },
    'no task': async () => ({ ...(await traders()), task: newId() }),
  };
}
