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

/** Interval between announcements of one sales channel. */
const ANNOUNCE_AGAIN_MS = 5_000;
/** Longer than that interval plus the longest wait of a client. */
const AWAITED_MS = 30_000;
/** Waits in further channels rely on polling. */
const MAX_CHANNELS = 10_000;

const createChannelSet = (ttl: number): LRUCache<string, true> => new LRUCache({ max: MAX_CHANNELS, ttl });

/**
 * Broadcasts the ids of ended tasks between replicas, for the sales channels in which clients wait. Broadcasts carry no
 * task data: the waiting replica reads the task with its client's access. They may be lost, because tasks are also
 * polled.
 */
export class OtherReplicas {
  readonly #id = randomUUID();
  readonly #broadcast: Broadcast;
  /** Sales channels in which clients wait at other replicas. */
  readonly #awaited = createChannelSet(AWAITED_MS);
  /** Sales channels that this replica announced. */
  readonly #announced = createChannelSet(ANNOUNCE_AGAIN_MS);

  constructor({ broker, ends, logger }: { broker: Broker; ends: TaskEnds; logger: Logger }) {
    this.#broadcast = createBroadcaster({ broker, service: 'tasks' });
    listenToBroadcasts({
      broker,
      service: 'tasks',
      events: broadcasts.tasks,
      onEntry: ({ type, event }) => {
        if (type === 'tasks.wait.ended.v1') ends.notifyEnded(event.taskId);
        else if (event.replicaId !== this.#id) this.#awaited.set(event.salesChannelId, true);
      },
      logger,
    });
  }

  /** Announces that clients wait here in these sales channels. Call it before reading their tasks. */
  announceWaits(salesChannelIds: readonly string[]): void {
    const channels = [...new Set(salesChannelIds)].filter((salesChannelId) => !this.#announced.has(salesChannelId));
    if (channels.length === 0) return;
    const events = channels.map((salesChannelId) => ({ replicaId: this.#id, salesChannelId }));
    if (this.#broadcast('tasks.wait.begun.v1', events)) for (const each of channels) this.#announced.set(each, true);
  }

  /** Broadcasts the committed ends of these tasks, in channels where another replica waits. */
  broadcastEnds(ended: readonly { readonly taskId: string; readonly salesChannelId: string }[]): void {
    const awaited = ended.filter(({ salesChannelId }) => this.#awaited.has(salesChannelId));
    if (awaited.length === 0) return;
    this.#broadcast(
      'tasks.wait.ended.v1',
      awaited.map(({ taskId }) => ({ taskId })),
    );
  }
}
