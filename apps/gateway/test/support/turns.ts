import { setImmediate } from 'node:timers/promises';

/**
 * Lets the event loop go round so often. The gateway, the services behind it and the client share one process: what can
 * go on does so in each turn, and what has not moved after many turns waits for something. No time is involved.
 */
export async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await setImmediate();
}
