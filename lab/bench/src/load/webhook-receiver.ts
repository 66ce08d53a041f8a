import { fork } from 'node:child_process';
import { once } from 'node:events';
import { yieldCpu } from '@saleschannel/local';

/**
 * Takes messages of webhooks as fast as it can. It stands for machines elsewhere, and so it is a process that leaves
 * the cores to the system.
 */
export interface WebhookReceiver {
  readonly url: string;
  readonly pid: number;
  /** Different messages that came so far, over all endpoints. */
  received(): Promise<number>;
  close(): Promise<void>;
}

export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const child = fork(new URL('webhook-server.ts', import.meta.url), { detached: true });
  const [port] = (await Promise.race([once(child, 'message'), once(child, 'exit')])) as [unknown];
  const { pid } = child;
  if (pid === undefined || !child.connected) throw new Error('the receiver of webhooks did not start');
  yieldCpu(pid);
  return {
    url: `http://127.0.0.1:${String(port)}`,
    pid,
    async received() {
      child.send('count');
      const [count] = (await once(child, 'message')) as [number];
      return count;
    },
    async close() {
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}
