import type { PreparingClient } from '@saleschannel/database';
import { meter } from '@saleschannel/runtime';
import { deleteHandled } from './outbox-rows.ts';

const RETENTION_DAYS = 90;
const INTERVAL_MS = 60 * 60_000;
const ROWS_PER_RUN = 1_000;

/**
 * Deletes handled events from `outbox_refused`, which would grow forever. The active relay runs it between two rounds,
 * so it runs in every service with an outbox, in one replica only. Unhandled events stay.
 */
export class RefusedRetention {
  readonly #removed = meter().createCounter('saleschannel.outbox.refused_removed', {
    description: 'Refused events deleted after they were handled and retained',
  });
  #dueAt = 0;

  /**
   * Deletes a bounded number, at intervals.
   * @param client outside of any transaction
   */
  async removeIfDue(client: PreparingClient): Promise<void> {
    if (performance.now() < this.#dueAt) return;
    const { length: removed } = await client.run(deleteHandled(RETENTION_DAYS, ROWS_PER_RUN));
    if (removed > 0) this.#removed.add(removed);
    // The next round deletes the rest.
    if (removed < ROWS_PER_RUN) this.#dueAt = performance.now() + INTERVAL_MS;
  }
}
