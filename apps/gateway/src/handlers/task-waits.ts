import type { ReplyOf, SentTo, ServiceClient } from '@saleschannel/grpc';
import { meter } from '@saleschannel/runtime';

export interface TaskWaitsOptions {
  /** Of requests, in all and of each sales channel. Further ones are answered at once. */
  readonly waits: { readonly atMost: number; readonly perChannel: number };
  /** Aborts when the process begins to drain. All waits end then. */
  readonly draining: AbortSignal;
}

type Task = ReplyOf<'tasks.GetTask'>;
export type AwaitedTask = NonNullable<SentTo<'tasks.WaitForTasks'>['tasks']>[number] & {
  readonly task: { readonly taskId: string };
};

export interface Waiter {
  readonly salesChannelId: string;
  readonly waitMs: number;
  /** Aborts when the client disconnects. */
  readonly gone: AbortSignal;
}

/** The task that ended, or why there is none: it did not end in time, or could not be waited for until then. */
export type WaitResult = Task | 'time-over' | 'let-go';

interface Wait extends Waiter {
  readonly awaited: AwaitedTask;
  end(result: WaitResult): void;
  /** Runs when it ended without its task. */
  onLeave: () => void;
}

/** For the task service to say that the time is over before the call is. */
const MARGIN_MS = 1_000;

/**
 * Waits for tasks to end, those of one turn of the event loop with one call of the task service: the transfers that
 * were started together are awaited together, and none waits for another. A wait is a timer and a place in a table.
 */
export class TaskWaits {
  readonly #waitForTasks: ServiceClient<'tasks'>['WaitForTasks'];
  readonly #options: TaskWaitsOptions;
  readonly #open = new Set<Wait>();
  readonly #byChannel = new Map<string, number>();
  #gathered: Wait[] = [];

  constructor(waitForTasks: ServiceClient<'tasks'>['WaitForTasks'], options: TaskWaitsOptions) {
    this.#waitForTasks = waitForTasks;
    this.#options = options;
    options.draining.addEventListener('abort', () => {
      for (const wait of this.#open) wait.end('let-go');
    });
    meter()
      .createObservableGauge('saleschannel.task_waits', { description: 'Requests waiting for their task to end' })
      .addCallback((result) => result.observe(this.#open.size));
  }

  /** Never fails: what cannot be waited for is let go. */
  wait(awaited: AwaitedTask, waiter: Waiter): Promise<WaitResult> {
    const { salesChannelId, waitMs, gone } = waiter;
    const { waits, draining } = this.#options;
    const ofChannel = this.#byChannel.get(salesChannelId) ?? 0;
    const hasRoom = this.#open.size < waits.atMost && ofChannel < waits.perChannel;
    if (!hasRoom || draining.aborted || gone.aborted) return Promise.resolve('let-go');
    this.#byChannel.set(salesChannelId, ofChannel + 1);
    return new Promise((resolve) => {
      const timer = setTimeout(() => wait.end('time-over'), waitMs);
      const disconnect = (): void => wait.end('let-go');
      const wait: Wait = {
        ...waiter,
        awaited,
        onLeave: () => undefined,
        end: (result) => {
          if (!this.#open.delete(wait)) return;
          clearTimeout(timer);
          gone.removeEventListener('abort', disconnect);
          this.#forget(salesChannelId);
          if (typeof result === 'string') wait.onLeave();
          resolve(result);
        },
      };
      gone.addEventListener('abort', disconnect, { once: true });
      this.#open.add(wait);
      if (this.#gathered.push(wait) === 1) setImmediate(() => void this.#send());
    });
  }

  #forget(salesChannelId: string): void {
    const left = (this.#byChannel.get(salesChannelId) ?? 1) - 1;
    if (left > 0) this.#byChannel.set(salesChannelId, left);
    else this.#byChannel.delete(salesChannelId);
  }

  async #send(): Promise<void> {
    const batch = this.#gathered.filter((wait) => this.#open.has(wait));
    this.#gathered = [];
    if (batch.length === 0) return;
    const abandoned = new AbortController();
    // Those that leave early keep their place in the call until nobody in it waits.
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
      // Whoever waited has the task as it was, and may ask again.
    } finally {
      for (const wait of batch) wait.end('let-go');
    }
  }
}
