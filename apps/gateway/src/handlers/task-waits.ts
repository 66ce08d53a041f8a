import type { ReplyOf, SentTo, ServiceClient } from '@saleschannel/grpc';
import { meter } from '@saleschannel/runtime';

export interface TaskWaitsOptions {
  /** Maximum waiting requests, in total and per sales channel. Further ones are answered at once. */
  readonly waits: { readonly maxTotal: number; readonly perChannel: number };
  /** Aborts when the process begins to drain, which ends all waits. */
  readonly draining: AbortSignal;
}

type Task = ReplyOf<'tasks.GetTask'>;
export type AwaitedTask = NonNullable<SentTo<'tasks.WaitForTasks'>['tasks']>[number] & {
  readonly task: { readonly taskId: string };
};

export interface Waiter {
  readonly salesChannelId: string;
  readonly waitMs: number;
  readonly disconnected: AbortSignal;
}

/** The finished task, or the reason for its absence: the task did not end in time, or the wait ended early. */
export type WaitResult = Task | 'timed-out' | 'ended-early';

interface Wait extends Waiter {
  readonly awaited: AwaitedTask;
  end(result: WaitResult): void;
  /** Called when the wait ends without its task. */
  onLeave: () => void;
}

/** Extra time of the call, so that the task service ends the wait before the call times out. */
const MARGIN_MS = 1_000;

/**
 * Waits for tasks to end. Waits that begin in one turn of the event loop share a call of the task service, and each
 * ends on its own. A wait costs a timer and a set entry.
 */
export class TaskWaits {
  readonly #waitForTasks: ServiceClient<'tasks'>['WaitForTasks'];
  readonly #options: TaskWaitsOptions;
  readonly #open = new Set<Wait>();
  readonly #byChannel = new Map<string, number>();
  /** Waits of this turn of the event loop. */
  #next: Wait[] = [];

  constructor(waitForTasks: ServiceClient<'tasks'>['WaitForTasks'], options: TaskWaitsOptions) {
    this.#waitForTasks = waitForTasks;
    this.#options = options;
    options.draining.addEventListener('abort', () => {
      for (const wait of this.#open) wait.end('ended-early');
    });
    meter()
      .createObservableGauge('saleschannel.task_waits', { description: 'Requests waiting for their task to end' })
      .addCallback((result) => result.observe(this.#open.size));
  }

  /** Never fails. */
  wait(awaited: AwaitedTask, waiter: Waiter): Promise<WaitResult> {
    const { salesChannelId, waitMs, disconnected } = waiter;
    const { waits, draining } = this.#options;
    const channelWaits = this.#byChannel.get(salesChannelId) ?? 0;
    const hasRoom = this.#open.size < waits.maxTotal && channelWaits < waits.perChannel;
    if (!hasRoom || draining.aborted || disconnected.aborted) return Promise.resolve('ended-early');
    this.#byChannel.set(salesChannelId, channelWaits + 1);
    return new Promise((resolve) => {
      const timer = setTimeout(() => wait.end('timed-out'), waitMs);
      const disconnect = (): void => wait.end('ended-early');
      const wait: Wait = {
        ...waiter,
        awaited,
        onLeave: () => undefined,
        end: (result) => {
          if (!this.#open.delete(wait)) return;
          clearTimeout(timer);
          disconnected.removeEventListener('abort', disconnect);
          this.#forget(salesChannelId);
          if (typeof result === 'string') wait.onLeave();
          resolve(result);
        },
      };
      disconnected.addEventListener('abort', disconnect, { once: true });
      this.#open.add(wait);
      if (this.#next.push(wait) === 1) setImmediate(() => void this.#send());
    });
  }

  #forget(salesChannelId: string): void {
    const left = (this.#byChannel.get(salesChannelId) ?? 1) - 1;
    if (left > 0) this.#byChannel.set(salesChannelId, left);
    else this.#byChannel.delete(salesChannelId);
  }

  async #send(): Promise<void> {
    const batch = this.#next.filter((wait) => this.#open.has(wait));
    this.#next = [];
    if (batch.length === 0) return;
    const abandoned = new AbortController();
    // The call continues until all its waits have ended.
    for (const wait of batch)
      wait.onLeave = () => {
        if (!batch.some((each) => this.#open.has(each))) abandoned.abort();
      };
    const timeoutMs = Math.max(...batch.map(({ waitMs }) => waitMs)) + MARGIN_MS;
    try {
      const tasks = batch.map(({ awaited }) => awaited);
      for await (const ended of this.#waitForTasks({ tasks }, { timeoutMs, signal: abandoned.signal })) {
        const byId = new Map(ended.tasks.map((task) => [task.id, task]));
        for (const wait of batch) {
          const task = byId.get(wait.awaited.task.taskId);
          if (task) wait.end(task);
        }
      }
    } catch {
      // Clients get the last known state of the task, and may retry.
    } finally {
      for (const wait of batch) wait.end('ended-early');
    }
  }
}
