import { randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import {
  broadcasts,
  createBroadcaster,
  listenToBroadcasts,
  type Broadcast,
  type Broker,
} from '@saleschannel/messaging';
import type { Logger } from '@saleschannel/runtime';
import type { TaskEnds } from '../operations/task-ends.ts';

const SAY_AGAIN_MS = 5_000;
/** Longer than a replica takes to say it again and a client waits after that, together. */
const AWAITED_MS = 30_000;
/** Ends in further channels are found by reading. */
const CHANNELS_AT_MOST = 10_000;

const setOfChannels = (ttl: number): LRUCache<string, true> => new LRUCache({ max: CHANNELS_AT_MOST, ttl });

/**
 * Tells other replicas of the ends that they may wait for, and hears theirs. What is told names tasks and nothing else:
 * those who wait read the task themselves, by what they may see. Anything here may be lost, as they also read from time
 * to time.
 */
export class OtherReplicas {
  readonly #id = randomUUID();
  readonly #broadcast: Broadcast;
  /** Sales channels for whose tasks others wait. */
  readonly #awaited = setOfChannels(AWAITED_MS);
  /** Those of which the others know that tasks are waited for here. */
  readonly #said = setOfChannels(SAY_AGAIN_MS);

  constructor({ broker, ends, logger }: { broker: Broker; ends: TaskEnds; logger: Logger }) {
    this.#broadcast = createBroadcaster({ broker, service: 'tasks' });
    listenToBroadcasts({
      broker,
      service: 'tasks',
      events: broadcasts.tasks,
      onEntry: ({ type, event }) => {
        if (type === 'tasks.wait.ended.v1') ends.tell(event.taskId);
        else if (event.replicaId !== this.#id) this.#awaited.set(event.salesChannelId, true);
      },
      logger,
    });
  }

  /** Tasks of these sales channels are waited for here. Say so before they are read. */
  wait(salesChannelIds: readonly string[]): void {
    const unsaid = [...new Set(salesChannelIds)].filter((salesChannelId) => !this.#said.has(salesChannelId));
    if (unsaid.length === 0) return;
    const events = unsaid.map((salesChannelId) => ({ replicaId: this.#id, salesChannelId }));
    if (this.#broadcast('tasks.wait.begun.v1', events)) for (const each of unsaid) this.#said.set(each, true);
  }

  /** The end of these tasks is committed. */
  tell(ended: readonly { readonly taskId: string; readonly salesChannelId: string }[]): void {
    const awaited = ended.filter(({ salesChannelId }) => this.#awaited.has(salesChannelId));
    if (awaited.length === 0) return;
    this.#broadcast(
      'tasks.wait.ended.v1',
      awaited.map(({ taskId }) => ({ taskId })),
    );
  }
}
