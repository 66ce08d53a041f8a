import type { PreparingClient } from '@saleschannel/database';
import { meter } from '@saleschannel/runtime';
import { deleteHandled } from './outbox-rows.ts';

const KEPT_DAYS = 90;
const EVERY_MS = 60 * 60_000;
const ROWS_AT_ONCE = 1_000;

/**
 * Removes what the broker refused and somebody has handled, so that `outbox_refused` does not grow for ever. The relay
 * that is active does it, from time to time, between two rounds: so every service that has an outbox has this too, and
 * one replica alone does it. What nobody has handled stays.
 */
export class RefusedRetention {
  readonly #removed = meter().createCounter('saleschannel.outbox.refused_removed', {
    description: 'Refused events deleted after they were handled and retained',
  });
  #dueAt = 0;

  /** A bounded number, if it is time. @param client outside of any transaction */
  async removeIfDue(client: PreparingClient): Promise<void> {
    if (performance.now() < this.#dueAt) return;
    const { length: removed } = await client.run(deleteHandled(KEPT_DAYS, ROWS_AT_ONCE));
    if (removed > 0) this.#removed.add(removed);
    // What is left then comes with the next round.
    if (removed < ROWS_AT_ONCE) this.#dueAt = performance.now() + EVERY_MS;
  }
}
