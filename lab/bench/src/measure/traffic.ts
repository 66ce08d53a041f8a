import { readFileSync } from 'node:fs';
import type { Stack } from '@saleschannel/local';

/**
 * Bytes that the processes of the stack have sent over sockets so far, from /proc: Node writes to sockets as to files,
 * and the services write no files. What PostgreSQL and RabbitMQ send is what they read.
 */
export function trafficOf({ processes }: Pick<Stack, 'processes'>): { readonly sent: number; readonly read: number } {
  let [sent, read] = [0, 0];
  for (const { pid } of processes) {
    const text = pid === undefined ? '' : readFileSync(`/proc/${pid}/io`, 'utf8');
    sent += Number(/^wchar: (\d+)$/m.exec(text)?.[1] ?? 0);
    read += Number(/^rchar: (\d+)$/m.exec(text)?.[1] ?? 0);
  }
  return { sent, read };
}
