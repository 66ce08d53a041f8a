import { fork } from 'node:child_process';
import { once } from 'node:events';
import { yieldCpu } from '@saleschannel/local';

/** Accepts webhook messages as fast as possible. It represents other machines, so it is a separate process. */
export interface WebhookReceiver {
  readonly url: string;
  readonly pid: number;
  /** Number of distinct messages received over all endpoints. */
  received(): Promise<number>;
  close(): Promise<void>;
}

export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const child = fork(new URL('webhook-server.ts', import.meta.url), { detached: true });
  const [port] = (await Promise.race([once(child, 'message'), once(child, 'exit')])) as [unknown];
  const { pid } = child;
  if (pid === undefined || !child.connected) throw new Error('The webhook receiver did not start.');
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
      const exit = once(child, 'exit');
      child.disconnect();
      await exit;
    },
  };
}
