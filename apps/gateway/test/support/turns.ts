import { setImmediate } from 'node:timers/promises';

/**
 * Waits for turns of the event loop. Gateway, services and client share one process, so work that can continue does so
 * in each turn, and work that has not moved after many turns is blocked. Independent of time.
 */
export async function passTurns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await setImmediate();
}
